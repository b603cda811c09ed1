/** Where torchtune's YAML keeps the plan (recipes/full_finetune_distributed.py), and the models that its builders make. */
import type { Place } from '../places';

const ON = { true: true, false: false };

export const BATCH: readonly Place[] = [
  { key: 'microBatch', at: ['batch_size'] },
  { key: 'accumulation', at: ['gradient_accumulation_steps'], absent: 1 },
  { key: 'seqLen', at: ['tokenizer.max_seq_len'] },
];

export const DEGREES: readonly Place[] = [
  { key: 'tp', at: ['tensor_parallel_dim'], absent: 1 },
  { key: 'cp', at: ['context_parallel_dim'], absent: 1 },
];

export const REPLICATE = 'data_parallel_replicate_dim';
export const SHARD = 'data_parallel_shard_dim';

/** The two ways in which PyTorch's context parallelism moves keys and values. */
export const ROTATION: Place = {
  key: 'cpKind',
  at: ['context_parallel_rotate_method'],
  words: { allgather: 'all-gather', alltoall: 'ring' },
  absent: 'all-gather',
};

export const RESHARD: Place = {
  key: 'sharding',
  at: ['fsdp_reshard_after_forward'],
  words: { true: 'zero3', false: 'zero2' },
  absent: 'zero3',
};

export const CHOICES: readonly Place[] = [
  { key: 'dtype', at: ['dtype'], words: { bf16: 'bf16', fp32: 'fp32', fp16: 'fp16' }, absent: 'fp32' },
  { key: 'compiled', at: ['compile.model', 'compile'], words: ON, absent: false },
  { key: 'offload', at: ['fsdp_cpu_offload'], words: { true: 'optimizer+params', false: 'none' }, absent: 'none' },
  {
    key: 'optimizer',
    at: ['optimizer._component_'],
    words: {
      'torch.optim.AdamW': 'adamw',
      'torch.optim.Adam': 'adam',
      'torch.optim.SGD': 'sgd',
      'bitsandbytes.optim.PagedAdamW': 'adamw',
      'bitsandbytes.optim.AdamW8bit': 'adamw8bit',
      'bitsandbytes.optim.PagedAdamW8bit': 'adamw8bit',
      'torchao.optim.AdamW8bit': 'adamw8bit',
    },
  },
];

export const CHECKPOINTING = 'enable_activation_checkpointing';

/** Where a plan is written that selects: `ac_mode` counts beside the switch. */
export const RECOMPUTE: Place = {
  key: 'recompute',
  at: [CHECKPOINTING],
  words: { true: 'full', false: 'none' },
  absent: 'none',
};

export const RANK: Place = { key: 'adapterRank', at: ['model.lora_rank'], absent: 8 };

/** torchtune/models/…/_model_builders.py: the builder of a size and the published model of the same sizes. */
export const BUILDERS: Readonly<Record<string, string>> = {
  llama2_7b: 'meta-llama/llama-2-7b-hf',
  llama2_13b: 'meta-llama/llama-2-13b-hf',
  llama2_70b: 'meta-llama/llama-2-70b-hf',
  code_llama2_7b: 'codellama/codellama-7b-hf',
  llama3_8b: 'meta-llama/meta-llama-3-8b',
  llama3_70b: 'meta-llama/meta-llama-3-70b',
  llama3_1_8b: 'meta-llama/llama-3.1-8b',
  llama3_1_70b: 'meta-llama/llama-3.1-70b',
  llama3_1_405b: 'meta-llama/llama-3.1-405b',
  llama3_2_1b: 'meta-llama/llama-3.2-1b',
  llama3_2_3b: 'meta-llama/llama-3.2-3b',
  llama3_3_70b: 'meta-llama/llama-3.3-70b',
  mistral_7b: 'mistralai/mistral-7b-v0.1',
  phi3_mini: 'microsoft/phi-3-mini-4k',
  phi4_14b: 'microsoft/phi-4',
  gemma_2b: 'google/gemma-2b',
  gemma_7b: 'google/gemma-7b',
  gemma2_2b: 'google/gemma-2-2b',
  gemma2_9b: 'google/gemma-2-9b',
  gemma2_27b: 'google/gemma-2-27b',
  qwen2_0_5b: 'qwen/qwen2-0.5b',
  qwen2_1_5b: 'qwen/qwen2-1.5b',
  qwen2_7b: 'qwen/qwen2-7b',
  qwen2_5_0_5b: 'qwen/qwen2.5-0.5b',
  qwen2_5_1_5b: 'qwen/qwen2.5-1.5b',
  qwen2_5_3b: 'qwen/qwen2.5-3b',
  qwen2_5_7b: 'qwen/qwen2.5-7b',
  qwen2_5_14b: 'qwen/qwen2.5-14b',
  qwen2_5_32b: 'qwen/qwen2.5-32b',
  qwen2_5_72b: 'qwen/qwen2.5-72b',
  qwen3_0_6b: 'qwen/qwen3-0.6b',
  qwen3_1_7b: 'qwen/qwen3-1.7b',
  qwen3_4b: 'qwen/qwen3-4b',
  qwen3_8b: 'qwen/qwen3-8b',
  qwen3_14b: 'qwen/qwen3-14b',
  qwen3_32b: 'qwen/qwen3-32b',
  llama4_scout_17b_16e: 'meta-llama/llama-4-scout-17b-16e',
  llama4_maverick_17b_128e: 'meta-llama/llama-4-maverick-17b-128e',
};

/** Keys of a builder that takes sizes (`torchtune.models.llama2.llama2`). */
export const SIZES: readonly Place[] = [
  { key: 'model.layers', at: ['model.num_layers'] },
  { key: 'model.hidden', at: ['model.embed_dim'] },
  { key: 'model.ffn', at: ['model.intermediate_dim'] },
  { key: 'model.heads', at: ['model.num_heads'] },
  { key: 'model.kvHeads', at: ['model.num_kv_heads'] },
  { key: 'model.vocab', at: ['model.vocab_size'] },
  { key: 'model.maxSeqLen', at: ['model.max_seq_len'] },
];
