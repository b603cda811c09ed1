/** Skeletons of configs for PyTorch's and Hugging Face's trainers: complete but for the plan, which a writer puts in. */
import { flavorOf } from '../torchtitan/flavors';
import { type ExportSource, machine, textOf, ZERO_FILE } from './source';

/** A folder for the model where no hub has it. */
const OWN_MODEL = './model';

const modelPath = ({ hub }: ExportSource): string => hub ?? OWN_MODEL;

export function torchtitan({ sizes, plan, hub }: ExportSource): string {
  const flavor = flavorOf(hub, sizes);
  return textOf(
    '[job]',
    `description = "${(sizes.name ?? 'model').replaceAll('"', '')}"`,
    'dump_folder = "./outputs"',
    '',
    '[model]',
    `name = "${flavor?.name ?? 'llama3'}"`,
    `flavor = "${flavor?.flavor ?? 'FLAVOR'}"`,
    'hf_assets_path = "./assets/hf/MODEL"',
    '',
    '[optimizer]',
    'name = "AdamW"',
    'lr = 3e-4',
    '',
    '[lr_scheduler]',
    'warmup_steps = 200',
    '',
    '[training]',
    'local_batch_size = 1',
    `seq_len = ${plan.seqLen ?? 8192}`,
    'max_norm = 1.0',
    'steps = 1000',
    'dataset = "c4"',
    '',
    '[parallelism]',
    'data_parallel_replicate_degree = 1',
    'data_parallel_shard_degree = -1',
    'tensor_parallel_degree = 1',
    'pipeline_parallel_degree = 1',
    'context_parallel_degree = 1',
    '',
    '[activation_checkpoint]',
    'mode = "none"',
    '',
    '[compile]',
    'enable = false',
  );
}

export function deepspeed(): string {
  return textOf(
    '{',
    '  "train_micro_batch_size_per_gpu": 1,',
    '  "gradient_accumulation_steps": 1,',
    '  "gradient_clipping": 1.0,',
    '  "bf16": { "enabled": true },',
    '  "zero_optimization": { "stage": 0, "overlap_comm": true }',
    '}',
  );
}

/** DeepSpeed's ZeRO for the Hugging Face Trainer, which fills what is auto. */
export function zeroConfig({ plan }: ExportSource): string {
  const { sharding, offload } = plan;
  const stage = sharding === 'zero1' ? 1 : sharding === 'zero2' ? 2 : 3;
  const place = (what: string) => (offload?.includes(what) === true ? { device: plan.offloadDevice ?? 'cpu' } : null);
  const [optimizer, params] = [place('optimizer'), stage === 3 ? place('params') : null];
  const config = {
    train_batch_size: 'auto',
    train_micro_batch_size_per_gpu: 'auto',
    gradient_accumulation_steps: 'auto',
    gradient_clipping: 'auto',
    bf16: { enabled: 'auto' },
    fp16: { enabled: 'auto' },
    zero_optimization: {
      stage,
      overlap_comm: true,
      ...(optimizer === null ? {} : { offload_optimizer: optimizer }),
      ...(params === null ? {} : { offload_param: params }),
    },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

const OPTIMIZERS: Readonly<Record<string, string>> = {
  adamw: 'adamw_torch_fused',
  adam: 'adamw_torch_fused',
  adamw8bit: 'adamw_bnb_8bit',
  sgd: 'sgd',
};

const optimizerName = ({ plan }: ExportSource): string => OPTIMIZERS[plan.optimizer ?? 'adamw'] ?? 'adamw_torch_fused';

/** The key of the precision that the Trainer is told; none is fp32. */
const precisionLine = ({ plan }: ExportSource): string | false =>
  plan.dtype === 'fp16' ? 'fp16: true' : plan.dtype === 'fp32' ? false : 'bf16: true';

export function accelerate(source: ExportSource): string {
  const { gpus, nodes } = machine(source);
  const { sharding, tp, cp } = source.plan;
  const isPlain = (tp ?? 1) === 1 && (cp ?? 1) === 1;
  const type = isPlain && sharding === 'none' ? 'MULTI_GPU' : isPlain && sharding === 'zero1' ? 'DEEPSPEED' : 'FSDP';
  return textOf(
    'compute_environment: LOCAL_MACHINE',
    `distributed_type: ${type}`,
    `num_machines: ${nodes}`,
    `num_processes: ${gpus}`,
    'machine_rank: 0',
    'main_training_function: main',
    'rdzv_backend: static',
    'mixed_precision: bf16',
    type === 'FSDP' && 'fsdp_config:',
    type === 'FSDP' && '  fsdp_version: 2',
    type === 'FSDP' && '  fsdp_reshard_after_forward: true',
    type === 'FSDP' && '  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP',
    type === 'FSDP' && '  fsdp_activation_checkpointing: false',
    type === 'FSDP' && '  fsdp_offload_params: false',
    type === 'FSDP' && '  fsdp_state_dict_type: SHARDED_STATE_DICT',
    type === 'DEEPSPEED' && 'deepspeed_config:',
    type === 'DEEPSPEED' && '  zero_stage: 1',
  );
}

export function axolotl(source: ExportSource): string {
  const { plan } = source;
  return textOf(
    `base_model: ${modelPath(source)}`,
    'datasets:',
    '  - path: tatsu-lab/alpaca',
    '    type: alpaca',
    'val_set_size: 0.0',
    'output_dir: ./outputs',
    `sequence_len: ${plan.seqLen ?? 4096}`,
    'micro_batch_size: 1',
    'gradient_accumulation_steps: 1',
    'num_epochs: 1',
    `optimizer: ${optimizerName(source)}`,
    'lr_scheduler: cosine',
    'learning_rate: 0.00002',
    precisionLine(source),
    'gradient_checkpointing: false',
    'attn_implementation: flash_attention_2',
    ...adapterLines(source, 'axolotl'),
    plan.sharding !== 'none' && 'fsdp_version: 2',
    plan.sharding !== 'none' && 'fsdp_config:',
    plan.sharding !== 'none' && '  reshard_after_forward: true',
    plan.sharding !== 'none' && '  offload_params: false',
    plan.sharding !== 'none' && '  auto_wrap_policy: TRANSFORMER_BASED_WRAP',
    plan.sharding !== 'none' && `dp_shard_size: ${machine(source).gpus / ((plan.tp ?? 1) * (plan.cp ?? 1))}`,
  );
}

export function llamaFactory(source: ExportSource): string {
  const { plan } = source;
  return textOf(
    `model_name_or_path: ${modelPath(source)}`,
    'stage: sft',
    'do_train: true',
    `finetuning_type: ${plan.adapter === 'none' || plan.adapter === null ? 'full' : 'lora'}`,
    ...adapterLines(source, 'llama-factory'),
    'dataset: alpaca_en_demo',
    'template: default',
    `cutoff_len: ${plan.seqLen ?? 4096}`,
    'output_dir: ./outputs',
    'per_device_train_batch_size: 1',
    'gradient_accumulation_steps: 1',
    'learning_rate: 0.00001',
    'num_train_epochs: 1.0',
    'lr_scheduler_type: cosine',
    `optim: ${optimizerName(source)}`,
    precisionLine(source),
    plan.sharding !== 'none' && `deepspeed: ${ZERO_FILE}`,
  );
}

function adapterLines({ plan }: ExportSource, kind: 'axolotl' | 'llama-factory'): string[] {
  if (plan.adapter !== 'lora' && plan.adapter !== 'qlora') return [];
  const rank = plan.adapterRank ?? 8;
  const isFour = plan.adapter === 'qlora';
  if (kind === 'llama-factory')
    return [`lora_rank: ${rank}`, 'lora_target: all', ...(isFour ? ['quantization_bit: 4'] : [])];
  return [
    `adapter: ${plan.adapter}`,
    ...(isFour ? ['load_in_4bit: true'] : []),
    `lora_r: ${rank}`,
    `lora_alpha: ${2 * rank}`,
    'lora_target_linear: true',
  ];
}
