import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { nvlinkBytesPerSecond, nvlinkDomains, parseTopology, type Topology } from './topology';

// Facts of the machines shown in Stanford CS336: spring2025-lectures bbdbc9c var/traces/lecture_08_stdout.txt
// (10 NICs) and spring2024-lectures 2eab561 lecture_08-content.js (18 NICs).
const fixture = (name: string) => readFileSync(`test/fixtures/collectives/${name}`, 'utf8');
const parse = (text: string) => {
  const topology = parseTopology(text);
  assert.ok('gpus' in topology, JSON.stringify(topology));
  return topology;
};
const gpuPairs = (t: Topology) => {
  let pairs = 0;
  for (let a = 0; a < t.gpus; a++)
    for (let b = a + 1; b < t.gpus; b++) if (t.connections[a]?.[b]?.nvlinks === 18) pairs++;
  return pairs;
};

describe('nvidia-smi topo -m', () => {
  it('knows no word that every object has', () => {
    const text = fixture('topo-8gpu-10nic.txt').replace('PIX', 'constructor');
    assert.equal('code' in parseTopology(text), true);
  });

  it('reads the machine of 2025: 28 pairs of 18 links, two NUMA nodes, one near NIC a GPU', () => {
    const t = parse(fixture('topo-8gpu-10nic.txt'));
    assert.deepEqual([t.gpus, t.nics, gpuPairs(t)], [8, 10, 28]);
    assert.equal(nvlinkBytesPerSecond(t, 0, 7), 450e9);
    assert.deepEqual(t.numa, [0, 0, 0, 0, 1, 1, 1, 1]);
    assert.deepEqual(t.nearNics, [[0], [1], [2], [5], [6], [7], [8], [9]]);
    assert.equal(t.connections[8 + 3]?.[8 + 4]?.path, 'PIX');
    assert.deepEqual(nvlinkDomains(t), [[0, 1, 2, 3, 4, 5, 6, 7]]);
  });

  it('reads the machine of 2024: 18 NICs, two behind the switch of each GPU', () => {
    const t = parse(fixture('topo-8gpu-18nic.txt'));
    assert.deepEqual([t.gpus, t.nics, gpuPairs(t)], [8, 18, 28]);
    assert.deepEqual(t.numa, [0, 0, 0, 0, 1, 1, 1, 1]);
    assert.deepEqual(t.nearNics, [
      [0, 1],
      [3, 4],
      [5, 6],
      [7, 8],
      [9, 10],
      [12, 13],
      [14, 15],
      [16, 17],
    ]);
    assert.equal(t.connections[0]?.[8]?.path, 'PXB');
  });

  it('reads blanks in the place of tabs', () => {
    const t = parse(
      '        GPU0    GPU1    CPU Affinity    NUMA Affinity\nGPU0     X      NV4     0-15    0\nGPU1    NV4      X      0-15    0\n',
    );
    assert.deepEqual([t.gpus, nvlinkBytesPerSecond(t, 0, 1), t.numa], [2, 100e9, [0, 0]]);
  });

  it('parts GPUs that PCIe alone joins', () => {
    const t = parse(
      '\tGPU0\tGPU1\tGPU2\tGPU3\nGPU0\tX\tNV12\tSYS\tSYS\nGPU1\tNV12\tX\tSYS\tSYS\nGPU2\tSYS\tSYS\tX\tNV12\nGPU3\tSYS\tSYS\tNV12\tX\n',
    );
    assert.deepEqual(nvlinkDomains(t), [
      [0, 1],
      [2, 3],
    ]);
    assert.deepEqual(t.nearNics, [[], [], [], []]);
  });

  it('answers text that is no matrix, or a torn one, with a problem', () => {
    for (const text of ['', 'hello', '\tGPU0\tGPU1\nGPU0\tX\n', '\tGPU0\tGPU1\nGPU0\tX\tQQ\nGPU1\tQQ\tX\n']) {
      const t = parseTopology(text);
      assert.ok('code' in t && t.code === 'syntax');
    }
  });
});
