/**
 * What one change alone would do to the present plan. Each is evaluated anew, with what follows from it (dp from the
 * world, a schedule from pp); gains of several are not the sum of theirs.
 */
import { changedKeys, changedSetup, type PlanChange } from '../configs/changedSetup';
import { scheduleShape } from '../estimate/context';
import type { Tables } from '../estimate/prepare';
import { scheduleProblem } from '../estimate/schedule';
import { frameworkOf } from '../plan/frameworks';
import type { PlanKey } from '../plan/keys';
import { isReady, microBatches, type ReadyPlan } from '../plan/ready';
import { violations } from '../plan/rules';
import type { TrainingSetup } from '../setup/setup';
import { type Candidate, measure } from './candidate';

export interface WhatIf {
  /** The key that was asked to change, and all that changed with it. */
  readonly key: PlanKey;
  readonly changed: readonly PlanKey[];
  readonly candidate: Candidate;
  readonly fits: boolean;
}

/** Legal single changes of a complete setup, those that fit first, the fastest first. The tables have a device. */
export function whatIfs(setup: TrainingSetup, tables: Tables, current: Candidate): WhatIf[] {
  const capacity = setup.cluster.capacityBytes ?? Infinity;
  const found: WhatIf[] = [];
  for (const change of singleChanges(current.plan, tables)) {
    const candidate = changed(setup, tables, change);
    if (candidate === null) continue;
    const keys = changedKeys(current.plan, candidate.plan);
    if (keys.length === 0) continue;
    const key = Object.keys(change)[0] as PlanKey;
    found.push({ key, changed: keys, candidate, fits: candidate.peakBytes <= capacity });
  }
  return found.sort((a, b) => rank(b) - rank(a) || b.candidate.tokensPerSecond - a.candidate.tokensPerSecond);
}

/** Those that fit before those that do not, those that the framework can express before the others. */
function rank({ fits, candidate }: WhatIf): number {
  return 2 * Number(fits) + Number(candidate.expressible);
}

/** The setup under a change in numbers; null where it breaks a rule. */
function changed(setup: TrainingSetup, tables: Tables, change: PlanChange): Candidate | null {
  const { plan, sizes, cluster, kinds } = changedSetup(setup, change);
  const framework = frameworkOf(kinds);
  if (!isReady(plan) || violations(plan, sizes, cluster.gpus, framework).length > 0) return null;
  return scheduleProblem(scheduleShape(plan)) === null ? measure(tables, framework, plan) : null;
}

/** A step further in a degree often undoes what half of it would. */
const FACTORS = [2, 4, 8, 1 / 2, 1 / 4, 1 / 8];

function singleChanges(plan: ReadyPlan, { device, model }: Tables): PlanChange[] {
  const { tp, pp, cp, ep, microBatch, vpp } = plan;
  const scaled = (key: 'tp' | 'pp' | 'cp' | 'ep' | 'microBatch', value: number): PlanChange[] =>
    FACTORS.map(factor => factor * value)
      .filter(n => Number.isInteger(n))
      .map(n => ({ [key]: n }));
  const isMoe = model.groups.some(({ layer }) => layer.feedForward.kind === 'moe');
  const parts = isMoe ? 'moe_act' : 'core_attn';
  const none = { recomputeOps: null, recomputeLayers: null };
  return [
    ...scaled('microBatch', microBatch),
    ...scaled('tp', tp),
    ...scaled('pp', pp),
    ...scaled('cp', cp),
    ...(isMoe ? scaled('ep', ep) : []),
    ...(['none', 'zero1', 'zero2', 'zero3', 'hsdp'] as const).map(
      (sharding): PlanChange => ({ sharding, shardSize: null }),
    ),
    { recompute: 'none', ...none },
    { recompute: 'selective', recomputeOps: parts, recomputeLayers: null },
    { recompute: 'full', ...none },
    ...(tp > 1 ? [{ sp: !plan.sp }, { tpOverlap: true, sp: true }] : []),
    ...(pp > 1
      ? ([
          { schedule: '1f1b', vpp: 1 },
          { schedule: 'zb-h1', vpp: 1 },
          { schedule: 'zb-h2', vpp: 1 },
        ] satisfies PlanChange[])
      : []),
    ...(pp > 1
      ? [...new Set([2, 2 * vpp])].map((chunks): PlanChange => ({ schedule: 'interleaved-1f1b', vpp: chunks }))
      : []),
    { compiled: true },
    { attention: 'flash' },
    ...(device?.rates.peak8 == null ? [] : [{ dtype: 'fp8' } satisfies PlanChange]),
  ];
}

export interface LargestBatch {
  readonly microBatch: number;
  readonly globalBatch: number;
  readonly peakBytes: number;
}

const MOST_MICRO_BATCH = 2 ** 16;

/** The largest micro-batch that fits under the present plan with as many micro-batches; null where not even one does. */
export function largestBatch(tables: Tables, setup: TrainingSetup, { plan }: Candidate): LargestBatch | null {
  const capacity = setup.cluster.capacityBytes;
  if (capacity === null) return null;
  const m = microBatches(plan);
  const framework = frameworkOf(setup.kinds);
  const at = (microBatch: number): LargestBatch => {
    const globalBatch = microBatch * plan.dp * m;
    return {
      microBatch,
      globalBatch,
      peakBytes: measure(tables, framework, { ...plan, microBatch, globalBatch }).peakBytes,
    };
  };
  if (at(1).peakBytes > capacity) return null;
  let low = 1;
  while (low < MOST_MICRO_BATCH && at(2 * low).peakBytes <= capacity) low *= 2;
  let high = 2 * low;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(middle).peakBytes <= capacity) low = middle;
    else high = middle;
  }
  return at(low);
}
