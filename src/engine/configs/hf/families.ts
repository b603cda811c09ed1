/**
 * What each family of Hugging Face models means by its config.json: data. Key names, the value of an absent key and
 * the structure that the class fixes, as printed from the classes of transformers 5.18.
 *
 * A family that is not in the table is read with the keys of Llama, and the reader says so.
 */
import type { MoeTraits, Traits } from '../../model/architecture';

export type SizeKey =
  | 'layers'
  | 'hidden'
  | 'ffn'
  | 'heads'
  | 'kvHeads'
  | 'headDim'
  | 'vocab'
  | 'maxSeqLen'
  | 'experts'
  | 'topK'
  | 'expertFfn'
  | 'sharedExperts';

export interface Family {
  /** Keys of config.json by meaning, the first that is present counts; dots descend. */
  readonly keys: Readonly<Record<SizeKey, readonly string[]>>;
  /** Values of absent keys. `heads`: as many kv heads as heads; `hidden/heads`: the quotient; a number: that. */
  readonly defaults: {
    readonly layers?: number;
    readonly hidden?: number;
    readonly vocab?: number;
    readonly maxSeqLen?: number;
    readonly heads?: number;
    readonly kvHeads: number | 'heads' | null;
    readonly headDim: number | 'hidden/heads';
    readonly ffn?: '4·hidden';
    readonly experts?: number;
    readonly topK?: number;
    readonly expertFfn?: 'ffn';
    readonly tied: boolean;
  };
  readonly gated: boolean;
  readonly traits: Partial<Omit<Traits, 'moe'>>;
  readonly moe: Partial<MoeTraits>;
}

const LLAMA_KEYS: Family['keys'] = {
  layers: ['num_hidden_layers'],
  hidden: ['hidden_size'],
  ffn: ['intermediate_size'],
  heads: ['num_attention_heads'],
  kvHeads: ['num_key_value_heads'],
  headDim: ['head_dim'],
  vocab: ['vocab_size'],
  maxSeqLen: ['max_position_embeddings'],
  experts: ['num_local_experts', 'num_experts', 'n_routed_experts'],
  topK: ['num_experts_per_tok'],
  expertFfn: ['moe_intermediate_size'],
  sharedExperts: ['n_shared_experts'],
};

const LLAMA: Family = {
  keys: LLAMA_KEYS,
  defaults: { kvHeads: 'heads', headDim: 'hidden/heads', tied: false },
  gated: true,
  traits: {},
  moe: {},
};

type Change = Partial<Omit<Family, 'keys' | 'defaults'>> & {
  keys?: Partial<Family['keys']>;
  defaults?: Partial<Family['defaults']>;
};

function family(change: Change, base: Family = LLAMA): Family {
  return {
    keys: { ...base.keys, ...change.keys },
    defaults: { ...base.defaults, ...change.defaults },
    gated: change.gated ?? base.gated,
    traits: { ...base.traits, ...change.traits },
    moe: { ...base.moe, ...change.moe },
  };
}

/** Plain MLP, LayerNorm with bias and biases everywhere: the style of GPT-2. */
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
});

const MIXTRAL = family({ defaults: { kvHeads: 8, experts: 8, topK: 2, expertFfn: 'ffn' } });
const QWEN2 = family({ traits: { qkvBias: true } });
const QWEN3 = family({ defaults: { headDim: 128 }, traits: { qkNorm: 'per-head' } });
const GEMMA = family({ defaults: { kvHeads: 16, headDim: 256, tied: true } });
const DEEPSEEK = family({ defaults: { kvHeads: 'heads' } });
const OLMO2 = family({ traits: { qkNorm: 'full' } });

/** By model_type. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  llama: LLAMA,
  mistral: family({ defaults: { kvHeads: 8 } }),
  ministral: family({ defaults: { kvHeads: 8 } }),
  mixtral: MIXTRAL,
  qwen2: QWEN2,
  qwen3: QWEN3,
  qwen2_moe: family({ defaults: { kvHeads: 16, experts: 60, topK: 4 }, moe: { sharedGate: true } }, QWEN2),
  qwen3_moe: family({ defaults: { kvHeads: 4, headDim: 'hidden/heads', experts: 128, topK: 8 } }, QWEN3),
  gemma: GEMMA,
  gemma2: family({ defaults: { kvHeads: 4 }, traits: { normsPerLayer: 4 } }, GEMMA),
  gemma3_text: family(
    { defaults: { kvHeads: 4, heads: 8, vocab: 262208 }, traits: { normsPerLayer: 4, qkNorm: 'per-head' } },
    GEMMA,
  ),
  phi3: LLAMA,
  phi: family({ ...GPT_STYLE, traits: { ...GPT_STYLE.traits, normsPerLayer: 1, headBias: true } }),
  granite: family({ defaults: { tied: false } }),
  stablelm: family({ traits: { norm: 'layer' } }),
  olmo: family({ traits: { norm: 'none' } }),
  olmo2: OLMO2,
  olmo3: OLMO2,
  olmoe: family({ defaults: { kvHeads: 16, experts: 64, topK: 8, expertFfn: 'ffn' }, traits: { qkNorm: 'full' } }),
  glm4: family({ defaults: { kvHeads: 2, headDim: 128 }, traits: { normsPerLayer: 4, qkvBias: true } }),
  cohere: family({ defaults: { tied: true }, traits: { norm: 'layer-no-bias', normsPerLayer: 1 } }),
  starcoder2: family({ ...GPT_STYLE, defaults: { kvHeads: 2, tied: true } }),
  gpt_oss: family({
    defaults: { kvHeads: 8, headDim: 64, experts: 128, topK: 4, expertFfn: 'ffn', vocab: 201088 },
    traits: { qkvBias: true, outBias: true, sinks: true },
    moe: { expertBias: true, routerBias: true },
  }),
  deepseek_v2: DEEPSEEK,
  deepseek_v3: family({ moe: { routerBuffer: true } }, DEEPSEEK),
  kimi_k2: family({ moe: { routerBuffer: true } }, DEEPSEEK),
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
  }),
  gpt_neox: family({ ...GPT_STYLE, defaults: { vocab: 50432 } }),
  opt: family({
    ...GPT_STYLE,
    keys: { ffn: ['ffn_dim'] },
    defaults: { vocab: 50272, maxSeqLen: 2048, tied: true },
  }),
  bloom: family({
    ...GPT_STYLE,
    keys: {
      layers: ['n_layer', 'num_hidden_layers'],
      hidden: ['hidden_size', 'n_embed'],
      heads: ['n_head', 'num_attention_heads'],
      ffn: [],
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
};

/** The family of a model_type, and whether the table knows it. */
export function familyOf(modelType: string): { family: Family; known: boolean } {
  const known = Object.hasOwn(FAMILIES, modelType);
  return { family: known ? (FAMILIES[modelType] as Family) : LLAMA, known };
}
