/**
 * Families of decoders with gated feed-forwards and RMS norms, by model_type: data. A family that is in no table is read
 * with the keys of Llama, and the reader says so.
 */
import { CLASSICS } from './classics';
import { type Family, family, LLAMA } from './family';

const LLAMA_SIZES = { hidden: 4096, layers: 32, heads: 32, ffn: 11008, vocab: 32000, maxSeqLen: 2048 };
const MIXTRAL = family({ defaults: { kvHeads: 8, experts: 8, topK: 2, expertFfn: 'ffn' } });
const QWEN2 = family({ traits: { qkvBias: true } });
const QWEN3 = family({ defaults: { headDim: 128 }, traits: { qkNorm: 'per-head' } });
const QWEN3_MOE = family(
  { defaults: { kvHeads: 4, headDim: 'hidden/heads', experts: 128, topK: 8, expertFfn: 768 } },
  QWEN3,
);
const QWEN3_NEXT = family(
  {
    defaults: { kvHeads: 2, headDim: 256, experts: 512, topK: 10, expertFfn: 512, ffn: 'expertFfn' },
    moe: { sharedGate: true },
  },
  QWEN3,
);
const QWEN35 = family({ defaults: { kvHeads: 4, headDim: 256 } }, QWEN3);
const GEMMA = family({ defaults: { kvHeads: 16, headDim: 256, tied: true } });
const GEMMA3 = family(
  {
    defaults: { kvHeads: 4, heads: 8, vocab: 262208, hidden: 2304, layers: 26, ffn: 9216, maxSeqLen: 131072 },
    traits: { normsPerLayer: 4, qkNorm: 'per-head' },
  },
  GEMMA,
);
const GEMMA4 = family(
  {
    keys: { topK: ['top_k_experts', 'num_experts_per_tok'] },
    defaults: { kvHeads: 4, heads: 8, vocab: 262144, hidden: 2304, layers: 30, ffn: 9216 },
    traits: { qkNorm: 'per-head' },
  },
  GEMMA,
);
const DEEPSEEK = family({ defaults: { kvHeads: 'heads' } });
const DEEPSEEK3 = family({ moe: { routerBuffer: true } }, DEEPSEEK);
const OLMO2 = family({ traits: { qkNorm: 'full' } });
const LLAMA4 = family({
  defaults: { kvHeads: 8, headDim: 128, experts: 16, topK: 1, expertFfn: 'ffn', sharedExperts: 1, vocab: 202048 },
});
const MLLAMA = family({ defaults: { kvHeads: 8, vocab: 128256 }, extraRows: 8 });
const GRANITE_MOE = family({ defaults: { kvHeads: 'heads', expertFfn: 'ffn' } });
const CHATGLM = family({
  keys: {
    layers: ['num_layers', 'num_hidden_layers'],
    ffn: ['ffn_hidden_size'],
    kvHeads: ['multi_query_group_num'],
    headDim: ['kv_channels'],
    vocab: ['padded_vocab_size', 'vocab_size'],
    maxSeqLen: ['seq_length'],
  },
  traits: { qkvBias: true },
});
const LFM2 = family({
  keys: { ffn: ['intermediate_size', 'block_ff_dim'], kvHeads: ['num_key_value_heads', 'num_heads'] },
  defaults: { kvHeads: 8, tied: true },
  traits: { qkNorm: 'per-head' },
});

/** By model_type. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  ...CLASSICS,
  llama: LLAMA,
  mistral: family({ defaults: { kvHeads: 8 } }),
  mistral3: family({ defaults: { kvHeads: 8 } }),
  ministral: family({ defaults: { kvHeads: 8 } }),
  ministral3: family({ defaults: { kvHeads: 8 } }),
  mixtral: MIXTRAL,
  minimax: family({ defaults: { kvHeads: 8 } }, MIXTRAL),
  minimax_m2: family(
    { defaults: { experts: 256, topK: 8 }, traits: { qkNorm: 'full' }, moe: { routerBuffer: true } },
    MIXTRAL,
  ),
  qwen2: QWEN2,
  qwen2_vl: QWEN2,
  qwen2_vl_text: QWEN2,
  qwen2_5_vl: QWEN2,
  qwen2_5_vl_text: QWEN2,
  qwen2_5_omni: QWEN2,
  qwen2_5_omni_text: QWEN2,
  mimo: family({ inexact: 'remote-code' }, QWEN2),
  qwen3: QWEN3,
  qwen3_vl: QWEN3,
  qwen3_vl_text: QWEN3,
  qwen2_moe: family({ defaults: { kvHeads: 16, experts: 60, topK: 4 }, moe: { sharedGate: true } }, QWEN2),
  qwen3_moe: QWEN3_MOE,
  qwen3_vl_moe: QWEN3_MOE,
  qwen3_vl_moe_text: QWEN3_MOE,
  qwen3_next: QWEN3_NEXT,
  qwen3_5: QWEN35,
  qwen3_5_text: QWEN35,
  qwen3_5_moe: family({ defaults: { experts: 256, topK: 8 } }, QWEN3_NEXT),
  qwen3_5_moe_text: family({ defaults: { experts: 256, topK: 8 } }, QWEN3_NEXT),
  gemma: GEMMA,
  gemma2: family({ defaults: { kvHeads: 4 }, traits: { normsPerLayer: 4 } }, GEMMA),
  gemma3: GEMMA3,
  gemma3_text: GEMMA3,
  gemma4: GEMMA4,
  gemma4_text: GEMMA4,
  phi3: LLAMA,
  phimoe: family({ defaults: { experts: 16 }, traits: { norm: 'layer' } }, MIXTRAL),
  granite: family({ defaults: { tied: false } }),
  granitemoe: GRANITE_MOE,
  granitemoeshared: family({ keys: { sharedExperts: [] } }, GRANITE_MOE),
  granitemoehybrid: GRANITE_MOE,
  smollm3: family({ defaults: { kvHeads: 4, tied: true } }),
  seed_oss: family({ defaults: { kvHeads: 8, headDim: 128 }, traits: { qkvBias: true } }),
  exaone4: family({ defaults: { headDim: 128 }, traits: { qkNorm: 'per-head' } }),
  olmo: family({ traits: { norm: 'none' } }),
  olmo2: OLMO2,
  olmo3: OLMO2,
  olmoe: family({ defaults: { kvHeads: 16, experts: 64, topK: 8, expertFfn: 'ffn' }, traits: { qkNorm: 'full' } }),
  glm: family({ defaults: { kvHeads: 2, headDim: 128 }, traits: { qkvBias: true } }),
  glm4: family({ defaults: { kvHeads: 2, headDim: 128 }, traits: { normsPerLayer: 4, qkvBias: true } }),
  glm4_moe: family({
    defaults: { kvHeads: 8, headDim: 128, experts: 128, topK: 8, expertFfn: 1408, sharedExperts: 1 },
    moe: { routerBuffer: true, firstDense: 1 },
  }),
  chatglm: CHATGLM,
  baichuan: family({ inexact: 'remote-code' }),
  minicpm: family({ inexact: 'remote-code', defaults: { tied: true } }),
  minicpmv: family({ inexact: 'text-only' }, QWEN2),
  internlm2: family({ inexact: 'remote-code' }),
  internlm3: family({ inexact: 'remote-code' }),
  yuan: family({ inexact: 'remote-code', defaults: { tied: true } }),
  gla: family({ keys: { heads: ['num_heads'] }, inexact: 'remote-code' }),
  qwen: family({
    keys: { headDim: ['kv_channels'], maxSeqLen: ['max_position_embeddings', 'seq_length'] },
    traits: { qkvBias: true },
    doubledFfn: true,
  }),
  molmo: family({
    keys: { vocab: ['embedding_size', 'vocab_size'] },
    traits: { qkvBias: true },
    doubledFfn: true,
    inexact: 'text-only',
  }),
  cohere: family({ defaults: { tied: true }, traits: { norm: 'layer-no-bias', normsPerLayer: 1 } }),
  cohere2: family({ defaults: { tied: true }, traits: { norm: 'layer-no-bias', normsPerLayer: 1 } }),
  gpt_oss: family({
    defaults: { kvHeads: 8, headDim: 64, experts: 128, topK: 4, expertFfn: 'ffn', vocab: 201088 },
    traits: { qkvBias: true, outBias: true, sinks: true },
    moe: { expertBias: true, routerBias: true },
  }),
  deepseek_v2: DEEPSEEK,
  deepseek_v3: DEEPSEEK3,
  deepseek_v32: DEEPSEEK3,
  deepseek_v4: family({ defaults: { headDim: 512, ffn: 'expertFfn', kvHeads: 1 }, moe: { routerBuffer: true } }),
  glm_moe_dsa: family({ moe: { firstDense: 3 } }, DEEPSEEK3),
  kimi_k2: DEEPSEEK3,
  llama4: LLAMA4,
  llama4_text: LLAMA4,
  mllama: MLLAMA,
  mllama_text_model: MLLAMA,
  jamba: family({
    defaults: {
      hidden: 4096,
      layers: 32,
      heads: 32,
      kvHeads: 8,
      ffn: 14336,
      vocab: 65536,
      maxSeqLen: 262144,
      experts: 16,
      topK: 2,
      expertFfn: 'ffn',
    },
  }),
  meta: family({
    keys: {
      layers: ['n_layers'],
      hidden: ['dim'],
      heads: ['n_heads'],
      kvHeads: ['n_kv_heads'],
      ffn: ['hidden_dim'],
      maxSeqLen: ['max_seq_len'],
    },
  }),
  'nemotron-nas': family({ defaults: { ffn: '4·hidden' } }),
  deci: family({ defaults: { ffn: '4·hidden' } }),
  lfm2: LFM2,
  lfm2_moe: LFM2,
  nemotron_h: family({
    gated: false,
    keys: { ffn: ['intermediate_size'] },
    defaults: { kvHeads: 8, headDim: 128, ffn: 'expertFfn' },
    moe: { routerBuffer: true },
  }),
};

/** Sizes that a text_config leaves to its class: composite models name only what differs. */
export const NESTED_DEFAULTS: Readonly<Record<string, Family['defaults']>> = {
  llama: { ...LLAMA.defaults, ...LLAMA_SIZES },
  mistral: { ...LLAMA.defaults, ...LLAMA_SIZES, kvHeads: 8, ffn: 14336, maxSeqLen: 131072 },
  qwen2: { ...LLAMA.defaults, ...LLAMA_SIZES, kvHeads: 32, ffn: 22016, vocab: 151936, maxSeqLen: 32768 },
};

/** The family of a model_type, and whether a table knows it. */
export function familyOf(modelType: string): { family: Family; known: boolean } {
  const known = Object.hasOwn(FAMILIES, modelType);
  return { family: known ? FAMILIES[modelType] : LLAMA, known };
}
