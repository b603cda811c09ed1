/** A plan as changes of accelerate's YAML, within the kind of distribution that the file has. */
import { accumulation, placeChanges, setPlace, type Writing } from '../placeChanges';
import { pathOf, presentPath } from '../places';
import type { Change } from '../treeEdits';
import { nodeAt, plainValue, type Scalar } from '../tree';
import { FSDP, PARALLELISM, PRECISION, STRATEGIES } from './keys';

export function writeAccelerate(writing: Writing): Change[] {
  const { root, plan, cluster, changed } = writing;
  const type = String(plainValue(nodeAt(root, 'distributed_type'))).toUpperCase();
  const changes = placeChanges(writing, PRECISION);
  if (cluster.gpus !== null && plainValue(nodeAt(root, 'num_processes')) !== cluster.gpus && type !== 'NO')
    changes.push({ path: ['num_processes'], value: cluster.gpus });
  if (type === 'FSDP') changes.push(...fsdp(writing));
  if (type === 'DEEPSPEED') changes.push(...deepspeed(writing));
  const axes = ['dp', 'tp', 'cp', 'cpKind', 'sharding', 'shardSize'] as const;
  const hasAxes = nodeAt(root, 'parallelism_config')?.kind === 'map';
  const needsAxes = (plan.tp ?? 1) > 1 || (plan.cp ?? 1) > 1 || plan.sharding === 'hsdp';
  if (axes.some(key => changed.has(key)) && (hasAxes || needsAxes)) changes.push(...parallelism(writing));
  return changes;
}

function fsdp(writing: Writing): Change[] {
  const { root, plan, changed } = writing;
  const isSecond = plainValue(nodeAt(root, ...pathOf(FSDP.version))) === 2;
  const places = [
    { key: 'recompute', at: [FSDP.checkpointing], words: { true: 'full', false: 'none' }, absent: 'none' },
    { key: 'offload', at: [FSDP.offload], words: { true: 'optimizer+params', false: 'none' }, absent: 'none' },
  ] as const;
  const changes = placeChanges(writing, places);
  if (!changed.has('sharding')) return changes;
  const sharding = plan.sharding === 'hsdp' && isSecond ? 'zero3' : plan.sharding;
  const words = isSecond ? { true: 'zero3', false: 'zero2' } : STRATEGIES;
  const at = isSecond ? [FSDP.reshard] : [FSDP.strategy];
  return [...changes, ...setPlace(root, { key: 'sharding', at, words: words }, sharding)];
}

function deepspeed(writing: Writing): Change[] {
  const { root, plan, changed } = writing;
  const set = (key: string, value: Scalar): Change => ({ path: ['deepspeed_config', key], value });
  const stage = ['none', 'zero1', 'zero2', 'zero3'].indexOf(plan.sharding === 'hsdp' ? 'zero3' : (plan.sharding ?? ''));
  const changes: Change[] = [];
  if (changed.has('sharding') && stage >= 0) changes.push(set('zero_stage', stage));
  const steps = accumulation(plan);
  const batch = ['microBatch', 'globalBatch', 'dp'] as const;
  if (
    steps !== null &&
    batch.some(key => changed.has(key)) &&
    nodeAt(root, 'deepspeed_config', 'gradient_accumulation_steps') !== null
  )
    changes.push(set('gradient_accumulation_steps', steps));
  if (!changed.has('offload') && !changed.has('offloadDevice')) return changes;
  const device = (what: string) =>
    plan.offload?.split('+').includes(what) === true ? (plan.offloadDevice ?? 'cpu') : 'none';
  return [
    ...changes,
    set('offload_optimizer_device', device('optimizer')),
    set('offload_param_device', device('params')),
  ];
}

/** dp_replicate · dp_shard · tp · cp · sp = processes. */
function parallelism({ root, plan }: Writing): Change[] {
  const { dp, tp, cp, cpKind, sharding, shardSize } = plan;
  const perShard = (shardSize ?? 0) / (cp ?? 1);
  const shards = sharding === 'hsdp' && Number.isInteger(perShard) && perShard >= 1 ? perShard : (dp ?? 1);
  const isUlysses = cpKind === 'all-to-all';
  const sizes = {
    replicate: (dp ?? 1) / shards,
    shard: shards,
    tp: tp ?? 1,
    cp: isUlysses ? 1 : (cp ?? 1),
    sp: isUlysses ? (cp ?? 1) : 1,
  };
  return (Object.keys(sizes) as (keyof typeof sizes)[]).flatMap(key => {
    const path = presentPath(root, { at: PARALLELISM[key] });
    if (path === undefined && sizes[key] === 1) return [];
    return [{ path: path ?? pathOf(PARALLELISM[key][0] ?? ''), value: sizes[key] }];
  });
}
