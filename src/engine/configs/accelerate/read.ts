/**
 * accelerate's YAML: the number of processes, how states are sharded, the axes of parallelism_config. Batch and model
 * come from the script.
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { readDeepSpeedKeys } from '../deepspeed/read';
import { type Place, pathOf, presentPath, readPlaces } from '../places';
import { ConfigReader, type Read } from '../reader';
import { type ConfigNode, entryAt, nodeAt, plainValue } from '../tree';
import { DISTRIBUTED_TYPES, FSDP, KEY_FAMILIES, KEYS, MEGATRON, PARALLELISM, PRECISION, STRATEGIES } from './keys';

const COMPANIONS = ['num_processes', 'num_machines', 'mixed_precision', 'compute_environment', 'machine_rank'];

export function isAccelerate(root: ConfigNode): boolean {
  const type = plainValue(nodeAt(root, 'distributed_type'));
  const companions = COMPANIONS.filter(key => entryAt(root, key) !== undefined).length;
  if (type === false || (typeof type === 'string' && DISTRIBUTED_TYPES.some(known => known === type.toUpperCase())))
    return companions >= 1 && !hasForeignKeys(root);
  return false;
}

/** accelerate itself refuses a file with keys that it does not know. */
function hasForeignKeys(root: ConfigNode): boolean {
  if (root.kind !== 'map') return true;
  return [...root.entries.keys()].some(key => !KEYS.has(key) && !KEY_FAMILIES.some(start => key.startsWith(start)));
}

export function readAccelerate(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'accelerate', root, problems);
  const type = (reader.word(['distributed_type'])?.value ?? 'NO').toUpperCase();
  readWorld(reader, type);
  readPlaces(reader, PRECISION);
  if (type === 'FSDP') readFsdp(reader);
  else if (type === 'DEEPSPEED') readDeepSpeedPart(reader);
  else if (type === 'MEGATRON_LM') readPlaces(reader, MEGATRON);
  else reader.builder.setPlan('sharding', 'none', 'derived', nodeAt(root, 'distributed_type')?.source ?? null);
  readParallelism(reader);
  return reader.finish();
}

function readWorld(reader: ConfigReader, type: string): void {
  const { builder } = reader;
  const processes = reader.integer(['num_processes'], 0, 2 ** 20);
  const machines = reader.integer(['num_machines'], 0, 2 ** 20);
  const cpu = reader.boolean(['use_cpu']);
  if (cpu?.value === true || type === 'MULTI_CPU') {
    const source = cpu?.source ?? nodeAt(reader.root, 'distributed_type')?.source ?? null;
    reader.problems.push(problem('not-modelled', { what: 'cpu', name: 'use_cpu' }, { source }));
  }
  if (processes !== null && processes.value > 0)
    builder.setCluster('gpus', type === 'NO' ? 1 : processes.value, 'file', processes.source);
  if (machines !== null && machines.value > 0) {
    builder.setCluster('nodes', machines.value, 'file', machines.source);
    const { gpus } = builder.cluster;
    if (gpus !== null && gpus % machines.value === 0)
      builder.setCluster('gpusPerNode', gpus / machines.value, 'derived');
  }
}

function readFsdp(reader: ConfigReader): void {
  const { builder } = reader;
  const isSecond = reader.integer(pathOf(FSDP.version), 1, 2)?.value === 2;
  if (isSecond) {
    // FSDP 2 keeps what it gathered where this is false (accelerate/utils/dataclasses.py).
    const words = { true: 'zero3', false: 'zero2', FULL_SHARD: 'zero3', SHARD_GRAD_OP: 'zero2' } as const;
    readPlaces(reader, [{ key: 'sharding', at: [FSDP.reshard], words, absent: 'zero3' }]);
    ignored(reader, FSDP.strategy, 'fsdp_version 2');
  } else {
    readPlaces(reader, [
      {
        key: 'sharding',
        at: [FSDP.strategy, FSDP.reshard],
        words: { ...STRATEGIES, true: 'zero3', false: 'zero2' },
        absent: 'zero3',
      },
    ]);
  }
  const places: Place[] = [
    { key: 'recompute', at: [FSDP.checkpointing], words: { true: 'full', false: 'none' }, absent: 'none' },
    { key: 'offload', at: [FSDP.offload], words: { true: 'optimizer+params', false: 'none' }, absent: 'none' },
  ];
  readPlaces(reader, places);
  if (builder.plan.offload === 'optimizer+params') builder.setPlan('offloadDevice', 'cpu', 'derived');
  builder.setPlan('stack', 'accelerate', 'derived');
}

function ignored(reader: ConfigReader, key: string, because: string): void {
  const node = nodeAt(reader.root, ...pathOf(key));
  if (node === null || (node.kind === 'scalar' && node.value === null)) return;
  reader.problems.push(problem('option-ignored', { key, because, framework: 'accelerate' }, { source: node.source }));
}

/** DeepSpeed by a file of its own, or by a few keys in this one. */
function readDeepSpeedPart(reader: ConfigReader): void {
  const { builder } = reader;
  builder.setPlan('stack', 'deepspeed', 'derived');
  const file = reader.text(['deepspeed_config', 'deepspeed_config_file']);
  if (file !== null) {
    for (const key of ['sharding', 'offload'] as const) builder.unknown.add(`plan.${key}`);
    reader.unknown(['plan', 'sharding'], 'file', file.source, file.value.slice(0, 120));
    reader.refers.push(file.value);
    return;
  }
  const prefix = ['deepspeed_config'];
  const stage = reader.integer([...prefix, 'zero_stage'], 0, 3);
  const shardings = ['none', 'zero1', 'zero2', 'zero3'] as const;
  if (stage !== null) builder.setPlan('sharding', shardings[stage.value] ?? 'none', 'file', stage.source);
  else builder.setPlan('sharding', 'zero2', 'default');
  const steps = reader.integer([...prefix, 'gradient_accumulation_steps'], 1, 2 ** 20);
  if (steps !== null) builder.state('accumulation', steps.value, steps.source);
  const devices = { none: null, cpu: 'cpu', nvme: 'nvme' } as const;
  const optimizer = device(reader, [...prefix, 'offload_optimizer_device'], devices);
  const params = device(reader, [...prefix, 'offload_param_device'], devices);
  const first = optimizer ?? params;
  const what = optimizer === null ? 'params' : params === null ? 'optimizer' : 'optimizer+params';
  if (first === null) builder.setPlan('offload', 'none', 'default');
  else {
    builder.setPlan('offload', what, 'file', first.source);
    builder.setPlan('offloadDevice', first.value, 'file', first.source);
  }
  if (nodeAt(reader.root, ...prefix, 'zero_optimization') !== null) readDeepSpeedKeys(reader, prefix);
}

function device(
  reader: ConfigReader,
  path: readonly string[],
  words: Readonly<Record<string, 'cpu' | 'nvme' | null>>,
): Read<'cpu' | 'nvme'> | null {
  const read = reader.word(path);
  const value = read !== null && Object.hasOwn(words, read.value) ? words[read.value] : null;
  return read === null || value === null || value === undefined ? null : { value, source: read.source };
}

function readParallelism(reader: ConfigReader): void {
  const { builder } = reader;
  const size = (at: readonly string[]) => {
    const path = presentPath(reader.root, { at });
    return path === undefined ? null : reader.integer(path, 0, 2 ** 20);
  };
  if (nodeAt(reader.root, 'parallelism_config')?.kind !== 'map') return;
  const [replicate, shard] = [size(PARALLELISM.replicate), size(PARALLELISM.shard)];
  const [tp, ring, ulysses] = [size(PARALLELISM.tp), size(PARALLELISM.cp), size(PARALLELISM.sp)];
  const replicas = Math.max(1, replicate?.value ?? 1);
  const shards = Math.max(1, shard?.value ?? 1);
  if (replicate !== null || shard !== null)
    builder.setPlan('dp', replicas * shards, 'file', (shards > 1 ? shard : replicate)?.source ?? shard?.source ?? null);
  builder.setPlan('tp', Math.max(1, tp?.value ?? 1), tp === null ? 'default' : 'file', tp?.source ?? null);
  const context = (ulysses?.value ?? 1) > 1 ? ulysses : ring;
  builder.setPlan(
    'cp',
    Math.max(1, context?.value ?? 1),
    context === null ? 'default' : 'file',
    context?.source ?? null,
  );
  if ((context?.value ?? 1) > 1) {
    const kind = context === ulysses ? 'all-to-all' : 'all-gather';
    builder.setPlan('cpKind', kind, 'derived', context?.source ?? null);
  }
  if (replicas > 1 && shards > 1) {
    builder.setPlan('sharding', 'hsdp', 'file', replicate?.source ?? null);
    builder.setPlan('shardSize', shards * Math.max(1, context?.value ?? 1), 'derived', shard?.source ?? null);
  }
  // Tensor and context parallelism need sharded data parallelism beside replicas, and there is one kind of context.
  const degrees = { tp_size: tp, cp_size: ring, sp_size: ulysses, dp_replicate_size: replicate };
  const refuse = (key: keyof typeof degrees, other: keyof typeof degrees, line: number) => {
    const rule = `huggingface/accelerate@16cb6eb8 src/accelerate/parallelism_config.py:${line}`;
    const args = { key, other, framework: 'accelerate' };
    reader.problems.push(problem('options-incompatible', args, { source: degrees[key]?.source ?? null, rule }));
  };
  const isOn = (key: keyof typeof degrees) => (degrees[key]?.value ?? 1) > 1;
  if (isOn('cp_size') && isOn('sp_size')) refuse('cp_size', 'sp_size', 329);
  for (const key of ['tp_size', 'cp_size'] as const)
    if (replicas > 1 && shards === 1 && isOn(key)) refuse(key, 'dp_replicate_size', 336);
}
