/** Where the YAML of `accelerate config` keeps the plan (accelerate/commands/config, parallelism_config.py). */
import type { Place } from '../places';

export const DISTRIBUTED_TYPES = [
  'NO',
  'MULTI_CPU',
  'MULTI_GPU',
  'MULTI_NPU',
  'MULTI_XPU',
  'FSDP',
  'DEEPSPEED',
  'MEGATRON_LM',
  'TPU',
  'XLA',
  'TP',
] as const;

/** The keys of the file (accelerate/commands/config/config_args.py), and beginnings of those of one environment. */
export const KEYS = new Set([
  'compute_environment',
  'distributed_type',
  'mixed_precision',
  'use_cpu',
  'use_xpu',
  'debug',
  'num_processes',
  'machine_rank',
  'num_machines',
  'gpu_ids',
  'main_process_ip',
  'main_process_port',
  'rdzv_backend',
  'rdzv_conf',
  'same_network',
  'main_training_function',
  'enable_cpu_affinity',
  'deepspeed_config',
  'fsdp_config',
  'parallelism_config',
  'megatron_lm_config',
  'ipex_config',
  'mpirun_config',
  'dynamo_config',
  'dynamo_backend',
  'fp8_config',
  'downcast_bf16',
  'fp16',
  'commands',
  'command_file',
  'profile',
  'region',
  'image_uri',
  'iam_role_name',
  'base_job_name',
  'additional_args',
  'ec2_instance_type',
  'py_version',
  'pytorch_version',
  'transformers_version',
]);
export const KEY_FAMILIES = ['tpu_', 'sagemaker_', 'max_restarts', 'monitor_interval'];

export const PRECISION: readonly Place[] = [
  {
    key: 'dtype',
    at: ['mixed_precision'],
    words: { no: 'fp32', false: 'fp32', bf16: 'bf16', fp16: 'fp16', fp8: 'fp8' },
    absent: 'fp32',
  },
];

/** FSDP 1 names its strategies, older files number them. */
export const STRATEGIES = {
  FULL_SHARD: 'zero3',
  1: 'zero3',
  SHARD_GRAD_OP: 'zero2',
  2: 'zero2',
  NO_SHARD: 'none',
  3: 'none',
  HYBRID_SHARD: 'hsdp',
  4: 'hsdp',
  HYBRID_SHARD_ZERO2: 'hsdp',
  5: 'hsdp',
} as const;

export const FSDP = {
  version: 'fsdp_config.fsdp_version',
  strategy: 'fsdp_config.fsdp_sharding_strategy',
  reshard: 'fsdp_config.fsdp_reshard_after_forward',
  checkpointing: 'fsdp_config.fsdp_activation_checkpointing',
  offload: 'fsdp_config.fsdp_offload_params',
} as const;

const size = (name: string): string[] => [
  `parallelism_config.parallelism_config_${name}_size`,
  `parallelism_config.${name}_size`,
];

export const PARALLELISM = {
  replicate: size('dp_replicate'),
  shard: size('dp_shard'),
  tp: size('tp'),
  cp: size('cp'),
  sp: size('sp'),
} as const;

export const MEGATRON: readonly Place[] = [
  { key: 'tp', at: ['megatron_lm_config.megatron_lm_tp_degree'] },
  { key: 'pp', at: ['megatron_lm_config.megatron_lm_pp_degree'] },
  { key: 'sp', at: ['megatron_lm_config.megatron_lm_sequence_parallelism'], words: { true: true, false: false } },
  {
    key: 'recompute',
    at: ['megatron_lm_config.megatron_lm_recompute_activations'],
    words: { true: 'selective', false: 'none' },
  },
  {
    key: 'sharding',
    at: ['megatron_lm_config.megatron_lm_use_distributed_optimizer'],
    words: { true: 'zero1', false: 'none' },
  },
];
