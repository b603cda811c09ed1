/**
 * LitGPT's YAML: a model by its name or checkpoint folder, the batch of all devices, and devices. What distributes
 * follows from the recipe: pretraining replicates over nodes what it shards inside one (pretrain.py), fine-tuning shards
 * over all and checkpoints every block (finetune/full.py, finetune/lora.py), and one device has neither.
 */
import { LLAMA_TRAITS } from '../../model/traits';
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { readPlaces } from '../places';
import { deriveHeadDim } from '../headDim';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readZooModel } from '../zooModel';
import { BATCH, NAMES, OPTIMIZER, PRECISION, RANK, SIZES } from './keys';

const MODELS = ['model_name', 'model_config', 'checkpoint_dir'];

export function isLitgpt(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  const named = root.kind === 'map' && MODELS.some(key => root.entries.has(key));
  return named && has('train', 'global_batch_size') && has('train', 'micro_batch_size');
}

export function readLitgpt(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'litgpt', root, problems);
  readPlaces(reader, [...BATCH, PRECISION, OPTIMIZER]);
  // Mixed precision keeps the weights in 32 bits; else there is no master copy.
  const mixed = String(plainValue(nodeAt(root, 'precision'))).endsWith('-mixed');
  if (!mixed) reader.builder.setPlan('stack', 'litgpt', 'derived');
  readModel(reader);
  readAdapter(reader);
  readDevices(reader);
  checkBatch(reader);
  return reader.finish();
}

const isPretraining = (root: ConfigNode | null): boolean => plainValue(nodeAt(root, 'checkpoint_dir')) == null;

function readModel(reader: ConfigReader): void {
  const { root, builder } = reader;
  if (nodeAt(root, 'model_config')?.kind === 'map') {
    readSizes(reader);
    return;
  }
  const named = reader.text(['model_name']) ?? reader.text(['checkpoint_dir']);
  if (named === null) return;
  readZooModel(reader, NAMES[named.value.toLowerCase()] ?? named.value, named.source);
  builder.setModel('name', named.value, 'file', named.source);
  const tied = reader.boolean(['train', 'tie_embeddings']);
  if (tied?.value === true) builder.setModel('tied', true, 'file', tied.source);
}

/** Only what has Llama's blocks; other classes differ in biases and norms. */
function readSizes(reader: ConfigReader): void {
  const { root, builder } = reader;
  readPlaces(reader, SIZES);
  const mlp = plainValue(nodeAt(root, 'model_config', 'mlp_class_name'));
  const norm = plainValue(nodeAt(root, 'model_config', 'norm_class_name'));
  const bias = plainValue(nodeAt(root, 'model_config', 'bias'));
  if (mlp !== 'LLaMAMLP' || norm !== 'RMSNorm' || bias !== false) {
    const source = nodeAt(root, 'model_config')?.source ?? null;
    reader.problems.push(problem('not-modelled', { what: 'family', name: 'model_config' }, { source }));
    return;
  }
  const { heads, kvHeads, headDim } = builder.sizes;
  if (kvHeads === null && heads !== null) builder.setModel('kvHeads', heads, 'derived');
  if (headDim === null) deriveHeadDim(reader);
  const tied = reader.boolean(['train', 'tie_embeddings']);
  builder.setModel('tied', tied?.value === true, tied === null ? 'default' : 'file', tied?.source ?? null);
  builder.setModel('gatedMlp', true, 'derived');
  builder.traits = LLAMA_TRAITS;
}

function readAdapter(reader: ConfigReader): void {
  const { root, builder } = reader;
  const rank = nodeAt(root, 'lora_r');
  const quantized = reader.text(['quantize']);
  const kind = rank === null ? 'none' : /fp4|nf4/.test(quantized?.value ?? '') ? 'qlora' : 'lora';
  builder.setPlan('adapter', kind, rank === null ? 'default' : 'file', quantized?.source ?? rank?.source ?? null);
  if (rank !== null) readPlaces(reader, [RANK]);
}

function readDevices(reader: ConfigReader): void {
  const { builder, root } = reader;
  const devices = nodeAt(root, 'devices');
  const perNode = devices?.kind === 'scalar' && typeof devices.value === 'number' ? reader.integer(['devices']) : null;
  const nodes = reader.integer(['num_nodes'], 1, 2 ** 20);
  if (perNode !== null) builder.setCluster('gpusPerNode', perNode.value, 'file', perNode.source);
  builder.setCluster('nodes', nodes?.value ?? 1, nodes === null ? 'default' : 'file', nodes?.source ?? null);
  const one = perNode?.value === 1 && (nodes?.value ?? 1) === 1;
  const pretrains = isPretraining(root);
  if (one) builder.setPlan('sharding', 'none', 'derived');
  else if (pretrains && (nodes?.value ?? 1) > 1) {
    builder.setPlan('sharding', 'hsdp', 'derived');
    builder.state('replicas', nodes?.value ?? 1, nodes?.source ?? null);
  } else builder.setPlan('sharding', 'zero3', 'derived');
  builder.setPlan('recompute', pretrains || one ? 'none' : 'full', 'derived');
  builder.setPlan('compiled', pretrains, 'derived');
}

/** Each device must get a micro-batch (TrainArgs.gradient_accumulation_iters asserts it). */
function checkBatch({ builder, problems }: ConfigReader): void {
  const { globalBatch, microBatch } = builder.plan;
  const { gpusPerNode, nodes } = builder.cluster;
  if (globalBatch === null || microBatch === null || gpusPerNode === null || nodes === null) return;
  if (Math.floor(globalBatch / (gpusPerNode * nodes)) >= microBatch) return;
  const args = {
    key: `train.global_batch_size = ${globalBatch}`,
    other: `micro_batch_size = ${microBatch} on ${gpusPerNode * nodes} devices`,
    framework: 'LitGPT',
  };
  problems.push(
    problem('options-incompatible', args, { source: builder.fields.get('plan.globalBatch')?.source ?? null }),
  );
}
