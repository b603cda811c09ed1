/** Where LLaMA-Factory's YAML keeps the plan (llamafactory/hparams, and mcore_adapter's arguments). */
import type { Place } from '../places';

const ON = { true: true, false: false };

export const BATCH: readonly Place[] = [
  { key: 'microBatch', at: ['per_device_train_batch_size', 'micro_batch_size'], absent: 8 },
  { key: 'accumulation', at: ['gradient_accumulation_steps'], absent: 1 },
  { key: 'globalBatch', at: ['global_batch_size'] },
  { key: 'seqLen', at: ['cutoff_len'], absent: 2048 },
];

/** Megatron's degrees, in files for mcore_adapter or Megatron-Bridge. */
export const DEGREES: readonly Place[] = [
  { key: 'tp', at: ['tensor_model_parallel_size'], absent: 1 },
  { key: 'pp', at: ['pipeline_model_parallel_size'], absent: 1 },
  { key: 'cp', at: ['context_parallel_size'], absent: 1 },
  { key: 'ep', at: ['expert_model_parallel_size'], absent: 1 },
  { key: 'vpp', at: ['virtual_pipeline_model_parallel_size'] },
  { key: 'sp', at: ['sequence_parallel'], words: ON, absent: false },
];

export const CHOICES: readonly Place[] = [
  {
    key: 'attention',
    at: ['flash_attn'],
    words: {
      disabled: 'unfused',
      auto: 'flash',
      fa2: 'flash',
      fa3: 'flash',
      sdpa: 'flash',
      flash_attention_2: 'flash',
      eager: 'unfused',
    },
  },
  { key: 'compiled', at: ['torch_compile'], words: ON },
];

export const RECOMPUTE: readonly Place[] = [
  {
    key: 'recompute',
    at: ['recompute_granularity'],
    words: { full: 'full', selective: 'selective', none: 'none' },
    absent: 'none',
  },
  { key: 'sharding', at: ['use_distributed_optimizer'], words: { true: 'zero1', false: 'none' }, absent: 'none' },
];
