/**
 * Exact parameter counts.
 *
 * Legend: h hidden, f width of a feed-forward, a heads, g kv heads, d head dimension, V vocabulary, E experts,
 * k experts a token. Checked against counts of the transformers classes (test/fixtures/parameters.json).
 */
import type { Model } from './architecture';
import type { Attention, CountedPart, Experts, LatentAttention, Layer, Mlp, NormKind } from './layer';

export interface Parameters {
  readonly total: number;
  /** Parameters that one token passes through: the routed part times k/E. */
  readonly active: number;
  /** Token and position tables with what belongs to them. */
  readonly embedding: number;
  /** The output projection; 0 where it is tied to the embedding. */
  readonly head: number;
  readonly perLayer: readonly number[];
  /** What stands beside the decoder: an encoder, a vision tower with its projector. */
  readonly beside: readonly CountedPart[];
  /** Tensors that are stored and not trained by gradients (a router's balancing bias); not in total. */
  readonly buffers: number;
}

export function normParameters(kind: NormKind, width: number): number {
  switch (kind) {
    case 'rms':
    case 'layer-no-bias':
      return width;
    case 'layer':
      return 2 * width;
    case 'none':
      return 0;
  }
}

/** h·a·d + 2·h·g·d + a·d·h, with biases, query and key norms and sinks where the family has them. */
export function attentionParameters(hidden: number, mixer: Attention): number {
  const query = mixer.heads * mixer.headDim;
  const keyValue = mixer.kvHeads * mixer.headDim;
  const columns = query + (mixer.valueIsKey === true ? 1 : 2) * keyValue;
  const weights = hidden * columns + query * hidden;
  const biases = (mixer.qkvBias ? columns : 0) + (mixer.outBias ? hidden : 0);
  const { headDim } = mixer;
  const norms = { none: 0, 'per-head': 2 * headDim, full: query + keyValue, query: headDim }[mixer.qkNorm];
  return weights + biases + norms + (mixer.sinks ? mixer.heads : 0);
}

/** Multi-head latent attention, DeepSeek-V2 (arXiv 2405.04434) equations 9 to 19. */
export function latentParameters(hidden: number, mixer: LatentAttention): number {
  const { heads, queryRank, kvRank, nopeDim, ropeDim, valueDim } = mixer;
  const queryWidth = heads * (nopeDim + ropeDim);
  const query = queryRank === null ? hidden * queryWidth : hidden * queryRank + queryRank + queryRank * queryWidth;
  const keyValue = hidden * (kvRank + ropeDim) + kvRank + kvRank * heads * (nopeDim + valueDim);
  return query + keyValue + heads * valueDim * hidden;
}

/** 3·h·f gated, 2·h·f plain, with biases where the family has them. */
export function mlpParameters(hidden: number, { width, gated, bias }: Pick<Mlp, 'width' | 'gated' | 'bias'>): number {
  const matrices = gated ? 3 : 2;
  return matrices * hidden * width + (bias ? (matrices - 1) * width + hidden : 0);
}

/** The parts of an MoE layer: one expert, the router, and what every token passes through beside the routed experts. */
export function expertParameters(hidden: number, moe: Experts): { expert: number; router: number; shared: number } {
  const shared =
    moe.sharedWidth === 0 ? 0 : mlpParameters(hidden, { width: moe.sharedWidth, gated: moe.gated, bias: false });
  return {
    expert: mlpParameters(moe.latentWidth ?? hidden, moe),
    router: hidden * moe.experts + (moe.routerBias ? moe.experts : 0),
    shared: shared + (moe.sharedGate ? hidden : 0) + 2 * hidden * (moe.latentWidth ?? 0),
  };
}

export interface LayerParameters {
  /** The mixer, with what else the layer holds. */
  readonly attention: number;
  readonly norms: number;
  /** Feed-forward weights outside the routed experts. */
  readonly feedForward: number;
  readonly router: number;
  readonly routed: number;
  /** The routed part that one token uses. */
  readonly routedActive: number;
  readonly buffers: number;
}

export function layerParameters(hidden: number, layer: Layer): LayerParameters {
  const { mixer, feedForward } = layer;
  const mixing = mixer.kind === 'latent' ? latentParameters(hidden, mixer) : attentionParameters(hidden, mixer);
  const attention = mixing + sumOf(layer.extra);
  const norms = layer.norms * normParameters(layer.norm, hidden);
  if (feedForward.kind === 'mlp') {
    const dense = mlpParameters(hidden, feedForward);
    return { attention, norms, feedForward: dense, router: 0, routed: 0, routedActive: 0, buffers: 0 };
  }
  const { expert, router, shared } = expertParameters(hidden, feedForward);
  return {
    attention,
    norms,
    feedForward: shared,
    router,
    routed: feedForward.experts * expert,
    routedActive: feedForward.topK * expert,
    buffers: feedForward.routerBuffer ? feedForward.experts : 0,
  };
}

function sumOf(parts: readonly CountedPart[]): number {
  return parts.reduce((sum, { parameters }) => sum + parameters, 0);
}

/** What the first stage holds before its layers: the tables, and the towers beside the decoder. */
export function embeddingParameters(model: Model): number {
  return tableParameters(model) + sumOf(model.beside);
}

/** Parameters of the token and position tables, with their norm and projections. */
export function tableParameters(model: Model): number {
  const { vocab, embeddingWidth, hidden, positionRows } = model;
  const projections = embeddingWidth === hidden ? 0 : 2 * embeddingWidth * hidden;
  const norm = model.embeddingNorm ? normParameters(model.norm, hidden) : 0;
  return vocab * embeddingWidth + positionRows * hidden + projections + norm;
}

/** Parameters of the output projection that are not the embedding's. */
export function headParameters(model: Model): number {
  return (model.tied ? 0 : model.vocab * model.embeddingWidth) + (model.headBias ? model.vocab : 0);
}

/** Exact counts of a whole model. */
export function countParameters(model: Model): Parameters {
  const perLayer: number[] = [];
  let buffers = 0;
  let idle = 0;
  for (const { count, layer } of model.groups) {
    const part = layerParameters(model.hidden, layer);
    const sum = part.attention + part.norms + part.feedForward + part.router + part.routed;
    for (let i = 0; i < count; i++) perLayer.push(sum);
    buffers += count * part.buffers;
    idle += count * (part.routed - part.routedActive);
  }
  const embedding = tableParameters(model);
  const head = headParameters(model);
  const finalNorm = normParameters(model.finalNorm, model.hidden);
  const total = embedding + head + finalNorm + perLayer.reduce((a, b) => a + b, 0) + sumOf(model.beside);
  return { total, active: total - idle, embedding, head, perLayer, beside: model.beside, buffers };
}
