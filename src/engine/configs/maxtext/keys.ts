/**
 * Where MaxText's YAML keeps the plan (src/maxtext/configs/base.yml, configs/types.py): data. Degrees stand apart for
 * the links inside a slice (ici) and between slices (dcn); a degree is their product, and one of each may be -1: it
 * fills what the others leave.
 */
import type { Place } from '../places';

/** Mesh axes by what they do; `experts` share the batch, so they count among the ranks of data parallelism. */
export const AXES = {
  tp: ['tensor', 'tensor_transpose', 'tensor_sequence', 'autoregressive'],
  cp: ['context', 'context_usp_ulysses', 'sequence'],
  pp: ['pipeline'],
  ep: ['expert'],
  data: ['data', 'diloco'],
  fsdp: ['fsdp', 'fsdp_transpose'],
} as const;

export type Axis = keyof typeof AXES;

/** Axes that fill the mesh where a file says nothing (base.yml). */
export const FILLED_BY_DEFAULT: readonly string[] = ['dcn_data_parallelism', 'ici_fsdp_parallelism'];

export const CP_KIND: Place = {
  key: 'cpKind',
  at: ['context_parallel_strategy'],
  words: { all_gather: 'all-gather', ring: 'ring', ulysses: 'all-to-all' },
  absent: 'all-gather',
};

/** Policies that keep some results of a layer and compute the others again. */
const SOME = [
  'minimal',
  'minimal_with_context',
  'minimal_with_context_and_quantization',
  'minimal_flash',
  'minimal_offloaded',
  'save_dot_with_context_except_mlp',
  'save_dot_except_mlpwi',
  'save_dot_except_mlp',
  'save_qkv_proj',
  'save_out_proj',
  'qkv_proj_offloaded',
  'custom',
];

export const CHOICES: readonly Place[] = [
  { key: 'seqLen', at: ['max_target_length'], absent: 2048 },
  {
    key: 'recompute',
    at: ['remat_policy'],
    words: { full: 'full', ...Object.fromEntries(SOME.map(name => [name, 'selective'])) },
    absent: 'full',
  },
  {
    key: 'attention',
    at: ['attention'],
    words: { autoselected: 'flash', flash: 'flash', cudnn_flash_te: 'flash', dot_product: 'unfused' },
    absent: 'flash',
  },
  {
    key: 'optimizer',
    at: ['opt_type'],
    words: { adamw: 'adamw', adam_pax: 'adamw', sgd: 'sgd', muon: 'muon' },
    absent: 'adamw',
  },
  { key: 'gradDtype', at: ['grad_dtype'], words: { float32: 'fp32', bfloat16: 'bf16', float16: 'fp16' } },
];

export const DTYPE: Place = {
  key: 'dtype',
  at: ['dtype'],
  words: { bfloat16: 'bf16', float16: 'fp16', float32: 'fp32' },
  absent: 'bf16',
};

/** Products in 8 bits, by the name of the recipe; an empty name is none. */
export const QUANTIZATION: Readonly<Record<string, 'fp8' | 'nvfp4'>> = {
  fp8: 'fp8',
  fp8_full: 'fp8',
  fp8_gpu: 'fp8',
  fp8_e4m3: 'fp8',
  nanoo_fp8: 'fp8',
  fp8_nanoo: 'fp8',
  te_fp8_delayedscaling: 'fp8',
  te_fp8_currentscaling: 'fp8',
  te_mxfp8: 'fp8',
  te_nvfp4: 'nvfp4',
  te_nvfp4_no_rht: 'nvfp4',
};

/** decoder_block → the family whose layers are the same. */
export const BLOCKS: Readonly<Record<string, string>> = {
  default: 'llama',
  llama2: 'llama',
  mistral: 'mistral',
  mixtral: 'mixtral',
  gemma: 'gemma',
  gemma2: 'gemma2',
  gemma3: 'gemma3_text',
  gpt3: 'gpt2',
  gpt_oss: 'gpt_oss',
  qwen2: 'qwen2',
  qwen3: 'qwen3',
  qwen3_moe: 'qwen3_moe',
  qwen3_next: 'qwen3_next',
  llama4: 'llama4_text',
  olmo3: 'olmo3',
  deepseek: 'deepseek_v3',
};

/** A size: MaxText's key, the key of the family's config.json, base.yml's value. */
export const SIZES: readonly (readonly [own: string, hf: string, absent: number | boolean | null])[] = [
  ['base_emb_dim', 'hidden_size', 2048],
  ['base_num_query_heads', 'num_attention_heads', 16],
  ['base_num_kv_heads', 'num_key_value_heads', 16],
  ['base_mlp_dim', 'intermediate_size', 7168],
  ['base_num_decoder_layers', 'num_hidden_layers', 16],
  ['head_dim', 'head_dim', 128],
  ['vocab_size', 'vocab_size', 32000],
  ['logits_via_embedding', 'tie_word_embeddings', false],
  ['max_position_embeddings', 'max_position_embeddings', null],
  ['sliding_window_size', 'sliding_window', null],
];

export const MLA: readonly (readonly [string, string, number | null])[] = [
  ['q_lora_rank', 'q_lora_rank', null],
  ['kv_lora_rank', 'kv_lora_rank', 512],
  ['qk_nope_head_dim', 'qk_nope_head_dim', 128],
  ['qk_rope_head_dim', 'qk_rope_head_dim', 64],
  ['v_head_dim', 'v_head_dim', 128],
];

/** What mixtures of experts add; `num_experts` goes by another name in each family. */
export const EXPERTS: readonly (readonly [string, string, number | null])[] = [
  ['num_experts_per_tok', 'num_experts_per_tok', 1],
  ['base_moe_mlp_dim', 'moe_intermediate_size', null],
  ['shared_experts', 'n_shared_experts', null],
  ['first_num_dense_layers', 'first_k_dense_replace', null],
  ['interleave_moe_layer_step', 'interleave_moe_layer_step', null],
];

export const EXPERT_COUNT: Readonly<Record<string, string>> = {
  mixtral: 'num_local_experts',
  gpt_oss: 'num_local_experts',
  llama4_text: 'num_local_experts',
  deepseek_v3: 'n_routed_experts',
  deepseek_v2: 'n_routed_experts',
};

/** Gated delta networks, which are Qwen3-Next's linear attention. */
export const LINEAR: readonly (readonly [string, string])[] = [
  ['gdn_key_head_dim', 'linear_key_head_dim'],
  ['gdn_value_head_dim', 'linear_value_head_dim'],
  ['gdn_num_key_heads', 'linear_num_key_heads'],
  ['gdn_num_value_heads', 'linear_num_value_heads'],
  ['gdn_conv_kernel_dim', 'linear_conv_kernel_dim'],
  ['inhomogeneous_layer_cycle_interval', 'full_attention_interval'],
  ['base_moe_mlp_dim', 'shared_expert_intermediate_size'],
];
