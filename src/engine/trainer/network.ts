/**
 * The networks that the trainer runs: the lecture's MLP and a decoder transformer, from presets or from a model that
 * was read from a file.
 */
import type { Model } from '../model/architecture';
import { type Problem, problem } from '../problem';

/** Layers of x → gelu(x·W), square, on random rows; loss mean(x²) (Stanford CS336 2025, lecture 8). */
export interface MlpNetwork {
  readonly kind: 'mlp';
  readonly layers: number;
  readonly hidden: number;
}

/** Legend: h hidden, a heads, g kv heads, d head width, f feed-forward width, V vocabulary, E experts (0: dense). */
export interface DecoderNetwork {
  readonly kind: 'decoder';
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly ffn: number;
  /** silu(x·gate) ∘ (x·up), else gelu(x·up). */
  readonly gated: boolean;
  readonly vocab: number;
  readonly norm: 'rms' | 'layer';
  /** Learned positions need `positionRows` ≥ the sequence; 0 means rotary. */
  readonly positionRows: number;
  readonly tied: boolean;
  readonly experts: number;
  readonly topK: number;
  readonly expertFfn: number;
}

export type Network = MlpNetwork | DecoderNetwork;

/** Bytes are the tokens. */
export const BYTE_VOCABULARY = 256;

const TINY_LLAMA: DecoderNetwork = {
  kind: 'decoder',
  layers: 4,
  hidden: 64,
  heads: 8,
  kvHeads: 8,
  headDim: 8,
  ffn: 128,
  gated: true,
  vocab: BYTE_VOCABULARY,
  norm: 'rms',
  positionRows: 0,
  tied: false,
  experts: 0,
  topK: 0,
  expertFfn: 0,
};

export const PRESET_NAMES = ['mlp', 'tiny-llama', 'tiny-moe'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

export const PRESETS: Readonly<Record<PresetName, Network>> = {
  mlp: { kind: 'mlp', layers: 4, hidden: 64 },
  'tiny-llama': TINY_LLAMA,
  'tiny-moe': { ...TINY_LLAMA, experts: 8, topK: 2, expertFfn: 64 },
};

/** The network of a model, or what in it the trainer cannot run: the first such trait. */
export function networkOf(model: Model): DecoderNetwork | Problem {
  const [group] = model.groups;
  const refuse = (what: string) => problem('not-modelled', { what, family: model.family }, { severity: 'error' });
  if (!group || model.groups.length !== 1) return refuse('layers that differ');
  const { mixer, feedForward, norms, norm, extra } = group.layer;
  if (mixer.kind !== 'attention') return refuse('latent attention');
  if (mixer.window !== null) return refuse('windowed attention');
  if (mixer.sinks || mixer.qkNorm !== 'none' || mixer.valueIsKey === true)
    return refuse('query and key norms or sinks');
  if (mixer.qkvBias || mixer.outBias || feedForward.bias || model.headBias) return refuse('biases');
  if (norm !== 'rms' && norm !== 'layer') return refuse(`norm ${norm}`);
  if (norms !== 2 || model.finalNorm !== norm || model.embeddingNorm) return refuse('the place of the norms');
  if (extra.length > 0 || model.beside.length > 0) return refuse('parts beside the decoder');
  if (model.embeddingWidth !== model.hidden) return refuse('a projected embedding');
  const moe = feedForward.kind === 'moe' ? feedForward : null;
  if (moe && (moe.sharedWidth > 0 || moe.routerBias || moe.routerBuffer))
    return refuse('shared experts or router biases');
  return {
    kind: 'decoder',
    layers: model.layers,
    hidden: model.hidden,
    heads: mixer.heads,
    kvHeads: mixer.kvHeads,
    headDim: mixer.headDim,
    ffn: moe ? 0 : feedForward.width,
    gated: feedForward.gated,
    vocab: model.vocab,
    norm,
    positionRows: model.positionRows,
    tied: model.tied,
    experts: moe?.experts ?? 0,
    topK: moe?.topK ?? 0,
    expertFfn: moe?.width ?? 0,
  };
}
