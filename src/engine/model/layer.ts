/** What a layer is made of. Legend: h hidden, a heads, g kv heads, d head dimension. */

export type NormKind = 'rms' | 'layer' | 'layer-no-bias' | 'none';

/** Parameters that are counted, and whose shapes the operator table does not know. */
export interface CountedPart {
  readonly name: string;
  readonly parameters: number;
}

/** Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1). */
export interface LatentSizes {
  readonly queryRank: number | null;
  readonly kvRank: number;
  readonly nopeDim: number;
  readonly ropeDim: number;
  readonly valueDim: number;
}

/** Norms on queries and keys: per head over d, over the whole width a·d and g·d, or one over d for queries alone. */
export type QkNorm = 'none' | 'per-head' | 'full' | 'query';

export interface Attention {
  readonly kind: 'attention';
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly qkvBias: boolean;
  readonly outBias: boolean;
  readonly qkNorm: QkNorm;
  readonly sinks: boolean;
  readonly window: number | null;
  /** Values are the keys: there is no projection of their own. */
  readonly valueIsKey?: boolean;
}

export interface LatentAttention extends LatentSizes {
  readonly kind: 'latent';
  readonly heads: number;
  readonly window: null;
}

export interface Mlp {
  readonly kind: 'mlp';
  readonly width: number;
  readonly gated: boolean;
  readonly bias: boolean;
}

export interface Experts {
  readonly kind: 'moe';
  readonly experts: number;
  readonly topK: number;
  readonly width: number;
  readonly gated: boolean;
  readonly bias: boolean;
  readonly routerBias: boolean;
  readonly routerBuffer: boolean;
  readonly sharedWidth: number;
  readonly sharedGate: boolean;
  /** Width of what goes into an expert; without it h. */
  readonly latentWidth?: number | null;
}

export interface Layer {
  readonly mixer: Attention | LatentAttention;
  readonly feedForward: Mlp | Experts;
  readonly norm: NormKind;
  readonly norms: number;
  /** What the layer has beside its mixer and feed-forward, or instead: a state-space mixer, an indexer. */
  readonly extra: readonly CountedPart[];
}
