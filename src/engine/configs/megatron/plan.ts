/** The plan that Megatron's options describe: degrees, batch, states, recomputation, precision. */
import type { Plan, PlanKey } from '../../plan/keys';
import { problem, type SourceRange } from '../../problem';
import type { SetupBuilder } from '../../setup/setup';
import type { MegatronArgs } from './args';
import type { DeepSpeedJson } from './deepspeed';
import { evenLayers, layoutLayers } from './layout';
import { isDeepSpeed } from './model';
import { readSchedule } from './schedule';
import { readRecompute, readSharding } from './states';

const DEGREE = 2 ** 20;
const BATCH = 2 ** 32;

/** Keys of a plan that one option gives as it is. */
export const PLAN_FLAGS = {
  tp: 'tensor-model-parallel-size',
  pp: 'pipeline-model-parallel-size',
  cp: 'context-parallel-size',
  ep: 'expert-model-parallel-size',
  etp: 'expert-tensor-parallel-size',
  microBatch: 'micro-batch-size',
  globalBatch: 'global-batch-size',
  seqLen: 'seq-length',
} as const satisfies Partial<Record<PlanKey, string>>;

const CP_KINDS: Readonly<Record<string, Plan['cpKind']>> = {
  p2p: 'ring',
  a2a: 'all-to-all',
  allgather: 'all-gather',
  all_gather: 'all-gather',
};

const FP8_RECIPES: Readonly<Record<string, Plan['fp8Recipe']>> = {
  delayed: 'tensorwise',
  tensorwise: 'tensorwise',
  blockwise: 'blockwise',
  mxfp8: 'mxfp8',
};

/** Values of --attention-backend; `auto` picks a fused kernel. */
const ATTENTION: Readonly<Record<string, Plan['attention']>> = {
  flash: 'flash',
  fused: 'flash',
  auto: 'flash',
  unfused: 'unfused',
  local: 'unfused',
};

export function readPlan(args: MegatronArgs, builder: SetupBuilder, json: DeepSpeedJson): void {
  readDegrees(args, builder);
  readStages(args, builder);
  readBatch(args, builder);
  readSharding(args, builder, json);
  readRecompute(args, builder);
  readPrecision(args, builder);
  readKernels(args, builder);
  noteUnknown(args, builder);
  if (isDeepSpeed(args)) builder.kinds.splice(0, 1, 'megatron-deepspeed');
  builder.setPlan('stack', isDeepSpeed(args) ? 'megatron-deepspeed' : 'megatron-core', 'derived');
}

/** Options by the keys that they decide, where several do. */
const DECIDING: Partial<Record<PlanKey, readonly string[]>> = {
  cp: [PLAN_FLAGS.cp, 'ds-sequence-parallel-size'],
  sp: ['sequence-parallel'],
  vpp: ['num-layers-per-virtual-pipeline-stage', 'num-virtual-stages-per-pipeline-rank'],
  sharding: ['use-distributed-optimizer', 'use-megatron-fsdp', 'zero-stage', 'data-parallel-sharding-strategy'],
  dtype: ['bf16', 'fp16', 'fp8-format', 'fp4-format'],
  recompute: ['recompute-granularity', 'recompute-activations'],
  attention: ['attention-backend', 'use-flash-attn'],
  offload: ['optimizer-cpu-offload', 'cpu-optimizer'],
  tpOverlap: ['tp-comm-overlap'],
};

/** What an option leaves to an argument, the environment or a branch takes no default. */
function noteUnknown(args: MegatronArgs, builder: SetupBuilder): void {
  const single = Object.entries(PLAN_FLAGS).map(([key, flag]) => [key, [flag]] as const);
  for (const [key, flags] of [...single, ...Object.entries(DECIDING)] as [PlanKey, readonly string[]][]) {
    const given = flags.some(flag => args.has(flag));
    const off = flags.every(flag => !args.has(flag) || args.on(flag) === false);
    if (builder.plan[key] === null && given && !off) builder.unknown.add(`plan.${key}`);
  }
}

function readDegrees(args: MegatronArgs, builder: SetupBuilder): void {
  for (const [key, flag] of Object.entries(PLAN_FLAGS) as [keyof typeof PLAN_FLAGS, string][]) {
    const batch = key === 'microBatch' || key === 'globalBatch' || key === 'seqLen';
    const read = args.integer(flag, 1, batch ? BATCH : DEGREE);
    if (read !== null) builder.setPlan(key, read.value, 'file', read.source);
    else if (!args.has(flag) && !batch && key !== 'etp') builder.setPlan(key, 1, 'default');
  }
  readUlysses(args, builder);
  readSequenceParallel(args, builder);
  const { tp } = builder.plan;
  if (builder.sizes.experts !== null && !args.has(PLAN_FLAGS.etp) && tp !== null) builder.setPlan('etp', tp, 'derived');
  const kind = args.text('cp-comm-type');
  const cpKind = kind === null ? undefined : CP_KINDS[kind.value];
  if (kind !== null && cpKind !== undefined) builder.setPlan('cpKind', cpKind, 'file', kind.source);
  else if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', builder.plan.cpKind ?? 'ring', 'default');
}

/** Megatron-DeepSpeed's own sequence parallelism splits the sequence like cp, by all-to-all. */
function readUlysses(args: MegatronArgs, builder: SetupBuilder): void {
  const read = args.integer('ds-sequence-parallel-size', 1, DEGREE);
  if (read === null) return;
  builder.setPlan('cp', read.value, 'file', read.source);
  if (read.value > 1) builder.setPlan('cpKind', 'all-to-all', 'derived', read.source);
}

/** Without tensor parallelism Megatron switches sequence parallelism off. */
function readSequenceParallel(args: MegatronArgs, builder: SetupBuilder): void {
  const on = args.on('sequence-parallel');
  if (on === null) return;
  const source = args.place('sequence-parallel');
  if (builder.plan.tp === 1) builder.setPlan('sp', false, on ? 'derived' : 'default', source);
  else builder.setPlan('sp', on, args.has('sequence-parallel') ? 'file' : 'default', source);
}

/** Virtual stages are written as layers a chunk or as chunks; uneven stages as the layers of the first and last. */
function readStages(args: MegatronArgs, builder: SetupBuilder): void {
  const { layers } = builder.sizes;
  const { pp } = builder.plan;
  const chunks = args.integer('num-virtual-stages-per-pipeline-rank', 1, DEGREE);
  const perChunk = args.integer('num-layers-per-virtual-pipeline-stage', 1, DEGREE);
  if (chunks !== null) builder.setPlan('vpp', chunks.value, 'file', chunks.source);
  else if (perChunk !== null && layers !== null && pp !== null)
    setChunks(args, builder, perChunk.value, perChunk.source);
  else if (
    !args.has('num-virtual-stages-per-pipeline-rank') &&
    perChunk === null &&
    !args.has('num-layers-per-virtual-pipeline-stage')
  ) {
    builder.setPlan('vpp', 1, 'default');
  }
  const first = args.integer('decoder-first-pipeline-num-layers');
  const last = args.integer('decoder-last-pipeline-num-layers');
  if (
    (first !== null || last !== null) &&
    layers !== null &&
    pp !== null &&
    pp <= layers &&
    (builder.plan.vpp ?? 1) === 1
  ) {
    const source = first?.source ?? last?.source ?? null;
    builder.setPlan(
      'stageLayers',
      unevenStages(layers, pp, first?.value ?? null, last?.value ?? null),
      'derived',
      source,
    );
  }
  readSharedStages(args, builder);
  readLayout(args, builder);
}

/** A layout says the layers of each chunk, and by their number the chunks of a stage. */
function readLayout(args: MegatronArgs, builder: SetupBuilder): void {
  if (!args.has('pipeline-model-parallel-layout')) return;
  const { layers } = builder.sizes;
  const { pp } = builder.plan;
  const written = args.text('pipeline-model-parallel-layout');
  const stages = written === null ? null : layoutLayers(written.value);
  const source = written?.source ?? args.place('pipeline-model-parallel-layout');
  if (stages !== null && pp !== null && stages.length % pp === 0) {
    builder.setPlan('vpp', stages.length / pp, 'derived', source);
    builder.setPlan('stageLayers', stages, 'derived', source);
    return;
  }
  const name = '--pipeline-model-parallel-layout';
  args.problems.push(problem('not-modelled', { what: 'pipeline-layout', name }, { source }));
  const chunks = (pp ?? 1) * (builder.plan.vpp ?? 1);
  if (layers !== null && chunks > 1 && chunks <= layers && layers % chunks !== 0) {
    builder.setPlan('stageLayers', evenLayers(layers, chunks), 'default', source);
  }
}

function setChunks(args: MegatronArgs, builder: SetupBuilder, perChunk: number, source: SourceRange): void {
  const { layers } = builder.sizes;
  const { pp } = builder.plan;
  const counted = (layers ?? 0) + splitExtras(args);
  const perStage = counted / (pp ?? 1);
  if (Number.isInteger(perStage / perChunk)) {
    builder.setPlan('vpp', perStage / perChunk, 'derived', source);
  } else {
    args.problems.push(problem('layers-vpp', { layers: counted, pp, vpp: `1/${perChunk} of a stage's` }, { source }));
  }
}

/** Where embedding and loss count as layers, the first and last chunk hold one layer less. */
function readSharedStages(args: MegatronArgs, builder: SetupBuilder): void {
  const { pp, vpp } = builder.plan;
  const { layers } = builder.sizes;
  const extras = splitExtras(args);
  if (extras === 0 || layers === null || pp === null || vpp === null) return;
  const chunks = pp * vpp;
  const each = (layers + extras) / chunks;
  if (!Number.isInteger(each) || chunks < 2 || chunks > layers) return;
  const embedding = args.on('account-for-embedding-in-pipeline-split') === true;
  const loss = args.on('account-for-loss-in-pipeline-split') === true;
  const stages = Array.from(
    { length: chunks },
    (_, index) => each - Number(embedding && index === 0) - Number(loss && index === chunks - 1),
  );
  const source = args.place(
    embedding ? 'account-for-embedding-in-pipeline-split' : 'account-for-loss-in-pipeline-split',
  );
  builder.setPlan('stageLayers', stages, 'derived', source);
}

/** Embedding and loss count as a layer each where the options say so. */
export function splitExtras(args: MegatronArgs): number {
  const names = ['account-for-embedding-in-pipeline-split', 'account-for-loss-in-pipeline-split'];
  return names.filter(name => args.on(name) === true).length;
}

function unevenStages(layers: number, pp: number, first: number | null, last: number | null): number[] {
  const middle = pp - Number(first !== null) - Number(last !== null);
  const each = middle === 0 ? 0 : (layers - (first ?? 0) - (last ?? 0)) / middle;
  const stages = Array.from({ length: middle }, () => Math.max(0, Math.floor(each)));
  return [...(first === null ? [] : [first]), ...stages, ...(last === null ? [] : [last])];
}

/** Without --global-batch-size a step is one micro-batch on each data-parallel rank. */
function readBatch(args: MegatronArgs, builder: SetupBuilder): void {
  const { microBatch, tp, pp, cp } = builder.plan;
  const { gpus } = builder.cluster;
  if (args.has(PLAN_FLAGS.globalBatch) || microBatch === null || gpus === null) return;
  const dp = gpus / ((tp ?? 1) * (pp ?? 1) * (cp ?? 1));
  if (Number.isInteger(dp)) builder.setPlan('globalBatch', microBatch * dp, 'derived');
}

function readPrecision(args: MegatronArgs, builder: SetupBuilder): void {
  const fp8 = args.text('fp8-format');
  const fp4 = args.text('fp4-format');
  const half = args.switchOn('bf16') ?? args.switchOn('fp16');
  const uncertain = args.on('bf16') === null || args.on('fp16') === null;
  if (fp4 !== null) builder.setPlan('dtype', 'nvfp4', 'file', fp4.source);
  else if (fp8 !== null) builder.setPlan('dtype', 'fp8', 'file', fp8.source);
  else if (half !== null) builder.setPlan('dtype', args.on('bf16') === true ? 'bf16' : 'fp16', 'file', half.source);
  else if (!uncertain && args.has(PLAN_FLAGS.microBatch)) builder.setPlan('dtype', 'fp32', 'default');
  if (fp8 !== null) {
    const recipe = args.text('fp8-recipe');
    const value = FP8_RECIPES[recipe?.value ?? 'delayed'];
    if (value !== undefined)
      builder.setPlan('fp8Recipe', value, recipe === null ? 'default' : 'file', recipe?.source ?? null);
  }
  const { dtype } = builder.plan;
  const kept = args.on('accumulate-allreduce-grads-in-fp32') === true || args.on('grad-reduce-in-bf16') === false;
  if (dtype === 'fp16') {
    const fp32 = args.on('accumulate-allreduce-grads-in-fp32') === true;
    builder.setPlan('gradDtype', fp32 ? 'fp32' : 'fp16', 'derived');
  } else if (dtype !== null && dtype !== 'fp32') builder.setPlan('gradDtype', kept ? 'fp32' : 'bf16', 'derived');
  const optimizer = args.text('optimizer');
  const known = { adam: 'adamw', sgd: 'sgd', muon: 'muon' } as const;
  const named = known[(optimizer?.value ?? 'adam') as keyof typeof known];
  if (named !== undefined)
    builder.setPlan('optimizer', named, optimizer === null ? 'default' : 'file', optimizer?.source ?? null);
}

function readKernels(args: MegatronArgs, builder: SetupBuilder): void {
  const backend = args.text('attention-backend');
  const flash = args.switchOn('use-flash-attn');
  const attention = backend === null ? undefined : ATTENTION[backend.value];
  if (flash !== null) builder.setPlan('attention', 'flash', 'file', flash.source);
  else if (backend !== null && attention !== undefined) builder.setPlan('attention', attention, 'file', backend.source);
  else if (
    isDeepSpeed(args) ||
    args.text('transformer-impl')?.value === 'local' ||
    args.has('checkpoint-activations') ||
    args.has('activations-checkpoint-method')
  ) {
    builder.setPlan('attention', 'unfused', 'default');
  }
  const overlap = args.on('tp-comm-overlap');
  if (overlap !== null) {
    builder.setPlan('tpOverlap', overlap, overlap ? 'file' : 'default', args.place('tp-comm-overlap'));
  }
  const deepep = args.text('moe-flex-dispatcher-backend');
  if (args.on('moe-enable-deepep') === true || deepep !== null) {
    const name = deepep?.value ?? 'deepep';
    builder.setPlan('kernels', name, 'file', deepep?.source ?? args.place('moe-enable-deepep'));
  }
  readSchedule(args, builder);
}
