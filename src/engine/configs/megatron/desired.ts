/** The options that a plan asks for: what each of them must be, so that the script reads as the plan. */
import type { Plan } from '../../plan/keys';
import type { TrainingSetup } from '../../setup/setup';
import type { MegatronArgs } from './args';
import { isDeepSpeed } from './model';
import { PLAN_FLAGS, splitExtras } from './plan';
import { SHARDING_STRATEGIES } from './states';

/** What an option must be: passed with a value, passed as a switch, or absent. */
export interface Wish {
  readonly flag: string;
  readonly value: string | true | false;
}

type Key = keyof typeof PLAN_FLAGS;

/** Wishes for every key of the plan that differs from what the script says, and for those that are forced. */
export function wishes(
  args: MegatronArgs,
  present: TrainingSetup,
  plan: Plan,
  forced: ReadonlySet<keyof Plan>,
): Wish[] {
  const changed = (key: keyof Plan) =>
    plan[key] !== null && (forced.has(key) || String(plan[key]) !== String(present.plan[key]));
  return [
    ...degrees(args, plan, changed),
    ...virtualStages(args, present, plan, changed),
    ...batch(present, plan, changed),
    ...(changed('sp') && (plan.tp ?? 1) > 1 ? [{ flag: 'sequence-parallel', value: plan.sp === true }] : []),
    ...(changed('sharding') ? sharding(args, plan) : []),
    ...(changed('recompute') || changed('recomputeLayers') ? recompute(args, plan) : []),
    ...(changed('tpOverlap') ? [{ flag: 'tp-comm-overlap', value: plan.tpOverlap === true }] : []),
    ...(changed('dtype') ? precision(plan) : []),
    ...(changed('attention') ? attention(plan) : []),
    ...(changed('offload') ? offload(args, plan) : []),
    ...gpus(args, present, plan),
  ];
}

type Changed = (key: keyof Plan) => boolean;

function degrees(args: MegatronArgs, plan: Plan, changed: Changed): Wish[] {
  // Without an option of its own, etp is tp.
  const follows = !args.has(PLAN_FLAGS.etp) && plan.etp === plan.tp;
  const keys = (['tp', 'pp', 'cp', 'ep', 'etp'] as const satisfies readonly Key[]).filter(
    key => changed(key) && !(key === 'etp' && follows),
  );
  const found: Wish[] = keys.map(key => ({ flag: degreeFlag(args, key), value: String(plan[key]) }));
  const kinds = { ring: 'p2p', 'all-to-all': 'a2a', 'all-gather': 'allgather' } as const;
  const usual = plan.cpKind === 'ring' && !args.has('cp-comm-type');
  const own = args.has('ds-sequence-parallel-size');
  if (changed('cpKind') && plan.cpKind !== null && (plan.cp ?? 1) > 1 && !usual && !own) {
    found.push({ flag: 'cp-comm-type', value: kinds[plan.cpKind] });
  }
  return found;
}

function degreeFlag(args: MegatronArgs, key: Key): string {
  return key === 'cp' && args.has('ds-sequence-parallel-size') ? 'ds-sequence-parallel-size' : PLAN_FLAGS[key];
}

/** Chunks are written as layers a chunk, which follow from pp too. */
function virtualStages(args: MegatronArgs, { sizes }: TrainingSetup, plan: Plan, changed: Changed): Wish[] {
  if (!changed('vpp') && !changed('pp')) return [];
  const { vpp, pp } = plan;
  const counted = args.has('num-virtual-stages-per-pipeline-rank');
  const flag = counted ? 'num-virtual-stages-per-pipeline-rank' : 'num-layers-per-virtual-pipeline-stage';
  if (vpp === null || vpp === 1 || pp === null) return args.has(flag) ? [{ flag, value: false }] : [];
  if (counted) return [{ flag, value: String(vpp) }];
  const layers = ((sizes.layers ?? 0) + splitExtras(args)) / (pp * vpp);
  return [{ flag, value: String(layers) }];
}

function batch({ sizes }: TrainingSetup, plan: Plan, changed: Changed): Wish[] {
  const keys = (['microBatch', 'globalBatch', 'seqLen'] as const satisfies readonly Key[]).filter(changed);
  const found: Wish[] = keys.map(key => ({ flag: PLAN_FLAGS[key], value: String(plan[key]) }));
  // Megatron refuses a sequence past its position limit.
  if (changed('seqLen') && sizes.maxSeqLen !== null && (plan.seqLen ?? 0) > sizes.maxSeqLen) {
    found.push({ flag: 'max-position-embeddings', value: String(plan.seqLen) });
  }
  return found;
}

function sharding(args: MegatronArgs, plan: Plan): Wish[] {
  const value = plan.sharding;
  if (isDeepSpeed(args)) {
    return [{ flag: 'zero-stage', value: String(['none', 'zero1', 'zero2', 'zero3'].indexOf(value ?? 'none')) }];
  }
  const strategies = Object.entries(SHARDING_STRATEGIES);
  const strategy = strategies.find(([, meaning]) => meaning === value)?.[0] ?? 'no_shard';
  const fsdp = value === 'zero2' || value === 'zero3';
  return [
    { flag: 'use-torch-fsdp2', value: false },
    { flag: 'use-megatron-fsdp', value: fsdp },
    { flag: 'data-parallel-sharding-strategy', value: fsdp && strategy },
    { flag: 'use-distributed-optimizer', value: value !== 'none' },
  ];
}

const LEGACY = ['checkpoint-activations', 'activations-checkpoint-method'];

function recompute(args: MegatronArgs, plan: Plan): Wish[] {
  const legacy = LEGACY.filter(flag => args.has(flag));
  const old: Wish[] = legacy.map(flag => ({ flag, value: false as const }));
  const method: Wish[] = ['recompute-method', 'recompute-num-layers'].map(flag => ({ flag, value: false as const }));
  if (plan.recompute === 'full' && isDeepSpeed(args)) return [{ flag: 'checkpoint-activations', value: true }];
  switch (plan.recompute) {
    case 'full':
      return [
        ...old,
        { flag: 'recompute-activations', value: false },
        { flag: 'recompute-granularity', value: 'full' },
        { flag: 'recompute-method', value: plan.recomputeLayers === null ? 'uniform' : 'block' },
        { flag: 'recompute-num-layers', value: String(plan.recomputeLayers ?? 1) },
      ];
    case 'selective':
      return args.has('recompute-granularity')
        ? [...old, ...method, { flag: 'recompute-granularity', value: 'selective' }]
        : [...old, ...method, { flag: 'recompute-activations', value: true }];
    default:
      return [
        ...old,
        ...method,
        { flag: 'recompute-activations', value: false },
        { flag: 'recompute-granularity', value: false },
      ];
  }
}

function precision({ dtype }: Plan): Wish[] {
  return [
    { flag: 'bf16', value: dtype === 'bf16' || dtype === 'fp8' || dtype === 'nvfp4' },
    { flag: 'fp16', value: dtype === 'fp16' },
    { flag: 'fp8-format', value: dtype === 'fp8' && 'hybrid' },
    { flag: 'fp4-format', value: dtype === 'nvfp4' && 'e2m1' },
  ];
}

function attention({ attention: kind }: Plan): Wish[] {
  return kind === 'flash'
    ? [{ flag: 'attention-backend', value: 'flash' }]
    : [
        { flag: 'use-flash-attn', value: false },
        { flag: 'attention-backend', value: 'unfused' },
      ];
}

function offload(args: MegatronArgs, plan: Plan): Wish[] {
  const flag = isDeepSpeed(args) ? 'cpu-optimizer' : 'optimizer-cpu-offload';
  return [{ flag, value: plan.offload === 'optimizer' }];
}

/** dp is not written: it follows from the GPUs, of which the number of nodes is what a user has. */
function gpus(args: MegatronArgs, { cluster }: TrainingSetup, { dp, tp, pp, cp }: Plan): Wish[] {
  const { gpusPerNode } = cluster;
  if (dp === null || gpusPerNode === null || cluster.gpus === null) return [];
  const wanted = dp * (tp ?? 1) * (pp ?? 1) * (cp ?? 1);
  if (wanted === cluster.gpus || !args.has('nproc-per-node')) return [];
  if (wanted % gpusPerNode === 0) return [{ flag: 'nnodes', value: String(wanted / gpusPerNode) }];
  const nodes = cluster.nodes ?? 1;
  if (wanted % nodes === 0) return [{ flag: 'nproc-per-node', value: String(wanted / nodes) }];
  return [];
}
