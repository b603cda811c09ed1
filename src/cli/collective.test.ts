import assert from 'node:assert/strict';
import { ACCELERATORS } from '../engine/hardware/accelerators';
import { collectiveCommand, parseAlgorithm, parseOp } from './collective';

const h100 = { id: 'h100-sxm', device: ACCELERATORS['h100-sxm'] };
const base = { op: 'all-reduce', ranks: 8, bytes: 2 ** 30, gpu: h100 } as const;

describe('meshlens collective', () => {
  it('counts what every rank of a ring sends: the lecture’s 600 MiB and 1200 MiB', () => {
    const MIB = 2 ** 20;
    const sent = (op: 'all-reduce' | 'reduce-scatter', bytes: number) =>
      collectiveCommand({ op, ranks: 4, bytes, gpu: h100, algorithm: 'ring' }).document;
    assert.deepEqual(sent('all-reduce', 400 * MIB).bytesSentPerRank, new Array(4).fill(600 * MIB));
    assert.equal(sent('all-reduce', 400 * MIB).steps, 6);
    assert.deepEqual(sent('reduce-scatter', 1600 * MIB).bytesSentPerRank, new Array(4).fill(1200 * MIB));
  });

  it('chooses the fastest on offer and lists the others with it', () => {
    const { document, problems } = collectiveCommand(base);
    assert.deepEqual(problems, []);
    assert.equal(document.seconds, Math.min(...document.alternatives.filter(a => a.offered).map(a => a.seconds)));
    assert.ok(document.alternatives.some(a => a.algorithm === 'ring'));
    assert.ok(Math.abs((document.busbw as number) / (document.algbw as number) - 1.75) < 1e-12);
    // Published: 441.8 GB/s bus bandwidth for 1 GiB over eight H100 (awsome-distributed-training 7217859f).
    assert.ok(Math.abs((document.busbw as number) / 441.8e9 - 1) < 0.2);
  });

  it('takes the machine from the options', () => {
    const node = collectiveCommand({ ...base, ranks: 16 }).document.seconds as number;
    assert.ok((collectiveCommand({ ...base, ranks: 16, nicBytesPerSecond: 5e9 }).document.seconds as number) > node);
    assert.ok((collectiveCommand({ ...base, ranks: 16, domainSize: 16 }).document.seconds as number) < node);
  });

  it('leaves time unknown without a device, and still counts', () => {
    const { document, problems } = collectiveCommand({ ...base, gpu: null });
    assert.deepEqual([document.seconds, document.busbw, document.algorithm], [null, null, 'ring']);
    assert.equal(document.bytesSentPerRank?.[0], (2 * 7 * 2 ** 30) / 8);
    assert.equal(problems[0]?.code, 'cluster-unknown');
  });

  it('answers what it cannot do with a problem', () => {
    for (const wrong of [
      { ranks: 0 },
      { ranks: 1.5 },
      { bytes: -1 },
      { algorithm: 'bruck' },
      { algorithm: 'hierarchical' },
    ] as const)
      assert.equal(collectiveCommand({ ...base, ...wrong }).problems[0]?.code, 'value-invalid');
  });

  it('costs nothing with one rank', () => {
    const { document } = collectiveCommand({ ...base, ranks: 1 });
    assert.deepEqual([document.seconds, document.steps, document.bytesSentPerRank], [0, 0, [0]]);
  });

  it('reads names with underscores', () => {
    assert.deepEqual([parseOp('all_reduce'), parseOp('sendrecv'), parseOp('nope')], ['all-reduce', 'send-recv', null]);
    assert.deepEqual([parseAlgorithm('double_binary_tree'), parseAlgorithm('x')], ['double-binary-tree', null]);
  });
});
