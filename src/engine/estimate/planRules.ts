/** The rules of thumb with a plan's own numbers. */
import { countParameters } from '../model/parameters';
import type { ReadyPlan } from '../plan/ready';
import type { Tables } from './prepare';
import { bestBucketBytes } from './buckets';
import { placeGroup, ringLatency, ringRate } from './network';
import { rulesOfThumb } from './rulesOfThumb';

export interface PlanRule {
  readonly code: 'data-parallel' | 'tensor-parallel' | 'across-nodes' | 'buckets';
  /**
   * The left side must exceed the right one for the communication to hide under the compute; of buckets, the bytes of
   * one and of the best one, between which there should be no more than a factor of `BUCKETS_WITHIN`.
   */
  readonly left: number;
  readonly right: number;
  readonly holds: boolean;
}

/** Rules that bear on the plan: one for tp, one for data parallelism in a node or across nodes; datasheet rates. */
export function planRules(tables: Tables, plan: ReadyPlan, nicBytesPerSecond: number | null): PlanRule[] {
  const { device, model, gpusPerNode } = tables;
  if (device === null) return [];
  const { accelerator } = device;
  const devices = plan.dp * plan.tp * plan.cp * plan.pp;
  const feedForward = model.groups.map(({ layer }) => layer.feedForward).find(part => part !== null);
  const rules = rulesOfThumb({
    flopsPerSecond: device.rates.peak16,
    linkBytesPerSecond: accelerator.link.bytesPerSecond ?? accelerator.pcieBytesPerSecond ?? 0,
    networkBytesPerSecond: nicBytesPerSecond ?? accelerator.nicBytesPerSecond ?? 0,
    tokensPerDevice: (plan.globalBatch * plan.seqLen) / devices,
    ffn: feedForward?.width ?? model.hidden,
    tp: plan.tp,
    devicesPerNode: gpusPerNode,
  });
  const crosses = devices > gpusPerNode;
  const bears = {
    'tensor-parallel': plan.tp > 1,
    'data-parallel': plan.dp > 1 && !crosses,
    'across-nodes': plan.dp > 1 && crosses,
  };
  const found: PlanRule[] = rules
    .filter(({ code, right }) => bears[code] && Number.isFinite(right.value))
    .map(({ code, left, right, holds }) => ({ code, left: left.value, right: right.value, holds }));
  const buckets = bucketRule(tables, plan);
  return buckets === null ? found : [...found, buckets];
}

/** What stays visible is flat around the best size: half or twice of it costs a quarter more. */
const BUCKETS_WITHIN = 2;

/** Buckets of gradients, where the plan states them and all ranks of data parallelism reduce all gradients. */
function bucketRule({ model, topology, rates }: Tables, plan: ReadyPlan): PlanRule | null {
  const { dp, cp, tp, pp, bucketBytes, gradDtype } = plan;
  if (bucketBytes === null || dp * cp === 1 || plan.sharding === 'zero3' || plan.sharding === 'hsdp') return null;
  const group = placeGroup(topology.domainSize, dp * cp, tp);
  const right = bestBucketBytes({
    gradientBytes: (countParameters(model).total / (tp * pp)) * (gradDtype === 'fp32' ? 4 : 2),
    // An all-reduce moves 2(n−1)/n of its bytes.
    bytesPerSecond: ringRate(group, rates) / ((2 * (group.ranks - 1)) / group.ranks),
    callSeconds: ringLatency(group, rates),
  });
  const holds = bucketBytes <= right * BUCKETS_WITHIN && right <= bucketBytes * BUCKETS_WITHIN;
  return { code: 'buckets', left: bucketBytes, right, holds };
}
