/** Where verl keeps the actor's plan (verl/trainer/config, verl/workers/config): in YAML or as settings of a command. */
import type { Place } from '../places';

export const ACTOR = 'actor_rollout_ref.actor';
const MODEL = 'actor_rollout_ref.model';
const CORE = `${ACTOR}.megatron`;
const OVERRIDES = `${CORE}.override_transformer_config`;

export const CLUSTER: readonly Place[] = [
  { key: 'cluster.gpusPerNode', at: ['trainer.n_gpus_per_node'], absent: 8 },
  { key: 'cluster.nodes', at: ['trainer.nnodes'], absent: 1 },
];

export const OPTIMIZER: Place = {
  key: 'optimizer',
  at: [`${ACTOR}.optim.optimizer`, 'optim.optimizer'],
  words: { AdamW: 'adamw', adam: 'adamw', SGD: 'sgd', sgd: 'sgd', muon: 'muon' },
  absent: 'adamw',
};

export const MEGATRON: readonly Place[] = [
  { key: 'tp', at: [`${CORE}.tensor_model_parallel_size`], absent: 1 },
  { key: 'pp', at: [`${CORE}.pipeline_model_parallel_size`], absent: 1 },
  { key: 'cp', at: [`${CORE}.context_parallel_size`], absent: 1 },
  { key: 'ep', at: [`${CORE}.expert_model_parallel_size`], absent: 1 },
  { key: 'etp', at: [`${CORE}.expert_tensor_parallel_size`] },
  { key: 'vpp', at: [`${CORE}.virtual_pipeline_model_parallel_size`] },
  {
    key: 'sharding',
    at: [`${CORE}.use_distributed_optimizer`],
    words: { true: 'zero1', false: 'none' },
    absent: 'zero1',
  },
  {
    key: 'recompute',
    at: [`${OVERRIDES}.recompute_granularity`],
    words: { full: 'full', selective: 'selective' },
    absent: 'none',
  },
  { key: 'recomputeLayers', at: [`${OVERRIDES}.recompute_num_layers`] },
  { key: 'dtype', at: [`${CORE}.dtype`], words: { bfloat16: 'bf16', float16: 'fp16' }, absent: 'bf16' },
];

export const SEQUENCE_PARALLEL = `${CORE}.sequence_parallel`;

/** FSDP's engine, of the actor of a run by reinforcement and of a supervised one. */
export const FSDP: readonly Place[] = [
  {
    key: 'cp',
    at: [
      `${ACTOR}.ulysses_sequence_parallel_size`,
      `${ACTOR}.fsdp_config.ulysses_sequence_parallel_size`,
      'ulysses_sequence_parallel_size',
    ],
    absent: 1,
  },
  {
    key: 'recompute',
    at: [`${MODEL}.enable_gradient_checkpointing`, 'model.enable_gradient_checkpointing'],
    words: { true: 'full', false: 'none' },
    absent: 'full',
  },
  {
    key: 'offload',
    at: [`${ACTOR}.fsdp_config.offload_policy`, 'model.fsdp_config.cpu_offload'],
    words: { true: 'optimizer+params', false: 'none' },
    absent: 'none',
  },
  {
    key: 'dtype',
    at: [`${ACTOR}.fsdp_config.dtype`],
    words: { bfloat16: 'bf16', float16: 'fp16', float32: 'fp32' },
    absent: 'bf16',
  },
];

export const RESHARD: Place = {
  key: 'sharding',
  at: [`${ACTOR}.fsdp_config.reshard_after_forward`],
  words: { true: 'zero3', false: 'zero2' },
  absent: 'zero3',
};

export const FSDP_SIZE = `${ACTOR}.fsdp_config.fsdp_size`;
export const RANK = [`${MODEL}.lora_rank`, 'model.lora_rank'];
export const MODEL_PATH = [`${MODEL}.path`, 'model.partial_pretrain', 'model.path'];

/** The batch of supervised fine-tuning. */
export const SUPERVISED: readonly Place[] = [
  { key: 'globalBatch', at: ['data.train_batch_size'], absent: 256 },
  { key: 'microBatch', at: ['data.micro_batch_size_per_gpu'], absent: 4 },
  { key: 'seqLen', at: ['data.max_length'], absent: 1024 },
];
