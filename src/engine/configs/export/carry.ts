/** As much of a setup's plan as a format takes: what it has no word for is replaced by the nearest, or left out. */
import { type Framework, frameworkOf, inexpressible } from '../../plan/frameworks';
import { PLAN_KEY_NAMES, type PlanKey, type PlanValue } from '../../plan/keys';
import type { TrainingSetup } from '../../setup/setup';
import type { PlanChange } from '../changedSetup';
import { FOLLOWING, WITH } from './losses';

/** The nearest in meaning, the first that a framework has. */
const SUBSTITUTES: Partial<Record<PlanKey, Readonly<Record<string, readonly PlanValue[]>>>> = {
  sharding: {
    zero1: ['zero2', 'zero3', 'none'],
    zero2: ['zero3', 'zero1', 'none'],
    zero3: ['zero2', 'zero1', 'none'],
    hsdp: ['zero3', 'zero2', 'zero1', 'none'],
  },
  recompute: { selective: ['full', 'none'], full: ['selective', 'none'] },
  dtype: { nvfp4: ['fp8', 'bf16'], fp8: ['bf16'], fp16: ['bf16'] },
  adapter: { qlora: ['lora', 'none'], lora: ['none'] },
  offload: { optimizer: ['optimizer+params', 'none'], 'optimizer+params': ['optimizer', 'none'], params: ['none'] },
};

/** Keys that only make sense together: what is refused among them is given up from the end. */
const TOGETHER: readonly PlanKey[] = [
  'dp',
  'tp',
  'pp',
  'cp',
  'microBatch',
  'globalBatch',
  'seqLen',
  'sp',
  'cpKind',
  'ep',
  'etp',
  'vpp',
  'schedule',
  'stageLayers',
];

type Passes = (change: PlanChange) => boolean;

/** Degrees and batch, then one key after the other; null where not even the batch passes. */
export function largestChange(
  setup: TrainingSetup,
  base: TrainingSetup,
  elsewhere: readonly PlanKey[],
  passes: Passes,
): PlanChange | null {
  const framework = frameworkOf(base.kinds);
  let change = withDegrees(setup, base, framework, elsewhere, passes);
  if (change === null) return null;
  const others = PLAN_KEY_NAMES.filter(
    key => ![...TOGETHER, ...FOLLOWING, ...elsewhere].includes(key) && setup.plan[key] !== null,
  );
  for (const key of others) {
    if (String(setup.plan[key]) === String(base.plan[key]) || hangsOn(key, change, setup)) continue;
    const allowed = framework.allows[key] as readonly PlanValue[] | undefined;
    const nearest = SUBSTITUTES[key]?.[String(setup.plan[key])] ?? [];
    for (const value of [setup.plan[key], ...nearest]) {
      if (allowed?.includes(value) === false) continue;
      const next: PlanChange = { ...change, [key]: value };
      // Shards have their size with them.
      if (value === 'hsdp') next.shardSize = setup.plan.shardSize;
      if (!passes(next)) continue;
      change = next;
      break;
    }
  }
  return change;
}

/** What belongs to a choice that the file does not make. */
function hangsOn(key: PlanKey, change: PlanChange, { plan }: TrainingSetup): boolean {
  if (key === 'shardSize') return true;
  return key === 'adapterRank' && change.adapter !== undefined && change.adapter !== plan.adapter;
}

export function degreesOf(setup: TrainingSetup, base: TrainingSetup, elsewhere: readonly PlanKey[]): PlanChange {
  const keys = TOGETHER.filter(
    key => !elsewhere.includes(key) && setup.plan[key] !== null && String(setup.plan[key]) !== String(base.plan[key]),
  );
  return Object.fromEntries(keys.map(key => [key, setup.plan[key]]));
}

function withDegrees(
  setup: TrainingSetup,
  base: TrainingSetup,
  framework: Framework,
  elsewhere: readonly PlanKey[],
  passes: Passes,
): PlanChange | null {
  const wanted = degreesOf(setup, base, elsewhere);
  const lost = inexpressible(framework, { ...base.plan, ...wanted }).filter(key => TOGETHER.includes(key));
  let change = consistent(omit(wanted, lost), lost, setup);
  while (!passes(change)) {
    const stated = TOGETHER.filter(key => change[key] !== undefined && !ESSENTIAL.includes(key)).toReversed();
    const [last] = stated;
    if (last === undefined) return null;
    // The one key whose absence mends it, else the least of them.
    const culprit = stated.find(key => passes(consistent(omit(change, [key]), [...lost, key], setup))) ?? last;
    lost.push(culprit);
    change = consistent(omit(change, [culprit]), lost, setup);
  }
  return change;
}

/** Without these a run is another run. */
const ESSENTIAL: readonly PlanKey[] = ['dp', 'microBatch', 'globalBatch'];

const omit = (change: PlanChange, keys: readonly PlanKey[]): PlanChange =>
  Object.fromEntries(Object.entries(change).filter(([key]) => !keys.includes(key as PlanKey)));

/** dp fills the world where another degree is given up; what belongs to a degree goes with it. */
function consistent(change: PlanChange, lost: readonly PlanKey[], { plan, cluster }: TrainingSetup): PlanChange {
  const gone = Object.entries(WITH).flatMap(([key, leader]) => (lost.includes(leader) ? [key as PlanKey] : []));
  const next = omit(change, gone);
  if (!(['tp', 'cp', 'pp'] as const).some(key => lost.includes(key)) || cluster.gpus === null) return next;
  const inner = (['tp', 'cp', 'pp'] as const).reduce((n, key) => n * (lost.includes(key) ? 1 : (plan[key] ?? 1)), 1);
  next.dp = cluster.gpus / inner;
  const unit = (plan.microBatch ?? 1) * next.dp;
  // The batch as near as so many ranks come to it.
  if (plan.globalBatch !== null && plan.globalBatch % unit !== 0)
    next.globalBatch = Math.max(1, Math.round(plan.globalBatch / unit)) * unit;
  return next;
}
