/**
 * levanter's YAML (JAX): a model's sizes, the whole batch, and the model axis, over which it splits heads and the
 * feed-forward; parameters are sharded over the data axis. The number of devices is the machine's, and the vocabulary
 * the tokenizer's. Sizes are read of Llamas and GPT-2; other models differ in biases, norms and defaults.
 */
import { LLAMA_TRAITS } from '../../model/traits';
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { readPlaces } from '../places';
import { deriveHeadDim } from '../headDim';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { zooVocabulary } from '../zooModel';
import { GPT2_SIZES, PLACES, SIZES } from './keys';

export function isLevanter(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  return has('model', 'type') && has('trainer', 'train_batch_size') && has('trainer', 'num_train_steps');
}

export function readLevanter(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'levanter', root, problems);
  readPlaces(reader, PLACES);
  readModel(reader);
  readPrecision(reader);
  readBatch(reader);
  reader.builder.setPlan('sharding', 'zero3', 'default');
  return reader.finish();
}

function readModel(reader: ConfigReader): void {
  const { builder, root } = reader;
  const type = reader.text(['model', 'type']);
  const is = (key: string, absent: boolean) => (plainValue(nodeAt(root, 'model', key)) ?? absent) === true;
  if (type?.value === 'gpt2') return readGpt2(reader, is('use_bias', true));
  const plain = !is('use_bias', false) && !is('hybrid_norm', false);
  if (type?.value !== 'llama' || !plain) {
    const args = { what: 'model', name: `model.type ${type?.value.slice(0, 40) ?? ''}` };
    reader.problems.push(problem('not-modelled', args, { source: type?.source ?? null }));
    return;
  }
  builder.setModel('name', 'llama', 'file', type.source);
  readPlaces(reader, SIZES);
  if (builder.sizes.headDim === null) deriveHeadDim(reader);
  builder.setModel('gatedMlp', true, 'derived');
  builder.traits = {
    ...LLAMA_TRAITS,
    norm: is('use_layer_norm_weight', true) ? 'rms' : 'none',
    embeddingNorm: is('input_embedding_norm', false),
  };
  readWhatAllHave(reader);
}

/** Learned positions, a tied head, a feed-forward of mlp_scale · h, biases everywhere or nowhere (models/gpt2.py). */
function readGpt2(reader: ConfigReader, bias: boolean): void {
  const { builder, root } = reader;
  builder.setModel('name', 'gpt2', 'file', nodeAt(root, 'model', 'type')?.source ?? null);
  readPlaces(reader, GPT2_SIZES);
  const { hidden, heads, maxSeqLen } = builder.sizes;
  if (hidden !== null)
    builder.setModel('ffn', hidden * (reader.integer(['model', 'mlp_scale'], 1, 1000)?.value ?? 4), 'derived');
  if (heads !== null) builder.setModel('kvHeads', heads, 'derived');
  deriveHeadDim(reader);
  builder.setModel('tied', true, 'derived');
  builder.setModel('gatedMlp', false, 'derived');
  builder.traits = {
    ...LLAMA_TRAITS,
    family: 'gpt2',
    norm: bias ? 'layer' : 'layer-no-bias',
    qkvBias: bias,
    outBias: bias,
    mlpBias: bias,
    positionRows: maxSeqLen ?? 0,
  };
  readWhatAllHave(reader);
}

/** The sequence where no key states it, and the vocabulary of the tokenizer. */
function readWhatAllHave(reader: ConfigReader): void {
  const { builder, root } = reader;
  if (builder.plan.seqLen === null && nodeAt(root, 'model', 'seq_len') === null)
    builder.setPlan('seqLen', builder.sizes.maxSeqLen, 'default');
  const tokenizer = reader.text(['data', 'tokenizer']);
  const vocabulary = tokenizer === null ? null : zooVocabulary(tokenizer.value);
  if (tokenizer !== null && vocabulary !== null) builder.setModel('vocab', vocabulary, 'derived', tokenizer.source);
  else {
    const source = tokenizer?.source ?? nodeAt(root, 'model', 'type')?.source ?? null;
    reader.unknown(['model', 'vocab'], 'tokenizer', source);
  }
}

/** jmp's policy: `p=f32,c=bfloat16`, or in whole words. Without one all is fp32. */
function readPrecision(reader: ConfigReader): void {
  const policy = reader.text(['trainer', 'mp']);
  const compute = /\b(?:c|compute)=(\w+)/.exec(policy?.value ?? '')?.[1] ?? policy?.value ?? 'f32';
  const words: Readonly<Record<string, 'bf16' | 'fp16' | 'fp32'>> = {
    bfloat16: 'bf16',
    bf16: 'bf16',
    float16: 'fp16',
    f16: 'fp16',
    float32: 'fp32',
    f32: 'fp32',
  };
  const dtype = Object.hasOwn(words, compute) ? words[compute] : undefined;
  if (dtype !== undefined)
    reader.builder.setPlan('dtype', dtype, policy === null ? 'default' : 'file', policy?.source ?? null);
  else {
    reader.builder.unknown.add('plan.dtype');
    const args = { what: 'precision', name: compute.slice(0, 40) };
    reader.problems.push(problem('not-modelled', args, { source: policy?.source ?? null }));
  }
}

/**
 * A rank of the data axis takes per_device_parallelism sequences at a time, and all of its part where that is -1. The
 * batch may follow a schedule.
 */
function readBatch(reader: ConfigReader): void {
  const { builder, root } = reader;
  const batch = nodeAt(root, 'trainer', 'train_batch_size');
  if (batch?.kind === 'list') {
    builder.unknown.add('plan.globalBatch');
    const args = { what: 'batch-schedule', name: 'a batch that changes during the run' };
    reader.problems.push(problem('not-modelled', args, { source: batch.source }));
  } else {
    const whole = reader.integer(['trainer', 'train_batch_size'], -1, 2 ** 32);
    if (whole !== null && whole.value > 0) builder.setPlan('globalBatch', whole.value, 'file', whole.source);
  }
  const part = reader.integer(['trainer', 'per_device_parallelism'], -1, 2 ** 32);
  if (part !== null && part.value > 0) builder.setPlan('microBatch', part.value, 'file', part.source);
  else if (part === null || part.value < 0) builder.state('accumulation', 1, part?.source ?? null);
}
