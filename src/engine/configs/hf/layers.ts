/**
 * Families whose layers are not all alike: which kinds of layers there are, and which one each layer is. Counted as the
 * transformers classes build them.
 */
import type { LayerVariant } from '../../model/traits';
import { depthwise, gatedDelta, indexer, linear } from './parts';
import { STATE_SPACES } from './stateSpaces';
import { assign, everyLayer, type Hybrid, part, typesOf, variant } from './variants';

/** Qwen3-Next and Qwen3.5: three layers of the gated delta rule to one of attention with an output gate. */
const qwen3Next: Hybrid = (config, { hidden, heads, headDim, layers }) => {
  const h = hidden ?? 0;
  const valueHeads = config.int('linear_num_value_heads', 32);
  const keys = config.int('linear_num_key_heads', 16) * config.int('linear_key_head_dim', 128);
  const values = valueHeads * config.int('linear_value_head_dim', 128);
  const delta = gatedDelta(h, keys, values, valueHeads, config.int('linear_conv_kernel_dim', 4));
  const interval = config.int('full_attention_interval', 4) || 1;
  const types = typesOf(config);
  const kinds = {
    full_attention: variant({ extra: [part('output gate', h * (heads ?? 0) * (headDim ?? 0))] }),
    linear_attention: variant({ attention: null, extra: [part('gated delta rule', delta)] }),
  };
  return assign(layers ?? 0, kinds, index =>
    (types[index] ?? ((index + 1) % interval === 0 ? 'full_attention' : '')) === 'full_attention'
      ? 'full_attention'
      : 'linear_attention',
  );
};

/** DeepSeek-V3.2 and GLM-5: an indexer beside each latent attention. */
const sparseIndexer: Hybrid = (config, { hidden, layers }) => {
  const size = indexer(
    hidden ?? 0,
    config.int('q_lora_rank', 1536),
    config.int('index_n_heads', 64),
    config.int('index_head_dim', 128),
  );
  return everyLayer(layers ?? 0, [part('indexer', size)]);
};

/** DeepSeek-V4: one shared key-value head, compressed context, hyper-connections instead of residuals. */
const deepseekV4: Hybrid = (config, { hidden, heads, headDim, layers }) => {
  const [h, d, a] = [hidden ?? 0, headDim ?? 0, heads ?? 0];
  const rank = config.int('q_lora_rank', 1024);
  const groups = config.int('o_groups', 8) * config.int('o_lora_rank', 1024);
  const query = linear(h, rank, false) + rank + rank * a * d;
  const output = ((a * d) / config.int('o_groups', 8)) * groups + groups * h;
  const streams = config.int('hc_mult', 4);
  const mixes = (2 + streams) * streams;
  const connections = 2 * (mixes * streams * h + mixes + 3);
  const shared = part('shared-key attention', query + h * d + d + output + a);
  const always = [shared, part('hyper-connections', connections)];
  const width = config.int('index_head_dim', 128);
  const heads2 = config.int('index_n_heads', 64);
  const inner = 4 * h * width + 4 * 2 * width + width + rank * heads2 * width + h * heads2;
  const sparse = part('compressed sparse attention', 4 * h * d + 4 * 2 * d + d + inner);
  const heavy = part('heavily compressed attention', 2 * h * d + 128 * d + d);
  const ratios = config.numbers('compress_ratios');
  const kinds = {
    sliding: variant({ attention: null, extra: always }),
    sparse: variant({ attention: null, extra: [...always, sparse] }),
    heavy: variant({ attention: null, extra: [...always, heavy] }),
  };
  return assign(layers ?? 0, kinds, index => ({ 4: 'sparse', 128: 'heavy' })[ratios[index] ?? 0] ?? 'sliding');
};

/** Gemma 4: wider heads and keys that serve as values in global layers; experts beside the dense feed-forward. */
const gemma4: Hybrid = (config, { hidden, layers, ffn, kvHeads, headDim }) => {
  const h = hidden ?? 0;
  const count = layers ?? 0;
  const types = typesOf(config);
  const isMoe = config.flag('enable_moe_block') === true;
  const perLayer = config.int('hidden_size_per_layer_input', 256);
  const experts = config.int('num_experts', 0);
  const dense = part('dense feed-forward', 3 * h * (ffn ?? 0));
  const extra = [
    ...(isMoe ? [dense, part('router scales', h + experts)] : []),
    ...(perLayer > 0 ? [part('per-layer input', 2 * h * perLayer + h)] : []),
  ];
  const base = { feedForward: isMoe ? 'moe' : 'dense', norms: isMoe ? 7 : 4, extra } as const;
  const valueIsKey = config.flag('attention_k_eq_v') === true;
  const global = {
    headDim: config.int('global_head_dim', 512),
    kvHeads: valueIsKey ? config.int('num_global_key_value_heads', kvHeads ?? 1) : (kvHeads ?? 1),
    valueIsKey,
  };
  const firstShared = count - config.int('num_kv_shared_layers', 0);
  const wide = config.flag('use_double_wide_mlp') === true ? { width: 2 * (ffn ?? 0) } : {};
  const borrowed = { kvHeads: 0, qkNorm: 'query' } as const;
  const kinds = {
    sliding: variant(base),
    global: variant({ ...base, attention: global }),
    slidingShared: variant({ ...base, ...wide, attention: { ...borrowed, headDim: headDim ?? 256 } }),
    globalShared: variant({ ...base, ...wide, attention: { ...global, ...borrowed } }),
  };
  return assign(count, kinds, index => {
    const kind = (types[index] ?? ((index + 1) % 6 === 0 ? 'full_attention' : '')) === 'full_attention';
    return `${kind ? 'global' : 'sliding'}${index >= firstShared && firstShared > 0 ? 'Shared' : ''}`;
  });
};

/** Nemotron-NAS: each layer has its own number of kv heads and width, or leaves attention or feed-forward out. */
const nemotronNas: Hybrid = (config, { hidden, heads, layers }) => {
  const blocks = config.list('block_configs') ?? [];
  const variants = blocks.map(block => nasVariant(block as NasBlock, hidden ?? 0, heads ?? 0));
  const keys = variants.map(one => JSON.stringify(one));
  const kinds = Object.fromEntries(keys.map((key, index) => [key, variants[index] ?? variant({})]));
  return assign(Math.min(layers ?? 0, blocks.length), kinds, index => keys[index] ?? '');
};

interface NasBlock {
  readonly attention?: {
    readonly no_op?: unknown;
    readonly replace_with_linear?: unknown;
    readonly n_heads_in_group?: unknown;
  };
  readonly ffn?: { readonly no_op?: unknown; readonly replace_with_linear?: unknown; readonly ffn_mult?: unknown };
}

function nasVariant(block: NasBlock | null, hidden: number, heads: number): LayerVariant {
  const { attention = {}, ffn = {} } = block ?? {};
  const group = typeof attention.n_heads_in_group === 'number' ? attention.n_heads_in_group : null;
  const multiple = typeof ffn.ffn_mult === 'number' ? ffn.ffn_mult : null;
  const square = (what: string) => [part(what, hidden * hidden)];
  return variant({
    attention: group === null ? null : { kvHeads: heads / group },
    feedForward: multiple === null ? 'none' : 'dense',
    width: multiple === null ? null : 256 * Math.ceil(Math.floor((2 * multiple * hidden) / 3) / 256),
    norms: Number(attention.no_op !== true) + Number(ffn.no_op !== true),
    extra: [
      ...(attention.replace_with_linear === true ? square('linear attention') : []),
      ...(ffn.replace_with_linear === true ? square('linear feed-forward') : []),
    ],
  });
}

/** LFM2: gated short convolutions, attention between them. */
const lfm2: Hybrid = (config, { hidden, layers }) => {
  const h = hidden ?? 0;
  const bias = config.flag('conv_bias') === true;
  const convolution = linear(h, 3 * h, bias) + depthwise(h, config.int('conv_L_cache', 3), bias) + linear(h, h, bias);
  const types = typesOf(config);
  const full = config.list('full_attn_idxs');
  const kinds = {
    attention: variant({}),
    convolution: variant({ attention: null, extra: [part('short convolution', convolution)] }),
  };
  const isFull = (index: number) =>
    types.length > 0 ? types[index] === 'full_attention' : (full?.includes(index) ?? true);
  return assign(layers ?? 0, kinds, index => (isFull(index) ? 'attention' : 'convolution'));
};

/** MiniMax-01: lightning attention, whose heads all have keys, with an output gate and a norm. */
const minimax: Hybrid = (config, { hidden, heads, headDim, layers }) => {
  const width = (heads ?? 0) * (headDim ?? 0);
  const lightning = 5 * (hidden ?? 0) * width + width;
  const types = typesOf(config);
  const numbers = config.numbers('attn_type_list');
  const kinds = {
    full: variant({}),
    linear: variant({ attention: null, extra: [part('lightning attention', lightning)] }),
  };
  return assign(layers ?? 0, kinds, index =>
    types[index] === 'full_attention' || numbers[index] === 1 || (types.length === 0 && index % 2 === 1)
      ? 'full'
      : 'linear',
  );
};

/** Llama 3.2 vision: some layers look at the image instead of the text. */
const mllama: Hybrid = (config, { headDim, layers }) => {
  const crossing = config.list('cross_attention_layers') ?? [3, 8, 13, 18, 23, 28, 33, 38];
  const kinds = {
    self: variant({}),
    cross: variant({ attention: { qkNorm: 'per-head', headDim: headDim ?? 0 }, extra: [part('gates', 2)] }),
  };
  return assign(layers ?? 0, kinds, index => (crossing.includes(index) ? 'cross' : 'self'));
};

/** T5's decoder: each layer also attends to the encoder, behind a norm of its own. */
const t5: Hybrid = (config, { hidden, layers }) => {
  const inner = config.int('num_heads', 8) * config.int('d_kv', 64);
  return everyLayer(layers ?? 0, [part('cross attention', 4 * (hidden ?? 0) * inner)], { norms: 3 });
};

/** Whisper's decoder: keys without bias, and attention to the encoder. */
const whisper: Hybrid = (_config, { hidden, layers }) => {
  const h = hidden ?? 0;
  return everyLayer(layers ?? 0, [part('cross attention', 4 * h * h + 3 * h), part('no key bias', -h)], { norms: 3 });
};

/** By model_type of the decoder's config. */
export const HYBRIDS: Readonly<Record<string, Hybrid>> = {
  ...STATE_SPACES,
  qwen3_next: qwen3Next,
  qwen3_5: qwen3Next,
  qwen3_5_text: qwen3Next,
  qwen3_5_moe: qwen3Next,
  qwen3_5_moe_text: qwen3Next,
  deepseek_v32: sparseIndexer,
  glm_moe_dsa: sparseIndexer,
  deepseek_v4: deepseekV4,
  gemma4: gemma4,
  gemma4_text: gemma4,
  'nemotron-nas': nemotronNas,
  deci: nemotronNas,
  lfm2,
  lfm2_moe: lfm2,
  minimax,
  mllama,
  mllama_text_model: mllama,
  t5,
  whisper,
};
