/**
 * The points of the search: every combination of degrees, batch split, schedule, sharding and recomputation that
 * keeps the GPUs and the global batch, before any rule.
 */
import type { ModelSizes } from '../model/architecture';
import type { PlanChange } from '../configs/write';
import type { Plan } from '../plan/keys';
import type { ReadyPlan } from '../plan/ready';

/** Values that a user fixes: one or several a key. */
export type Fixed = Partial<{ readonly [K in keyof Plan]: readonly Plan[K][] }>;

export interface SpaceOptions {
  readonly gpus: number;
  readonly fixed: Fixed;
  readonly freeBatch: boolean;
}

/** Pipeline schedules that are tried beside the present one; others are one click away in a comparison. */
const SCHEDULES_TRIED: readonly Plan['schedule'][] = ['1f1b', 'gpipe', 'interleaved-1f1b', 'zb-h1'];
const MOST_MICRO_BATCH = 64;
const MOST_VIRTUAL = 8;

export function divisors(n: number, most = n): number[] {
  const small: number[] = [];
  const large: number[] = [];
  for (let d = 1; d * d <= n; d++) {
    if (n % d !== 0) continue;
    if (d <= most) small.push(d);
    if (d * d !== n && n / d <= most) large.unshift(n / d);
  }
  return [...small, ...large];
}

/** All points around the present plan, one at a time. Yields a plan that is used again: copy what you keep. */
export function* points(present: ReadyPlan, sizes: ModelSizes, options: SpaceOptions): Generator<ReadyPlan> {
  const plan = { ...present, stageLayers: null } as { -readonly [K in keyof ReadyPlan]: ReadyPlan[K] };
  const axes = axesOf(present, sizes, options);
  for (plan.globalBatch of axes.globalBatch) {
    for (plan.tp of axes.tp) {
      for (plan.cp of axes.cp) {
        for (plan.pp of axes.pp) {
          const inner = plan.tp * plan.cp * plan.pp;
          if (options.gpus % inner !== 0) continue;
          plan.dp = options.gpus / inner;
          if (options.fixed.dp !== undefined && !options.fixed.dp.includes(plan.dp)) continue;
          yield* batchPoints(plan, axes, sizes, options);
        }
      }
    }
  }
}

type Axes = ReturnType<typeof axesOf>;
type Mutable = { -readonly [K in keyof ReadyPlan]: ReadyPlan[K] };

function axesOf(present: ReadyPlan, sizes: ModelSizes, { gpus, fixed, freeBatch }: SpaceOptions) {
  const take = <K extends keyof Plan>(key: K, values: readonly NonNullable<Plan[K]>[]) =>
    (fixed[key] ?? values) as readonly NonNullable<Plan[K]>[];
  const all = divisors(gpus);
  const experts = sizes.experts ?? 0;
  const batch = present.globalBatch;
  return {
    globalBatch: take(
      'globalBatch',
      freeBatch ? [batch / 2, batch, 2 * batch, 4 * batch].filter(Number.isInteger) : [batch],
    ),
    tp: take('tp', all),
    cp: take('cp', all),
    pp: take(
      'pp',
      all.filter(pp => pp <= (sizes.layers ?? 1)),
    ),
    ep: take('ep', experts > 0 ? divisors(experts) : [1]),
    sp: take('sp', [false, true]),
    sharding: take('sharding', ['none', 'zero1', 'zero2', 'zero3', 'hsdp']),
    recompute: take('recompute', ['none', 'selective', 'full']),
    schedule: take('schedule', SCHEDULES_TRIED as readonly NonNullable<Plan['schedule']>[]),
  };
}

function* batchPoints(plan: Mutable, axes: Axes, sizes: ModelSizes, { fixed }: SpaceOptions): Generator<ReadyPlan> {
  const share = plan.globalBatch / plan.dp;
  const microBatches = fixed.microBatch ?? (Number.isInteger(share) ? divisors(share, MOST_MICRO_BATCH) : [1]);
  plan.cpKind = plan.cp > 1 ? (plan.cpKind ?? 'ring') : null;
  for (const microBatch of microBatches) {
    plan.microBatch = microBatch ?? 1;
    for (plan.ep of axes.ep) {
      for (plan.sp of plan.tp > 1 ? axes.sp : [false]) {
        for (plan.sharding of axes.sharding) {
          for (plan.recompute of axes.recompute) yield* schedulePoints(plan, axes, sizes, fixed);
        }
      }
    }
  }
}

function* schedulePoints(plan: Mutable, axes: Axes, sizes: ModelSizes, fixed: Fixed): Generator<ReadyPlan> {
  if (plan.pp === 1) {
    plan.schedule = 'none';
    plan.vpp = 1;
    yield plan;
    return;
  }
  for (plan.schedule of axes.schedule) {
    if (plan.schedule === 'none') continue;
    const perStage = (sizes.layers ?? 1) / plan.pp;
    const chunks = Number.isInteger(perStage) ? divisors(perStage, MOST_VIRTUAL).filter(v => v > 1) : [2];
    const virtual = fixed.vpp ?? (plan.schedule === 'interleaved-1f1b' ? chunks : [1]);
    for (const vpp of virtual) {
      plan.vpp = vpp ?? 1;
      yield plan;
    }
  }
}

/** The keys of a point that differ from the present plan, as a change that can be written. */
export function changeTo(present: Plan, point: ReadyPlan): PlanChange {
  const keys: readonly (keyof Plan)[] = [
    'dp',
    'tp',
    'sp',
    'cp',
    'cpKind',
    'pp',
    'vpp',
    'ep',
    'microBatch',
    'globalBatch',
    'sharding',
    'recompute',
    'schedule',
  ];
  return Object.fromEntries(keys.filter(key => point[key] !== present[key]).map(key => [key, point[key]]));
}
