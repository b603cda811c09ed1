/** The sizes that a config.json states, and for absent ones the values that its class has. */
import { SIZE_LIMITS } from '../../model/sizes';
import { problem } from '../../problem';
import type { Origin } from '../../setup/setup';
import { nodeAt } from '../tree';
import type { Family, SizeKey } from './family';
import { NESTED_DEFAULTS } from './families';
import type { Values } from './values';

export class Sizes {
  private readonly defaults: Family['defaults'];

  constructor(
    private readonly values: Values,
    private readonly family: Family,
    private readonly modelType: string,
  ) {
    const nested = values.path.length > 0 && Object.hasOwn(NESTED_DEFAULTS, modelType);
    this.defaults = nested ? { ...NESTED_DEFAULTS[modelType], ...family.defaults } : family.defaults;
  }

  read(): void {
    const { defaults } = this;
    const { builder } = this.values.reader;
    const hidden = this.size('hidden', defaults.hidden ?? null);
    const heads = this.size('heads', defaults.heads ?? null);
    this.size('layers', this.patternLayers() ?? defaults.layers ?? null);
    this.size('vocab', defaults.vocab ?? null);
    this.size('maxSeqLen', defaults.maxSeqLen ?? null);
    this.size('ffn', this.defaultFfn(hidden));
    this.size('kvHeads', this.defaultKvHeads(heads));
    this.size('headDim', this.defaultHeadDim(hidden, heads));
    this.readExperts();
    if (builder.sizes.ffn === null && defaults.ffn === 'expertFfn') {
      builder.setModel('ffn', builder.sizes.expertFfn, 'derived');
    }
    this.adjustFfn();
    this.readTied();
    builder.setModel('gatedMlp', this.gated(), 'derived');
  }

  /** A hybrid's pattern has a letter, or a word, for each layer. */
  private patternLayers(): number | null {
    const { values } = this;
    const list = values.list('layers_block_type') ?? values.list('block_configs');
    return values.text('hybrid_override_pattern')?.length ?? list?.length ?? null;
  }

  private defaultFfn(hidden: number | null): number | null {
    const { ffn } = this.defaults;
    if (this.modelType === 'meta' && hidden !== null) return this.metaFfn(hidden);
    if (typeof ffn === 'number') return ffn;
    if (ffn !== '4·hidden' || hidden === null) return null;
    return this.expandedFfn(hidden);
  }

  /** A ratio, whole or not, whose product with h must be whole (mosaicml/llm-foundry, models/layers/ffn.py:117). */
  private expandedFfn(hidden: number): number | null {
    const { reader, path } = this.values;
    const ratio = reader.number([...path, 'expansion_ratio'], 0);
    const width = (ratio?.value ?? 4) * hidden;
    if (Number.isInteger(width)) return width;
    const args = { key: 'expansion_ratio', expected: `a whole number times ${hidden}`, value: ratio?.value ?? null };
    const rule = 'mosaicml/llm-foundry@8c8dd48f llmfoundry/models/layers/ffn.py:117';
    reader.problems.push(problem('value-invalid', args, { source: ratio?.source ?? null, rule }));
    return null;
  }

  /** Llama's own rule (llama/model.py): two thirds of 4h, scaled, rounded up to a multiple. */
  private metaFfn(hidden: number): number {
    const scale = this.values.reader.number([...this.values.path, 'ffn_dim_multiplier'], 0)?.value ?? 1;
    const multiple = this.values.int('multiple_of', 256) || 1;
    return multiple * Math.ceil(Math.floor(scale * Math.floor((8 * hidden) / 3)) / multiple);
  }

  /** Families that state a width from which the real one follows. */
  private adjustFfn(): void {
    const { builder } = this.values.reader;
    const { ffn } = builder.sizes;
    if (ffn === null) return;
    if (this.family.doubledFfn === true) this.derive('ffn', ffn / 2);
    const adjusts = this.modelType.startsWith('lfm2') && this.values.flag('block_auto_adjust_ff_dim') !== false;
    if (adjusts && this.values.read('block_ff_dim') !== null) {
      const multiple = this.values.int('block_multiple_of', 256) || 1;
      this.derive('ffn', multiple * Math.ceil(Math.floor((2 * ffn) / 3) / multiple));
    }
  }

  private derive(key: SizeKey, value: number): void {
    const { builder } = this.values.reader;
    builder.setModel(key, value, 'derived', builder.fields.get(`model.${key}`)?.source ?? null);
  }

  private defaultKvHeads(heads: number | null): number | null {
    const { kvHeads } = this.defaults;
    if (this.modelType === 'falcon') return this.falconKvHeads(heads);
    if (this.modelType === 'gpt_bigcode' && this.values.flag('multi_query') === false) return heads;
    return kvHeads === 'heads' ? heads : kvHeads;
  }

  /** Falcon without num_kv_heads: one where multi_query holds and the decoder is the old one, else all heads. */
  private falconKvHeads(heads: number | null): number | null {
    const newDecoder = this.values.flag('new_decoder_architecture') ?? false;
    return !newDecoder && (this.values.flag('multi_query') ?? true) ? 1 : heads;
  }

  private defaultHeadDim(hidden: number | null, heads: number | null): number | null {
    const { headDim } = this.defaults;
    const rope = this.values.read('qk_rope_head_dim')?.value ?? 64;
    const nope = this.values.read('qk_nope_head_dim')?.value;
    if (nope !== undefined && this.values.read('kv_lora_rank') !== null) return nope + rope;
    if (headDim !== 'hidden/heads') return headDim;
    if (hidden === null || heads === null) return null;
    if (hidden % heads !== 0) {
      if (this.values.read('head_dim') !== null) return null;
      const { builder, problems } = this.values.reader;
      problems.push(
        problem('hidden-heads', { hidden, heads }, { source: builder.fields.get('model.heads')?.source ?? null }),
      );
      return null;
    }
    return hidden / heads;
  }

  private readExperts(): void {
    const { defaults } = this;
    const { builder } = this.values.reader;
    const experts = this.size('experts', defaults.experts ?? null, 0);
    if (experts === null || experts === 0) return;
    this.size('topK', defaults.topK ?? null);
    this.size('expertFfn', defaults.expertFfn === 'ffn' ? builder.sizes.ffn : (defaults.expertFfn ?? null));
    const shared = this.values.int('shared_expert_intermediate_size', 0) === 0 ? (defaults.sharedExperts ?? 0) : 1;
    this.size('sharedExperts', shared, 0);
  }

  /** A composite's own word on tying counts where its text_config has none. */
  private readTied(): void {
    const { reader, path } = this.values;
    const tied = reader.boolean([...path, 'tie_word_embeddings']) ?? reader.boolean(['tie_word_embeddings']);
    if (this.family.alwaysTied === true) reader.builder.setModel('tied', true, 'derived');
    else if (tied !== null) reader.builder.setModel('tied', tied.value, 'file', tied.source);
    else reader.builder.setModel('tied', this.defaults.tied, 'default');
  }

  private gated(): boolean {
    if (this.modelType !== 't5') return this.family.gated;
    return this.values.text('feed_forward_proj')?.startsWith('gated') === true;
  }

  /** Reads a size under any of its keys, else sets the default. Returns the value. */
  private size(key: SizeKey, fallback: number | null, min = 1): number | null {
    const { builder } = this.values.reader;
    if (key === 'kvHeads' && this.values.flag('multi_query_attention') === false)
      return this.absent(key, builder.sizes.heads);
    for (const name of this.family.keys[key]) {
      const read = this.values.read(name, min, SIZE_LIMITS[key]);
      if (read !== null) {
        builder.setModel(key, read.value, 'file', read.source);
        return read.value;
      }
      if (this.isWritten(name)) return null;
    }
    return this.absent(key, fallback);
  }

  private absent(key: SizeKey, fallback: number | null): number | null {
    const computed: readonly SizeKey[] = ['ffn', 'headDim', 'kvHeads'];
    const origin: Origin =
      computed.includes(key) && typeof this.defaults[key as 'ffn'] !== 'number' ? 'derived' : 'default';
    this.values.reader.builder.setModel(key, fallback, origin);
    return fallback;
  }

  /** A key that is there with a value that cannot be used: it has been reported and takes no default. */
  private isWritten(name: string): boolean {
    const node = nodeAt(this.values.reader.root, ...this.values.path, ...name.split('.'));
    return node !== null && !(node.kind === 'scalar' && node.value === null);
  }
}
