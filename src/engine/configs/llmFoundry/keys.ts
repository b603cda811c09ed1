/** Where llm-foundry's YAML keeps the plan (scripts/train, llmfoundry/utils/config_utils.py; Composer's parallelism). */
import type { Place } from '../places';

export const BATCH: readonly Place[] = [
  { key: 'globalBatch', at: ['global_train_batch_size'] },
  { key: 'microBatch', at: ['device_train_microbatch_size'] },
  { key: 'seqLen', at: ['variables.max_seq_len', 'max_seq_len'] },
];

export const TENSOR: Place = { key: 'tp', at: ['tp_config.tensor_parallel_degree'], absent: 1 };

export const RECOMPUTE: Place = {
  key: 'recompute',
  at: ['fsdp_config.activation_checkpointing'],
  words: { true: 'full', false: 'none' },
  absent: 'none',
};

export const SHARDING: Place = {
  key: 'sharding',
  at: ['fsdp_config.sharding_strategy'],
  words: { FULL_SHARD: 'zero3', SHARD_GRAD_OP: 'zero2', NO_SHARD: 'none', HYBRID_SHARD: 'hsdp' },
  absent: 'zero3',
};

export const CHOICES: readonly Place[] = [
  {
    key: 'dtype',
    at: ['precision'],
    words: { amp_bf16: 'bf16', amp_fp16: 'fp16', amp_fp8: 'fp8', fp32: 'fp32' },
    absent: 'bf16',
  },
  {
    key: 'optimizer',
    at: ['optimizer.name'],
    words: { decoupled_adamw: 'adamw', adamw: 'adamw', adam: 'adam', sgd: 'sgd' },
  },
  { key: 'gradDtype', at: ['fsdp_config.mixed_precision'], words: { PURE: 'bf16', DEFAULT: 'fp32', FULL: 'fp32' } },
];

/** Words of `attn_impl`. */
export const ATTENTION: Place = {
  key: 'attention',
  at: ['model.attn_config.attn_impl', 'model.config_overrides.attn_config.attn_impl'],
  words: { flash: 'flash', flex: 'flash', torch: 'unfused', triton: 'flash' },
};
