/** Exports: what is not named as lost is in the new files, when these are read as any others. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countParameters } from '../../model/parameters';
import { completeSetup } from '../../plan/complete';
import type { Plan, PlanKey } from '../../plan/keys';
import { SetupBuilder, setupModel, type TrainingSetup } from '../../setup/setup';
import { mergeReadings } from '../merge';
import { readAll, readConfig } from '../registry';
import { type Exported, exportSetup } from './export';
import { EXPORT_KINDS, type ExportKind } from './targets';

const GPUS = 64;

/** A Llama 3 8B by name, a mixture by its sizes alone. */
const MODELS = {
  'by name': 'base_model: meta-llama/Llama-3.1-8B\nmicro_batch_size: 1\nsequence_len: 8192\ndatasets: []\n',
  'by sizes':
    'base_emb_dim: 4096\nbase_num_query_heads: 32\nbase_num_kv_heads: 8\nbase_mlp_dim: 14336\nbase_moe_mlp_dim: 14336\n' +
    'base_num_decoder_layers: 32\nhead_dim: 128\nvocab_size: 32000\nnum_experts: 8\nnum_experts_per_tok: 2\ndecoder_block: "mixtral"\n',
} as const;

type ModelName = keyof typeof MODELS;

function setupOf(model: ModelName, plan: Partial<Plan>): TrainingSetup {
  const { setup } = readConfig(model === 'by name' ? 'a.yaml' : 'a.yml', MODELS[model]);
  assert.ok(setup !== null);
  const builder = new SetupBuilder({ ...setup, plan: { ...setup.plan, stack: null }, kinds: [] });
  for (const key of Object.keys(plan) as PlanKey[]) builder.setPlan(key, plan[key] ?? null, 'user');
  builder.setCluster('gpus', GPUS, 'user');
  builder.setCluster('gpusPerNode', 8, 'user');
  return completeSetup(builder.build());
}

const plans: fc.Arbitrary<Partial<Plan>> = fc
  .record({
    tp: fc.constantFrom(1, 2, 4, 8),
    cp: fc.constantFrom(1, 1, 2),
    pp: fc.constantFrom(1, 1, 2, 4),
    microBatch: fc.constantFrom(1, 2, 4),
    steps: fc.constantFrom(1, 4, 8),
    seqLen: fc.constantFrom(4096, 8192),
    sharding: fc.constantFrom('none', 'zero1', 'zero2', 'zero3'),
    recompute: fc.constantFrom('none', 'selective', 'full'),
    dtype: fc.constantFrom('bf16', 'fp16', 'fp8'),
    optimizer: fc.constantFrom('adamw', 'adamw8bit', 'sgd'),
    adapter: fc.constantFrom('none', 'none', 'lora', 'qlora'),
  })
  .map(({ steps, ...plan }) => {
    const dp = GPUS / (plan.tp * plan.cp * plan.pp);
    const isTuned = plan.adapter !== 'none';
    return {
      ...plan,
      dp,
      sp: plan.tp > 1,
      globalBatch: plan.microBatch * dp * steps * (plan.pp > 1 ? plan.pp : 1),
      ...(isTuned ? { adapterRank: 16 } : {}),
    };
  });

function readBack({ files }: Exported): TrainingSetup {
  const { setup } = mergeReadings(readAll(files.map(({ name, text }) => ({ file: name, text }))));
  const builder = new SetupBuilder(setup);
  builder.setCluster('gpus', GPUS, 'user');
  builder.setCluster('gpusPerNode', 8, 'user');
  return completeSetup(builder.build());
}

const COMPARED = [
  'dp',
  'tp',
  'cp',
  'pp',
  'microBatch',
  'globalBatch',
  'seqLen',
  'sharding',
  'recompute',
  'dtype',
  'optimizer',
  'adapter',
  'offload',
] as const;

const LAYOUT = ['dp', 'tp', 'pp', 'microBatch', 'globalBatch', 'seqLen'] as const;

/** What each format has keys for, whatever the plan (from the frameworks' own tables of keys, schemas of their files). */
const CARRIES: Readonly<Record<ExportKind, readonly (typeof COMPARED)[number][]>> = {
  torchtitan: [...LAYOUT, 'cp', 'recompute'],
  megatron: [...LAYOUT, 'cp', 'sharding', 'recompute', 'dtype'],
  deepspeed: [],
  accelerate: [],
  nanotron: [...LAYOUT, 'cp'],
  nemo: [...LAYOUT, 'cp', 'recompute'],
  'gpt-neox': [...LAYOUT, 'cp'],
  axolotl: ['seqLen'],
  'llama-factory': ['seqLen', 'sharding', 'adapter', 'microBatch'],
};

describe('exports', () => {
  for (const kind of EXPORT_KINDS) {
    for (const model of Object.keys(MODELS) as ModelName[]) {
      it(`into ${kind}, of a model ${model}: what is not named as lost reads back`, () => {
        let refused = 0;
        fc.assert(
          fc.property(plans, plan => {
            const setup = setupOf(model, plan);
            const exported = exportSetup(setup, kind);
            if (exported.files.length === 0) {
              refused++;
              return assert.ok(exported.problems.length > 0);
            }
            const again = readBack(exported);
            const [main] = exported.files;
            assert.equal(readConfig(main?.name ?? '', main?.text ?? '').kind, kind);
            assert.doesNotMatch(main?.text ?? '', /undefined|NaN|null|\[object/);
            const lost = new Map(exported.losses.map(loss => [loss.key as string, loss]));
            for (const key of COMPARED) {
              const found = again.plan[key] === null ? null : String(again.plan[key]);
              const loss = lost.get(key);
              assert.equal(found, loss === undefined ? String(setup.plan[key]) : loss.became, `${key}\n${main?.text}`);
              if (loss !== undefined) assert.equal(loss.value, String(setup.plan[key]));
            }
            for (const key of CARRIES[kind]) assert.ok(!lost.has(key), `${kind} loses ${key}`);
          }),
          { numRuns: 8, seed: 3 },
        );
        assert.ok(refused <= 3, `${refused} refused`);
      });
    }
  }

  it('Megatron, nanotron and torchtitan have the whole model', () => {
    const plan = { dp: 8, tp: 8, cp: 1, pp: 1, microBatch: 1, globalBatch: 64, seqLen: 8192, sp: true } as const;
    const totals = { 'by name': 8_030_261_248, 'by sizes': 46_702_792_704 } as const;
    for (const model of Object.keys(MODELS) as ModelName[]) {
      for (const kind of ['megatron', 'nanotron', ...(model === 'by name' ? (['torchtitan'] as const) : [])] as const) {
        const again = setupModel(readBack(exportSetup(setupOf(model, plan), kind)));
        assert.ok(again !== null, kind);
        assert.equal(countParameters(again).total, totals[model], kind);
      }
    }
  });

  it('uses the words of the framework', () => {
    const layout: Partial<Plan> = {
      dp: 4,
      tp: 8,
      cp: 1,
      pp: 2,
      microBatch: 2,
      globalBatch: 64,
      seqLen: 8192,
      sp: true,
    };
    const plan: Partial<Plan> = { ...layout, sharding: 'zero1', recompute: 'full' };
    const setup = setupOf('by name', plan);
    const text = (kind: ExportKind) => exportSetup(setup, kind).files[0]?.text ?? '';
    // NVIDIA/Megatron-LM megatron/training/arguments.py
    for (const option of [
      '--tensor-model-parallel-size 8',
      '--pipeline-model-parallel-size 2',
      '--micro-batch-size 2',
      '--global-batch-size 64',
      '--sequence-parallel',
      '--use-distributed-optimizer',
      '--recompute-granularity full',
      '--group-query-attention',
      '--num-query-groups 8',
    ])
      assert.ok(text('megatron').includes(option), option);
    // huggingface/nanotron nanotron/config/parallelism_config.py, config.py: 64 = 2 · 8 · 4 sequences
    assert.match(text('nanotron'), /\n {2}dp: 4\n {2}tp: 8\n {2}pp: 2\n/);
    assert.match(text('nanotron'), /tp_mode: REDUCE_SCATTER/);
    assert.match(text('nanotron'), /batch_accumulation_per_replica: 8\n/);
    // pytorch/torchtitan torchtitan/config/job_config.py: a rank's batch is all of its micro-batches
    assert.match(text('torchtitan'), /flavor = "8B"/);
    assert.match(text('torchtitan'), /local_batch_size = 16\n/);
    assert.match(text('torchtitan'), /pipeline_parallel_degree = 2\n/);
    // axolotl has no pipeline: its ranks become data-parallel ones
    const { losses } = exportSetup(setup, 'axolotl');
    assert.deepEqual(
      losses.filter(({ key }) => key === 'pp' || key === 'dp'),
      [
        { key: 'dp', value: '4', became: '8' },
        { key: 'pp', value: '2', became: '1' },
      ],
    );
  });
});
