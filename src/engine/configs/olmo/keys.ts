/** Where OLMo's YAML keeps the plan and the model (allenai/OLMo: olmo/config.py). */
import type { Place } from '../places';

export const BATCH: readonly Place[] = [
  { key: 'globalBatch', at: ['global_train_batch_size'] },
  { key: 'microBatch', at: ['device_train_microbatch_size'] },
  { key: 'seqLen', at: ['model.max_sequence_length'] },
];

export const SHARDING: Place = {
  key: 'sharding',
  at: ['fsdp.sharding_strategy'],
  words: { FULL_SHARD: 'zero3', SHARD_GRAD_OP: 'zero2', NO_SHARD: 'none', HYBRID_SHARD: 'hsdp' },
  absent: 'zero3',
};

export const RECOMPUTE: Place = {
  key: 'recompute',
  at: ['activation_checkpointing'],
  words: { whole_layer: 'full', fine_grained: 'selective' },
  absent: 'none',
};

export const CHOICES: readonly Place[] = [
  { key: 'dtype', at: ['precision'], words: { amp_bf16: 'bf16', amp_fp16: 'fp16', fp32: 'fp32' }, absent: 'bf16' },
  { key: 'gradDtype', at: ['fsdp.precision'], words: { pure: 'bf16', mixed: 'fp32' } },
  { key: 'optimizer', at: ['optimizer.name'], words: { adamw: 'adamw' }, absent: 'adamw' },
];

export const MODEL: readonly Place[] = [
  { key: 'model.layers', at: ['model.n_layers'] },
  { key: 'model.hidden', at: ['model.d_model'] },
  { key: 'model.heads', at: ['model.n_heads'] },
  { key: 'model.kvHeads', at: ['model.n_kv_heads'] },
  { key: 'model.vocab', at: ['model.embedding_size', 'model.vocab_size'] },
  { key: 'model.maxSeqLen', at: ['model.max_sequence_length'] },
  { key: 'model.tied', at: ['model.weight_tying'], absent: true },
];

export const MOE: readonly Place[] = [
  { key: 'model.experts', at: ['model.moe_num_experts'], absent: 8 },
  { key: 'model.topK', at: ['model.moe_top_k'], absent: 2 },
];
