/** What follows the last backward pass: the reduction that did not fit under it, norm, clip and optimizer. */
import { FIXED } from '../hardware/constants';
import { adapterParameters, denseParameters, expertParameters, type PlanContext } from './context';
import { downSeconds, hostOptimizerSeconds, offloadsOptimizer } from './hostMemory';
import { allReduceSeconds, gatherSeconds, placeGroup } from './network';
import { type Priced, shardsWeights } from './stageSeconds';
import type { StageClass } from './stages';

export interface Tail {
  /** The reduction, of which `hiddenSeconds` run under the last backward pass. */
  reduce: number;
  /** The reduction of a table that the first and the last stage share. */
  tied: number;
  optimizer: number;
  gradNorm: number;
}

export function emptyTail(): Tail {
  return { reduce: 0, tied: 0, optimizer: 0, gradNorm: 0 };
}

/** Bytes an optimizer moves over those of Adam. */
const OPTIMIZER_SHARE = { adamw: 1, adam: 1, adamw8bit: 0.6, sgd: 0.55, muon: 0.7, none: 0 } as const;

/** What of a reduction runs under the backward pass of the last micro-batch. */
export function hiddenSeconds({ context, common }: Priced, reduce: number, backward: number): number {
  return context.setting.stack.overlapsGradients ? common.dataParallelOverlap * Math.min(reduce, backward) : 0;
}

/** Writes the tail of the step on a stage of this class. */
export function tailSeconds(priced: Priced, view: StageClass, out: Tail): void {
  const { context, common, memoryBytesPerSecond } = priced;
  const { plan, shard, experts, setting } = context;
  // Only what is trained has gradients and states.
  const dense = setting.adapters ? adapterParameters(context, view) : denseParameters(context, view);
  const expert = setting.adapters ? 0 : expertParameters(context, view);
  const isSharded = plan.sharding !== 'none';
  const local = dense / (isSharded ? shard.ranks : 1) + expert / (isSharded ? experts.ranks : 1);
  const { host } = context.tables;
  const share = OPTIMIZER_SHARE[plan.optimizer];
  out.reduce = reduceSeconds(priced, dense, expert) + downSeconds(plan, host, local);
  out.tied = tiedSeconds(priced, view);
  const update = offloadsOptimizer(plan)
    ? hostOptimizerSeconds(plan, host, local, share)
    : (local * common.optimizerBytes * share) / memoryBytesPerSecond;
  out.optimizer = update + newtonSchulzSeconds(priced, local);
  out.gradNorm = (FIXED.gradientNormBytes * (shardsWeights(context) ? local : dense + expert)) / memoryBytesPerSecond;
}

/** Seconds of the reduction of gradients, and of the gather of new weights where they are sharded by the optimizer. */
function reduceSeconds(priced: Priced, dense: number, expert: number): number {
  const { context, rates } = priced;
  const { plan, dense: group, experts, shard } = context;
  const gradient = gradientBytes(context);
  if (plan.sharding === 'zero3') return 0;
  if (plan.sharding === 'hsdp') return acrossSeconds(priced, gradient * (dense + expert));
  if (shard.ranks < group.ranks && plan.sharding !== 'none') return groupedReduction(priced, dense, expert, gradient);
  const back = plan.sharding === 'none' ? gradient : 2;
  return (
    gatherSeconds(group, rates, gradient * dense) +
    gatherSeconds(experts, rates, gradient * expert) +
    gatherSeconds(group, rates, back * dense) +
    gatherSeconds(experts, rates, back * expert)
  );
}

/** All-reduce of each rank's shard among the shard groups. */
function acrossSeconds({ context, rates }: Priced, bytes: number): number {
  const { plan, dense, shard, tables } = context;
  const groups = Math.max(1, dense.ranks / shard.ranks);
  const across = placeGroup(tables.topology.domainSize, groups, plan.tp * shard.ranks);
  return allReduceSeconds(across, rates, bytes / shard.ranks);
}

/** ZeRO within groups smaller than the data-parallel one: scatter inside, reduce across, gather inside. */
function groupedReduction(priced: Priced, dense: number, expert: number, gradient: number): number {
  const { context, rates } = priced;
  const inside = gatherSeconds(context.shard, rates, (gradient + 2) * dense);
  const ofExperts = gatherSeconds(context.experts, rates, (gradient + 2) * expert);
  return inside + ofExperts + acrossSeconds(priced, gradient * dense);
}

function gradientBytes({ plan, setting }: PlanContext): number {
  if (plan.gradDtype !== null) return plan.gradDtype === 'fp32' ? 4 : 2;
  return setting.stack.fp32Reduce ? 4 : 2;
}

/** The first and the last stage add their gradients of a tied table. */
function tiedSeconds({ context, rates }: Priced, view: StageClass): number {
  const { tables, plan } = context;
  if (plan.pp === 1 || !tables.model.tied || !(view.isFirst || view.isLast)) return 0;
  const across = placeGroup(tables.topology.domainSize, 2, plan.tp * plan.cp * plan.dp * (plan.pp - 1));
  return allReduceSeconds(across, rates, (2 * tables.embeddingParameters) / plan.tp);
}

/** Muon: five Newton-Schulz steps of about 6·h FLOPs a parameter each (Jordan et al. 2024, kellerjordan.github.io/posts/muon). */
function newtonSchulzSeconds({ context }: Priced, parameters: number): number {
  const { plan, tables } = context;
  if (plan.optimizer !== 'muon' || tables.device === null) return 0;
  const { rates, constants } = tables.device;
  return (5 * 6 * tables.model.hidden * parameters) / (rates.peak16 * constants.matmulCeiling);
}
