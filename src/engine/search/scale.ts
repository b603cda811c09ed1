/**
 * The same training on 8 to 65,536 GPUs: strong (the batch stays) or weak (the batch grows with the GPUs). At each size
 * the best plan of a small search counts, so that the curve is that of the machine and not of one layout.
 */
import { SetupBuilder, type TrainingSetup } from '../setup/setup';
import { completeSetup } from '../plan/complete';
import { frameworkOf } from '../plan/frameworks';
import type { PlanKey } from '../plan/keys';
import { type Candidate } from './candidate';
import { type Goal, type Scale, trainingOf } from './objective';
import type { Fixed } from './points';
import { DEFAULT_OPTIONS, type SearchProgress } from './result';
import { search } from './search';

export interface ScalePoint {
  readonly gpus: number;
  readonly globalBatch: number;
  /** null: nothing fits, or the batch does not reach. */
  readonly best: Candidate | null;
  /** Tokens a second and GPU over the best of all sizes. */
  readonly efficiency: number | null;
  readonly trainingSeconds: number | null;
  readonly cost: number | null;
  readonly costPerMillionTokens: number | null;
}

export interface ScaleCurve {
  readonly scale: Scale;
  readonly points: readonly ScalePoint[];
  /** The largest size that keeps KNEE of the best tokens a second and GPU. */
  readonly kneeGpus: number | null;
}

export interface ScaleOptions {
  readonly scale: Scale;
  readonly fixed: Fixed;
  readonly goal: Goal;
  readonly sizes?: readonly number[];
}

export const SIZES: readonly number[] = Array.from({ length: 14 }, (_, i) => 8 * 2 ** i);

/** Past it a doubling brings less than 1.6 times. */
export const KNEE = 0.8;

/** What people run, so that each size takes a fraction of a second. */
const USUAL: Fixed = {
  cpKind: ['ring', null],
  schedule: ['none', '1f1b', 'interleaved-1f1b'],
  vpp: [1, 2, 4],
  microBatch: [1, 2, 4, 8],
  sp: [true, false],
};

export function* scaleCurve(setup: TrainingSetup, options: ScaleOptions): Generator<SearchProgress, ScaleCurve> {
  const found: { gpus: number; globalBatch: number; best: Candidate | null }[] = [];
  for (const gpus of options.sizes ?? SIZES) {
    const sized = onGpus(setup, gpus, options.scale);
    const globalBatch = sized.plan.globalBatch ?? 0;
    found.push({ gpus, globalBatch, best: yield* bestOf(sized, options) });
  }
  return curveOf(found, options);
}

/**
 * The fewest GPUs whose best plan trains the goal's tokens before its deadline: the first of the sizes that does, then
 * quarters of the way from the size before it, in whole nodes. null where none does, or neither is stated.
 */
export function* fewestGpus(
  setup: TrainingSetup,
  options: Omit<ScaleOptions, 'scale'>,
): Generator<SearchProgress, ScalePoint | null> {
  const { tokens, deadline } = options.goal;
  if (tokens === null || deadline === null) return null;
  const sizes = options.sizes ?? SIZES;
  const node = setup.cluster.gpusPerNode ?? 8;
  const inTime = function* (gpus: number): Generator<SearchProgress, ScalePoint | null> {
    const sized = onGpus(setup, gpus, 'strong');
    const best = yield* bestOf(sized, options);
    const found = [{ gpus, globalBatch: sized.plan.globalBatch ?? 0, best }];
    const [point] = curveOf(found, { ...options, scale: 'strong' }).points;
    return (point.trainingSeconds ?? Infinity) <= deadline ? point : null;
  };
  for (let i = 0; i < sizes.length; i++) {
    const point = yield* inTime(sizes[i]);
    if (point === null) continue;
    const before = i === 0 ? 0 : sizes[i - 1];
    for (const quarter of [1, 2, 3]) {
      const between = before + (quarter * (sizes[i] - before)) / 4;
      const fewer = between % node === 0 ? yield* inTime(between) : null;
      if (fewer !== null) return fewer;
    }
    return point;
  }
  return null;
}

/** What people run, as far as the framework of the file can express it; else what that can. */
function usualOf({ kinds }: TrainingSetup): Fixed {
  const { allows } = frameworkOf(kinds);
  const entries = Object.entries(USUAL).map(([key, values]) => {
    const allowed: readonly unknown[] | undefined = allows[key as PlanKey];
    const common = allowed === undefined ? values : values.filter(value => allowed.includes(value));
    return [key, common.length > 0 ? common : allowed];
  });
  return Object.fromEntries(entries) as Fixed;
}

function* bestOf(
  setup: TrainingSetup,
  { fixed, goal }: Pick<ScaleOptions, 'fixed' | 'goal'>,
): Generator<SearchProgress, Candidate | null> {
  const usual = { ...usualOf(setup), seqLen: [setup.plan.seqLen] };
  const result = yield* search(setup, {
    ...DEFAULT_OPTIONS,
    fixed: { ...usual, ...fixed, globalBatch: [setup.plan.globalBatch] },
    top: 1,
    goal,
  });
  return result.best.at(0) ?? null;
}

/** The setup on another number of GPUs; a batch that grows stays a multiple of what it was. */
function onGpus(read: TrainingSetup, gpus: number, scale: Scale): TrainingSetup {
  const setup = completeSetup(read);
  const builder = new SetupBuilder(setup);
  builder.setCluster('gpus', gpus, 'user');
  builder.setCluster('nodes', null, 'user');
  builder.setPlan('dp', null, 'derived');
  const { gpus: present } = setup.cluster;
  const { globalBatch } = setup.plan;
  if (scale === 'weak' && globalBatch !== null && present !== null)
    builder.setPlan('globalBatch', Math.max(1, Math.round((globalBatch * gpus) / present)), 'derived');
  return builder.build();
}

function curveOf(
  found: readonly { gpus: number; globalBatch: number; best: Candidate | null }[],
  { scale, goal }: Pick<ScaleOptions, 'scale' | 'goal'>,
): ScaleCurve {
  const perGpu = ({ gpus, best }: (typeof found)[number]) => (best === null ? 0 : best.tokensPerSecond / gpus);
  const most = Math.max(0, ...found.map(perGpu));
  const points = found.map((point): ScalePoint => {
    const { gpus, globalBatch, best } = point;
    if (best === null)
      return {
        gpus,
        globalBatch,
        best,
        efficiency: null,
        trainingSeconds: null,
        cost: null,
        costPerMillionTokens: null,
      };
    const { trainingSeconds, cost, costPerMillionTokens } = trainingOf(
      goal,
      best.tokensPerSecond,
      gpus,
      globalBatch * best.plan.seqLen,
    );
    return { gpus, globalBatch, best, efficiency: perGpu(point) / most, trainingSeconds, cost, costPerMillionTokens };
  });
  const kept = points.filter(({ efficiency }) => efficiency !== null && efficiency >= KNEE);
  return { scale, points, kneeGpus: kept.at(-1)?.gpus ?? null };
}
