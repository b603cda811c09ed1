/** A plan as changes of MaxText's YAML, or of Primus' overrides. An axis that fills the mesh stays open. */
import { placeChanges, setPlace, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import * as keys from './keys';
import { keysOf } from './mesh';
import { isPrimus, PRIMUS } from './read';

export function writeMaxText(writing: Writing): Change[] {
  const own = isPrimus(writing.root) ? nodeAt(writing.root, ...PRIMUS) : writing.root;
  if (own === null) return [];
  const changes = changesOf({ ...writing, root: own });
  return own === writing.root ? changes : changes.map(({ path, value }) => ({ path: [...PRIMUS, ...path], value }));
}

function changesOf(writing: Writing): Change[] {
  const { plan, changed } = writing;
  const rotation = (plan.cp ?? 1) > 1 ? [keys.CP_KIND] : [];
  return [
    ...placeChanges(writing, [...keys.CHOICES, ...rotation]),
    ...precision(writing),
    ...offload(writing),
    ...(['tp', 'cp', 'pp', 'ep'] as const).flatMap(key =>
      changed.has(key) && plan[key] !== null ? axisChanges(writing.root, key, plan[key]) : [],
    ),
    ...pipeline(writing),
    ...dataParallel(writing),
    ...batch(writing),
  ];
}

function precision({ root, plan, changed }: Writing): Change[] {
  if (!changed.has('dtype')) return [];
  const eight = plan.dtype === 'fp8' ? 'fp8' : '';
  const recipe = plainValue(nodeAt(root, 'quantization')) ?? '';
  const changes: Change[] = recipe === eight ? [] : [{ path: ['quantization'], value: eight }];
  return eight === '' ? [...changes, ...setPlace(root, keys.DTYPE, plan.dtype)] : changes;
}

function offload({ root, plan, changed }: Writing): Change[] {
  if (!changed.has('offload') || plan.offload === null) return [];
  const flag = (key: string, isOn: boolean) => setPlace(root, { key: 'offload', at: [key], absent: false }, isOn);
  return [
    ...flag('optimizer_memory_host_offload', plan.offload.includes('optimizer')),
    ...flag('parameter_memory_host_offload', plan.offload.includes('params')),
  ];
}

const stated = (root: ConfigNode, key: string): number => {
  const value = plainValue(nodeAt(root, key));
  return typeof value === 'number' ? value : keys.FILLED_BY_DEFAULT.includes(key) ? -1 : 1;
};

/** The links between slices keep their share where it divides the degree; the key that is in use takes the rest. */
function axisChanges(root: ConfigNode, axis: keys.Axis, value: number): Change[] {
  const all = keysOf(axis);
  const inner = all.filter(key => key.startsWith('ici'));
  const target = inner.find(key => stated(root, key) > 1) ?? inner[0] ?? '';
  const outer = all.filter(key => key.startsWith('dcn')).reduce((n, key) => n * Math.max(1, stated(root, key)), 1);
  const keep = value % outer === 0;
  return all.flatMap(key => {
    const isOuter = key.startsWith('dcn');
    const next = key === target ? (keep ? value / outer : value) : isOuter && keep ? stated(root, key) : 1;
    return next === stated(root, key) ? [] : [{ path: [key], value: next }];
  });
}

function pipeline({ root, plan, changed }: Writing): Change[] {
  if (!changed.has('pp') && !changed.has('vpp')) return [];
  const { pp, vpp } = plan;
  const layers = plan.stageLayers === null ? layersOf(root) : null;
  const repeats: Change[] =
    stated(root, 'num_pipeline_repeats') > 1 || nodeAt(root, 'num_pipeline_repeats') !== null
      ? [{ path: ['num_pipeline_repeats'], value: pp === 1 ? -1 : (vpp ?? 1) }]
      : [];
  if (pp === null || pp === 1 || layers === null) return repeats;
  const perStage = layers / (pp * (vpp ?? 1));
  if (!Number.isInteger(perStage)) return repeats;
  return [...repeats, ...setPlace(root, { key: 'vpp', at: ['num_layers_per_pipeline_stage'], absent: 1 }, perStage)];
}

function layersOf(root: ConfigNode): number | null {
  const value = plainValue(nodeAt(root, 'base_num_decoder_layers'));
  return typeof value === 'number' ? value : null;
}

/** Shards over fsdp, context and expert axes; what is left of dp are replicas on the data axis. */
function dataParallel({ root, plan, changed }: Writing): Change[] {
  const { dp, cp, ep, sharding } = plan;
  if (!(['dp', 'cp', 'ep', 'sharding', 'shardSize'] as const).some(key => changed.has(key)) || dp === null) return [];
  const whole = dp * (cp ?? 1);
  const shards = sharding === 'zero3' ? whole : sharding === 'hsdp' ? (plan.shardSize ?? whole) : 1;
  const fsdp = shards === 1 ? 1 : shards / ((cp ?? 1) * (ep ?? 1));
  const data = dp / (fsdp * (ep ?? 1));
  if (!Number.isInteger(fsdp) || !Number.isInteger(data)) return [];
  const zero1: Change[] = setPlace(
    root,
    { key: 'sharding', at: ['shard_optimizer_over_data'], absent: false },
    sharding === 'zero1',
  );
  const fills = (axis: keys.Axis) => keysOf(axis).some(key => stated(root, key) === -1);
  const openShards = fills('fsdp') && shards !== 1 && sharding !== 'hsdp';
  if (openShards && data === 1 && dataStated(root) === 1) return zero1;
  if (!fills('fsdp') && fills('data') && sharding === 'hsdp') return [...zero1, ...axisChanges(root, 'fsdp', fsdp)];
  return [...zero1, ...explicit(root, 'fsdp', fsdp), ...explicit(root, 'data', data)];
}

const dataStated = (root: ConfigNode): number =>
  keysOf('data').reduce((n, key) => n * Math.max(1, stated(root, key)), 1);

/** Both axes in so many words: nothing is left open. */
function explicit(root: ConfigNode, axis: 'fsdp' | 'data', value: number): Change[] {
  const [first = '', ...others] = axis === 'data' ? ['ici_data_parallelism', 'dcn_data_parallelism'] : keysOf('fsdp');
  const set = (key: string, next: number): Change[] =>
    next === stated(root, key) ? [] : [{ path: [key], value: next }];
  return [...set(first, value), ...others.flatMap(key => set(key, 1))];
}

/** A rank of dp is tp·cp·pp devices; with a pipeline its micro-batches are parts of one forward. */
function batch({ root, plan, changed }: Writing): Change[] {
  const { microBatch, globalBatch, dp, tp, cp, pp } = plan;
  const watched = ['microBatch', 'globalBatch', 'dp', 'tp', 'cp', 'pp'] as const;
  if (!watched.some(key => changed.has(key)) || microBatch === null || globalBatch === null || dp === null) return [];
  const steps = globalBatch / (microBatch * dp);
  if (!Number.isInteger(steps) || steps < 1) return [];
  const stages = pp ?? 1;
  const rounds = stages === 1 ? 1 : steps % stages === 0 ? steps : stages;
  const device = (microBatch * rounds) / ((tp ?? 1) * (cp ?? 1) * stages);
  const present = plainValue(nodeAt(root, 'num_pipeline_microbatches'));
  const micro: Change[] =
    rounds === stages && (present === undefined || present === null)
      ? []
      : stages === 1 && present === undefined
        ? []
        : [{ path: ['num_pipeline_microbatches'], value: stages === 1 ? -1 : rounds }];
  return [
    { path: ['per_device_batch_size'], value: device },
    ...setPlace(root, { key: 'accumulation', at: ['gradient_accumulation_steps'], absent: 1 }, steps / rounds),
    ...micro,
  ];
}
