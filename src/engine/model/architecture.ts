/**
 * A decoder's architecture: flat sizes (what config files state and users override) and traits (what the family
 * fixes) make groups of like layers, from which everything else is counted.
 *
 * Legend: L layers, h hidden, f feed-forward width, a heads, g kv heads, d head dimension, V vocabulary,
 * E experts, k experts a token, f_e width of an expert.
 */

/** The keys of a model as files and the command line spell them; null is unknown. */
export interface ModelSizes {
  name: string | null;
  layers: number | null;
  hidden: number | null;
  ffn: number | null;
  heads: number | null;
  kvHeads: number | null;
  headDim: number | null;
  vocab: number | null;
  maxSeqLen: number | null;
  tied: boolean | null;
  gatedMlp: boolean | null;
  experts: number | null;
  topK: number | null;
  expertFfn: number | null;
  sharedExperts: number | null;
}

export type ModelKey = keyof ModelSizes;

export const MODEL_KEYS = [
  'name',
  'layers',
  'hidden',
  'ffn',
  'heads',
  'kvHeads',
  'headDim',
  'vocab',
  'maxSeqLen',
  'tied',
  'gatedMlp',
  'experts',
  'topK',
  'expertFfn',
  'sharedExperts',
] as const satisfies readonly ModelKey[];

/** Sizes past these are not models but mistakes or attacks; readers refuse them, so that counting never runs away. */
export const SIZE_LIMITS: Readonly<Record<Exclude<ModelKey, 'name' | 'tied' | 'gatedMlp'>, number>> = {
  layers: 10_000,
  hidden: 10_000_000,
  ffn: 100_000_000,
  heads: 1_000_000,
  kvHeads: 1_000_000,
  headDim: 1_000_000,
  vocab: 100_000_000,
  maxSeqLen: 10_000_000_000,
  experts: 1_000_000,
  topK: 1_000_000,
  expertFfn: 100_000_000,
  sharedExperts: 10_000,
};

export type NormKind = 'rms' | 'layer' | 'layer-no-bias' | 'none';

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
  /** Norms on queries and keys: per head over d, over the whole width a·d and g·d, or one over d for queries alone. */
  readonly qkNorm: 'none' | 'per-head' | 'full' | 'query';
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

/** Parameters that are counted, and whose shapes the operator table does not know. */
export interface CountedPart {
  readonly name: string;
  readonly parameters: number;
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

/** Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1). */
export interface LatentSizes {
  readonly queryRank: number | null;
  readonly kvRank: number;
  readonly nopeDim: number;
  readonly ropeDim: number;
  readonly valueDim: number;
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

export interface Attention {
  readonly kind: 'attention';
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly qkvBias: boolean;
  readonly outBias: boolean;
  readonly qkNorm: Traits['qkNorm'];
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

/** Consecutive layers that are alike. */
export interface LayerGroup {
  readonly count: number;
  readonly layer: Layer;
}

export interface Model {
  readonly name: string | null;
  readonly family: string;
  readonly hidden: number;
  readonly vocab: number;
  readonly layers: number;
  readonly tied: boolean;
  readonly embeddingWidth: number;
  readonly positionRows: number;
  readonly embeddingNorm: boolean;
  readonly finalNorm: NormKind;
  readonly norm: NormKind;
  readonly headBias: boolean;
  readonly groups: readonly LayerGroup[];
  readonly beside: readonly CountedPart[];
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

export function emptySizes(): ModelSizes {
  return Object.fromEntries(MODEL_KEYS.map(key => [key, null])) as unknown as ModelSizes;
}

/** The sizes without which no model can be built, in the order in which a user would look for them. */
const REQUIRED = ['layers', 'hidden', 'ffn', 'heads', 'kvHeads', 'headDim', 'vocab', 'tied', 'gatedMlp'] as const;

/** The model's keys that are still unknown; empty where `buildModel` gives a model. */
export function missingSizes(sizes: ModelSizes): ModelKey[] {
  const missing: ModelKey[] = REQUIRED.filter(key => sizes[key] === null);
  if (sizes.experts !== null && sizes.experts > 0) {
    for (const key of ['topK', 'expertFfn'] as const) if (sizes[key] === null) missing.push(key);
  }
  return missing;
}

/** The architecture that sizes and traits make, or null where a size is unknown. */
export function buildModel(sizes: ModelSizes, traits: Traits): Model | null {
  const { layers, hidden, vocab, tied } = sizes;
  if (missingSizes(sizes).length > 0 || layers === null || hidden === null || vocab === null || tied === null) {
    return null;
  }
  return {
    name: sizes.name,
    family: traits.family,
    hidden,
    vocab,
    layers,
    tied,
    embeddingWidth: traits.embeddingWidth ?? hidden,
    positionRows: traits.positionRows,
    embeddingNorm: traits.embeddingNorm,
    finalNorm: traits.finalNorm ? traits.norm : 'none',
    norm: traits.norm,
    headBias: traits.headBias,
    groups: groupLayers(layers, index => layerOf(sizes, traits, index)),
    beside: traits.beside,
  };
}

/** The layer at an index, as sizes and traits make it. */
function layerOf(sizes: ModelSizes, traits: Traits, index: number): Layer {
  const variant = traits.variants[traits.variantOf[index] ?? -1];
  const moe = variant?.feedForward === 'moe' || (isAsSizes(variant) && isMoeLayer(sizes, traits, index));
  return {
    mixer: buildMixer(sizes, traits, index, variant),
    feedForward: moe ? buildExperts(sizes, traits) : buildMlp(sizes, traits, variant),
    norm: traits.norm,
    norms: variant?.norms ?? traits.normsPerLayer,
    extra: variant?.extra ?? [],
  };
}

function isAsSizes(variant: LayerVariant | undefined): boolean {
  return variant === undefined || variant.feedForward === 'as-sizes';
}

function buildMixer(
  sizes: ModelSizes,
  traits: Traits,
  index: number,
  variant: LayerVariant | undefined,
): Attention | LatentAttention {
  const heads = sizes.heads ?? 0;
  if (traits.latent !== null) return { kind: 'latent', heads, window: null, ...traits.latent };
  const attention: Attention = {
    kind: 'attention',
    heads,
    kvHeads: sizes.kvHeads ?? heads,
    headDim: sizes.headDim ?? 0,
    qkvBias: traits.qkvBias,
    outBias: traits.outBias,
    qkNorm: traits.qkNorm,
    sinks: traits.sinks,
    window: traits.windows?.[index] ?? null,
  };
  if (variant?.attention === null) return { ...attention, ...NO_ATTENTION };
  return { ...attention, ...variant?.attention };
}

/** A layer without attention has one of no heads: it counts, costs and keeps nothing. */
const NO_ATTENTION = {
  heads: 0,
  kvHeads: 0,
  headDim: 0,
  qkvBias: false,
  outBias: false,
  qkNorm: 'none',
  sinks: false,
} as const satisfies Partial<Attention>;

function isMoeLayer(sizes: ModelSizes, { moe }: Traits, index: number): boolean {
  if (sizes.experts === null || sizes.experts === 0) return false;
  return index >= moe.firstDense && (index + 1) % moe.step === 0 && !moe.denseLayers.includes(index);
}

function buildMlp(sizes: ModelSizes, traits: Traits, variant: LayerVariant | undefined): Mlp {
  if (variant?.feedForward === 'none') return { kind: 'mlp', width: 0, gated: sizes.gatedMlp === true, bias: false };
  const width = variant?.width ?? traits.moe.denseWidth ?? sizes.ffn ?? 0;
  return { kind: 'mlp', width, gated: sizes.gatedMlp === true, bias: traits.mlpBias };
}

function buildExperts(sizes: ModelSizes, traits: Traits): Experts {
  const width = sizes.expertFfn ?? 0;
  return {
    kind: 'moe',
    experts: sizes.experts ?? 0,
    topK: sizes.topK ?? 0,
    width,
    gated: sizes.gatedMlp === true,
    bias: traits.moe.expertBias,
    routerBias: traits.moe.routerBias,
    routerBuffer: traits.moe.routerBuffer,
    sharedWidth: traits.moe.sharedWidth ?? (sizes.sharedExperts ?? 0) * width,
    sharedGate: traits.moe.sharedGate,
    latentWidth: traits.moe.latentWidth,
  };
}

/** Runs of equal layers. Layers are compared by their content, so a pattern that repeats makes many small groups. */
function groupLayers(count: number, layerAt: (index: number) => Layer): LayerGroup[] {
  const groups: { count: number; layer: Layer; key: string }[] = [];
  for (let index = 0; index < count; index++) {
    const layer = layerAt(index);
    const key = JSON.stringify(layer);
    const last = groups.at(-1);
    if (last?.key === key) last.count++;
    else groups.push({ count: 1, layer, key });
  }
  return groups.map(({ count, layer }) => ({ count, layer }));
}
