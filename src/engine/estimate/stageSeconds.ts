/**
 * Seconds of one micro-batch on one stage, by where they go.
 *
 * Device and host time join by a 4-norm: the larger of the two, and more where they are alike, since neither runs evenly. Sharded weights are gathered under the compute
 * of the layer before.
 */
import { type CommonConstants, FIXED } from '../hardware/constants';
import type { PlanContext } from './context';
import type { EndCosts, LayerCosts } from './layerCosts';
import { fetchSeconds, offloadsWeights } from './hostMemory';
import type { LayerWork } from './layerWork';
import {
  allReduceSeconds,
  allToAllSeconds,
  gatherSeconds,
  type Group,
  placeGroup,
  type Rates,
  sendSeconds,
} from './network';
import type { RecomputeRule } from './recompute';
import type { StageClass } from './stages';

/** Seconds of one micro-batch on one stage. */
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
  tpHidden: number;
  cpHidden: number;
  epHidden: number;
  dpHidden: number;
  /** Share of the sum that belongs to the forward pass. */
  forwardTotal: number;
  busy: number;
}

export function emptyStageSeconds(): StageSeconds {
  return {
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
    tpHidden: 0,
    cpHidden: 0,
    epHidden: 0,
    dpHidden: 0,
    forwardTotal: 0,
    busy: 0,
  };
}

/** Everything that prices a stage: the plan's context with one calibration's constants. */
export interface Priced {
  readonly context: PlanContext;
  readonly common: CommonConstants;
  readonly rates: Rates;
  readonly bias: number;
  readonly hostFactor: number;
  readonly memoryBytesPerSecond: number;
  readonly costs: readonly LayerCosts[];
  readonly ends: EndCosts;
  readonly tensorGroup: Group;
  readonly contextGroup: Group;
  readonly expertGroup: Group;
}

/** Share of a stage's layers that are recomputed as a whole. */
export function fullShareOf({ fullShare, fullLayers }: RecomputeRule, layers: number): number {
  return fullLayers === null ? fullShare : fullShare * Math.min(1, fullLayers / Math.max(1, layers));
}

/** Writes the seconds of a stage of this class. */
export function stageSeconds(priced: Priced, view: StageClass, out: StageSeconds): void {
  const { context, costs, ends, bias } = priced;
  const { plan, work } = context;
  out.forward = out.backwardInput = out.backwardWeight = out.recompute = out.launch = 0;
  out.tp = out.cp = out.ep = out.pp = out.dp = out.forwardTotal = 0;
  out.tpHidden = out.cpHidden = out.epHidden = out.dpHidden = 0;
  const full = fullShareOf(context.setting.rule, view.layers);
  for (let kind = 0; kind < view.kinds.length; kind++) {
    if (view.kinds[kind] > 0) addLayers(priced, out, costs[kind], work.layers[kind], view.kinds[kind], full);
  }
  if (view.isFirst) addEmbedding(priced, out);
  if (view.isLast) {
    out.forward += ends.headForward * bias;
    out.backwardInput += ends.headInput * bias;
    out.backwardWeight += context.setting.adapters ? 0 : ends.headWeight * bias;
    out.forwardTotal += ends.headForward * bias;
  }
  if (view.isFirst || view.isLast) addEndGathers(priced, out, view);
  if (plan.pp > 1) {
    const seconds = plan.vpp * messageSeconds(priced);
    out.pp = 2 * seconds;
    out.forwardTotal += seconds;
  }
  out.busy =
    out.forward +
    out.backwardInput +
    out.backwardWeight +
    out.recompute +
    out.launch +
    out.tp +
    out.cp +
    out.ep +
    out.pp +
    out.dp;
}

/** One message of a chunk to the next stage. */
export function messageSeconds({ context, common, rates }: Priced): number {
  const { plan, work, tables } = context;
  const crosses = placeGroup(tables.topology.domainSize, 2, plan.tp * plan.cp * plan.dp).crossesNodes;
  return common.p2pShare * sendSeconds(crosses, rates, work.ends.tensorBytes / plan.tp);
}

function addLayers(
  priced: Priced,
  sum: StageSeconds,
  cost: LayerCosts,
  work: LayerWork,
  count: number,
  full: number,
): void {
  const { context, common, bias, rates } = priced;
  const { setting, plan } = context;
  const restore = restoreSeconds(priced, work);
  const adapterForward = adapterSeconds(priced, work, FIXED.adapterForwardBytes);
  const recompute = (full * cost.forward + (1 - full) * cost.repeated) * bias + full * (restore + adapterForward);
  const tensor = plan.tp === 1 ? 0 : 2 * allReduceSeconds(priced.tensorGroup, rates, work.tensorBytes);
  const tpShare = setting.tensorOverlap ? common.tensorExposed : 1;
  // With sp the backward pass gathers the input once more for the weights' gradient.
  const tpForward = tensor;
  const tpBackward = tensor * ((plan.sp ? 1.25 : 1) + full);
  const ring = contextSeconds(priced, work);
  const cpShare = plan.cpKind === 'all-to-all' || plan.cpKind === 'all-gather' ? 1 : common.contextExposed;
  const expert =
    2 *
    allToAllSeconds(priced.expertGroup, rates, work.expertRows, work.expertCopies, work.rowBytes, setting.expertOnce);
  const epShare = setting.expertOverlap ? EXPERT_EXPOSED : 1;
  const weight = setting.adapters ? 0 : cost.backwardWeight * bias + accumulation(priced, work) * bias;
  const ofForward = cost.forward * bias + restore + adapterForward;
  const ofInput = cost.backwardInput * bias + restore + adapterSeconds(priced, work, FIXED.adapterBackwardBytes);
  const forwardKernels = ofForward + tpShare * tpForward + cpShare * ring + epShare * expert;
  const backwardKernels =
    ofInput + weight + recompute + tpShare * tpBackward + 2 * cpShare * ring + epShare * (1 + full) * expert;
  const launch = launchSeconds(priced, work);
  const checkpoint = setting.stack.checkpointsRng ? full * common.checkpointSeconds * priced.hostFactor : 0;
  const host = launch * (1 + FIXED.backwardLaunches + full) + checkpoint;
  const kernels = forwardKernels + backwardKernels;
  const total = withHost(kernels, host);
  // Each pass has its share of what bounds the sum: T = K·(K/T)³ + H·(H/T)³ for the 4-norm T of K and H.
  const forward = total === 0 ? 0 : forwardKernels * (kernels / total) ** 3 + launch * (host / total) ** 3;
  const backward = total - forward;
  const gather = gatherOfLayer(priced, work);
  const overlap = setting.stack.fragmentedGathers ? 0 : common.fsdpOverlap;
  const hiddenForward = overlap * Math.min(gather, forward);
  const backwardGathers = gathersBackward(context) * gather;
  const hiddenBackward = overlap * Math.min(backwardGathers, backward);
  sum.forward += count * ofForward;
  sum.backwardInput += count * ofInput;
  sum.backwardWeight += count * weight;
  sum.recompute += count * recompute;
  sum.launch += count * (total - kernels);
  sum.tp += count * tpShare * (tpForward + tpBackward);
  sum.tpHidden += count * (1 - tpShare) * (tpForward + tpBackward);
  sum.cp += count * 3 * cpShare * ring;
  sum.cpHidden += count * 3 * (1 - cpShare) * ring;
  sum.ep += count * epShare * (2 + full) * expert;
  sum.epHidden += count * (1 - epShare) * (2 + full) * expert;
  sum.dp += count * (gather + backwardGathers - hiddenForward - hiddenBackward);
  sum.dpHidden += count * (hiddenForward + hiddenBackward);
  sum.forwardTotal += count * (forward + gather - hiddenForward);
}

/** Frozen 4-bit weights are restored to 16 bits for every use. */
function restoreSeconds({ context, memoryBytesPerSecond }: Priced, work: LayerWork): number {
  if (context.plan.adapter !== 'qlora') return 0;
  return (FIXED.dequantizeBytes * (work.denseParameters + work.expertParameters)) / memoryBytesPerSecond;
}

/** The products, scales and additions of adapters, which memory bounds: their rank is small. */
function adapterSeconds({ context, memoryBytesPerSecond }: Priced, work: LayerWork, bytes: number): number {
  return context.setting.adapters ? (bytes * work.adapterElements) / memoryBytesPerSecond : 0;
}

/** Weights are gathered again in the backward pass, and their gradients scattered where they have any. */
function gathersBackward({ setting }: PlanContext): number {
  return setting.adapters ? 1 : 2;
}

/** Bytes of a weight that is gathered or fetched. */
function gatheredBytes({ plan }: PlanContext): number {
  return plan.adapter === 'qlora' ? 0.52 : 2;
}

/** Expert traffic that stays exposed where two micro-batches overlap (DeepSeek-V3, arXiv 2412.19437, section 3.2.1). */
const EXPERT_EXPOSED = 0.25;

function launchSeconds({ context, common, hostFactor }: Priced, work: LayerWork): number {
  const { plan, setting } = context;
  if (setting.graphs) return 0;
  const kernels =
    FIXED.kernelsPerLayer +
    (work.isUnfused ? FIXED.kernelsUnfused : 0) +
    (plan.tp > 1 ? FIXED.kernelsTensorParallel : 0) +
    (work.isMoe ? FIXED.kernelsExperts : 0) +
    (setting.eagerOperators ? FIXED.kernelsEager : 0) +
    (setting.adapters ? FIXED.kernelsAdapters : 0);
  const hooks = setting.stack.isDeepSpeed ? FIXED.zero3Launches : FIXED.fsdpLaunches;
  return kernels * common.launchSeconds * hostFactor * (shardsWeights(context) ? hooks : 1);
}

/** Ring attention passes K and V on; Ulysses exchanges q, k, v and the output (arXiv 2309.14509, section 3). */
function contextSeconds({ context, contextGroup, rates }: Priced, work: LayerWork): number {
  const { plan } = context;
  if (plan.cp === 1) return 0;
  if (plan.cpKind !== 'all-to-all') return gatherSeconds(contextGroup, rates, work.contextBytes);
  return allToAllSeconds(
    contextGroup,
    rates,
    1,
    1,
    (2 * work.tensorBytes) / plan.tp + work.contextBytes / plan.cp,
    false,
  );
}

/** Adding gradients into their accumulator: read and write it, for each micro-batch. */
function accumulation({ context, common, memoryBytesPerSecond }: Priced, work: LayerWork): number {
  if (context.m === 1 || shardsWeights(context)) return 0;
  const bytes = context.setting.stack.fp32Gradients ? 8 : 4;
  return (bytes * common.accumulationPasses * (work.denseParameters + work.expertParameters)) / memoryBytesPerSecond;
}

export function shardsWeights({ plan }: PlanContext): boolean {
  return plan.sharding === 'zero3' || plan.sharding === 'hsdp';
}

/** Weights come from elsewhere before each use: gathered, or fetched from the host. */
function gathersWeights(context: PlanContext): boolean {
  return shardsWeights(context) || offloadsWeights(context.plan);
}

/** One gather of a layer's weights in 16 bits, after the host has sent each rank its share. */
function gatherOfLayer({ context, common, rates }: Priced, work: LayerWork): number {
  if (!gathersWeights(context)) return 0;
  const { shard, experts, setting, plan, m, tables } = context;
  const [ranks, expertRanks] = shardsWeights(context) ? [shard.ranks, experts.ranks] : [1, 1];
  const fetch = fetchSeconds(plan, tables.host, work.denseParameters / ranks + work.expertParameters / expertRanks);
  // A pipeline's stage stays gathered from its first micro-batch to its last.
  const share = plan.pp > 1 ? 1 / m : 1;
  const slow = setting.stack.fragmentedGathers ? Math.sqrt(Math.max(1, shard.ranks / common.fragmentedRanks)) : 1;
  if (!shardsWeights(context)) return share * fetch;
  const bytes = gatheredBytes(context);
  const dense = gatherSeconds(shard, rates, bytes * work.denseParameters);
  return share * (fetch + slow * (dense + gatherSeconds(experts, rates, bytes * work.expertParameters)));
}

/** Gathers of the tables of the ends, half hidden at best: nothing runs before the first or after the last. */
function addEndGathers({ context, common, rates }: Priced, sum: StageSeconds, view: StageClass): void {
  if (!gathersWeights(context)) return;
  const { tables, plan, shard } = context;
  const parameters = (view.isFirst ? tables.embeddingParameters : 0) + (view.isLast ? tables.headParameters : 0);
  const ranks = shardsWeights(context) ? shard.ranks : 1;
  const gather =
    fetchSeconds(plan, tables.host, parameters / plan.tp / ranks) +
    (ranks === 1 ? 0 : gatherSeconds(shard, rates, (2 * parameters) / plan.tp));
  const exposed = 1 - common.fsdpOverlap / 2;
  const gathers = 1 + gathersBackward(context);
  sum.dp += gathers * gather * exposed;
  sum.dpHidden += gathers * gather * (1 - exposed);
  sum.forwardTotal += gather * exposed;
}

function addEmbedding({ context, ends, bias, rates, tensorGroup }: Priced, sum: StageSeconds): void {
  const { plan, work } = context;
  const reduce = plan.tp === 1 ? 0 : allReduceSeconds(tensorGroup, rates, work.ends.tensorBytes);
  sum.forward += ends.embeddingForward * bias;
  sum.backwardInput += ends.embeddingBackward * bias;
  sum.tp += reduce;
  sum.forwardTotal += ends.embeddingForward * bias + reduce;
}

/** The 4-norm of both. */
function withHost(device: number, host: number): number {
  const larger = Math.max(device, host);
  if (larger === 0) return 0;
  const ratio = Math.min(device, host) / larger;
  const square = ratio * ratio;
  return larger * Math.sqrt(Math.sqrt(1 + square * square));
}
