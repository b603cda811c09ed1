/** Where DeepSpeed's JSON keeps the plan (https://www.deepspeed.ai/docs/config-json/). */
import type { Place } from '../places';

export const BATCH = {
  globalBatch: 'train_batch_size',
  microBatch: 'train_micro_batch_size_per_gpu',
  accumulation: 'gradient_accumulation_steps',
} as const;

export const STAGE = 'zero_optimization.stage';
export const STAGES = { 0: 'none', 1: 'zero1', 2: 'zero2', 3: 'zero3' } as const;
export const MICS = 'zero_optimization.mics_shard_size';
export const HPZ = 'zero_optimization.zero_hpz_partition_size';
export const OFFLOAD_OPTIMIZER = 'zero_optimization.offload_optimizer.device';
export const OFFLOAD_PARAM = 'zero_optimization.offload_param.device';
export const OFFLOAD_LEGACY = 'zero_optimization.cpu_offload';
export const BF16 = ['bf16.enabled', 'bfloat16.enabled'] as const;
export const FP16 = 'fp16.enabled';

const OPTIMIZERS = {
  Adam: 'adam',
  AdamW: 'adamw',
  adam: 'adam',
  adamw: 'adamw',
  SGD: 'sgd',
  Muon: 'muon',
  muon: 'muon',
  OneBitAdam: 'adam',
  CPUAdam: 'adam',
  DeepSpeedCPUAdam: 'adamw',
} as const;

export const DEGREES: readonly Place[] = [
  { key: 'tp', at: ['tensor_parallel.autotp_size', 'tensor_parallel.tp_size'], min: 0 },
  { key: 'cp', at: ['sequence_parallel_size'] },
];

export const CHOICES: readonly Place[] = [
  { key: 'optimizer', at: ['optimizer.type'], words: OPTIMIZERS },
  { key: 'gradDtype', at: ['data_types.grad_accum_dtype'], words: { fp32: 'fp32', bf16: 'bf16', fp16: 'fp16' } },
  { key: 'compiled', at: ['compile.enabled'], words: { true: true, false: false } },
];
