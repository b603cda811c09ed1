/**
 * The bytes that each rank holds at the peak of a step, by what they are for, from the plan (and the routing, where
 * experts are on several ranks). Temporary buffers are not predicted.
 *
 * ZeRO: weights P or Ψ, gradients P or Ψ, optimizer 2P (arXiv 1910.02054, section 5); activations as the operator table
 * says what is kept for the backward pass, times the micro-batches that the schedule has in flight.
 */
import type { Layer } from '../model/layer';
import { type Operator, type Workload } from '../model/operator';
import { layerOperators } from '../model/operators';
import { BW, F, F_JOINED, W } from '../pipeline/order';
import { type BlockSpec, type Layout, type Place, stagesOfUnit } from './layout';
import type { DecoderNetwork } from './network';
import { MOMENTS } from './optimizer';
import type { Rows } from './routes';
import { entriesOf, shardSizeOf, ZERO } from './state';
import type { TrainPlan } from './trainPlan';

export interface PredictedMemory {
  readonly weights: number;
  readonly gradients: number;
  readonly optimizer: number;
  readonly activations: number;
}

/** By rank. */
export function predictMemory(layout: Layout, elementBytes: number, rows: Rows | null): PredictedMemory[] {
  return layout.places.map(place => {
    const { whole, owned, largest } = elementsOf(layout, place);
    const zero = ZERO[layout.plan.sharding];
    return {
      weights: elementBytes * (zero === 3 ? owned + largest : whole),
      gradients: elementBytes * (zero >= 2 ? owned + largest : whole),
      optimizer: elementBytes * MOMENTS[layout.plan.optimizer] * owned,
      activations: elementBytes * peakActivations(layout, place, rows),
    };
  });
}

/**
 * Elements of all units that a rank computes with, of those that it steps (padding with them), and of the largest block:
 * what is sharded stands whole for one block at a time, its weights during a pass, its gradient until it is reduced.
 */
function elementsOf(layout: Layout, place: Place): { whole: number; owned: number; largest: number } {
  const { plan, order, blocks } = layout;
  const zero = ZERO[plan.sharding];
  const padded = new Map<string, number>();
  let [whole, owned] = [0, 0];
  for (const spec of layout.units) {
    if (!stagesOfUnit(layout, spec.name).includes(place.stage)) continue;
    const length = entriesOf(layout, place, spec).reduce((sum, entry) => sum + entry.length, 0);
    const data = spec.isExpert ? place.expertData.size : place.data.size;
    const n = zero === 0 ? 1 : shardSizeOf(plan.shardSize, data, zero);
    owned += Math.ceil(length / n);
    whole += Math.ceil(length / n) * n;
    padded.set(spec.name, Math.ceil(length / n) * n);
  }
  const mine = blocks.filter((_, position) => order.place.stageOf[position] === place.stage).flat();
  const sizes = mine.map(block => block.units.reduce((sum, name) => sum + (padded.get(name) ?? 0), 0));
  return { whole, owned, largest: Math.max(...sizes) };
}

function peakActivations(layout: Layout, place: Place, rows: Rows | null): number {
  const { order, blocks } = layout;
  const { stage } = place;
  let [held, peak] = [0, 0];
  for (let slot = order.firstSlot[stage]; slot < order.firstSlot[stage + 1]; slot++) {
    const position = order.place.positionOf[stage * order.chunks + order.chunk[slot]];
    const kind = order.pass[slot];
    const kept = () =>
      blocks[position].reduce(
        (sum, block) => sum + keptElements(layout, place, block, order.microBatch[slot], rows),
        0,
      );
    if (kind === F || kind === F_JOINED) peak = Math.max(peak, (held += kept()));
    else if (kind === BW || kind === W) held -= kept();
  }
  return peak;
}

/** What a block keeps of a micro-batch. */
function keptElements(layout: Layout, place: Place, block: BlockSpec, microBatch: number, rows: Rows | null): number {
  const { plan, network } = layout;
  const T = (plan.microBatch * plan.seqLen) / plan.cp;
  const width = (T * network.hidden) / (plan.sp ? plan.tp : 1);
  switch (block.kind) {
    case 'rows':
    case 'embedding':
      return 0;
    case 'square':
      return width;
    case 'head':
      // The norm's input and output, and the soft-max, which the cost model prices as a passing buffer.
      return 2 * width + (network.kind === 'mlp' ? 0 : (T * network.vocab) / plan.tp);
    case 'layer':
      if (plan.recompute === 'full') return width;
      if (network.kind === 'mlp') return width + width / plan.tp;
      return keptByLayer(network, plan) + keptByExperts(layout, place, block.name, microBatch, rows);
  }
}

/** Tensors of the operator table in elements: two bytes each, but for fp32 statistics and the scores of three tensors. */
function keptByLayer(network: DecoderNetwork, plan: TrainPlan): number {
  const bytesOf = (name: string) => (name === 'log-sum-exp' ? 4 : name === 'scores' ? 5 : 2);
  let sum = 0;
  for (const { saved } of denseOperators(network, plan))
    for (const { name, bytes } of saved) sum += bytes / bytesOf(name);
  const T = (plan.microBatch * plan.seqLen) / plan.cp;
  const width = (T * network.heads * network.headDim) / plan.tp;
  // All-to-all keeps attention's output in both layouts; unfused attention its log-sum-exp beside the scores.
  if (plan.cp > 1 && plan.cpKind === 'all-to-all') sum += width;
  if (keepsScores(plan)) sum += width / network.headDim;
  return sum;
}

const keepsScores = ({ attention, recompute, cp, cpKind }: TrainPlan) =>
  attention === 'unfused' && recompute === 'none' && (cp === 1 || cpKind !== 'ring');

/** The operators of a layer but for its routed experts. */
function denseOperators(network: DecoderNetwork, plan: TrainPlan): Operator[] {
  const operators = layerOperators(network.hidden, tableLayer(network), tableWork(plan, !keepsScores(plan)));
  return operators
    .filter(({ part }) => part !== 'dispatch' && part !== 'experts' && part !== 'expert-activation')
    .map(operator => ({
      ...operator,
      saved: operator.saved.filter(({ name }) => name !== 'router logits'),
    }));
}

/** Weights of the choices and outputs of the rows that a rank deals; inputs and inner tensors of the rows that it gets. */
function keptByExperts(layout: Layout, place: Place, layer: string, microBatch: number, rows: Rows | null): number {
  const { network, plan } = layout;
  if (network.kind === 'mlp' || network.experts === 0) return 0;
  const { ep } = place;
  const dealt = ((plan.microBatch * plan.seqLen) / plan.cp / plan.tp) * network.topK;
  let received = dealt;
  if (ep.size > 1 && rows) {
    const each = network.experts / ep.size;
    const toMe = (member: number) =>
      rows(layer, layout.places[member], microBatch)
        .subarray(ep.index * each, (ep.index + 1) * each)
        .reduce((a, b) => a + b, 0);
    received = ep.group.ranks.reduce((sum, member) => sum + toMe(member), 0);
  }
  const branches = network.gated ? 2 : 1;
  return dealt * (1 + network.hidden) + received * (network.hidden + (branches + 1) * network.expertFfn);
}

/** The layer as the operator table wants it. */
export function tableLayer(network: DecoderNetwork): Layer {
  const { heads, kvHeads, headDim, ffn, gated, experts, topK, expertFfn } = network;
  const plain = { gated, bias: false };
  return {
    mixer: {
      kind: 'attention',
      heads,
      kvHeads,
      headDim,
      qkvBias: false,
      outBias: false,
      qkNorm: 'none',
      sinks: false,
      window: null,
    },
    feedForward:
      experts > 0
        ? {
            kind: 'moe',
            experts,
            topK,
            width: expertFfn,
            ...plain,
            routerBias: false,
            routerBuffer: false,
            sharedWidth: 0,
            sharedGate: false,
          }
        : { kind: 'mlp', width: ffn, ...plain },
    norm: network.norm === 'rms' ? 'rms' : 'layer',
    norms: 2,
    extra: [],
  };
}

export function tableWork(plan: TrainPlan, flash: boolean): Workload {
  const { microBatch, seqLen, tp, sp, cp, ep } = plan;
  return { microBatch, seqLen, tp, sp, cp, ep, etp: 1, flash, expertImbalance: 1 };
}
