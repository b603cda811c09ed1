import assert from 'node:assert/strict';
import { completeSetup } from '../plan/complete';
import { fieldValue } from '../setup/setup';
import { belongTogether } from './belong';
import { mergeReadings } from './merge';
import { readConfig } from './registry';

const TRAIN = `model_name_or_path: Qwen/Qwen3-8B
stage: sft
do_train: true
finetuning_type: full
deepspeed: ./ds/zero3.json
per_device_train_batch_size: 2
gradient_accumulation_steps: 4
bf16: true
`;
const ZERO3 = `{
  "train_batch_size": "auto",
  "train_micro_batch_size_per_gpu": "auto",
  "gradient_accumulation_steps": "auto",
  "bf16": { "enabled": "auto" },
  "zero_optimization": { "stage": 3, "offload_optimizer": { "device": "cpu" } }
}
`;
const train = readConfig('run/train.yaml', TRAIN);
const zero3 = readConfig('run/ds/zero3.json', ZERO3);
const other = readConfig('run/ds/zero2.json', ZERO3.replace('3', '2'));
const model = readConfig(
  'run/config.json',
  '{"architectures":["X"],"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"intermediate_size":128,"num_attention_heads":4,"vocab_size":100}',
);

describe('files that belong together', () => {
  it('are those that a training file names, from either side', () => {
    assert.deepEqual(belongTogether(train, [other, zero3]), [train, zero3]);
    assert.deepEqual(belongTogether(zero3, [other, train]), [zero3, train]);
    assert.deepEqual(belongTogether(other, [zero3, train]), [other]);
  });

  it('are a model and the one training config beside it', () => {
    assert.deepEqual(belongTogether(model, [train, zero3]), [model, train]);
    const second = readConfig('run/second.yaml', TRAIN);
    assert.deepEqual(belongTogether(model, [train, second]), [model]);
  });

  it('make one setup: what one leaves open the other says', () => {
    const { setup, problems } = mergeReadings([zero3, train]);
    const { plan, kinds } = completeSetup(setup);
    assert.deepEqual(kinds, ['llama-factory', 'deepspeed']);
    assert.equal(plan.sharding, 'zero3');
    assert.equal(plan.offload, 'optimizer');
    assert.equal(plan.dtype, 'bf16');
    assert.equal(plan.microBatch, 2);
    assert.equal(setup.fields.get('plan.sharding')?.source?.file, 'run/ds/zero3.json');
    assert.deepEqual(
      problems.filter(({ code }) => code === 'value-unknown'),
      [],
    );
  });

  it('that contradict each other are reported, the training file counts', () => {
    const stated = readConfig(
      'run/ds/zero3.json',
      ZERO3.replace('"train_micro_batch_size_per_gpu": "auto"', '"train_micro_batch_size_per_gpu": 8'),
    );
    const { setup, problems } = mergeReadings([train, stated]);
    assert.equal(setup.plan.microBatch, 2);
    const [found] = problems.filter(({ code }) => code === 'contradiction');
    assert.deepEqual(found?.args, {
      key: 'plan.microBatch',
      value: '2',
      other: '8',
      file: 'run/ds/zero3.json',
      line: 3,
    });
    assert.equal(found?.severity, 'warning');
  });

  it('of GPT-NeoX give the vocabulary of one to the model of the other', () => {
    const run = readConfig(
      'm.yml',
      '{"pipe_parallel_size": 1, "model_parallel_size": 1, "num_layers": 12, "hidden_size": 768, "num_attention_heads": 12, "seq_length": 2048, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 2}',
    );
    const local = readConfig(
      'local.yml',
      '{"data_path": "d", "vocab_file": "gpt2-vocab.json", "merge_file": "m", "log_dir": "l", "tensorboard_dir": "t"}',
    );
    const [first, ...rest] = belongTogether(run, [local]);
    assert.equal(rest.length, 1);
    const { setup } = mergeReadings([first ?? run, ...rest]);
    assert.equal(fieldValue(setup, 'model.vocab'), 50304);
    assert.equal(fieldValue(completeSetup(setup), 'plan.microBatch'), 4);
  });

  it('derive the batch once the ranks are known', () => {
    const { setup } = mergeReadings([train]);
    assert.equal(completeSetup(setup).plan.globalBatch, null);
    const known = completeSetup({ ...setup, cluster: { ...setup.cluster, gpus: 16 } });
    assert.equal(known.plan.globalBatch, 128);
  });
});
