/** Families with plain feed-forwards, LayerNorms and biases: GPT-2 and what followed it, encoders, encoder-decoders. */
import { type Change, type Family, family } from './family';

const GPT_STYLE: Change = {
  gated: false,
  traits: { norm: 'layer', qkvBias: true, outBias: true, mlpBias: true },
};

/** The oldest key names: n_embd, n_layer, n_head. */
const GPT2_KEYS: Partial<Family['keys']> = {
  layers: ['n_layer', 'num_hidden_layers'],
  hidden: ['n_embd', 'hidden_size'],
  heads: ['n_head', 'num_attention_heads'],
  ffn: ['n_inner'],
  maxSeqLen: ['n_positions'],
};

const GPT2 = family({
  ...GPT_STYLE,
  keys: GPT2_KEYS,
  defaults: { ffn: '4·hidden', vocab: 50257, maxSeqLen: 1024, tied: true },
  positions: 'learned',
});

const T5 = family({
  gated: false,
  keys: {
    layers: ['num_decoder_layers', 'num_layers'],
    hidden: ['d_model'],
    ffn: ['d_ff'],
    heads: ['num_heads'],
    headDim: ['d_kv'],
    maxSeqLen: ['n_positions'],
  },
  defaults: { vocab: 32128, headDim: 64, tied: true },
});

/** Encoders: norms after the layers, one norm over the embedding, no final norm. */
const BERT = family({
  ...GPT_STYLE,
  defaults: { hidden: 768, layers: 12, heads: 12, ffn: 3072, vocab: 30522, maxSeqLen: 512, tied: true },
  traits: { ...GPT_STYLE.traits, embeddingNorm: true, finalNorm: false },
  positions: 'learned',
});

const CLIP_TEXT = family({
  ...GPT_STYLE,
  defaults: { hidden: 512, layers: 12, heads: 8, ffn: 2048, vocab: 49408, maxSeqLen: 77, tied: true },
  positions: 'learned',
});

/** By model_type. */
export const CLASSICS: Readonly<Record<string, Family>> = {
  gpt2: GPT2,
  gpt_bigcode: family({ defaults: { kvHeads: 1 } }, GPT2),
  gptj: family({
    ...GPT_STYLE,
    keys: GPT2_KEYS,
    defaults: { ffn: '4·hidden', vocab: 50400, maxSeqLen: 2048 },
    traits: { norm: 'layer', normsPerLayer: 1, mlpBias: true, headBias: true },
  }),
  gpt_neo: family({
    ...GPT_STYLE,
    keys: { layers: ['num_layers'], heads: ['num_heads'] },
    defaults: { ffn: '4·hidden', vocab: 50257, maxSeqLen: 2048, tied: true },
    traits: { norm: 'layer', outBias: true, mlpBias: true },
    positions: 'learned',
  }),
  gpt_neox: family({ ...GPT_STYLE, defaults: { vocab: 50432 } }),
  opt: family({
    ...GPT_STYLE,
    keys: { ffn: ['ffn_dim'] },
    defaults: { vocab: 50272, maxSeqLen: 2048, tied: true },
    positions: 2,
  }),
  bloom: family({
    ...GPT_STYLE,
    keys: {
      layers: ['n_layer', 'num_hidden_layers'],
      hidden: ['hidden_size', 'n_embed'],
      heads: ['n_head', 'num_attention_heads'],
      ffn: [],
      maxSeqLen: ['seq_length'],
    },
    defaults: { ffn: '4·hidden', vocab: 250880, tied: true },
    traits: { ...GPT_STYLE.traits, embeddingNorm: true },
  }),
  falcon: family({
    gated: false,
    keys: {
      ffn: ['ffn_hidden_size'],
      kvHeads: ['num_kv_heads'],
      layers: ['num_hidden_layers', 'n_layer'],
      heads: ['num_attention_heads', 'n_head'],
    },
    defaults: { ffn: '4·hidden', vocab: 65024, tied: true },
    traits: { norm: 'layer' },
  }),
  mpt: family({
    gated: false,
    keys: {
      layers: ['n_layers'],
      hidden: ['d_model'],
      heads: ['n_heads'],
      maxSeqLen: ['max_seq_len'],
      kvHeads: ['attn_config.kv_n_heads'],
      ffn: [],
    },
    defaults: { ffn: '4·hidden', vocab: 50368, tied: true },
    traits: { norm: 'layer-no-bias' },
  }),
  dbrx: family({
    keys: {
      layers: ['n_layers'],
      hidden: ['d_model'],
      heads: ['n_heads'],
      maxSeqLen: ['max_seq_len'],
      kvHeads: ['attn_config.kv_n_heads'],
      ffn: ['ffn_config.ffn_hidden_size'],
      experts: ['ffn_config.moe_num_experts'],
      topK: ['ffn_config.moe_top_k'],
      expertFfn: [],
    },
    defaults: { kvHeads: 1, experts: 4, topK: 1, expertFfn: 'ffn' },
    traits: { norm: 'layer-no-bias' },
  }),
  phi: family({ ...GPT_STYLE, traits: { ...GPT_STYLE.traits, normsPerLayer: 1, headBias: true } }),
  stablelm: family({ traits: { norm: 'layer' } }),
  starcoder2: family({ ...GPT_STYLE, defaults: { kvHeads: 2, tied: true } }),
  nemotron: family({ gated: false, traits: { norm: 'layer' } }),
  mamba: family({ defaults: { heads: 1, kvHeads: 1, headDim: 1, ffn: '4·hidden', vocab: 50280, tied: true } }),
  mamba2: family({ defaults: { heads: 1, kvHeads: 1, headDim: 1, ffn: '4·hidden', vocab: 32768, tied: false } }),
  falcon_mamba: family({ defaults: { heads: 1, kvHeads: 1, headDim: 1, ffn: '4·hidden', vocab: 50280, tied: true } }),
  t5: family({ alwaysTied: true }, T5),
  decoder_only_t5: family({ inexact: 'remote-code' }, T5),
  whisper: family({
    ...GPT_STYLE,
    keys: {
      layers: ['decoder_layers', 'num_hidden_layers'],
      hidden: ['d_model'],
      ffn: ['decoder_ffn_dim'],
      heads: ['decoder_attention_heads'],
      maxSeqLen: ['max_target_positions'],
    },
    defaults: { vocab: 51865, maxSeqLen: 448, tied: true },
    positions: 'learned',
  }),
  bert: BERT,
  git: family(
    {
      defaults: { layers: 6, maxSeqLen: 1024 },
      traits: { headBias: true },
    },
    BERT,
  ),
  clip: CLIP_TEXT,
  clip_text_model: CLIP_TEXT,
};
