/**
 * Seconds of one micro-batch on one stage, by where they go.
 *
 * Device and host time join by a p-norm: nearly the larger of the two. Sharded weights are gathered under the compute
 * of the layer before.
 */
import { GLOBAL_CONSTANTS as G } from '../hardware/calibration';
import { shardGroup } from '../plan/ready';
import type { CostContext, StageView } from './context';
import type { EndCosts, LayerCosts } from './layerCosts';
import type { LayerSizes } from './layerSizes';
import { gatherSeconds, type Group, placeGroup, sendSeconds } from './network';

/** Seconds of one micro-batch on one stage, by where they go. */
export interface StageSeconds {
  forward: number;
  backwardInput: number;
  backwardWeight: number;
  recompute: number;
  launch: number;
  tp: number;
  cp: number;
  ep: number;
  pp: number;
  /** Gathers of sharded weights that do not fit under the compute. */
  dp: number;
  dpHidden: number;
  cpHidden: number;
  /** Share of the sum that belongs to the forward pass. */
  forwardTotal: number;
}

export function stageSeconds(context: CostContext, view: StageView): StageSeconds {
  const { plan, costs, ends, stack, network } = context;
  const sum: StageSeconds = {
    forward: 0,
    backwardInput: 0,
    backwardWeight: 0,
    recompute: 0,
    launch: 0,
    tp: 0,
    cp: 0,
    ep: 0,
    pp: 0,
    dp: 0,
    dpHidden: 0,
    cpHidden: 0,
    forwardTotal: 0,
  };
  view.kinds.forEach((count, kind) => {
    const layer = costs[kind];
    const sizes = context.sizes[kind];
    if (count > 0 && layer !== undefined && sizes !== undefined) addLayers(context, sum, layer, sizes, count);
  });
  if (view.isFirst) addEnd(sum, ends.embedding, ends.tp, stack.bias);
  if (view.isLast) addEnd(sum, ends.head, 0, stack.bias);
  if (plan.pp > 1) {
    const neighbour = placeGroup(network, 2, plan.tp * plan.cp * plan.dp);
    const bytes = (2 * plan.microBatch * plan.seqLen * context.tables.model.hidden) / (plan.cp * plan.tp);
    const messages = (view.isFirst || view.isLast ? 1 : 2) * plan.vpp;
    const seconds = messages * G.p2pShare * sendSeconds(neighbour, network, bytes);
    sum.pp += 2 * seconds;
    sum.forwardTotal += seconds;
  }
  return sum;
}

/** Adds `count` equal layers. Device and host time join by a p-norm; sharded weights are gathered under the compute. */
function addLayers(context: CostContext, sum: StageSeconds, costs: LayerCosts, sizes: LayerSizes, count: number): void {
  const { plan, stack, dp, experts } = context;
  const bias = stack.bias;
  const recompute = { none: 0, selective: costs.selective, full: costs.forward }[plan.recompute];
  const tpAgain = plan.recompute === 'full' ? costs.tpForward : 0;
  const exposed = plan.cpKind === 'ring' ? G.contextParallelExposed : 1;
  const kernelsForward = costs.forward * bias + costs.tpForward + exposed * costs.cpForward + costs.epForward;
  const kernelsBackward =
    (costs.backwardInput + costs.backwardWeight + recompute) * bias +
    costs.tpBackward +
    tpAgain +
    exposed * costs.cpBackward +
    costs.epBackward;
  const shardsWeights = plan.sharding === 'zero3' || plan.sharding === 'hsdp';
  const launch = costs.launches * G.launchSeconds * stack.hostFactor * (shardsWeights ? G.fsdpLaunches : 1);
  const launchBackward = launch * G.backwardLaunches + (plan.recompute === 'full' ? launch : 0);
  const forward = withHost(kernelsForward, launch);
  const backward = withHost(kernelsBackward, launchBackward);
  const gather = shardsWeights
    ? gatherSeconds(shardPlace(context, dp), 2 * sizes.denseParameters) +
      gatherSeconds(experts, 2 * sizes.expertParameters)
    : 0;
  const hiddenForward = G.fsdpOverlap * Math.min(gather, forward);
  const hiddenBackward = G.fsdpOverlap * Math.min(2 * gather, backward);
  sum.forward += count * costs.forward * bias;
  sum.backwardInput += count * costs.backwardInput * bias;
  sum.backwardWeight += count * costs.backwardWeight * bias;
  sum.recompute += count * recompute * bias;
  sum.launch += count * (forward - kernelsForward + backward - kernelsBackward);
  sum.tp += count * (costs.tpForward + costs.tpBackward + tpAgain);
  sum.cp += count * exposed * (costs.cpForward + costs.cpBackward);
  sum.cpHidden += count * (1 - exposed) * (costs.cpForward + costs.cpBackward);
  sum.ep += count * (costs.epForward + costs.epBackward);
  sum.dp += count * (3 * gather - hiddenForward - hiddenBackward);
  sum.dpHidden += count * (hiddenForward + hiddenBackward);
  sum.forwardTotal += count * (forward + gather - hiddenForward);
}

function addEnd(sum: StageSeconds, kernels: EndCosts['head'], tp: number, bias: number): void {
  sum.forward += kernels.forward * bias;
  sum.backwardInput += kernels.backwardInput * bias;
  sum.backwardWeight += kernels.backwardWeight * bias;
  sum.tp += tp;
  sum.forwardTotal += kernels.forward * bias + tp;
}

function withHost(device: number, host: number): number {
  const larger = Math.max(device, host);
  const smaller = Math.min(device, host);
  return larger === 0 ? 0 : larger * (1 + (smaller / larger) ** G.hostNorm) ** (1 / G.hostNorm);
}

/** HSDP gathers inside its shard group. */
function shardPlace({ plan, network, tables }: CostContext, whole: Group): Group {
  return plan.sharding === 'hsdp' ? placeGroup(network, shardGroup(plan, tables.gpusPerNode), plan.tp) : whole;
}

export function busySeconds(s: StageSeconds): number {
  return s.forward + s.backwardInput + s.backwardWeight + s.recompute + s.launch + s.tp + s.cp + s.ep + s.pp + s.dp;
}
