/** What a config.json and its class fix beyond sizes: norms, biases, latent attention, windows, experts, towers. */
import type { LatentSizes } from '../../model/layer';
import { LLAMA_TRAITS, type MoeTraits, type Traits } from '../../model/traits';
import type { Family } from './family';
import { HYBRIDS } from './layers';
import { TOWERS } from './towers';
import type { Values } from './values';

/** Layers above which a pattern of windows is not drawn up. */
const MOST_LAYERS = 10_000;

/** Every nth layer sees everything, the others a window; 0: all have the window. */
const FULL_EVERY: Readonly<Record<string, number>> = {
  mistral: 0,
  gemma2: 2,
  gpt_oss: 2,
  gemma3_text: 6,
  gemma3: 6,
  gemma4_text: 6,
  cohere2: 4,
  olmo3: 4,
  exaone4: 4,
};

export class TraitsReader {
  constructor(
    private readonly values: Values,
    private readonly root: Values,
    private readonly family: Family,
    private readonly modelType: string,
    private readonly rootType: string,
  ) {}

  read(): Traits {
    const { family, modelType, values } = this;
    const { sizes } = values.reader.builder;
    const moe = { ...LLAMA_TRAITS.moe, ...family.moe, ...this.moe() };
    const hybrid = Object.hasOwn(HYBRIDS, modelType) ? HYBRIDS[modelType]?.(values, sizes) : undefined;
    const towers = Object.hasOwn(TOWERS, this.rootType)
      ? TOWERS[this.rootType]?.(this.root, sizes.hidden ?? 0)
      : undefined;
    const unnormed = modelType === 'opt' && values.flag('do_layer_norm_before') === false;
    return {
      ...LLAMA_TRAITS,
      ...family.traits,
      ...this.biases(),
      ...(unnormed ? { finalNorm: false } : {}),
      ...(modelType === 'falcon' ? { normsPerLayer: this.falconNorms() } : {}),
      ...this.queryKeyNorm(),
      family: modelType,
      positionRows: this.positionRows(),
      embeddingWidth: modelType === 'opt' ? (values.read('word_embed_proj_dim')?.value ?? null) : null,
      latent: this.latent(),
      windows: this.windows(),
      moe,
      ...hybrid,
      beside: towers ?? [],
    };
  }

  /** Rows of the learned table of positions, with rows of the embedding that no key states. */
  private positionRows(): number {
    const { positions, extraRows = 0 } = this.family;
    const { maxSeqLen } = this.values.reader.builder.sizes;
    if (positions === undefined) return extraRows;
    return (maxSeqLen ?? 0) + (positions === 'learned' ? 0 : positions) + extraRows;
  }

  private biases(): Partial<Traits> {
    const { family, modelType, values } = this;
    const attention = values.flag('attention_bias');
    const mlp = values.flag('mlp_bias');
    const result: { qkvBias?: boolean; outBias?: boolean; mlpBias?: boolean; headBias?: boolean } = {};
    if (modelType === 'stablelm') return { qkvBias: values.flag('use_qkv_bias') ?? false };
    if (modelType === 'starcoder2' && values.flag('use_bias') === false)
      return { qkvBias: false, outBias: false, mlpBias: false };
    if (modelType === 'falcon' && values.flag('bias') === true) return { qkvBias: true, outBias: true, mlpBias: true };
    if (modelType === 'chatglm') return { qkvBias: values.flag('add_qkv_bias') ?? false };
    // The classes of these families do not look at the flag, or only for queries, keys and values.
    const queriesOnly = ['glm', 'glm4', 'glm4_moe', 'mimo', 'seed_oss'].includes(modelType);
    if (attention !== null && !['gpt_oss', 'gpt_neox'].includes(modelType)) {
      result.qkvBias = attention;
      result.outBias = queriesOnly ? values.flag('attention_out_bias') === true : attention;
    } else if (attention === false) return { ...family.traits, qkvBias: false, outBias: false };
    if (mlp !== null) result.mlpBias = mlp;
    if (values.flag('lm_head_bias') === true) result.headBias = true;
    return result;
  }

  private queryKeyNorm(): Partial<Traits> {
    if (this.modelType === 'glm4_moe')
      return { qkNorm: this.values.flag('use_qk_norm') === true ? 'per-head' : 'none' };
    return this.modelType === 'meta' && this.values.flag('use_qk_norm') === true ? { qkNorm: 'per-head' } : {};
  }

  private falconNorms(): number {
    const newDecoder = this.values.flag('new_decoder_architecture') ?? false;
    const parallel = this.values.flag('parallel_attn') ?? true;
    return newDecoder || !parallel ? 2 : 1;
  }

  private latent(): LatentSizes | null {
    const { values } = this;
    const kvRank = values.read('kv_lora_rank')?.value;
    const nopeDim = values.read('qk_nope_head_dim')?.value;
    const valueDim = values.read('v_head_dim')?.value;
    if (kvRank === undefined || nopeDim === undefined || valueDim === undefined) return null;
    const ropeDim = values.int('qk_rope_head_dim', 64);
    return { queryRank: values.read('q_lora_rank')?.value ?? null, kvRank, nopeDim, ropeDim, valueDim };
  }

  private windows(): Traits['windows'] {
    const { values, modelType } = this;
    const window = values.read('sliding_window')?.value;
    const layers = Math.min(values.reader.builder.sizes.layers ?? 0, MOST_LAYERS);
    if (window === undefined || values.flag('use_sliding_window') === false) return null;
    const types = values.list('layer_types');
    if (types !== null) return types.slice(0, layers).map(type => (type === 'sliding_attention' ? window : null));
    if (!Object.hasOwn(FULL_EVERY, modelType)) return null;
    const every = values.read('sliding_window_pattern')?.value ?? FULL_EVERY[modelType] ?? 0;
    return Array.from({ length: layers }, (_, index) => (every > 0 && (index + 1) % every === 0 ? null : window));
  }

  private moe(): Partial<MoeTraits> {
    const { values, family } = this;
    const shared =
      values.read('shared_expert_intermediate_size', 0) ??
      values.read('moe_shared_expert_intermediate_size', 0) ??
      values.read('shared_intermediate_size', 0);
    const { experts } = values.reader.builder.sizes;
    // Some families have a number for each layer instead of a step.
    const frequencies = values.list('moe_layer_freq');
    const sharedWidth = shared?.value ?? null;
    const step =
      values.read('decoder_sparse_step') ??
      values.read('interleave_moe_layer_step') ??
      (frequencies === null ? values.read('moe_layer_freq') : null);
    return {
      firstDense: values.int('first_k_dense_replace', family.moe.firstDense ?? 0),
      step: step?.value ?? 1,
      denseLayers: frequencies === null ? values.numbers('mlp_only_layers') : zeros(frequencies),
      sharedWidth: experts === null || experts === 0 ? null : sharedWidth,
      latentWidth: values.read('moe_latent_size')?.value ?? null,
      denseWidth: values.read('intermediate_size_mlp')?.value ?? (experts === 0 ? sharedWidth : null),
    };
  }
}

/** Indices of the layers without experts. */
function zeros(frequencies: readonly unknown[]): number[] {
  return frequencies.flatMap((value, index) => (value === 0 ? [index] : []));
}
