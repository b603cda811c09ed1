/**
 * MaxText's YAML (JAX), over base.yml's values: sizes or a model's name, degrees of a mesh whose one open axis takes
 * what the others leave, and a batch a device that may be a fraction. A rank of data parallelism is tp·cp·pp devices, so
 * it takes per_device_batch_size·tp·cp·pp sequences at once, and as many a step as gradients are accumulated
 * (configs/types.py, calculate_global_batch_sizes). A model's own file sets no key of the plan.
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { interpolate } from '../interpolate';
import { readPlaces } from '../places';
import { ConfigReader, valueFix } from '../reader';
import { type ConfigNode, type Entry, type MapNode, nodeAt, plainValue } from '../tree';
import * as keys from './keys';
import { type Degree, degreeOf, filled, LINKS } from './mesh';
import { readModel } from './model';

/** Where Primus keeps what it passes to MaxText. */
export const PRIMUS = ['modules', 'pre_trainer', 'overrides'] as const;

const REPOSITORY = 'AI-Hypercomputer/maxtext@e591f30c';

const RUN_KEYS = ['per_device_batch_size', 'max_target_length', 'remat_policy', 'ici_fsdp_parallelism', 'dataset_type'];

export function isMaxText(root: ConfigNode): boolean {
  if (isPrimus(root)) return true;
  const has = (key: string) => nodeAt(root, key) !== null;
  if (has('base_emb_dim') && has('base_num_decoder_layers')) return true;
  const runs = RUN_KEYS.filter(has).length;
  return has('per_device_batch_size') ? runs >= 2 : has('base_config') && has('model_name') && runs >= 1;
}

export function isPrimus(root: ConfigNode | null): boolean {
  return plainValue(nodeAt(root, 'modules', 'pre_trainer', 'framework')) === 'maxtext';
}

/** Reads a file by its tree, which a launch command may be too. */
export function readMaxText(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  const { root, problems: defaults } = interpolate(tree);
  const own = isPrimus(root) ? overrides(root) : root;
  const reader = new ConfigReader(file, 'maxtext', own, [...problems, ...defaults]);
  readModel(reader);
  // A model's own file says nothing of the run.
  if (RUN_KEYS.some(key => reader.has(key)) || reader.has('base_config')) readRun(reader);
  return reader.finish();
}

/** Primus names the model's file beside the overrides: llama3_70B.yaml is llama3-70b. */
function overrides(root: ConfigNode): ConfigNode {
  const own = nodeAt(root, ...PRIMUS);
  const model = nodeAt(root, 'modules', 'pre_trainer', 'model');
  if (own?.kind !== 'map' || model?.kind !== 'scalar') return own ?? root;
  const name = String(model.value ?? '')
    .replace(/\.ya?ml$/, '')
    .replaceAll('_', '-')
    .toLowerCase();
  const entry: Entry = { key: model.source, node: { ...model, value: name } };
  const named: MapNode = { ...own, entries: new Map([['model_name', entry], ...own.entries]) };
  return named;
}

function readRun(reader: ConfigReader): void {
  const { builder } = reader;
  builder.setPlan('stack', 'maxtext', 'derived');
  builder.setPlan('compiled', true, 'derived');
  readPlaces(reader, keys.CHOICES);
  readPrecision(reader);
  readOffload(reader);
  const degrees = readDegrees(reader);
  readDataParallel(reader, degrees);
  readBatch(reader);
}

function readPrecision(reader: ConfigReader): void {
  const recipe = reader.text(['quantization']);
  const isNone = recipe === null || recipe.value === '';
  const dtype = isNone || !Object.hasOwn(keys.QUANTIZATION, recipe.value) ? undefined : keys.QUANTIZATION[recipe.value];
  if (dtype !== undefined && recipe !== null) reader.builder.setPlan('dtype', dtype, 'file', recipe.source);
  else {
    readPlaces(reader, [keys.DTYPE]);
    if (isNone) return;
    const args = { what: 'precision', name: recipe.value.slice(0, 40) };
    reader.problems.push(problem('not-modelled', args, { source: recipe.source }));
  }
}

function readOffload(reader: ConfigReader): void {
  const optimizer = reader.boolean(['optimizer_memory_host_offload']);
  const weights = reader.boolean(['parameter_memory_host_offload']);
  const [o, w] = [optimizer?.value === true, weights?.value === true];
  const offload = o && w ? 'optimizer+params' : o ? 'optimizer' : w ? 'params' : 'none';
  const source = (w ? weights : optimizer)?.source ?? null;
  reader.builder.setPlan('offload', offload, source === null ? 'default' : 'file', source);
  if (offload !== 'none') reader.builder.setPlan('offloadDevice', 'cpu', 'derived');
}

function readDegrees(reader: ConfigReader): Readonly<Record<'ep' | 'data' | 'fsdp', Degree>> {
  const { builder } = reader;
  for (const link of LINKS) {
    const [first, second] = filled(reader, link);
    if (first === undefined || second === undefined) continue;
    const args = { key: `${first.key} = -1`, other: `${second.key} = -1`, framework: 'MaxText' };
    const fix = valueFix(second.source, second.key, '1');
    reader.problems.push(problem('options-incompatible', args, { source: second.source, fix }));
  }
  for (const key of ['tp', 'cp', 'pp', 'ep'] as const) {
    const degree = degreeOf(reader, key);
    const { source, stated } = degree;
    if (degree.fills || !degree.isKnown) {
      builder.unknown.add(`plan.${key}`);
      if (degree.fills) reader.unknown([`${key}`], 'missing', source, 'the number of devices');
    } else
      builder.setPlan(
        key,
        stated,
        source === null && stated === 1 ? 'default' : source === null ? 'derived' : 'file',
        source,
      );
  }
  builder.setPlan('sp', (builder.plan.tp ?? 1) > 1, 'derived');
  if ((builder.plan.cp ?? 1) > 1) readPlaces(reader, [keys.CP_KIND]);
  readPipeline(reader);
  return { ep: degreeOf(reader, 'ep'), data: degreeOf(reader, 'data'), fsdp: degreeOf(reader, 'fsdp') };
}

/**
 * The pipeline is a loop in which every stage holds its layers of each repeat; JAX runs the whole forward before the
 * backward (layers/pipeline.py).
 */
function readPipeline(reader: ConfigReader): void {
  const { builder } = reader;
  const { pp } = builder.plan;
  if (pp === null || pp === 1) return;
  const perStage = reader.integer(['num_layers_per_pipeline_stage'], 1, 10_000)?.value ?? 1;
  const repeats = reader.integer(['num_pipeline_repeats'], -1, 10_000);
  const { layers } = builder.sizes;
  const source = repeats?.source ?? nodeAt(reader.root, 'num_layers_per_pipeline_stage')?.source ?? null;
  if (repeats !== null && repeats.value > 0) builder.setPlan('vpp', repeats.value, 'file', repeats.source);
  else if (layers !== null && layers % (pp * perStage) === 0)
    builder.setPlan('vpp', layers / (pp * perStage), 'derived', source);
  else if (layers !== null) {
    const args = { key: 'base_num_decoder_layers', value: layers, divisor: pp * perStage, framework: 'MaxText' };
    const rule = `${REPOSITORY} src/maxtext/configs/types.py:3580`;
    // As many layers as a stage can hold in one repeat.
    const whole = layers % pp === 0 ? valueFix(source, 'num_layers_per_pipeline_stage', String(layers / pp)) : null;
    reader.problems.push(problem('not-divisible', args, { source, fix: whole, rule }));
  } else builder.unknown.add('plan.vpp');
  builder.setPlan('schedule', (builder.plan.vpp ?? 1) > 1 ? 'breadth-first' : 'gpipe', 'derived');
}

/** Weights are sharded over fsdp, context and expert axes, and whole on the data axis. */
function readDataParallel(reader: ConfigReader, { ep, data, fsdp }: ReturnType<typeof readDegrees>): void {
  const { builder } = reader;
  const { cp } = builder.plan;
  if (![ep, data, fsdp].every(({ isKnown }) => isKnown)) {
    builder.unknown.add('plan.dp');
    return;
  }
  const source = fsdp.source ?? data.source;
  const shards = fsdp.stated * ep.stated * (cp ?? 1);
  const zero1 = reader.boolean(['shard_optimizer_over_data'])?.value === true ? 'zero1' : 'none';
  if (!data.fills && !fsdp.fills && !ep.fills) {
    const origin = [data, fsdp, ep].filter(({ stated }) => stated > 1).length === 1 ? 'file' : 'derived';
    builder.setPlan('dp', data.stated * fsdp.stated * ep.stated, origin, source);
  }
  if (fsdp.fills && data.stated === 1) {
    // One slice: with several, each holds a whole copy.
    builder.setPlan('sharding', 'zero3', fsdp.source === null ? 'default' : 'derived', fsdp.source);
  } else if (fsdp.fills) {
    builder.setPlan('sharding', 'hsdp', 'derived', source);
    builder.state('replicas', data.stated, data.source);
  } else if (shards === 1) builder.setPlan('sharding', zero1, 'derived', source);
  else if (!data.fills && data.stated === 1) builder.setPlan('sharding', 'zero3', 'derived', source);
  else {
    builder.setPlan('sharding', 'hsdp', 'derived', source);
    builder.setPlan('shardSize', shards, 'derived', source);
  }
}

function readBatch(reader: ConfigReader): void {
  const { builder } = reader;
  const { tp, cp, pp } = builder.plan;
  const node = nodeAt(reader.root, 'per_device_batch_size');
  const device = reader.number(['per_device_batch_size'], 0);
  if ((node !== null && device === null) || tp === null || cp === null || pp === null) return;
  const rounds = pp === 1 ? 1 : microBatches(reader, pp);
  const sequences = ((device?.value ?? 12) * tp * cp * pp) / rounds;
  const accumulation = reader.integer(['gradient_accumulation_steps'], 1, 2 ** 20);
  builder.state('accumulation', (accumulation?.value ?? 1) * rounds, accumulation?.source ?? device?.source ?? null);
  const exact = (device?.value ?? 12) * tp * cp * pp === Math.round((device?.value ?? 12) * tp * cp * pp);
  if (Number.isInteger(sequences) && sequences >= 1) {
    const isOwn = sequences === device?.value;
    const origin = device === null ? 'default' : isOwn ? 'file' : 'derived';
    builder.setPlan('microBatch', sequences, origin, device?.source ?? null);
    return;
  }
  builder.unknown.add('plan.microBatch');
  const args = {
    key: exact ? 'per_device_batch_size · devices of a rank' : 'per_device_batch_size',
    value: exact ? sequences * rounds : (device?.value ?? 12),
    divisor: exact ? rounds : 1,
    framework: 'MaxText',
  };
  reader.problems.push(problem('not-divisible', args, { source: device?.source ?? null }));
}

/** As many as stages where the file does not say; twice that where activations are forwarded late. */
function microBatches(reader: ConfigReader, pp: number): number {
  const stated = reader.integer(['num_pipeline_microbatches'], -1, 2 ** 20);
  const late = reader.boolean(['pipeline_delay_activation_forwarding'])?.value === true;
  if (stated === null || stated.value < 1) return late ? 2 * pp : pp;
  if (stated.value % pp !== 0) {
    const args = { key: 'num_pipeline_microbatches', value: stated.value, divisor: pp, framework: 'MaxText' };
    const next = Math.ceil(stated.value / pp) * pp;
    const fix = valueFix(stated.source, 'num_pipeline_microbatches', String(next));
    const rule = `${REPOSITORY} src/maxtext/configs/types.py:3612`;
    reader.problems.push(problem('not-divisible', args, { source: stated.source, fix, rule }));
  }
  return stated.value;
}
