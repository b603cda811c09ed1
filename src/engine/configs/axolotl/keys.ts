/** Where axolotl's YAML keeps the plan (axolotl/utils/schemas). */
import { ON_OFF } from '../finetune';
import type { Place } from '../places';

export const BATCH: readonly Place[] = [
  { key: 'microBatch', at: ['micro_batch_size'], absent: 1 },
  { key: 'accumulation', at: ['gradient_accumulation_steps'], absent: 1 },
  { key: 'seqLen', at: ['sequence_len'] },
];

export const DEGREES: readonly Place[] = [
  { key: 'tp', at: ['tensor_parallel_size'], absent: 1 },
  { key: 'cp', at: ['context_parallel_size', 'sequence_parallel_degree'], absent: 1 },
  { key: 'ep', at: ['expert_parallel_size'], absent: 1 },
];

export const SHARD = 'dp_shard_size';
export const REPLICATE = 'dp_replicate_size';
export const RESHARD = ['fsdp_config.reshard_after_forward', 'fsdp_config.fsdp_reshard_after_forward'];
export const STRATEGY = ['fsdp_config.sharding_strategy', 'fsdp_config.fsdp_sharding_strategy'];
export const OFFLOAD = ['fsdp_config.offload_params', 'fsdp_config.fsdp_offload_params'];

export const CHOICES: readonly Place[] = [
  {
    key: 'recompute',
    at: ['gradient_checkpointing', 'fsdp_config.activation_checkpointing'],
    words: ON_OFF,
    absent: 'none',
  },
  { key: 'compiled', at: ['torch_compile'], words: { true: true, false: false, auto: null } },
  { key: 'offload', at: OFFLOAD, words: { true: 'optimizer+params', false: 'none' }, absent: 'none' },
];
