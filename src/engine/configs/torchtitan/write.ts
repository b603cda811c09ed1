/**
 * A plan as changes of torchtitan's TOML, in the sections of the file's own schema. A shard degree of -1 stays: it fills
 * the world whatever the other degrees are.
 */
import { placeChanges, setPlace, type Writing } from '../placeChanges';
import { pathOf, type Place, presentPath } from '../places';
import type { Change } from '../treeEdits';
import { type ConfigNode, nodeAt, plainValue, type Scalar } from '../tree';
import {
  CHOICES,
  DEGREES,
  GLOBAL_BATCH,
  LOCAL_BATCH,
  MICRO_BATCH,
  REPLICATE,
  SCHEDULE,
  SCHEDULE_WORDS,
  SELECTIVE,
  SHARD,
} from './keys';

export function writeTorchtitan(writing: Writing): Change[] {
  const { root, changed } = writing;
  const schedule: Place = { key: 'schedule', at: own(root, SCHEDULE), words: SCHEDULE_WORDS, absent: '1f1b' };
  const places = [...DEGREES.map(place => ({ ...place, at: own(root, place.at) })), ...CHOICES];
  const selective = writing.plan.recompute === 'selective' && (changed.has('recompute') || changed.has('recomputeOps'));
  const piped = (writing.plan.pp ?? 1) > 1 && changed.has('schedule');
  return [
    ...placeChanges(writing, places),
    ...(selective ? setPlace(root, SELECTIVE, writing.plan.recomputeOps) : []),
    ...(piped ? setPlace(root, schedule, writing.plan.schedule) : []),
    ...dataParallel(writing),
    ...batch(writing),
    ...precision(writing),
  ];
}

/** Where a new degree belongs: in the section that the file's schema has for it. */
function own(root: ConfigNode, at: Place['at']): string[] {
  const [newest = '', , oldest = ''] = at;
  if (nodeAt(root, 'parallelism') !== null) return [...at];
  const inTraining = /tensor|data_parallel/.test(newest);
  const hasExperimental = nodeAt(root, 'experimental') !== null;
  const first = inTraining || !hasExperimental ? oldest : newest.replace('parallelism.', 'experimental.');
  return [first, ...at.filter(path => path !== first)];
}

const numberAt = (root: ConfigNode, at: Place['at']): number | null => {
  const path = presentPath(root, { at });
  const value = path === undefined ? null : plainValue(nodeAt(root, ...path));
  return typeof value === 'number' ? value : null;
};

function dataParallel(writing: Writing): Change[] {
  const { root, plan, changed } = writing;
  const { dp, cp, sharding, shardSize } = plan;
  const keys = ['dp', 'cp', 'sharding', 'shardSize'] as const;
  // The default policy depends on the pipeline.
  if (!(['pp', ...keys] as const).some(key => changed.has(key)) || dp === null) return [];
  const whole = sharding === 'hsdp' && shardSize !== null ? (dp * (cp ?? 1)) / shardSize : 1;
  const replicas = sharding === 'none' && dp > 1 ? dp : Math.max(1, whole);
  const present = numberAt(root, SHARD) ?? -1;
  const fills = present < 0 && sharding !== 'none';
  const shards = sharding === 'none' ? 1 : dp / replicas;
  const places: [Place['at'], Scalar, Scalar][] = [
    [REPLICATE, replicas, 1],
    [SHARD, fills ? -1 : shards, -1],
  ];
  const changes = places.flatMap(([at, value, absent]) =>
    setPlace(root, { key: 'dp', at: own(root, at), absent: absent }, value as number),
  );
  if ((!changed.has('sharding') && !changed.has('pp')) || (sharding !== 'zero2' && sharding !== 'zero3'))
    return changes;
  const byDefault = (plan.pp ?? 1) > 1 ? 'zero2' : 'zero3';
  const policy: Place = {
    key: 'sharding',
    at: ['parallelism.fsdp_reshard_after_forward'],
    words: { never: 'zero2', always: 'zero3', default: byDefault },
    absent: byDefault,
  };
  return [...changes, ...setPlace(root, policy, sharding)];
}

/** float8 is a converter of the model; older files have a table for it. */
function precision({ root, plan, changed }: Writing): Change[] {
  const toEight = plan.dtype === 'fp8';
  if (!changed.has('dtype') || (!toEight && plan.dtype !== 'bf16')) return [];
  const flag = pathOf('float8.enable_float8_linear');
  if (nodeAt(root, ...flag) !== null) return [{ path: flag, value: toEight }];
  const present = plainValue(nodeAt(root, 'model', 'converters'));
  const others = (Array.isArray(present) ? present : []).filter(
    (name): name is string => typeof name === 'string' && !/float8|mx/.test(name),
  );
  return [{ path: ['model', 'converters'], value: toEight ? [...others, 'float8'] : others }];
}

/** Without a pipeline a rank's batch is one micro-batch; with one it is all that the rank runs a step. */
function batch({ root, plan, changed }: Writing): Change[] {
  const { microBatch, globalBatch, dp, pp } = plan;
  const keys = ['microBatch', 'globalBatch', 'dp', 'pp'] as const;
  if (!keys.some(key => changed.has(key)) || microBatch === null || globalBatch === null || dp === null) return [];
  const piped = (pp ?? 1) > 1;
  const local = piped ? globalBatch / dp : microBatch;
  const isNew = nodeAt(root, 'training', 'batch_size') === null;
  const changes: Change[] = setPlace(
    root,
    { key: 'microBatch', at: isNew ? LOCAL_BATCH : LOCAL_BATCH.toReversed(), absent: 8 },
    local,
  );
  if (piped) changes.push(...setPlace(root, { key: 'microBatch', at: own(root, MICRO_BATCH), absent: 1 }, microBatch));
  const stated = numberAt(root, GLOBAL_BATCH);
  const steps = globalBatch / (local * dp);
  const accumulation = pathOf('training.gradient_accumulation_steps');
  if (nodeAt(root, ...accumulation) !== null) changes.push({ path: accumulation, value: steps });
  else if (stated !== null && stated > 0) changes.push({ path: pathOf(GLOBAL_BATCH[0] ?? ''), value: globalBatch });
  else if (isNew && steps !== 1) changes.push({ path: pathOf(GLOBAL_BATCH[0] ?? ''), value: globalBatch });
  return changes;
}
