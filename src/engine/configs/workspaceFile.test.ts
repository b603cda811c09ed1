import { strict as assert } from 'node:assert';
import { readWorkspaceFile } from './workspaceFile';

const FILE = 'meshlens.json';

describe('meshlens.json', () => {
  const text = `{
  // the team's cluster
  "cluster": { "gpu": "h100-sxm", "nodes": 4 },
  "values": { "seqLen": 8192, "stageLayers": [11, 11, 10] },
  "costs": { "perGpuHour": 2.5, "currency": "EUR" },
  "overrides": [
    { "files": ["configs/small/", "configs/one.toml"], "cluster": { "gpu": "l40s" }, "values": { "seqLen": 2048 } },
  ],
}`;

  it('gives the values of a config in their order, those of its overrides last', () => {
    const { values, costs, problems } = readWorkspaceFile(FILE, text, 'configs/small/a.toml');
    assert.deepEqual(values, [
      ['gpu', 'h100-sxm'],
      ['nodes', '4'],
      ['seqLen', '8192'],
      ['stageLayers', '11/11/10'],
      ['gpu', 'l40s'],
      ['seqLen', '2048'],
    ]);
    assert.deepEqual([costs.perGpuHour, costs.currency, costs.wattsPerGpu], [2.5, 'EUR', null]);
    assert.deepEqual(problems, []);
  });

  it('an override speaks of its paths and folders alone', () => {
    const count = (config: string) => readWorkspaceFile(FILE, text, config).values.length;
    assert.deepEqual(['configs/one.toml', 'configs/small/x/y.sh'].map(count), [6, 6]);
    assert.deepEqual(
      ['configs/two.toml', 'configs/one.toml.bak', 'configs/smaller/a.toml', 'x/configs/one.toml'].map(count),
      [4, 4, 4, 4],
    );
  });

  it('names a hardware file, and another for some configs', () => {
    const own = '{"hardware": "a.json", "overrides": [{"files": ["small/"], "hardware": "b.json"}]}';
    const path = (config: string) => readWorkspaceFile(FILE, own, config).hardware?.path;
    assert.deepEqual(['x.toml', 'small/x.toml'].map(path), ['a.json', 'b.json']);
    const { hardware, problems } = readWorkspaceFile(FILE, '{"hardware": 3}', 'x.toml');
    assert.deepEqual([hardware, problems[0]?.source?.column], [null, 14]);
  });

  it('names what means nothing, at its place, and takes the rest', () => {
    const damaged =
      '{ "cluster": { "gpu": "h1000", "tp": 2, "nodes": 2 },\n "values": { "tp": 0, "nonsense": 1 },\n "price": 3,\n "costs": { "perGpuHour": -1 } }';
    const { values, costs, problems } = readWorkspaceFile(FILE, damaged, 'a.json');
    assert.deepEqual(values, [['nodes', '2']]);
    assert.equal(costs.perGpuHour, null);
    assert.deepEqual(
      problems.map(({ source }) => source?.line),
      [3, 1, 1, 2, 2, 4],
    );
    assert.ok(problems.every(({ severity }) => severity === 'warning'));
  });

  it('a damaged or hostile file gives problems and nothing else', () => {
    for (const broken of [
      '{',
      '[]',
      'null',
      '{"__proto__": {"gpu": "h100-sxm"}}',
      '{"cluster": {"constructor": 1}}',
      '['.repeat(10_000),
    ]) {
      const { values } = readWorkspaceFile(FILE, broken, 'a.json');
      assert.deepEqual(values, [], broken.slice(0, 40));
    }
  });
});
