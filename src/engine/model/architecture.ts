/**
 * A decoder's architecture: flat sizes (what config files state and users override) and traits (what the family
 * fixes) make groups of like layers, from which everything else is counted.
 */
import type { Attention, CountedPart, Experts, LatentAttention, Layer, Mlp, NormKind } from './layer';
import { missingSizes, type ModelSizes } from './sizes';
import type { LayerVariant, Traits } from './traits';

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
