/**
 * LLaMA-Factory's YAML: a hub model, the Trainer's batch, a DeepSpeed file or FSDP, an adapter; with mcore_adapter or
 * Megatron-Bridge also Megatron's degrees. Without a word on it activations are checkpointed (hparams/model_args.py).
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { addKernels, readOptimizer, readPrecision, referToDeepSpeed, setAdapter } from '../finetune';
import { readPlaces } from '../places';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readZooModel } from '../zooModel';
import { BATCH, CHOICES, DEGREES, RECOMPUTE } from './keys';

const TELLING = ['stage', 'finetuning_type', 'cutoff_len', 'template', 'do_train', 'dataset'];

export function isLlamaFactory(root: ConfigNode): boolean {
  const has = (key: string) => nodeAt(root, key) !== null;
  if (has('model_name_or_path')) return TELLING.filter(has).length >= 2;
  return has('model') && has('train_dataset') && (has('dist_config') || has('micro_batch_size'));
}

export function readLlamaFactory(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'llama-factory', root, problems);
  const { builder } = reader;
  const base =
    reader.text(['model_name_or_path']) ?? (nodeAt(root, 'model')?.kind === 'scalar' ? reader.text(['model']) : null);
  if (base !== null) readZooModel(reader, base.value, base.source);
  readPlaces(reader, [...BATCH, ...DEGREES, ...CHOICES]);
  if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'ring', 'default');
  readPrecision(reader, ['bf16', 'pure_bf16'], ['fp16']);
  readOptimizer(reader, 'optim');
  readAdapter(reader);
  if (isMegatron(root)) {
    // Megatron's rules are another framework's than the Trainer's.
    builder.kinds.splice(0, 1, 'llama-factory-mcore');
    readPlaces(reader, RECOMPUTE);
    builder.setPlan('stack', 'megatron-core', 'derived');
  } else {
    builder.setPlan('stack', 'transformers', 'derived');
    const liger = reader.boolean(['enable_liger_kernel']);
    if (liger?.value === true) addKernels(reader, ['fused-linear-loss', 'fused-rmsnorm'], liger.source);
    readCheckpointing(reader);
    readSharding(reader);
  }
  return reader.finish();
}

/** The file's degrees are Megatron's. */
export function isMegatron(root: ConfigNode): boolean {
  return root.kind === 'map' && [...root.entries.keys()].some(key => /_model_parallel_size$|^use_megatron$/.test(key));
}

function readCheckpointing(reader: ConfigReader): void {
  const off = reader.boolean(['disable_gradient_checkpointing']);
  const on = reader.boolean(['gradient_checkpointing']);
  const { builder } = reader;
  if (off !== null) builder.setPlan('recompute', off.value ? 'none' : 'full', 'file', off.source);
  else if (on !== null) builder.setPlan('recompute', on.value ? 'full' : 'none', 'file', on.source);
  else builder.setPlan('recompute', 'full', 'default');
}

function readAdapter(reader: ConfigReader): void {
  const type = reader.text(['finetuning_type']);
  const isFirst = nodeAt(reader.root, 'model_name_or_path') !== null;
  const inFour = plainValue(nodeAt(reader.root, 'quantization_bit')) === 4;
  const value = type?.value ?? (isFirst ? 'lora' : 'full');
  if (value !== 'lora' && value !== 'full') {
    const args = { what: 'finetuning', name: value.slice(0, 60) };
    reader.problems.push(problem('not-modelled', args, { source: type?.source ?? null }));
  }
  const kind = value !== 'lora' ? 'none' : inFour ? 'qlora' : 'lora';
  setAdapter(reader, kind, ['finetuning_type'], { path: ['lora_rank'], absent: 8 });
}

function readSharding(reader: ConfigReader): void {
  const { builder, root } = reader;
  if (referToDeepSpeed(reader, 'deepspeed')) return;
  const dist = plainValue(nodeAt(root, 'dist_config', 'name'));
  const fsdp = nodeAt(root, 'fsdp') ?? (dist === 'fsdp2' ? nodeAt(root, 'dist_config', 'name') : null);
  if (fsdp === null) builder.setPlan('sharding', 'none', 'default');
  else {
    const text = String(plainValue(fsdp));
    const sharding = /shard_grad_op/.test(text) ? 'zero2' : /hybrid/.test(text) ? 'hsdp' : 'zero3';
    builder.setPlan('sharding', sharding, 'file', fsdp.source);
    builder.setPlan('stack', 'accelerate', 'derived');
  }
}
