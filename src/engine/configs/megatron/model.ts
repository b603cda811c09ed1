/**
 * The model that Megatron's options describe. Defaults are those of megatron/training/arguments.py: a feed-forward of
 * 4h (two thirds of it in steps of 64 where it is gated), as many kv heads as heads, tied embeddings, learned
 * positions, biases and LayerNorm.
 */
import type { LatentSizes } from '../../model/layer';
import { type ModelKey, SIZE_LIMITS } from '../../model/sizes';
import { LLAMA_TRAITS, type MoeTraits, type Traits } from '../../model/traits';
import { problem } from '../../problem';
import type { SetupBuilder } from '../../setup/setup';
import { evaluatePython } from '../python/evaluate';
import { plainPython } from '../python/value';
import type { MegatronArgs } from './args';
import { readVocabulary } from './vocabulary';

type Size = Exclude<ModelKey, 'name' | 'tied' | 'gatedMlp'>;

export function readModel(args: MegatronArgs, builder: SetupBuilder): void {
  new ModelReader(args, builder).read();
}

/** Whether the command is Megatron-DeepSpeed's, whose experts are counted by groups of layers. */
export function isDeepSpeed(args: MegatronArgs): boolean {
  return args.has('deepspeed') || args.has('deepspeed-config') || args.has('ds-sequence-parallel-size');
}

class ModelReader {
  constructor(
    private readonly args: MegatronArgs,
    private readonly builder: SetupBuilder,
  ) {}

  read(): void {
    const { args, builder } = this;
    this.sizes();
    this.experts();
    readVocabulary(args, builder);
    builder.setModel('tied', ...this.flag('untie-embeddings-and-output-weights', true));
    builder.traits = this.traits();
    this.notModelled();
  }

  /** A switch as a boolean with its origin; `inverted` where the option says the opposite. */
  private flag(
    name: string,
    inverted: boolean,
  ): [boolean | null, 'file' | 'default', ReturnType<MegatronArgs['place']>] {
    const on = this.args.on(name);
    return [on === null ? null : on !== inverted, this.args.has(name) ? 'file' : 'default', this.args.place(name)];
  }

  private sizes(): void {
    const { args, builder } = this;
    const hidden = this.size('hidden', 'hidden-size', null);
    const heads = this.size('heads', 'num-attention-heads', null);
    if (args.has('num-layers')) this.size('layers', 'num-layers', null);
    else this.size('layers', 'encoder-num-layers', null);
    this.size('maxSeqLen', 'max-position-embeddings', null);
    const gated = this.gated();
    builder.setModel('gatedMlp', gated, this.gatedFlag() === null ? 'default' : 'file', this.gatedFlag());
    this.size(
      'ffn',
      'ffn-hidden-size',
      hidden === null || gated === null ? null : defaultFfn(hidden, args.on('swiglu')),
    );
    this.kvHeads(heads);
    this.headDim(hidden, heads);
  }

  private gatedFlag() {
    return this.args.place('swiglu') ?? this.args.place('geglu') ?? this.args.place('quick-geglu');
  }

  private gated(): boolean | null {
    const values = ['swiglu', 'geglu', 'quick-geglu'].map(name => this.args.on(name));
    if (values.includes(true)) return true;
    return values.includes(null) ? null : false;
  }

  /** Without --group-query-attention the groups are ignored; with it, one group is argparse's default. */
  private kvHeads(heads: number | null): void {
    const grouped = this.args.on('group-query-attention');
    if (grouped === true) this.size('kvHeads', 'num-query-groups', 1, 'default');
    else if (grouped === false && heads !== null) this.builder.setModel('kvHeads', heads, 'derived');
  }

  private headDim(hidden: number | null, heads: number | null): void {
    const { args, builder } = this;
    const latent = this.latent();
    if (latent !== null) {
      builder.setModel('headDim', latent.nopeDim + latent.ropeDim, 'derived');
      return;
    }
    const whole = hidden !== null && heads !== null && hidden % heads === 0;
    if (!args.has('kv-channels') && hidden !== null && heads !== null && !whole) {
      const source = builder.fields.get('model.heads')?.source ?? null;
      args.problems.push(problem('hidden-heads', { hidden, heads }, { source }));
    }
    this.size('headDim', 'kv-channels', whole ? hidden / heads : null);
  }

  private experts(): void {
    const { args, builder } = this;
    const experts = this.size('experts', 'num-experts', null);
    if (experts === null) return;
    if (experts === 1 && isDeepSpeed(args)) {
      builder.setModel('experts', null, 'default');
      return;
    }
    if (isDeepSpeed(args)) this.size('topK', 'topk', 1, 'default');
    else this.size('topK', 'moe-router-topk', 2, 'default');
    const width = this.size('expertFfn', 'moe-ffn-hidden-size', builder.sizes.ffn);
    const shared = args.integer('moe-shared-expert-intermediate-size', 1, SIZE_LIMITS.ffn);
    if (shared !== null && width !== null) {
      builder.setModel('sharedExperts', Math.max(1, Math.round(shared.value / width)), 'derived', shared.source);
    }
  }

  private traits(): Traits {
    const { args, builder } = this;
    const bias = args.on('disable-bias-linear') !== true;
    const learned = this.positions() === 'learned_absolute';
    return {
      ...LLAMA_TRAITS,
      family: 'megatron',
      norm: args.text('normalization')?.value === 'RMSNorm' ? 'rms' : 'layer',
      embeddingNorm: args.on('embed-layernorm') === true,
      qkvBias: bias || args.on('add-qkv-bias') === true,
      outBias: bias,
      mlpBias: bias,
      qkNorm: args.on('qk-layernorm') === true && !args.has('multi-latent-attention') ? 'per-head' : 'none',
      sinks: args.text('softmax-type')?.value === 'learnable',
      positionRows: learned ? (builder.sizes.maxSeqLen ?? 0) : 0,
      latent: this.latent(),
      windows: this.windows(),
      moe: builder.sizes.experts === null ? LLAMA_TRAITS.moe : this.moe(bias),
    };
  }

  private positions(): string {
    if (this.args.on('use-rotary-position-embeddings') === true) return 'rope';
    return this.args.text('position-embedding-type')?.value ?? 'learned_absolute';
  }

  /** argparse's own defaults, which count before those of MLATransformerConfig. */
  private latent(): LatentSizes | null {
    const { args } = this;
    if (args.on('multi-latent-attention') !== true) return null;
    const size = (name: string, fallback: number) => args.integer(name, 1, SIZE_LIMITS.headDim)?.value ?? fallback;
    return {
      queryRank: args.integer('q-lora-rank', 1, SIZE_LIMITS.headDim)?.value ?? null,
      kvRank: size('kv-lora-rank', 32),
      nopeDim: size('qk-head-dim', 128),
      ropeDim: size('qk-pos-emb-head-dim', 64),
      valueDim: size('v-head-dim', 128),
    };
  }

  /** `--window-size 127,0` sees the token and 127 before it; every n-th layer of the skip frequency sees all. */
  private windows(): Traits['windows'] {
    const { args, builder } = this;
    const left = /^\(?(\d+),/.exec(args.text('window-size')?.value ?? '')?.[1];
    const { layers } = builder.sizes;
    if (left === undefined || layers === null) return null;
    const skip = args.text('window-attn-skip-freq')?.value;
    const every = skip === undefined ? null : Number(skip);
    const window = Number(left) + 1;
    return Array.from({ length: layers }, (_, index) => (every !== null && (index + 1) % every === 0 ? null : window));
  }

  private moe(bias: boolean): MoeTraits {
    const { args } = this;
    const common: MoeTraits = {
      ...LLAMA_TRAITS.moe,
      expertBias: bias,
      routerBias: bias && !isDeepSpeed(args),
      routerBuffer: args.on('moe-router-enable-expert-bias') === true,
      sharedWidth: args.integer('moe-shared-expert-intermediate-size', 1, SIZE_LIMITS.ffn)?.value ?? null,
      sharedGate: args.on('moe-shared-expert-gate') === true,
    };
    if (isDeepSpeed(args)) return { ...common, step: args.integer('expert-interval')?.value ?? 2 };
    return { ...common, denseLayers: this.denseLayers() };
  }

  /** A number n: layers 0, n, 2n … have experts. A list: 1 where a layer has. */
  private denseLayers(): number[] {
    const { layers } = this.builder.sizes;
    const written = this.args.text('moe-layer-freq');
    if (written === null || layers === null) return [];
    const value = plainPython(evaluatePython(written.value.replaceAll(/^['"]|['"]$/g, '')));
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1) {
      return range(layers).filter(index => index % value !== 0);
    }
    if (Array.isArray(value) && value.length === layers) return range(layers).filter(index => value[index] !== 1);
    this.args.invalid(
      'moe-layer-freq',
      `an integer or a list of ${layers} zeros and ones`,
      written.value,
      written.source,
    );
    return [];
  }

  private notModelled(): void {
    const { args } = this;
    const report = (what: string, flag: string) => {
      const name = `--${flag}`;
      args.problems.push(problem('not-modelled', { what, name }, { source: args.place(flag) }));
    };
    for (const flag of [
      'hybrid-layer-pattern',
      'hybrid-override-pattern',
      'language-model-type',
      'encoder-num-layers',
    ]) {
      if (args.has(flag)) report('model-option', flag);
    }
    if ((args.integer('mtp-num-layers', 0)?.value ?? 0) > 0) report('multi-token-prediction', 'mtp-num-layers');
  }

  /** Reads a size, else sets the fallback. An option that is there and cannot be used takes no fallback. */
  private size(
    key: Size,
    flag: string,
    fallback: number | null,
    origin: 'derived' | 'default' = 'derived',
  ): number | null {
    const { args, builder } = this;
    const read = args.integer(flag, 1, SIZE_LIMITS[key]);
    if (read !== null) builder.setModel(key, read.value, 'file', read.source);
    else if (!args.has(flag) && fallback !== null) builder.setModel(key, fallback, origin);
    return builder.sizes[key];
  }
}

function defaultFfn(hidden: number, swiglu: boolean | null): number {
  return swiglu === true ? Math.floor((4 * hidden * 2) / 3 / 64) * 64 : 4 * hidden;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
