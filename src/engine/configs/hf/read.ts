/**
 * Hugging Face config.json: the sizes of a model, with the range of every value and a stated origin of every default.
 * The model's longest sequence is not the training sequence: a config.json sets no key of the plan.
 */
import { LLAMA_TRAITS, type LatentSizes, type MoeTraits, SIZE_LIMITS, type Traits } from '../../model/architecture';
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { ConfigReader, type Read } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { type Family, familyOf, type SizeKey } from './families';

/** Keys that hold the sizes of a text model inside a composite one. */
const NESTED = ['text_config', 'llm_config', 'language_config'];

const SIZE_HINTS = ['hidden_size', 'n_embd', 'd_model', 'num_hidden_layers', 'n_layer', 'n_layers', 'num_layers'];

/** Whether a tree is a model's config: a model_type together with its class or a size. */
export function isHfConfig(root: ConfigNode): boolean {
  if (nodeAt(root, 'model_type') === null) return false;
  const text = textConfig(root);
  const sized = SIZE_HINTS.some(key => nodeAt(root, ...text, key) !== null);
  return sized && (nodeAt(root, 'architectures') !== null || nodeAt(root, ...text, 'vocab_size') !== null);
}

function textConfig(root: ConfigNode): string[] {
  const nested = NESTED.find(key => nodeAt(root, key)?.kind === 'map' && nodeAt(root, key, 'hidden_size') !== null);
  return nested === undefined ? [] : [nested];
}

export function readHfConfig(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new HfReader(file, root, problems);
  reader.read();
  return reader.config.finish();
}

class HfReader {
  readonly config: ConfigReader;
  private readonly prefix: string[];
  private readonly family: Family;
  private readonly modelType: string;

  constructor(
    file: string,
    private readonly root: ConfigNode,
    problems: readonly Problem[],
  ) {
    this.config = new ConfigReader(file, 'hf', root, problems);
    this.prefix = textConfig(root);
    const type = this.text('model_type')?.value ?? this.config.text(['model_type'])?.value ?? '';
    const { family, known } = familyOf(type);
    this.modelType = type;
    this.family = family;
    if (!known) {
      const source = nodeAt(root, 'model_type')?.source ?? null;
      this.config.problems.push(problem('not-modelled', { what: 'model-type', name: type }, { source }));
    }
  }

  read(): void {
    const { builder } = this.config;
    const name = this.config.text(['_name_or_path']);
    if (name !== null && name.value !== '') builder.setModel('name', name.value, 'file', name.source);
    this.readSizes();
    this.readFlags();
    this.readExperts();
    builder.traits = this.traits();
  }

  private readSizes(): void {
    const { defaults } = this.family;
    const hidden = this.size('hidden', defaults.hidden ?? null);
    const heads = this.size('heads', defaults.heads ?? null);
    this.size('layers', defaults.layers ?? null);
    this.size('vocab', defaults.vocab ?? null);
    this.size('maxSeqLen', defaults.maxSeqLen ?? null);
    this.size('ffn', defaults.ffn === '4·hidden' && hidden !== null ? this.expansion() * hidden : null);
    this.size('kvHeads', this.defaultKvHeads(heads));
    this.size('headDim', this.defaultHeadDim(hidden, heads));
  }

  /** MPT states its feed-forward as a multiple of the width. */
  private expansion(): number {
    return this.config.integer([...this.prefix, 'expansion_ratio'])?.value ?? 4;
  }

  private defaultKvHeads(heads: number | null): number | null {
    const { kvHeads } = this.family.defaults;
    if (this.modelType === 'falcon') return this.falconKvHeads(heads);
    if (this.modelType === 'gpt_bigcode' && this.flag('multi_query') === false) return heads;
    return kvHeads === 'heads' ? heads : kvHeads;
  }

  /** Falcon without num_kv_heads: one where multi_query holds and the decoder is the old one, else all heads. */
  private falconKvHeads(heads: number | null): number | null {
    const newDecoder = this.flag('new_decoder_architecture') ?? false;
    return !newDecoder && (this.flag('multi_query') ?? true) ? 1 : heads;
  }

  private defaultHeadDim(hidden: number | null, heads: number | null): number | null {
    const latent = this.latent();
    if (latent !== null) return latent.nopeDim + latent.ropeDim;
    const { headDim } = this.family.defaults;
    if (headDim !== 'hidden/heads') return headDim;
    if (hidden === null || heads === null) return null;
    if (hidden % heads !== 0) {
      const source = this.config.builder.fields.get('model.heads')?.source ?? null;
      this.config.problems.push(problem('hidden-heads', { hidden, heads }, { source }));
      return null;
    }
    return hidden / heads;
  }

  private readFlags(): void {
    const { builder } = this.config;
    const tied =
      this.config.boolean([...this.prefix, 'tie_word_embeddings']) ?? this.config.boolean(['tie_word_embeddings']);
    if (tied !== null) builder.setModel('tied', tied.value, 'file', tied.source);
    else builder.setModel('tied', this.family.defaults.tied, 'default');
    builder.setModel('gatedMlp', this.family.gated, 'derived');
  }

  private readExperts(): void {
    const { builder } = this.config;
    const experts = this.size('experts', this.family.defaults.experts ?? null, 0);
    if (experts === null || experts === 0) return;
    this.size('topK', this.family.defaults.topK ?? null);
    const { ffn } = builder.sizes;
    this.size('expertFfn', this.family.defaults.expertFfn === 'ffn' ? ffn : null);
    this.size('sharedExperts', this.integer('shared_expert_intermediate_size') === null ? 0 : 1, 0);
  }

  private traits(): Traits {
    const { sizes } = this.config.builder;
    const opt = this.modelType === 'opt';
    const learned = ['gpt2', 'gpt_neo', 'gpt_bigcode'].includes(this.modelType);
    const projected = opt ? (this.integer('word_embed_proj_dim')?.value ?? null) : null;
    return {
      ...LLAMA_TRAITS,
      ...this.family.traits,
      ...this.biases(),
      ...(opt && this.flag('do_layer_norm_before') === false ? { finalNorm: false } : {}),
      ...(this.modelType === 'falcon' ? { normsPerLayer: this.falconNorms() } : {}),
      family: this.modelType,
      positionRows: learned ? (sizes.maxSeqLen ?? 0) : opt ? (sizes.maxSeqLen ?? 0) + 2 : 0,
      embeddingWidth: projected,
      latent: this.latent(),
      windows: this.windows(),
      moe: { ...LLAMA_TRAITS.moe, ...this.family.moe, ...this.moeTraits() },
    };
  }

  private biases(): Partial<Traits> {
    const { family, modelType } = this;
    const attention = this.flag('attention_bias');
    const mlp = this.flag('mlp_bias');
    const result: { qkvBias?: boolean; outBias?: boolean; mlpBias?: boolean } = {};
    if (modelType === 'stablelm') return { qkvBias: this.flag('use_qkv_bias') ?? false };
    if (modelType === 'starcoder2' && this.flag('use_bias') === false)
      return { qkvBias: false, outBias: false, mlpBias: false };
    if (modelType === 'falcon' && this.flag('bias') === true) return { qkvBias: true, outBias: true, mlpBias: true };
    if (attention !== null && !['gpt_oss', 'gpt_neox'].includes(modelType)) {
      result.qkvBias = attention;
      result.outBias = attention && modelType !== 'glm4';
    } else if (attention === false) return { ...family.traits, qkvBias: false, outBias: false };
    if (mlp !== null) result.mlpBias = mlp;
    return result;
  }

  private falconNorms(): number {
    const newDecoder = this.flag('new_decoder_architecture') ?? false;
    const parallel = this.flag('parallel_attn') ?? true;
    return newDecoder || !parallel ? 2 : 1;
  }

  private latent(): LatentSizes | null {
    const kvRank = this.integer('kv_lora_rank')?.value;
    const nopeDim = this.integer('qk_nope_head_dim')?.value;
    const ropeDim = this.integer('qk_rope_head_dim')?.value;
    const valueDim = this.integer('v_head_dim')?.value;
    if (kvRank === undefined || nopeDim === undefined || ropeDim === undefined || valueDim === undefined) return null;
    return { queryRank: this.integer('q_lora_rank')?.value ?? null, kvRank, nopeDim, ropeDim, valueDim };
  }

  private windows(): Traits['windows'] {
    const window = this.integer('sliding_window')?.value;
    const { layers } = this.config.builder.sizes;
    if (window === undefined || layers === null || this.flag('use_sliding_window') === false) return null;
    const types = plainValue(nodeAt(this.root, ...this.prefix, 'layer_types'));
    if (Array.isArray(types)) return types.slice(0, layers).map(type => (type === 'sliding_attention' ? window : null));
    return this.modelType === 'mistral' ? Array.from({ length: Math.min(layers, 4096) }, () => window) : null;
  }

  private moeTraits(): Partial<MoeTraits> {
    const dense = plainValue(nodeAt(this.root, ...this.prefix, 'mlp_only_layers'));
    const sharedWidth = this.integer('shared_expert_intermediate_size')?.value ?? null;
    return {
      firstDense: this.integer('first_k_dense_replace', 0)?.value ?? 0,
      step: this.integer('decoder_sparse_step')?.value ?? this.integer('moe_layer_freq')?.value ?? 1,
      denseLayers: Array.isArray(dense) ? dense.filter((layer): layer is number => typeof layer === 'number') : [],
      sharedWidth,
    };
  }

  /** Reads a size under any of its keys, else sets the default. Returns the value. */
  private size(key: SizeKey, fallback: number | null, min = 1): number | null {
    const { builder } = this.config;
    for (const name of this.family.keys[key]) {
      const read = this.integer(name, min, SIZE_LIMITS[key]);
      if (read !== null) {
        builder.setModel(key, read.value, 'file', read.source);
        return read.value;
      }
      if (this.isWritten(name)) return null;
    }
    const computed = key === 'ffn' || key === 'headDim' || key === 'kvHeads';
    builder.setModel(key, fallback, computed ? 'derived' : 'default');
    return fallback;
  }

  /** A key that is there with a value that cannot be used: it has been reported and takes no default. */
  private isWritten(name: string): boolean {
    const node = nodeAt(this.root, ...this.prefix, ...name.split('.'));
    return node !== null && !(node.kind === 'scalar' && node.value === null);
  }

  private integer(name: string, min = 1, max = SIZE_LIMITS.ffn): Read<number> | null {
    return this.config.integer([...this.prefix, ...name.split('.')], min, max);
  }

  private text(name: string): Read<string> | null {
    return this.config.text([...this.prefix, name]);
  }

  private flag(name: string): boolean | null {
    return this.config.boolean([...this.prefix, name])?.value ?? null;
  }
}
