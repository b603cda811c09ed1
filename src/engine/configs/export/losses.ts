/** What an export says otherwise than the setup that it comes from: the plan key by key, the model by its sizes. */
import { countParameters } from '../../model/parameters';
import { MODEL_KEYS, type ModelKey } from '../../model/sizes';
import { type Plan, PLAN_KEY_NAMES, type PlanKey } from '../../plan/keys';
import { setupModel, type TrainingSetup } from '../../setup/setup';

/** What the new config does not say as the setup does. */
export interface Loss {
  readonly key: PlanKey | `model.${ModelKey}` | 'model' | 'parameters';
  readonly value: string;
  /** What it says instead; null where it says nothing. */
  readonly became: string | null;
}

/** Keys that follow from others or that no file means by itself. */
export const FOLLOWING: readonly PlanKey[] = [
  'stack',
  'kernels',
  'order',
  'bucketBytes',
  'gradDtype',
  'expertImbalance',
  'recomputeOps',
  'recomputeLayers',
  'offloadDevice',
  'fp8Recipe',
];

/** Keys that go with another: where that one is lost, they are no loss of their own. */
export const WITH: Partial<Record<PlanKey, PlanKey>> = {
  schedule: 'pp',
  vpp: 'pp',
  stageLayers: 'pp',
  cpKind: 'cp',
  sp: 'tp',
  etp: 'ep',
  adapterRank: 'adapter',
  shardSize: 'sharding',
};

export function planLosses({ plan }: TrainingSetup, again: TrainingSetup): Loss[] {
  const same = (key: PlanKey) => sayable(key, plan) === sayable(key, again.plan);
  const lost = PLAN_KEY_NAMES.filter(key => !FOLLOWING.includes(key) && plan[key] !== null && !same(key));
  const own = lost.filter(key => {
    const leader = WITH[key];
    return leader === undefined || !lost.includes(leader);
  });
  return own.map(key => ({
    key,
    value: String(plan[key]),
    became: again.plan[key] === null ? null : String(again.plan[key]),
  }));
}

/** A value as far as it means something beside the others of its plan. */
function sayable(key: PlanKey, plan: Plan): string {
  if (key === 'cpKind' && plan.cp === 1) return '';
  if (key === 'sp' && plan.tp === 1) return 'false';
  if (key === 'etp' && plan.ep === 1) return '';
  if (key === 'compiled' || key === 'tpOverlap') return String(plan[key] ?? false);
  return String(plan[key]);
}

export function modelLosses(setup: TrainingSetup, again: TrainingSetup): Loss[] {
  const keys = MODEL_KEYS.filter(key => key !== 'name' && key !== 'maxSeqLen' && setup.sizes[key] !== null);
  const lost = keys.filter(
    key => setup.sizes[key] !== again.sizes[key] && !(setup.sizes[key] === 0 && again.sizes[key] === null),
  );
  // A model that the format cannot state at all is one loss.
  if (lost.includes('layers')) return [{ key: 'model', value: setup.sizes.name ?? '?', became: null }];
  if (lost.length > 0)
    return lost.map(key => ({
      key: `model.${key}`,
      value: String(setup.sizes[key]),
      became: again.sizes[key] === null ? null : String(again.sizes[key]),
    }));
  const [before, after] = [setup, again].map(each => {
    const model = setupModel(each);
    return model === null ? null : countParameters(model).total;
  });
  if (before === null || before === undefined || before === after) return [];
  return [{ key: 'parameters', value: String(before), became: after == null ? null : String(after) }];
}
