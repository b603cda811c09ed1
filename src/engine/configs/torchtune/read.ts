/**
 * torchtune's YAML: a builder of a model by its Python path, the batch of a rank, degrees whose product with the shards
 * fills the world (torchtune/training/_distributed.py, ParallelDims). Weights are kept in `dtype`, without a master copy.
 * The recipe is named on the command line: a file for one device is known by its name alone.
 */
import { LLAMA_TRAITS } from '../../model/traits';
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { zooEntry } from '../../model/zoo';
import { addKernels, readPaging } from '../finetune';
import { interpolate } from '../interpolate';
import { readPlaces } from '../places';
import { deriveHeadDim } from '../headDim';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { setZooEntry } from '../zooModel';
import * as keys from './keys';

const isText = (value: unknown, start: string): boolean => typeof value === 'string' && value.startsWith(start);

export function isTorchtune(root: ConfigNode): boolean {
  const has = (key: string) => nodeAt(root, key) !== null;
  const ours = ['model', 'tokenizer', 'dataset'].some(key =>
    isText(plainValue(nodeAt(root, key, '_component_')), 'torchtune.'),
  );
  return ours && nodeAt(root, 'model', '_component_') !== null && has('optimizer') && has('batch_size');
}

export function readTorchtune(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  const { root, problems: defaults } = interpolate(tree);
  const reader = new ConfigReader(file, 'torchtune', root, [...problems, ...defaults]);
  readPlaces(reader, [...keys.BATCH, ...keys.DEGREES, ...keys.CHOICES]);
  const { builder } = reader;
  builder.setPlan('stack', 'torchtune', 'derived');
  if ((builder.plan.cp ?? 1) > 1) readPlaces(reader, [keys.ROTATION]);
  // Its tensor-parallel plans shard the norms over the sequence (models/llama3/_parallelism.py).
  builder.setPlan('sp', (builder.plan.tp ?? 1) > 1, 'derived');
  if (builder.plan.offload === 'optimizer+params') builder.setPlan('offloadDevice', 'cpu', 'derived');
  readModel(reader);
  readRecompute(reader);
  readEightBits(reader);
  readHabits(reader);
  readDataParallel(reader);
  checkTogether(reader);
  return reader.finish();
}

function readModel(reader: ConfigReader): void {
  const { builder } = reader;
  const component = reader.text(['model', '_component_']);
  if (component === null) return;
  const { source } = component;
  const name = component.value.split('.').at(-1) ?? '';
  const [, adapter = '', rest = name] = /^(lora_|qlora_)(.+)$/.exec(name) ?? [];
  readAdapter(reader, adapter);
  builder.setModel('name', name, 'file', source);
  const id = keys.BUILDERS[rest.replace(/_(instruct|base)$/, '')];
  const entry = id === undefined ? null : zooEntry(id);
  if (entry !== null) setZooEntry(reader, entry);
  else if (nodeAt(reader.root, 'model', 'embed_dim') !== null) readSizes(reader, rest);
  else {
    reader.fields.set('model', 'model.hidden');
    reader.unknown(['model'], 'zoo', source, component.value.slice(0, 80));
  }
  for (const key of ['teacher_model', 'ref_checkpointer']) {
    const second = nodeAt(reader.root, key);
    if (second !== null)
      reader.problems.push(problem('not-modelled', { what: 'second-model', name: key }, { source: second.source }));
  }
}

function readAdapter(reader: ConfigReader, prefix: string): void {
  const { builder } = reader;
  const source = nodeAt(reader.root, 'model', '_component_')?.source ?? null;
  const inFour = prefix === 'qlora_' || reader.boolean(['model', 'quantize_base'])?.value === true;
  builder.setPlan('adapter', prefix === '' ? 'none' : inFour ? 'qlora' : 'lora', 'file', source);
  if (prefix !== '') readPlaces(reader, [keys.RANK]);
}

/** Llama's general builder; without a width it takes 8/3 of h, rounded up to 256 (modules/common_utils). */
function readSizes(reader: ConfigReader, family: string): void {
  const { builder } = reader;
  readPlaces(reader, keys.SIZES);
  if (!/^(llama[23](_1)?|mistral)$/.test(family)) {
    reader.problems.push(problem('not-modelled', { what: 'family', name: family.slice(0, 60) }));
    return;
  }
  const { hidden, heads, kvHeads, ffn } = builder.sizes;
  if (hidden !== null && ffn === null) {
    builder.setModel('ffn', 256 * Math.ceil(Math.floor((2 * 4 * hidden) / 3) / 256), 'derived');
  }
  if (heads !== null && kvHeads === null) builder.setModel('kvHeads', heads, 'derived');
  deriveHeadDim(reader);
  builder.setModel('tied', false, 'derived');
  builder.setModel('gatedMlp', true, 'derived');
  builder.traits = LLAMA_TRAITS;
}

/** Every layer, or with `ac_mode: selective` every so many-th one. */
function readRecompute(reader: ConfigReader): void {
  const { builder } = reader;
  const mode = reader.text(['ac_mode']);
  const on = reader.boolean([keys.CHECKPOINTING]);
  if (mode !== null && on?.value !== true && ['full', 'selective'].includes(mode.value)) {
    builder.setPlan('recompute', mode.value as 'full' | 'selective', 'file', mode.source);
  } else readPlaces(reader, [keys.RECOMPUTE]);
}

function readEightBits(reader: ConfigReader): void {
  const on = reader.boolean(['enable_fp8_training']);
  if (on?.value !== true) return;
  reader.builder.setPlan('dtype', 'fp8', 'file', on.source);
  const at = ['fp8_recipe_name'];
  const words = { tensorwise: 'tensorwise', rowwise: 'rowwise', rowwise_with_gw_hp: 'rowwise' };
  readPlaces(reader, [{ key: 'fp8Recipe', at, words, absent: 'tensorwise' }]);
}

/** Its losses run in chunks but for PyTorch's own; an optimizer in the backward pass frees gradients layer by layer. */
function readHabits(reader: ConfigReader): void {
  const loss = reader.text(['loss', '_component_']);
  if (loss !== null && /Chunked|LinearCrossEntropy/.test(loss.value)) addKernels(reader, ['chunked-loss'], loss.source);
  const early = reader.boolean(['optimizer_in_bwd']);
  if (early?.value === true) addKernels(reader, ['optimizer-in-backward'], early.source);
  readPaging(reader, ['optimizer', '_component_']);
}

/** Replicas times shards; -1 shards over what tp, cp and the replicas leave of the world. */
function readDataParallel(reader: ConfigReader): void {
  const { builder } = reader;
  const replicate = reader.integer([keys.REPLICATE], 1, 2 ** 20);
  const shard = reader.integer([keys.SHARD], -1, 2 ** 20);
  const replicas = replicate?.value ?? 1;
  if (shard === null && /single_device/.test(reader.file)) {
    builder.setPlan('dp', 1, 'default');
    builder.setPlan('sharding', 'none', 'derived');
    return;
  }
  if (shard !== null && shard.value > 0) builder.setPlan('dp', replicas * shard.value, 'file', shard.source);
  if (replicas > 1) {
    builder.setPlan('sharding', 'hsdp', 'file', replicate?.source ?? null);
    builder.state('replicas', replicas, replicate?.source ?? null);
  } else readPlaces(reader, [keys.RESHARD]);
}

/** What the recipe refuses (recipes/full_finetune_distributed.py, __init__). */
function checkTogether(reader: ConfigReader): void {
  const { root, builder } = reader;
  const refuse = (key: string, other: string) =>
    reader.problems.push(
      problem(
        'options-incompatible',
        { key, other, framework: 'torchtune' },
        { source: nodeAt(root, key)?.source ?? null },
      ),
    );
  const isOn = (key: string) => plainValue(nodeAt(root, key)) === true;
  if (isOn('optimizer_in_bwd')) {
    if ((builder.stated.accumulation?.value ?? 1) > 1) refuse('optimizer_in_bwd', 'gradient_accumulation_steps');
    if (typeof plainValue(nodeAt(root, 'clip_grad_norm')) === 'number') refuse('optimizer_in_bwd', 'clip_grad_norm');
  }
  if (isOn('enable_activation_offloading')) {
    const source = nodeAt(root, 'enable_activation_offloading')?.source ?? null;
    if (!isOn(keys.CHECKPOINTING)) refuse('enable_activation_offloading', `${keys.CHECKPOINTING} = false`);
    else
      reader.problems.push(
        problem('not-modelled', { what: 'offload', name: 'enable_activation_offloading' }, { source }),
      );
  }
  if ((builder.plan.tp ?? 1) > 1 && nodeAt(root, 'tensor_parallel_plan') === null) {
    const args = { key: 'tensor_parallel_plan', value: 'base_llama_tp_plan' };
    const source = nodeAt(root, 'tensor_parallel_dim')?.source ?? null;
    reader.problems.push(problem('missing-key', args, { source, severity: 'error' }));
  }
}
