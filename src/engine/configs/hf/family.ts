/**
 * What a family of Hugging Face models means by its config.json: key names, the value of an absent key and the structure
 * that the class fixes, as printed from the classes of transformers 5.18.
 */
import type { MoeTraits, Traits } from '../../model/traits';

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
  /**
   * Values of absent keys. `heads`: as many kv heads as heads; `hidden/heads`: the quotient; `ffn`, `expertFfn`: as that
   * key; a number: that.
   */
  readonly defaults: {
    readonly layers?: number;
    readonly hidden?: number;
    readonly vocab?: number;
    readonly maxSeqLen?: number;
    readonly heads?: number;
    readonly kvHeads: number | 'heads' | null;
    readonly headDim: number | 'hidden/heads';
    readonly ffn?: '4·hidden' | 'expertFfn' | number;
    readonly experts?: number;
    readonly topK?: number;
    readonly expertFfn?: 'ffn' | number;
    readonly sharedExperts?: number;
    readonly tied: boolean;
  };
  readonly gated: boolean;
  readonly traits: Partial<Omit<Traits, 'moe' | 'variants' | 'variantOf' | 'beside'>>;
  readonly moe: Partial<MoeTraits>;
  /** The stated feed-forward width counts gate and up together. */
  readonly doubledFfn?: boolean;
  /** Rows that the position table, or the embedding, has beyond what the file states. */
  readonly positions?: 'learned' | number;
  readonly extraRows?: number;
  /** The class ties embedding and head whatever the file says. */
  readonly alwaysTied?: boolean;
  /** Why the count may not be exact. */
  readonly inexact?: 'remote-code' | 'text-only';
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
  topK: ['num_experts_per_tok', 'topk'],
  expertFfn: ['moe_intermediate_size'],
  sharedExperts: ['n_shared_experts'],
};

export const LLAMA: Family = {
  keys: LLAMA_KEYS,
  defaults: { kvHeads: 'heads', headDim: 'hidden/heads', tied: false },
  gated: true,
  traits: {},
  moe: {},
};

export type Change = Partial<Omit<Family, 'keys' | 'defaults'>> & {
  keys?: Partial<Family['keys']>;
  defaults?: Partial<Family['defaults']>;
};

export function family(change: Change, base: Family = LLAMA): Family {
  return {
    ...base,
    ...change,
    keys: { ...base.keys, ...change.keys },
    defaults: { ...base.defaults, ...change.defaults },
    traits: { ...base.traits, ...change.traits },
    moe: { ...base.moe, ...change.moe },
  };
}
