/** What a family of models fixes beyond its sizes. Legend: h hidden, a heads. */
import type { Attention, CountedPart, LatentSizes, NormKind, QkNorm } from './layer';

/** What a family of models fixes beyond its sizes. */
export interface Traits {
  readonly family: string;
  readonly norm: NormKind;
  readonly normsPerLayer: number;
  readonly finalNorm: boolean;
  readonly embeddingNorm: boolean;
  readonly qkvBias: boolean;
  readonly outBias: boolean;
  readonly mlpBias: boolean;
  readonly headBias: boolean;
  readonly qkNorm: QkNorm;
  /** One learned attention sink a head. */
  readonly sinks: boolean;
  /** Rows of the learned position table; 0 where positions are not learned. */
  readonly positionRows: number;
  /** Width of the embedding where it is projected to h (OPT-350M); null where it is h. */
  readonly embeddingWidth: number | null;
  readonly latent: LatentSizes | null;
  /** Tokens that attention reaches back, per layer; null where the layer sees everything. */
  readonly windows: readonly (number | null)[] | null;
  readonly moe: MoeTraits;
  /** What layers are where they are not all alike, and for each layer which of these it is. */
  readonly variants: readonly LayerVariant[];
  readonly variantOf: readonly number[];
  /** What stands beside the decoder: an encoder, a vision tower, a projector. */
  readonly beside: readonly CountedPart[];
}

/** How a layer of a hybrid differs from what sizes and traits make. */
export interface LayerVariant {
  /** Changes of the attention; null: the layer has none. */
  readonly attention: Partial<Omit<Attention, 'kind'>> | null;
  /** `as-sizes`: MoE or dense as the MoE traits say. */
  readonly feedForward: 'as-sizes' | 'dense' | 'moe' | 'none';
  /** Width of the dense feed-forward where it is not that of the sizes. */
  readonly width: number | null;
  readonly norms: number;
  readonly extra: readonly CountedPart[];
}

export interface MoeTraits {
  /** Layers before the first MoE layer. */
  readonly firstDense: number;
  /** Layer i is MoE where (i + 1) is a multiple of this step. */
  readonly step: number;
  readonly denseLayers: readonly number[];
  readonly expertBias: boolean;
  readonly routerBias: boolean;
  /** A bias that balances load and is not trained by gradients: a buffer, not a parameter. */
  readonly routerBuffer: boolean;
  /** Width of all shared experts together; null means sharedExperts · expertFfn. */
  readonly sharedWidth: number | null;
  readonly sharedGate: boolean;
  /** Width of the dense layers where it is not ffn. */
  readonly denseWidth: number | null;
  /** Width in which the routed experts work where it is not h (latent mixtures of experts). */
  readonly latentWidth: number | null;
}

/** Traits of the Llama family, on which the tables of other families build. */
export const LLAMA_TRAITS: Traits = {
  family: 'llama',
  norm: 'rms',
  normsPerLayer: 2,
  finalNorm: true,
  embeddingNorm: false,
  qkvBias: false,
  outBias: false,
  mlpBias: false,
  headBias: false,
  qkNorm: 'none',
  sinks: false,
  positionRows: 0,
  embeddingWidth: null,
  latent: null,
  windows: null,
  moe: {
    firstDense: 0,
    step: 1,
    denseLayers: [],
    expertBias: false,
    routerBias: false,
    routerBuffer: false,
    sharedWidth: null,
    sharedGate: false,
    denseWidth: null,
    latentWidth: null,
  },
  variants: [],
  variantOf: [],
  beside: [],
};
