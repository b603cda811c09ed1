/** Hybrids of Mamba and attention, and Mamba alone. */
import { mamba1, mamba2 } from './parts';
import { assign, everyLayer, type Hybrid, part, typesOf, variant } from './variants';

/** Nemotron-H: each layer is one thing alone, M a Mamba-2 mixer, * attention, - an MLP, E experts. */
const nemotronH: Hybrid = (config, { hidden, layers }) => {
  const size = mamba2({
    hidden: hidden ?? 0,
    heads: config.int('mamba_num_heads', 128),
    inner: config.int('mamba_num_heads', 128) * config.int('mamba_head_dim', 64),
    groups: config.int('n_groups', 8),
    state: config.int('ssm_state_size', 128),
    kernel: config.int('conv_kernel', 4),
    bias: config.flag('use_bias') === true || config.flag('mamba_proj_bias') === true,
    convolutionBias: config.flag('use_conv_bias') !== false,
  });
  const letters = { mamba: 'M', attention: '*', mlp: '-', moe: 'E' } as const;
  const words = config.list('layers_block_type')?.map(word => letters[word as keyof typeof letters] ?? '-');
  const pattern = config.text('hybrid_override_pattern') ?? words ?? '';
  const alone = { norms: 1, attention: null } as const;
  const kinds = {
    M: variant({ ...alone, feedForward: 'none', extra: [part('mamba2', size)] }),
    '*': variant({ norms: 1, feedForward: 'none' }),
    '-': variant({ ...alone, feedForward: 'dense' }),
    E: variant({ ...alone, feedForward: 'moe' }),
  };
  return assign(layers ?? 0, kinds, index => pattern[index] ?? '-');
};

/** Jamba: Mamba with norms on its selection, attention and experts at their periods. */
const jamba: Hybrid = (config, { hidden, layers }) => {
  const h = hidden ?? 0;
  const size = mamba1({
    hidden: h,
    inner: h * config.int('mamba_expand', 2),
    state: config.int('mamba_d_state', 16),
    kernel: config.int('mamba_d_conv', 4),
    rank: config.int('mamba_dt_rank', Math.ceil(h / 16)),
    norms: true,
    bias: config.flag('mamba_proj_bias') === true,
    convolutionBias: config.flag('mamba_conv_bias') !== false,
  });
  const at = (index: number, what: string, period: number, offset: number) =>
    index % (config.int(`${what}_layer_period`, period) || 1) === config.int(`${what}_layer_offset`, offset);
  const mixer = { attention: null, extra: [part('mamba', size)] };
  const kinds = {
    attentionDense: variant({ feedForward: 'dense' }),
    attentionMoe: variant({ feedForward: 'moe' }),
    mambaDense: variant({ ...mixer, feedForward: 'dense' }),
    mambaMoe: variant({ ...mixer, feedForward: 'moe' }),
  };
  return assign(
    layers ?? 0,
    kinds,
    index => `${at(index, 'attn', 8, 4) ? 'attention' : 'mamba'}${at(index, 'expert', 2, 1) ? 'Moe' : 'Dense'}`,
  );
};

/** Mamba alone: one norm and one mixer a layer. */
const mamba: Hybrid = (config, { hidden, layers }) => {
  const h = hidden ?? 0;
  const size = mamba1({
    hidden: h,
    inner: config.int('intermediate_size', h * config.int('expand', 2)),
    state: config.int('state_size', 16),
    kernel: config.int('conv_kernel', 4),
    rank: config.int('time_step_rank', Math.ceil(h / 16)),
    norms: false,
    bias: config.flag('use_bias') === true,
    convolutionBias: config.flag('use_conv_bias') !== false,
  });
  return everyLayer(layers ?? 0, [part('mamba', size)], { attention: null, feedForward: 'none', norms: 1 });
};

const mambaTwo: Hybrid = (config, { hidden, layers }) => {
  const h = hidden ?? 0;
  const size = mamba2({
    hidden: h,
    heads: config.int('num_heads', 128),
    inner: h * config.int('expand', 2),
    groups: config.int('n_groups', 8),
    state: config.int('state_size', 128),
    kernel: config.int('conv_kernel', 4),
    bias: config.flag('use_bias') === true,
    convolutionBias: config.flag('use_conv_bias') !== false,
  });
  return everyLayer(layers ?? 0, [part('mamba2', size)], { attention: null, feedForward: 'none', norms: 1 });
};

/** Granite 4: Mamba-2 or attention, and a shared MLP beside the experts where there are any. */
const graniteHybrid: Hybrid = (config, { hidden, layers }) => {
  const h = hidden ?? 0;
  const size = mamba2({
    hidden: h,
    heads: config.int('mamba_n_heads', 128),
    inner: h * config.int('mamba_expand', 2),
    groups: config.int('mamba_n_groups', 1),
    state: config.int('mamba_d_state', 256),
    kernel: config.int('mamba_d_conv', 4),
    bias: config.flag('mamba_proj_bias') === true,
    convolutionBias: config.flag('mamba_conv_bias') !== false,
  });
  const types = typesOf(config);
  const kinds = {
    attention: variant({}),
    mamba: variant({ attention: null, extra: [part('mamba2', size)] }),
  };
  return assign(layers ?? 0, kinds, index => (types[index] === 'attention' ? 'attention' : 'mamba'));
};

/** By model_type. */
export const STATE_SPACES: Readonly<Record<string, Hybrid>> = {
  nemotron_h: nemotronH,
  jamba,
  mamba,
  falcon_mamba: mamba,
  mamba2: mambaTwo,
  granitemoehybrid: graniteHybrid,
};
