import assert from 'node:assert/strict';
import { applyEdits } from '../configs/edits';
import { readConfig } from '../configs/registry';
import type { Problem } from '../problem';
import { SetupBuilder } from '../setup/setup';
import { completeSetup } from './complete';
import { FRAMEWORKS } from './frameworks';
import { checkPlan } from './rules';

function check(file: string, text: string, gpus: number | null = null): Problem[] {
  const { setup } = readConfig(file, text);
  assert.ok(setup !== null);
  const builder = new SetupBuilder(setup);
  if (gpus !== null) builder.setCluster('gpus', gpus, 'user');
  return checkPlan(completeSetup(builder.build()));
}

const codes = (problems: readonly Problem[]) => problems.map(({ code }) => code);

function nanotron(changes: Record<string, number>): string {
  const { dp, tp, pp, ...rest } = { dp: 2, tp: 2, pp: 1, ...changes };
  const heads = { num_attention_heads: 16, num_key_value_heads: 4, ...rest };
  return `model:
  model_config:
    hidden_size: 1024
    intermediate_size: 4096
    num_hidden_layers: 12
    vocab_size: 32000
${Object.entries(heads)
  .map(([key, value]) => `    ${key}: ${value}\n`)
  .join('')}parallelism:
  dp: ${dp}
  tp: ${tp}
  pp: ${pp}
tokens:
  sequence_length: 2048
  micro_batch_size: 1
  batch_accumulation_per_replica: 2
`;
}

describe('rules of frameworks', () => {
  it('come with their source', () => {
    for (const { name, source, excludes } of Object.values(FRAMEWORKS)) {
      assert.ok(source.length > 10, name);
      for (const exclusion of excludes) assert.match(exclusion.source, /\.py/);
    }
  });

  it('nanotron divides kv heads over tp, and offers the nearest tp', () => {
    const text = nanotron({ tp: 8 });
    const [found, ...more] = check('run.yaml', text);
    assert.equal(found?.code, 'kv-heads-tp');
    assert.deepEqual(more, []);
    assert.deepEqual(found?.fix?.args, { key: 'tp', value: 4 });
    assert.match(applyEdits(text, found?.fix?.edits ?? []), /tp: 4\n/);
  });

  it('heads that do not divide move to a tp that does for kv heads too', () => {
    const [found] = check('run.yaml', nanotron({ tp: 3 }));
    assert.deepEqual([found?.code, found?.fix?.args], ['heads-tp', { key: 'tp', value: 2 }]);
  });

  it('a world that is not filled asks for the dp that fills it', () => {
    const [found] = check('run.yaml', nanotron({ dp: 3 }), 16);
    assert.deepEqual([found?.code, found?.fix?.args], ['world-size', { key: 'dp', value: 8 }]);
  });

  it('DeepSpeed: the batch is exactly the product', () => {
    const text =
      '{"train_batch_size": 100, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 8, "zero_optimization": {"stage": 1}}';
    const [found] = check('ds.json', text, 8);
    assert.deepEqual([found?.code, found?.fix?.args], ['batch-identity', { key: 'globalBatch', value: 128 }]);
    assert.deepEqual(codes(check('ds.json', text.replace('100', '256'), 8)), []);
    const stated = check('ds.json', text.replace('100', '512'), 8);
    assert.deepEqual([codes(stated), stated[0]?.args.product], [['batch-identity'], 256]);
  });

  it('DeepSpeed: gradients are not sharded under a pipeline', () => {
    const text = '{"train_batch_size": 8, "zero_optimization": {"stage": 2}, "pipeline": {"stages": 2}}';
    assert.ok(codes(check('ds.json', text, 8)).includes('options-incompatible'));
  });

  it('torchtitan: the sequence divides by twice cp', () => {
    const text =
      '[job]\n[model]\nname = "llama3"\nflavor = "8B"\n[training]\nseq_len = 2052\n[parallelism]\ncontext_parallel_degree = 4\n';
    assert.deepEqual(codes(check('t.toml', text, 8)), ['sequence-cp']);
  });

  it('Megatron: layers may count embedding and head, kv heads may be fewer than tp', () => {
    const yaml = (layers: number, pp: number) => `MODEL_ARGS:
  --num-layers: ${layers}
  --hidden-size: 1024
  --num-attention-heads: 16
  --group-query-attention: true
  --num-query-groups: 2
  --seq-length: 1024
  --max-position-embeddings: 1024
  --micro-batch-size: 1
  --tensor-model-parallel-size: 4
  --pipeline-model-parallel-size: ${pp}
`;
    assert.deepEqual(codes(check('m.yaml', yaml(30, 8), 32)), []);
    const [found] = check('m.yaml', yaml(29, 8), 32);
    assert.equal(found?.code, 'layers-pp');
  });

  it('accelerate has no pipeline', () => {
    const { setup } = readConfig('a.yaml', 'distributed_type: FSDP\nnum_processes: 8\nfsdp_config: {}\n');
    assert.ok(setup !== null);
    const builder = new SetupBuilder(setup);
    builder.setPlan('pp', 2, 'user');
    assert.ok(codes(checkPlan(completeSetup(builder.build()))).includes('not-expressible'));
  });
});
