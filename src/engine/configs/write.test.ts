import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { completeSetup } from '../plan/complete';
import type { Plan } from '../plan/keys';
import { SetupBuilder, type TrainingSetup } from '../setup/setup';
import { changedSetup, type PlanChange } from './changedSetup';
import { applyEdits } from './edits';
import type { ParsedText } from './json';
import { parseRelaxedJson } from './relaxedJson';
import { readConfig } from './registry';
import { parseToml } from './toml';
import type { ConfigNode } from './tree';
import { planEdits } from './write';
import { parseYaml } from './yaml';

const FOLDER = 'test/fixtures/configs';

/** What a file of a kind can be asked to say: degrees, sharding and choices; the rest follows. */
interface Case {
  readonly file: string;
  readonly gpus: number;
  readonly tp: readonly number[];
  readonly cp: readonly number[];
  readonly pp: readonly number[];
  readonly choices: { readonly [K in keyof Plan]?: readonly Plan[K][] };
  /** Micro-batches of a rank; pipelines of some frameworks take a multiple of their stages. */
  readonly steps?: readonly number[];
  /** Keys of the file that a plan may touch. */
  readonly touches: RegExp;
}

const CASES: readonly Case[] = [
  {
    file: 'torchtitan/2026-llama3-405b.toml',
    gpus: 512,
    tp: [1, 2, 4, 8],
    cp: [1, 2, 4],
    pp: [1, 2],
    choices: {
      sharding: ['zero2', 'zero3'],
      recompute: ['none', 'selective', 'full'],
      compiled: [true, false],
      dtype: ['bf16', 'fp8'],
      seqLen: [4096, 8192],
    },
    touches:
      /^(parallelism|training\.(local|global)_batch_size|training\.seq_len|activation_checkpoint\.mode|compile\.enable|model\.converters)/,
  },
  {
    file: 'torchtitan/2026-hsdp.toml',
    gpus: 256,
    tp: [1, 2, 4, 8],
    cp: [1, 2],
    pp: [1, 2],
    choices: { recompute: ['none', 'selective', 'full'] },
    touches: /^(parallelism|training\.(local|global)_batch_size|activation_checkpoint)/,
  },
  {
    file: 'nanotron/llama-1.7b.yaml',
    gpus: 64,
    tp: [1, 2, 4, 8],
    cp: [1, 2],
    pp: [1, 2, 4],
    choices: { sharding: ['none', 'zero1'], recompute: ['none', 'full'], sp: [true, false], seqLen: [2048, 4096] },
    touches: /^(parallelism|tokens|optimizer\.zero_stage)/,
  },
  {
    file: 'nemo/llama3-8b.yaml',
    gpus: 32,
    tp: [1, 2, 4, 8],
    cp: [1, 2],
    pp: [1, 2, 4],
    choices: {
      recompute: ['none', 'selective', 'full'],
      sharding: ['none', 'zero1'],
      dtype: ['bf16', 'fp8'],
      seqLen: [4096, 8192],
    },
    touches:
      /^model\.(.*_parallel_size|micro_batch_size|global_batch_size|encoder_seq_length|activations_checkpoint.*|optim\.name|fp8)/,
  },
  {
    file: 'megatron/functional-gpt.yaml',
    gpus: 16,
    tp: [1, 2, 4],
    cp: [1, 2],
    pp: [1, 2, 4],
    choices: {
      sp: [true, false],
      sharding: ['none', 'zero1'],
      recompute: ['none', 'selective', 'full'],
      dtype: ['bf16', 'fp16'],
      seqLen: [1024, 2048],
    },
    touches:
      /^MODEL_ARGS\.--(.*-parallel(-size)?|micro-batch-size|global-batch-size|seq-length|max-position-embeddings|use-.*|recompute-.*|bf16|fp16|cp-comm-type)$/,
  },
  {
    file: 'megatron/flagscale.yaml',
    gpus: 64,
    tp: [1, 2, 4, 8],
    cp: [1, 2],
    pp: [1, 2, 4],
    choices: { sharding: ['none', 'zero1'], recompute: ['none', 'full'], seqLen: [4096, 8192] },
    touches:
      /^(system\..*_parallel(_size)?|system\.(use_.*|recompute_.*|cp_comm_type|max_position_embeddings)|.*\.(micro_batch_size|global_batch_size|seq_length|max_position_embeddings|nnodes)|system\.precision\.(bf16|fp16))$/,
  },
  {
    file: 'nemo/rl-megatron.yaml',
    gpus: 32,
    tp: [1, 2, 4],
    cp: [1, 2],
    pp: [1, 2],
    choices: { sp: [true], seqLen: [2048, 4096] },
    touches: /^policy\.(megatron_cfg|train_|max_total)/,
  },
  {
    file: 'nemo/automodel.yaml',
    gpus: 64,
    tp: [1, 2, 4],
    cp: [1, 2],
    pp: [1],
    choices: { recompute: ['none', 'full'], seqLen: [4096, 8192] },
    touches: /^(distributed|step_scheduler|dataset\.seq_len)/,
  },
  {
    file: 'axolotl/full-fsdp2.yaml',
    gpus: 8,
    tp: [1, 2, 4],
    cp: [1, 2],
    pp: [1],
    choices: {
      sharding: ['zero2', 'zero3'],
      recompute: ['none', 'full'],
      offload: ['none', 'optimizer+params'],
      seqLen: [2048, 4096],
    },
    touches:
      /^(micro_batch_size|gradient_accumulation_steps|dp_|tensor_|context_|gradient_checkpointing|fsdp_config|sequence_len)/,
  },
  {
    file: 'axolotl/hsdp-tp.yaml',
    gpus: 16,
    tp: [1, 2, 4],
    cp: [1, 2],
    pp: [1],
    choices: { recompute: ['none', 'full'] },
    touches: /^(micro_batch_size|gradient_accumulation_steps|dp_|tensor_|context_|gradient_checkpointing)/,
  },
  {
    file: 'llama-factory/mcore.yaml',
    gpus: 16,
    tp: [1, 2, 4],
    cp: [1],
    pp: [1, 2, 4],
    choices: { recompute: ['none', 'selective', 'full'], sharding: ['none', 'zero1'], seqLen: [2048, 4096] },
    touches: /^(per_device|gradient_acc|cutoff_len|.*_parallel_size|use_distributed|recompute)/,
  },
  {
    file: 'llama-factory/lora.yaml',
    gpus: 8,
    tp: [1],
    cp: [1],
    pp: [1],
    choices: { recompute: ['none', 'full'], seqLen: [1024, 2048], adapterRank: [4, 8, 16] },
    touches: /^(per_device|gradient_acc|cutoff_len|disable_gradient|lora_rank)/,
  },
  {
    file: 'gpt-neox/neox-20b.yml',
    gpus: 64,
    tp: [1, 2, 4, 8],
    cp: [1],
    pp: [1, 2, 4],
    choices: { recompute: ['none', 'full'], sharding: ['none', 'zero1'], seqLen: [1024, 2048] },
    touches: /^(pipe_parallel_size|model_parallel_size|train_|gradient_acc|checkpoint_activations|zero_opt|seq_length)/,
  },
  {
    file: 'gpt-neox/dashes.yml',
    gpus: 32,
    tp: [1, 2, 4],
    cp: [1, 2],
    pp: [1, 2],
    choices: { sharding: ['none', 'zero1'] },
    touches: /^(pipe-parallel-size|model-parallel-size|context-parallel-size|train-|gradient-acc|zero-opt)/,
  },
  {
    file: 'torchtune/llama3.3-70b-tp.yaml',
    gpus: 32,
    tp: [1, 2, 4, 8],
    cp: [1, 2],
    pp: [1],
    choices: {
      sharding: ['zero2', 'zero3'],
      recompute: ['none', 'selective', 'full'],
      offload: ['none', 'optimizer+params'],
      compiled: [true, false],
      dtype: ['bf16', 'fp32'],
      seqLen: [1024, 4096],
    },
    touches:
      /^(batch_size|gradient_acc|tensor_parallel|context_parallel|data_parallel|enable_activation_checkp|ac_|compile|dtype|fsdp_|tokenizer\.max)/,
  },
  {
    file: 'torchtune/hsdp.yaml',
    gpus: 32,
    tp: [1, 2],
    cp: [1, 2],
    pp: [1],
    choices: { recompute: ['none', 'selective', 'full'], optimizer: ['adamw', 'adamw8bit'] },
    touches: /^(batch_size|gradient_acc|.*_parallel_|enable_activation_checkp|ac_|optimizer\._comp|tensor_)/,
  },
  {
    file: 'llm-foundry/mpt-125m.yaml',
    gpus: 8,
    tp: [1],
    cp: [1],
    pp: [1],
    choices: {
      sharding: ['zero2', 'zero3'],
      recompute: ['none', 'full'],
      dtype: ['bf16', 'fp16'],
      attention: ['flash', 'unfused'],
      seqLen: [1024, 2048],
    },
    touches: /^(global_train|device_train|variables\.max_seq_len|precision|fsdp_config|model\.attn_config)/,
  },
  {
    file: 'llm-foundry/platform.yaml',
    gpus: 16,
    tp: [1, 2],
    cp: [1],
    pp: [1],
    choices: { sharding: ['none', 'zero2', 'zero3'], recompute: ['none', 'full'] },
    touches: /^parameters\.(global_train|device_train|fsdp_config|tp_config)/,
  },
  {
    file: 'olmo/olmo2-13b.yaml',
    gpus: 64,
    tp: [1],
    cp: [1],
    pp: [1],
    choices: {
      sharding: ['none', 'zero2', 'zero3'],
      recompute: ['none', 'selective', 'full'],
      dtype: ['bf16', 'fp16'],
      seqLen: [2048, 4096],
    },
    touches: /^(global_train|device_train|distributed_strategy|activation_ch|precision|fsdp|model\.max_seq)/,
  },
  {
    file: 'litgpt/tinyllama.yaml',
    gpus: 8,
    tp: [1],
    cp: [1],
    pp: [1],
    choices: { seqLen: [1024, 2048], dtype: ['bf16', 'fp32'] },
    touches: /^(train\.(global|micro|max_seq)|precision)/,
  },
  {
    file: 'levanter/llama.yaml',
    gpus: 16,
    tp: [1, 2, 4],
    cp: [1],
    pp: [1],
    choices: { recompute: ['none', 'full'], seqLen: [2048, 4096] },
    touches: /^(trainer\.(model_axis|train_batch|per_device_par)|model\.(seq_len|gradient))/,
  },
  {
    file: 'maxtext/mixtral.yml',
    gpus: 32,
    tp: [1, 2, 4],
    cp: [1],
    pp: [1],
    choices: {
      recompute: ['selective', 'full'],
      dtype: ['bf16', 'fp8'],
      optimizer: ['adamw', 'sgd'],
      ep: [1, 2, 4, 8],
      seqLen: [2048, 4096],
    },
    touches:
      /^(per_device_batch|gradient_acc|max_target|(ici|dcn)_|remat_policy|quantization|opt_type|context_parallel_str|num_pipeline|shard_opt)/,
  },
  {
    file: 'maxtext/pipeline.yml',
    gpus: 16,
    tp: [1, 2],
    cp: [1],
    pp: [1, 2, 4],
    steps: [4, 8],
    choices: { sharding: ['none', 'zero1', 'zero3'], offload: ['none', 'optimizer', 'optimizer+params'] },
    touches:
      /^(per_device_batch|gradient_acc|(ici|dcn)_|num_(layers_per_)?pipeline|shard_opt|(optimizer|parameter)_memory)/,
  },
  {
    file: 'maxtext/primus.yaml',
    gpus: 16,
    tp: [1, 2, 4, 8],
    cp: [1, 2],
    pp: [1],
    choices: { recompute: ['selective', 'full'] },
    touches:
      /^modules\.pre_trainer\.overrides\.(per_device_batch|gradient_acc|(ici|dcn)_|remat_policy|context_parallel_str|shard_opt)/,
  },
  {
    file: 'deepspeed/zero1.json',
    gpus: 8,
    tp: [1, 2],
    cp: [1, 2],
    pp: [1],
    choices: {
      sharding: ['none', 'zero1', 'zero2', 'zero3'],
      offload: ['none', 'optimizer'],
      dtype: ['bf16', 'fp16', 'fp32'],
    },
    touches: /^(train_|gradient_acc|zero_opt|tensor_parallel|sequence_parallel|bf16|fp16)/,
  },
  {
    file: 'deepspeed/hjson.json',
    gpus: 8,
    tp: [1],
    cp: [1],
    pp: [1],
    choices: { sharding: ['none', 'zero1', 'zero2', 'zero3'] },
    touches: /^(train_|gradient_acc|zero_opt)/,
  },
  {
    file: 'accelerate/parallelism.yaml',
    gpus: 32,
    tp: [1, 2, 4],
    cp: [1, 2],
    pp: [1],
    choices: { recompute: ['none', 'full'], offload: ['none', 'optimizer+params'], dtype: ['bf16', 'fp16'] },
    touches: /^(parallelism_config|fsdp_config|mixed_precision|num_processes)/,
  },
  {
    file: 'accelerate/fsdp1.yaml',
    gpus: 16,
    tp: [1],
    cp: [1],
    pp: [1],
    choices: {
      sharding: ['none', 'zero2', 'zero3'],
      recompute: ['none', 'full'],
      offload: ['none', 'optimizer+params'],
    },
    touches: /^(fsdp_config|num_processes)/,
  },
  {
    file: 'accelerate/deepspeed-inline.yaml',
    gpus: 8,
    tp: [1],
    cp: [1],
    pp: [1],
    choices: { sharding: ['none', 'zero1', 'zero2', 'zero3'], offload: ['none', 'optimizer'] },
    touches: /^(deepspeed_config|num_processes)/,
  },
];

/** A file as a whole run: on so many GPUs, with a batch and a sequence where it has none of its own. */
function loaded({ file, gpus }: Case): { text: string; kind: string; setup: TrainingSetup } {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  const { kind, setup } = readConfig(file, text);
  assert.ok(kind !== null && setup !== null);
  const builder = new SetupBuilder(setup);
  builder.setCluster('gpus', gpus, 'user');
  builder.setCluster('nodes', Math.max(1, gpus / 8), 'user');
  const complete = new SetupBuilder(completeSetup(builder.build()));
  if (complete.plan.microBatch !== null && complete.plan.globalBatch === null)
    complete.setPlan('globalBatch', 64 * complete.plan.microBatch, 'user');
  return { text, kind, setup: complete.build() };
}

function changes(one: Case, setup: TrainingSetup): fc.Arbitrary<PlanChange> {
  const { gpus } = one;
  const shards = setup.plan.sharding === 'hsdp' ? (setup.plan.shardSize ?? 1) : 1;
  const degrees = fc
    .record({ tp: fc.constantFrom(...one.tp), cp: fc.constantFrom(...one.cp), pp: fc.constantFrom(...one.pp) })
    .filter(({ tp, cp, pp }) => gpus % (tp * cp * pp) === 0 && (gpus / (tp * pp)) % shards === 0);
  const choices = Object.fromEntries(
    Object.entries(one.choices).map(([key, values]) => [
      key,
      fc.option(fc.constantFrom(...(values as unknown[])), { nil: undefined }),
    ]),
  );
  const sizes = fc.record({
    microBatch: fc.constantFrom(1, 2, 4),
    steps: fc.constantFrom(...(one.steps ?? [1, 2, 8])),
  });
  const batch: fc.Arbitrary<{ microBatch: number; steps: number } | null> =
    setup.plan.microBatch === null ? fc.constant(null) : sizes;
  return fc.tuple(degrees, fc.record(choices), batch).map(([plan, chosen, size]) => {
    const dp = gpus / (plan.tp * plan.cp * plan.pp);
    const asked = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
    const change: PlanChange = { ...plan, dp, ...asked };
    if ('sp' in change && plan.tp === 1) delete change.sp;
    if (change.offload === 'none') change.offloadDevice = null;
    if (shards > 1) change.shardSize = shards;
    if (size !== null) {
      change.microBatch = size.microBatch;
      change.globalBatch = size.microBatch * size.steps * dp;
    }
    return change;
  });
}

function parserOf(file: string): (file: string, text: string) => ParsedText {
  if (file.startsWith('deepspeed')) return parseRelaxedJson;
  return file.endsWith('.toml') ? parseToml : parseYaml;
}

function parse(file: string, text: string): ConfigNode {
  const { root, problems } = parserOf(file)(file, text);
  assert.ok(root !== null);
  assert.deepEqual(problems, [], text);
  return root;
}

/** Every scalar by the path to it. */
function leaves(node: ConfigNode, path = '', into = new Map<string, unknown>()): Map<string, unknown> {
  if (node.kind === 'scalar') into.set(path, node.value);
  if (node.kind === 'list') node.items.forEach((item, index) => leaves(item, `${path}[${index}]`, into));
  if (node.kind === 'map')
    for (const [key, { node: value }] of node.entries) leaves(value, path === '' ? key : `${path}.${key}`, into);
  return into;
}

const comments = (text: string): string[] =>
  text.split('\n').flatMap(line => (line.includes('#') ? [line.slice(line.indexOf('#'))] : []));

describe('writing plans', () => {
  for (const one of CASES) {
    it(`${one.file} reads back as the plan, and nothing else changes`, () => {
      const { text, kind, setup } = loaded(one);
      fc.assert(
        fc.property(changes(one, setup), change => {
          const next = changedSetup(setup, change);
          const { edits, problems } = planEdits({ file: one.file, text, kind }, setup, change);
          const errors = problems.filter(({ severity }) => severity === 'error');
          // Rules of the framework may refuse a plan; then nothing is written.
          if (errors.some(({ code }) => code !== 'not-expressible')) return assert.deepEqual(edits, []);
          assert.deepEqual(errors, [], JSON.stringify(change));
          const written = applyEdits(text, edits);
          const again = new SetupBuilder(readConfig(one.file, written).setup ?? setup);
          Object.assign(again.cluster, next.cluster);
          const plan = completeSetup(again.build()).plan;
          for (const key of Object.keys(change) as (keyof Plan)[]) {
            if (key === 'globalBatch' && plan.globalBatch === null) continue;
            if (key === 'offloadDevice') continue;
            assert.deepEqual([key, plan[key]], [key, next.plan[key]], written);
          }
          const before = leaves(parse(one.file, text));
          const after = leaves(parse(one.file, written));
          for (const [path, value] of before)
            if (!one.touches.test(path)) assert.deepEqual(after.get(path), value, path);
          for (const path of after.keys()) assert.ok(before.has(path) || one.touches.test(path), `${path}\n${written}`);
          assert.deepEqual(comments(written), comments(text));
        }),
        { numRuns: 100, seed: 7 },
      );
    });
  }
});
