/** Which files the command line reads beside those that it is given. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './main';

const TRAIN = (deepspeed: string) => `model_name_or_path: Qwen/Qwen3-8B
stage: sft
do_train: true
finetuning_type: full
deepspeed: ${deepspeed}
per_device_train_batch_size: 2
bf16: true
`;
const ZERO3 = '{"train_batch_size": "auto", "zero_optimization": {"stage": 3}}';

describe('files that a given file names', () => {
  let root = '';
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'meshlens-inputs-'));
    mkdirSync(join(root, 'run', 'ds'), { recursive: true });
    writeFileSync(join(root, 'run', 'ds', 'zero3.json'), ZERO3);
    writeFileSync(join(root, 'outside.json'), ZERO3);
    symlinkSync(join(root, 'outside.json'), join(root, 'run', 'link.json'));
    symlinkSync(root, join(root, 'run', 'folder'));
    symlinkSync('/dev/zero', join(root, 'run', 'zero.json'));
    assert.equal(spawnSync('mkfifo', [join(root, 'run', 'pipe.json')]).status, 0);
  });
  after(() => rmSync(root, { recursive: true }));

  const read = (deepspeed: string): { files: { file: string }[]; setup: { plan: { sharding: string | null } } } => {
    const file = join(root, 'run', 'train.yaml');
    writeFileSync(file, TRAIN(deepspeed));
    return JSON.parse(runCli(['read', file, '--json']).stdout) as ReturnType<typeof read>;
  };

  it('are read from its folder, under their own names', () => {
    const { files, setup } = read('./ds/zero3.json');
    assert.deepEqual(
      files.map(({ file }) => file),
      [join(root, 'run', 'train.yaml'), join(root, 'run', 'ds', 'zero3.json')],
    );
    assert.equal(setup.plan.sharding, 'zero3');
  });

  /** All that lie elsewhere hold what would show in the answer. */
  const ELSEWHERE = [
    ...['../outside.json', './ds/../../outside.json', '..\\outside.json', './link.json', './folder/outside.json'],
    ...['./zero.json', './pipe.json', './missing.json', '/dev/zero', '//server/share/outside.json', '~/outside.json'],
  ];
  const elsewhere = () => [...ELSEWHERE, join(root, 'outside.json'), `file://${join(root, 'outside.json')}`];

  it('are not read from elsewhere, nor through a link that leads there, nor from a device or a pipe', () => {
    for (const name of elsewhere()) {
      const { files, setup } = read(name);
      assert.deepEqual([files.length, setup.plan.sharding], [1, null], name);
    }
  });

  it('nor is the hardware file that a meshlens.json names, nor a meshlens.json that is a link or a pipe', () => {
    const file = join(root, 'run', 'train.yaml');
    const own = join(root, 'run', 'meshlens.json');
    const profile = { format: 'meshlens-profile/1', gpu: 'h100-sxm', nodes: 2 };
    writeFileSync(join(root, 'outside.json'), JSON.stringify(profile));
    const ask = () => JSON.parse(runCli(['read', file, '--json']).stdout) as { setup: { cluster: { gpu: unknown } } };
    try {
      for (const name of elsewhere()) {
        writeFileSync(own, JSON.stringify({ hardware: name }));
        assert.equal(ask().setup.cluster.gpu, null, name);
      }
      writeFileSync(join(root, 'run', 'hardware.json'), JSON.stringify(profile));
      writeFileSync(own, JSON.stringify({ hardware: 'hardware.json' }));
      assert.equal(ask().setup.cluster.gpu, 'h100-sxm', 'one that lies beside it is');
      for (const name of ['pipe.json', 'zero.json']) {
        rmSync(own);
        if (name === 'pipe.json') spawnSync('mkfifo', [own]);
        else symlinkSync('/dev/zero', own);
        assert.equal(ask().setup.cluster.gpu, null, name);
      }
    } finally {
      rmSync(own);
      writeFileSync(join(root, 'outside.json'), ZERO3);
    }
  });
});
