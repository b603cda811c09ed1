/**
 * torchtitan's TOML. Its sizes are not in the file: [model] names a flavor of a Python table, or a hub id in forks. A
 * rank's batch is local_batch_size; with a pipeline it is cut into microbatches of pipeline_parallel_microbatch_size.
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { type Place, pathOf, presentPath, readPlaces } from '../places';
import { ConfigReader, type Read } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readZooModel, setZooEntry } from '../zooModel';
import { flavorEntry } from './flavors';
import {
  CHOICES,
  DEGREES,
  GLOBAL_BATCH,
  LOCAL_BATCH,
  LOOPED,
  MICRO_BATCH,
  REPLICATE,
  SCHEDULE,
  SCHEDULE_WORDS,
  SELECTIVE,
  SHARD,
} from './keys';

/** A [training] table with a batch or sequence, beside a [model] that names a flavor or the sections of a job. */
export function isTorchtitan(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  if (nodeAt(root, 'training')?.kind !== 'map') return false;
  const trains = ['local_batch_size', 'batch_size', 'seq_len', 'steps'].some(key => has('training', key));
  const named = has('model', 'flavor') || has('model', 'config') || (has('model', 'name') && has('job'));
  return trains && (named || (has('job') && has('activation_checkpoint')));
}

export function readTorchtitan(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'torchtitan', root, problems);
  readModel(reader);
  readPlaces(reader, [...DEGREES, ...CHOICES]);
  const mode = plainValue(nodeAt(root, 'activation_checkpoint', 'mode')) ?? 'selective';
  if (mode === 'selective') readPlaces(reader, [SELECTIVE]);
  readDataParallel(reader);
  readSchedule(reader);
  readBatch(reader);
  readPrecision(reader);
  const { builder } = reader;
  builder.setPlan('sp', (builder.plan.tp ?? 1) > 1, 'derived');
  if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'all-gather', 'default');
  builder.setPlan('stack', 'torchtitan', 'derived');
  return reader.finish();
}

function readModel(reader: ConfigReader): void {
  const hub = reader.text(['model', 'config']);
  if (hub !== null) {
    readZooModel(reader, hub.value, hub.source);
    return;
  }
  const name = reader.text(['model', 'name']);
  const flavor = reader.text(['model', 'flavor']);
  if (name === null) return;
  const entry = flavor === null ? null : flavorEntry(name.value, flavor.value);
  const full = flavor === null ? name.value : `${name.value}/${flavor.value}`;
  const { source } = flavor ?? name;
  reader.builder.setModel('name', full, 'file', source);
  if (entry !== null) setZooEntry(reader, entry);
  else if (flavor?.value.includes('/') === true) readZooModel(reader, flavor.value, source);
  else if (name.value === 'flux')
    reader.problems.push(problem('not-modelled', { what: 'diffusion', name: full }, { source }));
  else reader.unknown(['model', 'flavor'], 'flavor', source, full);
}

function integerAt(reader: ConfigReader, at: Place['at'], min: number): Read<number> | null {
  const path = presentPath(reader.root, { at });
  return path === undefined ? null : reader.integer(path, min, 2 ** 20);
}

/** Replicas times shards; -1 shards over what tp, cp, pp and the replicas leave of the world. */
function readDataParallel(reader: ConfigReader): void {
  const { builder } = reader;
  const replicate = integerAt(reader, REPLICATE, 1);
  const shard = integerAt(reader, SHARD, -1);
  const replicas = replicate?.value ?? 1;
  const shards = shard?.value ?? -1;
  if (shards > 0)
    builder.setPlan(
      'dp',
      replicas * shards,
      'file',
      (shards === 1 ? replicate : null)?.source ?? shard?.source ?? null,
    );
  const source = shard?.source ?? null;
  const origin = shard === null ? 'default' : 'file';
  if (shards === 1 && replicas > 1) builder.setPlan('sharding', 'none', 'derived', replicate?.source ?? null);
  else if (replicas > 1) {
    builder.setPlan('sharding', 'hsdp', 'file', replicate?.source ?? null);
    builder.state('replicas', replicas, replicate?.source ?? null);
  } else builder.setPlan('sharding', keepsGathered(reader) ? 'zero2' : 'zero3', origin, source);
}

/** FSDP keeps what it gathered where it is told so, and by default under a pipeline. */
function keepsGathered(reader: ConfigReader): boolean {
  const policy = reader.text(['parallelism', 'fsdp_reshard_after_forward'])?.value ?? 'default';
  return policy === 'never' || (policy === 'default' && (reader.builder.plan.pp ?? 1) > 1);
}

function readSchedule(reader: ConfigReader): void {
  const { builder } = reader;
  const { pp } = builder.plan;
  if (pp === null || pp === 1) return;
  readPlaces(reader, [{ key: 'schedule', at: SCHEDULE, words: SCHEDULE_WORDS, absent: '1f1b' }]);
  builder.setPlan('vpp', LOOPED.includes(builder.plan.schedule) ? 2 : 1, 'default');
}

function readBatch(reader: ConfigReader): void {
  const { builder } = reader;
  const local = integerAt(reader, LOCAL_BATCH, 1);
  const localBatch = local?.value ?? 8;
  const piped = (builder.plan.pp ?? 1) > 1;
  const piece = piped ? integerAt(reader, MICRO_BATCH, 1) : null;
  const micro = piped ? (piece?.value ?? 1) : localBatch;
  if (presentPath(reader.root, { at: LOCAL_BATCH }) === undefined || local !== null) {
    const origin = (piped ? piece : local) === null ? 'default' : 'file';
    builder.setPlan('microBatch', micro, origin, (piped ? piece : local)?.source ?? null);
  }
  const global = integerAt(reader, GLOBAL_BATCH, -1);
  if (global !== null && global.value > 0) {
    builder.setPlan('globalBatch', global.value, 'file', global.source);
    builder.state('rankBatch', localBatch, local?.source ?? null);
  } else {
    const steps = reader.integer(pathOf('training.gradient_accumulation_steps'), 1, 2 ** 20)?.value ?? 1;
    builder.state('accumulation', (localBatch / micro) * steps, local?.source ?? null);
  }
  if (localBatch % micro !== 0) {
    const args = { key: 'local_batch_size', value: localBatch, divisor: micro, framework: 'torchtitan' };
    reader.problems.push(problem('not-divisible', args, { source: local?.source ?? null }));
  }
}

/** float8, MX or NVFP4 as a converter, or float8 by the table of its own in older files. */
function readPrecision(reader: ConfigReader): void {
  const { builder } = reader;
  const converters = nodeAt(reader.root, 'model', 'converters');
  const names = converters?.kind === 'list' ? converters.items.map(plainValue) : [];
  if (names.some(name => typeof name === 'string' && name.includes('nvfp4'))) {
    builder.setPlan('dtype', 'nvfp4', 'file', converters?.source ?? null);
    return;
  }
  const flag = reader.boolean(['float8', 'enable_float8_linear']) ?? reader.boolean(['float8', 'enable_fp8_linear']);
  const converts = names.some(name => typeof name === 'string' && /float8|mx/.test(name));
  if (!converts && flag?.value !== true) return;
  builder.setPlan('dtype', 'fp8', 'file', flag?.source ?? converters?.source ?? null);
  const recipe = reader.text(['quantize', 'linear', 'float8', 'recipe_name']) ?? reader.text(['float8', 'recipe_name']);
  const words = { rowwise: 'rowwise', rowwise_with_gw_hp: 'rowwise', tensorwise: 'tensorwise' } as const;
  const known =
    recipe !== null && Object.hasOwn(words, recipe.value) ? words[recipe.value as keyof typeof words] : null;
  const microscaled = names.some(name => typeof name === 'string' && name.includes('mx'));
  const usual = microscaled ? 'mxfp8' : 'tensorwise';
  builder.setPlan('fp8Recipe', known ?? usual, known === null ? 'default' : 'file', recipe?.source ?? null);
}
