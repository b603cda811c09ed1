/**
 * What each framework can express and what it demands: data. The search stays inside it, the rules check it, the
 * writers refuse what is outside.
 */
import type { Plan, PlanKey } from './keys';
import { COMMON_SOURCES, RULE_SOURCES, type RuleSources } from './ruleSources';

/** Values of a key: these, or any degree over 1. */
type Values<K extends PlanKey> = readonly Plan[K][] | 'above-1';

/** Keys that do not go together: a plan in which every one has one of its values is refused. */
export interface Exclusion {
  readonly plan: Partial<{ readonly [K in PlanKey]: Values<K> }>;
  /** Only for models with experts. */
  readonly experts?: true;
  readonly source: string;
}

export interface Framework {
  readonly name: string;
  /** Allowed values by key; a key that is not listed may take any value. */
  readonly allows: Partial<{ readonly [K in PlanKey]: readonly Plan[K][] }>;
  /** kv heads must be divisible by tp; else tp may also be a multiple of them (they are replicated). */
  readonly kvHeadsDivideByTp: boolean;
  /** The vocabulary must be divisible by tp; else it is padded. */
  readonly vocabDividesByTp: boolean;
  /** Layers must divide over stages and chunks; else the first stages hold one more. */
  readonly layersDivideByPp: boolean;
  /** Chunks of a stage may hold different numbers of layers. */
  readonly unevenChunks: boolean;
  /** Embedding and head may count as a layer each where layers divide over stages. */
  readonly endsCountAsLayers: boolean;
  /** The sequence must divide by this times cp. */
  readonly sequenceChunksPerCp: 1 | 2;
  /** Sequence parallelism comes with tensor parallelism and cannot be switched. */
  readonly spFollowsTp: boolean;
  /** Sequence parallelism is switched off where there is no tensor parallelism. */
  readonly spNeedsTp: boolean;
  /** The sequence must divide by 2·tp·cp, whatever of them is 1. */
  readonly sequenceDividesByTpCp: boolean;
  /** The hidden size must be divisible by tp. */
  readonly hiddenDividesByTp: boolean;
  /** Experts are split over all ranks of tensor parallelism or over none. */
  readonly etpIsTpOrOne: boolean;
  /** Experts are split inside of a shard group, not over its replicas. */
  readonly expertsInsideShards: boolean;
  readonly excludes: readonly Exclusion[];
  readonly source: string;
  /** Where each rule stands. */
  readonly rules: RuleSources;
}

const ANY: Framework = {
  name: 'any',
  allows: {},
  kvHeadsDivideByTp: false,
  vocabDividesByTp: false,
  layersDivideByPp: false,
  unevenChunks: false,
  endsCountAsLayers: false,
  sequenceChunksPerCp: 1,
  spFollowsTp: false,
  spNeedsTp: false,
  sequenceDividesByTpCp: false,
  hiddenDividesByTp: false,
  etpIsTpOrOne: false,
  expertsInsideShards: false,
  excludes: [],
  source: 'rules of the mathematics alone',
  rules: COMMON_SOURCES,
};

const framework = (change: Partial<Framework> & Pick<Framework, 'name' | 'source'>): Framework => ({
  ...ANY,
  rules: { ...COMMON_SOURCES, ...RULE_SOURCES[change.name] },
  ...change,
});

const ZERO = ['none', 'zero1', 'zero2', 'zero3'] as const;
const HALF = ['bf16', 'fp16', 'fp32'] as const;
const NO_EXPERTS = { ep: [1], etp: [1] } as const;
/** No compiler and no overlap of tensor parallelism by a key of the file. */
const PLAIN = { compiled: [false], tpOverlap: [false] } as const;
const NO_PIPELINE = { pp: [1], vpp: [1], schedule: ['none', null] } as const;
const PIPED_SHARDING: Exclusion = {
  plan: { sharding: ['zero2', 'zero3'], pp: 'above-1' },
  source: 'deepspeed/runtime/pipe/engine.py:77',
};
const MEGATRON_MOE: Exclusion = {
  plan: { sp: [false], tp: 'above-1' },
  experts: true,
  source: 'megatron/core/transformer/moe/moe_layer.py:635',
};

/** megatron/core/pipeline_parallel/schedules.py: get_forward_backward_func knows no other. */
const ONE_F_ONE_B = ['none', '1f1b', 'interleaved-1f1b', null] as const;

const MEGATRON = framework({
  name: 'megatron',
  allows: {
    sharding: [...ZERO],
    dtype: ['bf16', 'fp16', 'fp32', 'fp8', 'nvfp4'],
    offload: ['none', 'optimizer'],
    adapter: ['none', 'lora'],
    schedule: [...ONE_F_ONE_B],
    compiled: [false],
  },
  layersDivideByPp: true,
  endsCountAsLayers: true,
  sequenceChunksPerCp: 2,
  // megatron/training/arguments.py:1436
  spNeedsTp: true,
  excludes: [MEGATRON_MOE],
  source: 'NVIDIA/Megatron-LM: megatron/training/arguments.py, megatron/core/transformer/transformer_config.py',
});

export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  picotron: framework({
    name: 'picotron',
    allows: {
      sp: [false],
      cpKind: ['ring', null],
      vpp: [1],
      ep: [1],
      etp: [1],
      sharding: ['none'],
      recompute: ['none'],
      offload: ['none'],
      adapter: ['none'],
      tpOverlap: [false],
      schedule: ['none', '1f1b', 'gpipe'],
      dtype: ['bf16'],
    },
    kvHeadsDivideByTp: true,
    vocabDividesByTp: true,
    hiddenDividesByTp: true,
    source:
      'huggingface/picotron: picotron/model.py, picotron/tensor_parallel, train.py, picotron/process_group_manager.py',
  }),
  torchtitan: framework({
    name: 'torchtitan',
    allows: {
      // none: replicas without shards.
      sharding: ['none', 'zero2', 'zero3', 'hsdp'],
      adapter: ['none'],
      cpKind: ['all-gather', 'ring', null],
      schedule: ['none', '1f1b', 'gpipe', 'interleaved-1f1b', 'zb-h1', 'zb-v', 'dualpipe-v', 'breadth-first', null],
      offload: ['none', 'optimizer+params'],
      recomputeOps: ['op', 'every-1', 'every-2', 'every-3', 'every-4', 'every-8', null],
    },
    kvHeadsDivideByTp: true,
    sequenceChunksPerCp: 2,
    sequenceDividesByTpCp: true,
    // distributed/pipeline_parallel.py: the first stages take what does not divide.
    unevenChunks: true,
    spFollowsTp: true,
    etpIsTpOrOne: true,
    expertsInsideShards: true,
    source:
      'pytorch/torchtitan 238fa995: distributed/parallel_dims.py:39-59, train.py:190-215, models/llama3/infra/parallelize.py:69',
  }),
  deepspeed: framework({
    name: 'deepspeed',
    allows: {
      ...NO_EXPERTS,
      sharding: [...ZERO, 'hsdp'],
      dtype: [...HALF],
      tpOverlap: [false],
      cpKind: ['all-to-all', null],
      vpp: [1],
      recompute: ['none', 'selective', 'full'],
    },
    excludes: [PIPED_SHARDING],
    source: 'deepspeedai/DeepSpeed: deepspeed/runtime/config.py:721-990',
  }),
  accelerate: framework({
    name: 'accelerate',
    allows: { ...NO_PIPELINE, ...NO_EXPERTS, ...PLAIN, cpKind: ['all-gather', 'ring', 'all-to-all', null] },
    source: 'huggingface/accelerate: src/accelerate/parallelism_config.py',
  }),
  nanotron: framework({
    name: 'nanotron',
    allows: {
      vpp: [1],
      etp: [1],
      compiled: [false],
      dtype: [...HALF],
      sharding: ['none', 'zero1'],
      offload: ['none'],
      adapter: ['none'],
      recompute: ['none', 'full'],
      cpKind: ['ring', null],
      schedule: ['none', '1f1b', 'gpipe', null],
    },
    kvHeadsDivideByTp: true,
    source: 'huggingface/nanotron: parallel/context.py:28, config/config.py:536-548, models/llama.py:348-364',
  }),
  megatron: MEGATRON,
  // Expert parallelism of DeepSpeed needs no sequence parallelism.
  'megatron-deepspeed': {
    ...MEGATRON,
    excludes: [PIPED_SHARDING],
    source: `deepspeedai/Megatron-DeepSpeed: megatron/arguments.py, deepspeed/moe/layer.py, over ${MEGATRON.source}`,
  },
  'megatron-zero-bubble': {
    ...MEGATRON,
    allows: { ...MEGATRON.allows, schedule: [...ONE_F_ONE_B, 'zb-1p', 'zb-2p', 'zb-v', 'v-half', 'v-min'] },
    source: `sail-sg/zero-bubble-pipeline-parallelism: megatron/training/arguments.py, over ${MEGATRON.source}`,
  },
  nemo: { ...MEGATRON, name: 'nemo', source: `NVIDIA/NeMo through Megatron: ${MEGATRON.source}` },
  'nemo-automodel': framework({
    name: 'nemo-automodel',
    allows: {
      etp: [1],
      sharding: ['zero3', 'hsdp'],
      dtype: [...HALF, 'fp8'],
      recompute: ['none', 'full'],
      offload: ['none'],
      cpKind: ['ring', 'all-gather', null],
      schedule: ['none', '1f1b', 'gpipe', 'interleaved-1f1b', 'zb-v', null],
    },
    source: 'NVIDIA-NeMo/Automodel: nemo_automodel/components/distributed, nemo_automodel/recipes/llm/train_ft.py',
  }),
  axolotl: framework({
    name: 'axolotl',
    allows: {
      ...NO_PIPELINE,
      sp: [false],
      etp: [1],
      tpOverlap: [false],
      dtype: [...HALF],
      recompute: ['none', 'full'],
      cpKind: ['ring', null],
      offload: ['none', 'optimizer+params'],
      sharding: ['none', 'zero2', 'zero3', 'hsdp'],
    },
    source: 'axolotl-ai-cloud/axolotl: src/axolotl/utils/distributed.py:302-380',
  }),
  'llama-factory': framework({
    name: 'llama-factory',
    allows: {
      ...NO_PIPELINE,
      ...NO_EXPERTS,
      tp: [1],
      sp: [false],
      cp: [1],
      tpOverlap: [false],
      dtype: [...HALF],
      recompute: ['none', 'full'],
    },
    source: 'hiyouga/LLaMA-Factory: src/llamafactory/hparams',
  }),
  'llama-factory-mcore': {
    ...MEGATRON,
    name: 'llama-factory',
    allows: { ...MEGATRON.allows, ...PLAIN, dtype: [...HALF], cpKind: ['ring', null] },
    source: `alibaba/ROLL: mcore_adapter, over ${MEGATRON.source}`,
  },
  verl: framework({
    name: 'verl',
    allows: {
      ...NO_PIPELINE,
      ...NO_EXPERTS,
      tp: [1],
      sp: [false],
      tpOverlap: [false],
      dtype: [...HALF],
      adapter: ['none', 'lora'],
      recompute: ['none', 'full'],
      cpKind: ['all-to-all', null],
      offload: ['none', 'optimizer+params'],
      sharding: ['zero2', 'zero3', 'hsdp'],
    },
    source: 'volcengine/verl b178a3cd: verl/workers/fsdp_workers.py:98-120,166-175, verl/workers/config/actor.py',
  }),
  'verl-megatron': {
    ...MEGATRON,
    name: 'verl',
    allows: { ...MEGATRON.allows, ...PLAIN, dtype: ['bf16', 'fp16'], sharding: ['none', 'zero1'] },
    source: `volcengine/verl b178a3cd: verl/workers/config/engine.py, over ${MEGATRON.source}`,
  },
  openrlhf: framework({
    name: 'openrlhf',
    allows: {
      ...NO_PIPELINE,
      ...NO_EXPERTS,
      ...PLAIN,
      sp: [false],
      dtype: [...HALF],
      sharding: [...ZERO],
      recompute: ['none', 'full'],
      cpKind: ['ring', null],
      offload: ['none', 'optimizer'],
    },
    source: 'OpenRLHF/OpenRLHF 3c3be623: openrlhf/utils/deepspeed/deepspeed.py, openrlhf/cli/train_sft.py',
  }),
  litgpt: framework({
    name: 'litgpt',
    allows: {
      ...NO_PIPELINE,
      ...NO_EXPERTS,
      tp: [1],
      sp: [false],
      cp: [1],
      tpOverlap: [false],
      dtype: [...HALF, 'fp8'],
      offload: ['none'],
      sharding: ['none', 'zero3', 'hsdp'],
      recompute: ['none', 'full'],
    },
    source: 'Lightning-AI/litgpt: litgpt/args.py:56-70, litgpt/pretrain.py, litgpt/finetune/full.py',
  }),
  'llm-foundry': framework({
    name: 'llm-foundry',
    allows: {
      ...NO_PIPELINE,
      ...NO_EXPERTS,
      cp: [1],
      tpOverlap: [false],
      dtype: [...HALF, 'fp8'],
      adapter: ['none', 'lora'],
      offload: ['none'],
      sharding: ['none', 'zero2', 'zero3', 'hsdp'],
      recompute: ['none', 'full'],
    },
    source: 'mosaicml/llm-foundry 8c8dd48f: llmfoundry/utils/config_utils.py:434-443, llmfoundry/models/mpt',
  }),
  olmo: framework({
    name: 'olmo',
    allows: {
      ...NO_PIPELINE,
      ...NO_EXPERTS,
      tp: [1],
      sp: [false],
      cp: [1],
      tpOverlap: [false],
      dtype: [...HALF],
      adapter: ['none'],
      offload: ['none'],
      sharding: ['none', 'zero2', 'zero3', 'hsdp'],
      recompute: ['none', 'selective', 'full'],
    },
    source: 'allenai/OLMo 59a53e3f: olmo/config.py, scripts/train.py',
  }),
  levanter: framework({
    name: 'levanter',
    allows: {
      ...NO_PIPELINE,
      ...NO_EXPERTS,
      ...PLAIN,
      sp: [false],
      cp: [1],
      dtype: [...HALF],
      adapter: ['none'],
      offload: ['none'],
      sharding: ['zero3'],
      recompute: ['none', 'full'],
    },
    source: 'stanford-crfm/levanter 9263f81e: src/levanter/trainer.py:835-947',
  }),
  internevo: framework({
    name: 'internevo',
    allows: {
      etp: [1],
      ...PLAIN,
      dtype: [...HALF],
      adapter: ['none'],
      offload: ['none'],
      recompute: ['none', 'full'],
      cpKind: ['all-to-all', null],
      sharding: ['none', 'zero1', 'zero3', 'hsdp'],
      schedule: [...ONE_F_ONE_B],
    },
    kvHeadsDivideByTp: true,
    spNeedsTp: true,
    excludes: [
      { plan: { sharding: ['zero3'], pp: 'above-1' }, source: 'InternLM/InternEvo: internlm/initialize/launch.py:101' },
    ],
    source: 'InternLM/InternEvo c628a8c8: internlm/initialize/launch.py, internlm/core/context/parallel_context.py:426',
  }),
  colossalai: framework({
    name: 'colossalai',
    allows: {
      ...NO_EXPERTS,
      ...PLAIN,
      sp: [false],
      dtype: ['fp16', 'fp32'],
      adapter: ['none'],
      recompute: ['none', 'full'],
      cpKind: ['ring', null],
      offload: ['none', 'optimizer+params'],
      sharding: ['none', 'zero3'],
      schedule: [...ONE_F_ONE_B],
    },
    source: 'hpcaitech/ColossalAI 4f9953be: colossalai/legacy/context/parallel_context.py, colossalai/legacy/zero',
  }),
  maxtext: framework({
    name: 'maxtext',
    allows: {
      etp: [1],
      tpOverlap: [false],
      compiled: [true],
      dtype: ['bf16', 'fp16', 'fp32', 'fp8'],
      adapter: ['none'],
      recompute: ['selective', 'full'],
      cpKind: ['all-gather', 'ring', 'all-to-all', null],
      sharding: ['none', 'zero1', 'zero3', 'hsdp'],
      // layers/pipeline.py: the whole forward, then the backward.
      schedule: ['none', 'gpipe', 'breadth-first', null],
    },
    layersDivideByPp: true,
    spFollowsTp: true,
    source: 'AI-Hypercomputer/maxtext e591f30c: src/maxtext/configs/types.py, src/maxtext/utils/max_utils.py:461',
  }),
  torchtune: framework({
    name: 'torchtune',
    allows: {
      ...NO_PIPELINE,
      ...NO_EXPERTS,
      tpOverlap: [false],
      dtype: [...HALF, 'fp8'],
      cpKind: ['all-gather', 'ring', null],
      offload: ['none', 'optimizer+params'],
      sharding: ['none', 'zero2', 'zero3', 'hsdp'],
    },
    kvHeadsDivideByTp: true,
    hiddenDividesByTp: true,
    spFollowsTp: true,
    source:
      'pytorch/torchtune bd2a0fc7: torchtune/training/_distributed.py:60-90,755-770, models/llama3/_parallelism.py, recipes/full_finetune_distributed.py',
  }),
  'gpt-neox': framework({
    name: 'gpt-neox',
    allows: {
      ...PLAIN,
      vpp: [1],
      etp: [1],
      dtype: [...HALF],
      sharding: [...ZERO],
      recompute: ['none', 'full'],
      adapter: ['none'],
      cpKind: ['ring', null],
      schedule: ['none', '1f1b', null],
    },
    kvHeadsDivideByTp: true,
    excludes: [PIPED_SHARDING],
    source: 'EleutherAI/gpt-neox: megatron/neox_arguments/arguments.py:879,927,1134-1147,1245',
  }),
};

/** The framework of a setup's training file, or the one without demands of its own. */
export function frameworkOf(kinds: readonly string[]): Framework {
  const kind = kinds.find(name => Object.hasOwn(FRAMEWORKS, name));
  return kind === undefined ? ANY : FRAMEWORKS[kind];
}

/** The keys of a plan that the framework cannot express. */
export function inexpressible(framework: Framework, plan: Plan): PlanKey[] {
  return (Object.keys(framework.allows) as PlanKey[]).filter(key => {
    const allowed = framework.allows[key] as readonly unknown[] | undefined;
    return plan[key] !== null && allowed !== undefined && !allowed.includes(plan[key]);
  });
}

/** The keys of an exclusion that a plan falls under, or null where it does not. */
export function excludedKeys(exclusion: Exclusion, plan: Plan, experts: number | null): PlanKey[] | null {
  if (exclusion.experts === true && (experts ?? 0) === 0) return null;
  const keys = Object.keys(exclusion.plan) as PlanKey[];
  return keys.every(key => isAmong(exclusion.plan[key], plan[key])) ? keys : null;
}

function isAmong(values: readonly unknown[] | 'above-1' | undefined, value: unknown): boolean {
  if (values === 'above-1') return typeof value === 'number' && value > 1;
  return value !== null && values?.includes(value) === true;
}
