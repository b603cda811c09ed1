/** A plan in which nothing is missing that a step's time and memory depend on. */
import type { Plan, PlanKey } from './keys';

const NEEDED = [
  'dp',
  'tp',
  'sp',
  'cp',
  'pp',
  'vpp',
  'ep',
  'etp',
  'microBatch',
  'globalBatch',
  'seqLen',
  'sharding',
  'dtype',
  'optimizer',
  'recompute',
  'attention',
  'offload',
  'adapter',
  'schedule',
] as const satisfies readonly PlanKey[];

export type ReadyPlan = Omit<Plan, (typeof NEEDED)[number]> & {
  [K in (typeof NEEDED)[number]]: NonNullable<Plan[K]>;
};

/** The keys that are still unknown; empty where the plan is ready. */
export function missingPlanKeys(plan: Plan): PlanKey[] {
  return NEEDED.filter(key => plan[key] === null);
}

export function isReady(plan: Plan): plan is Plan & ReadyPlan {
  return missingPlanKeys(plan).length === 0;
}

/** m: micro-batches that one pipeline runs a step. */
export function microBatches(plan: Pick<ReadyPlan, 'globalBatch' | 'microBatch' | 'dp'>): number {
  return Math.max(1, Math.ceil(plan.globalBatch / (plan.microBatch * plan.dp)));
}

/** Ranks over which dense states are sharded: a shard group, or all replicas (context parallelism counts as one). */
export function shardGroup(plan: Pick<ReadyPlan, 'dp' | 'cp' | 'sharding' | 'shardSize'>, gpusPerNode: number): number {
  const ranks = plan.dp * plan.cp;
  if (plan.sharding === 'hsdp') return Math.min(ranks, plan.shardSize ?? gpusPerNode);
  return plan.shardSize === null ? ranks : Math.min(ranks, plan.shardSize);
}
