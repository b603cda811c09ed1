/** The rules of thumb with a plan's own numbers. */
import type { ReadyPlan } from '../plan/ready';
import type { Tables } from './prepare';
import { rulesOfThumb } from './rulesOfThumb';

export interface PlanRule {
  readonly code: 'data-parallel' | 'tensor-parallel' | 'across-nodes';
  /** The left side must exceed the right one for the communication to hide under the compute. */
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
  return rules
    .filter(({ code, right }) => bears[code] && Number.isFinite(right.value))
    .map(({ code, left, right, holds }) => ({ code, left: left.value, right: right.value, holds }));
}
