/** Where nanotron's YAML keeps the plan and the model (nanotron/config). */
import type { Place } from '../places';

const ON = { true: true, false: false };

export const DEGREES: readonly Place[] = [
  { key: 'dp', at: ['parallelism.dp'] },
  { key: 'tp', at: ['parallelism.tp'] },
  { key: 'pp', at: ['parallelism.pp'] },
  { key: 'cp', at: ['parallelism.context_parallel_size'], absent: 1 },
  { key: 'ep', at: ['parallelism.expert_parallel_size'], absent: 1 },
];

export const ENGINE: Place = {
  key: 'schedule',
  at: ['parallelism.pp_engine'],
  words: { '1f1b': '1f1b', afab: 'gpipe' },
  absent: '1f1b',
};

export const BATCH: readonly Place[] = [
  { key: 'microBatch', at: ['tokens.micro_batch_size'] },
  { key: 'accumulation', at: ['tokens.batch_accumulation_per_replica'], absent: 1 },
  { key: 'seqLen', at: ['tokens.sequence_length'] },
];

export const CHOICES: readonly Place[] = [
  { key: 'sp', at: ['parallelism.tp_mode'], words: { REDUCE_SCATTER: true, ALL_REDUCE: false }, absent: false },
  { key: 'tpOverlap', at: ['parallelism.tp_linear_async_communication'], words: ON },
  { key: 'recompute', at: ['parallelism.recompute_layer'], words: { true: 'full', false: 'none' }, absent: 'none' },
  { key: 'sharding', at: ['optimizer.zero_stage'], words: { 0: 'none', 1: 'zero1' }, absent: 'none' },
  { key: 'dtype', at: ['model.dtype'], words: { bfloat16: 'bf16', float16: 'fp16', float32: 'fp32' }, absent: 'bf16' },
  { key: 'gradDtype', at: ['optimizer.accumulate_grad_in_fp32'], words: { true: 'fp32', false: 'bf16' } },
  {
    key: 'optimizer',
    at: ['optimizer.optimizer_factory.name'],
    words: { adamW: 'adamw', sgd: 'sgd' },
    absent: 'adamw',
  },
];

export const MODEL: readonly Place[] = [
  { key: 'model.layers', at: ['model.model_config.num_hidden_layers'] },
  { key: 'model.hidden', at: ['model.model_config.hidden_size'] },
  { key: 'model.ffn', at: ['model.model_config.intermediate_size'] },
  { key: 'model.heads', at: ['model.model_config.num_attention_heads'] },
  { key: 'model.kvHeads', at: ['model.model_config.num_key_value_heads'] },
  { key: 'model.maxSeqLen', at: ['model.model_config.max_position_embeddings'] },
  { key: 'model.tied', at: ['model.model_config.tie_word_embeddings'], absent: false },
];

export const MOE: readonly Place[] = [
  {
    key: 'model.experts',
    at: [
      'model.model_config.moe_config.num_experts',
      'model.model_config.moe_num_experts',
      'model.model_config.num_local_experts',
    ],
  },
  {
    key: 'model.topK',
    at: [
      'model.model_config.moe_config.top_k',
      'model.model_config.num_experts_per_token',
      'model.model_config.num_experts_per_tok',
    ],
    absent: 1,
  },
  { key: 'model.expertFfn', at: ['model.model_config.moe_config.moe_intermediate_size'] },
];
