import assert from 'node:assert/strict';
import { emptySetup } from '../setup/setup';
import { onHardware, readHardwareFile } from './hardwareFile';

const read = (value: object) => readHardwareFile('hardware.json', JSON.stringify(value));

describe('a hardware file', () => {
  it('has keys of the cluster, a profile, and what it was made of', () => {
    const file = read({
      format: 'meshlens-profile/1',
      date: '2026-03-01T00:00:00.000Z',
      gpu: 'h100-sxm',
      profile: { devices: {}, common: { networkShare: 0.8, nonsense: 1 }, stacks: {} },
      evidence: { measurements: [{ name: 'nccl.txt', format: 'nccl-tests', records: 24 }, 7] },
    });
    assert.deepEqual(file.problems, []);
    assert.deepEqual(file.profile?.common, { networkShare: 0.8 });
    assert.deepEqual(file.inUse, {
      file: 'hardware.json',
      date: '2026-03-01T00:00:00.000Z',
      gpu: 'h100-sxm',
      measurements: [{ name: 'nccl.txt', format: 'nccl-tests', records: 24 }],
      constants: [],
      collectives: null,
      runs: [],
    });
    const setup = onHardware(emptySetup(), file);
    assert.deepEqual([setup.cluster.gpu, setup.profile], ['h100-sxm', file.profile]);
  });

  it('of the cluster alone moves no constant', () => {
    const setup = onHardware(emptySetup(), read({ gpu: 'a100-80', nodes: 2 }));
    assert.deepEqual([setup.cluster.gpu, setup.cluster.nodes, setup.profile ?? null], ['a100-80', 2, null]);
  });

  it('is refused at what means nothing, and is nothing where it is no object', () => {
    const { problems, values } = readHardwareFile('h.json', '{\n "gpuu": "x"\n}');
    assert.deepEqual(
      problems.map(({ code, source }) => [code, source?.line]),
      [['value-invalid', 2]],
    );
    assert.equal(values.length, 1);
    for (const text of ['[]', '3', '{"gpu": ']) {
      const broken = readHardwareFile('h.json', text);
      assert.ok(broken.problems.length > 0 && broken.profile === null && broken.values.length === 0, text);
    }
  });
});
