/** Which files the command line reads beside those that it is given. */
import assert from 'node:assert/strict';
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

  it('are not read from elsewhere, nor through a link that leads there', () => {
    for (const name of ['../outside.json', join(root, 'outside.json'), './link.json', './missing.json']) {
      const { files, setup } = read(name);
      assert.deepEqual([files.length, setup.plan.sharding], [1, null], name);
    }
  });
});
