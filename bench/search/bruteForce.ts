/**
 * The search's answer by trying every plan through `estimate`: for tests of small spaces. Knows nothing of axes, walks or
 * bounds.
 */
import { estimate } from '../../src/engine/estimate/estimate';
import { PLAN_KEY_NAMES, type Plan } from '../../src/engine/plan/keys';
import type { TrainingSetup } from '../../src/engine/setup/setup';
import type { Fixed } from '../../src/engine/search/points';

export interface Tried {
  readonly plan: Plan;
  readonly stepSeconds: number;
  readonly tokensPerSecond: number;
  readonly upperSeconds: number;
  readonly peakBytes: number;
  readonly upperBytes: number;
  readonly bubbleFraction: number;
}

/** Every plan of the product of the fixed values that is legal and fits. */
export function tryAll(setup: TrainingSetup, fixed: Fixed): Tried[] {
  const gpus = setup.cluster.gpus ?? 1;
  let plans: Partial<Plan>[] = [{}];
  for (const key of PLAN_KEY_NAMES) {
    const values = fixed[key];
    if (values !== undefined) plans = plans.flatMap(plan => values.map(value => ({ ...plan, [key]: value })));
  }
  return plans.flatMap(keys => {
    const plan = { ...setup.plan, ...keys };
    plan.dp = gpus / ((plan.tp ?? 1) * (plan.cp ?? 1) * (plan.pp ?? 1));
    return Number.isInteger(plan.dp) && !isAlias(plan) ? tryOne(setup, plan) : [];
  });
}

function tryOne(setup: TrainingSetup, plan: Plan): Tried[] {
  const { throughput, memory, pipeline, bounds } = estimate({ ...setup, plan });
  if (throughput === null || bounds === null || memory === null || memory.fits === false) return [];
  const { stepSeconds } = throughput;
  const tokensPerSecond = ((plan.globalBatch ?? 0) * (plan.seqLen ?? 0)) / stepSeconds;
  return [
    {
      plan,
      stepSeconds,
      upperSeconds: bounds.upperSeconds,
      tokensPerSecond,
      peakBytes: memory.peakBytes,
      upperBytes: memory.upperBytes,
      bubbleFraction: pipeline?.bubbleFraction ?? 0,
    },
  ];
}

/** Plans that the search counts once under another name, and shard groups that do not divide. */
function isAlias({ tp, sp, cp, cpKind, pp, vpp, schedule, dp, sharding, shardSize }: Plan): boolean {
  const ranks = (dp ?? 1) * (cp ?? 1);
  const size = shardSize ?? 1;
  return (
    (tp === 1 && sp === true) ||
    (cp === 1) !== (cpKind === null) ||
    (pp === 1 && (schedule !== 'none' || (vpp ?? 1) > 1)) ||
    (sharding !== 'none' && ranks === 1) ||
    (sharding === 'hsdp') !== (shardSize !== null) ||
    (shardSize !== null && (size >= ranks || ranks % size !== 0))
  );
}
