/** A plan as changes of NeMo's YAML, by the dialect of the file. dp is never written: the world and the degrees give it. */
import type { PlanKey } from '../../plan/keys';
import { placeChanges, type Writing } from '../placeChanges';
import type { Place } from '../places';
import type { Change } from '../treeEdits';
import { type ConfigNode, nodeAt, plainValue, type Scalar } from '../tree';
import { isAutomodel, PLACES as AUTOMODEL } from './automodel';
import { BATCH, DTENSOR, isNemoRl, MEGATRON } from './rl';

const ON = { true: true, false: false };

const model = (key: string): string[] => [`model.${key}`];

/** NeMo 1 and its launcher. */
const NEMO: readonly Place[] = [
  { key: 'tp', at: model('tensor_model_parallel_size'), absent: 1 },
  { key: 'pp', at: model('pipeline_model_parallel_size'), absent: 1 },
  { key: 'cp', at: model('context_parallel_size'), absent: 1 },
  { key: 'ep', at: model('expert_model_parallel_size'), absent: 1 },
  { key: 'etp', at: model('expert_tensor_parallel_size') },
  { key: 'sp', at: model('sequence_parallel'), words: ON, absent: false },
  { key: 'microBatch', at: model('micro_batch_size') },
  { key: 'globalBatch', at: model('global_batch_size') },
  { key: 'seqLen', at: ['model.encoder_seq_length', 'model.seq_length'] },
  { key: 'tpOverlap', at: ['model.ub_tp_comm_overlap', 'model.tp_comm_overlap'], words: ON, absent: false },
];

/** Megatron-Bridge: batches stand under `train`. */
const BRIDGE: readonly Place[] = NEMO.map(place =>
  place.key === 'microBatch' || place.key === 'globalBatch'
    ? { ...place, at: place.at.map(path => path.replace('model.', 'train.')) }
    : place,
);

export function writeNemo(writing: Writing): Change[] {
  const { root } = writing;
  if (isNemoRl(root)) {
    const byMegatron = plainValue(nodeAt(root, 'policy', 'megatron_cfg', 'enabled')) === true;
    return placeChanges(writing, [...BATCH, ...(byMegatron ? MEGATRON : DTENSOR)]);
  }
  if (isAutomodel(root)) return writeAutomodel(writing);
  const isBridge = nodeAt(root, 'trainer') === null && nodeAt(root, 'train') !== null;
  const changes = placeChanges(writing, isBridge ? BRIDGE : NEMO);
  return [
    ...changes,
    ...chunks(writing),
    ...recompute(writing, isBridge),
    ...optimizer(writing),
    ...precision(writing),
  ];
}

function writeAutomodel(writing: Writing): Change[] {
  const piped = (writing.plan.pp ?? 1) > 1;
  const at = piped ? ['distributed.pipeline.pp_microbatch_size'] : ['step_scheduler.local_batch_size'];
  const changes = placeChanges(writing, [...AUTOMODEL, { key: 'microBatch', at }]);
  const { root, plan, changed } = writing;
  const states = typeof plainValue(nodeAt(root, 'distributed', 'dp_size')) === 'number';
  if (changed.has('dp') && states && plan.dp !== null)
    changes.push({ path: ['distributed', 'dp_size'], value: plan.dp });
  return changes;
}

const unless = (changed: Writing['changed'], ...keys: PlanKey[]): boolean => !keys.some(key => changed.has(key));

/** One chunk a rank is written as none. */
function chunks({ root, plan, changed }: Writing): Change[] {
  const path = ['model', 'virtual_pipeline_model_parallel_size'];
  if (unless(changed, 'vpp') || plan.vpp === null) return [];
  const value = plan.vpp > 1 ? plan.vpp : null;
  return value === null && nodeAt(root, ...path) === null ? [] : [{ path, value }];
}

/** Full recomputation needs a method; all layers are recomputed one by one. */
function recompute({ root, plan, changed }: Writing, isBridge: boolean): Change[] {
  if (unless(changed, 'recompute', 'recomputeLayers')) return [];
  const start =
    isBridge || nodeAt(root, 'model', 'recompute_granularity') !== null ? 'recompute' : 'activations_checkpoint';
  const set = (key: string, value: Scalar): Change => ({ path: ['model', `${start}_${key}`], value });
  const granularity = plan.recompute === 'none' ? null : plan.recompute;
  const changes = [set('granularity', granularity)];
  if (plan.recompute !== 'full') return [...changes, ...cleared(root, start)];
  const method = plan.recomputeLayers === null ? 'uniform' : 'block';
  return [...changes, set('method', method), set('num_layers', plan.recomputeLayers ?? 1)];
}

/** What belongs to full recomputation goes where it is written. */
function cleared(root: ConfigNode, start: string): Change[] {
  return [`${start}_method`, `${start}_num_layers`]
    .filter(key => nodeAt(root, 'model', key) !== null)
    .map(key => ({ path: ['model', key], value: null }));
}

/** FP8 is a switch beside the precision of the trainer. */
function precision({ root, plan, changed }: Writing): Change[] {
  if (unless(changed, 'dtype')) return [];
  const isOn = plan.dtype === 'fp8';
  return isOn || nodeAt(root, 'model', 'fp8') !== null ? [{ path: ['model', 'fp8'], value: isOn }] : [];
}

function optimizer({ root, plan, changed }: Writing): Change[] {
  if (unless(changed, 'sharding')) return [];
  const switched = nodeAt(root, 'ddp', 'use_distributed_optimizer');
  if (switched !== null) return [{ path: ['ddp', 'use_distributed_optimizer'], value: plan.sharding === 'zero1' }];
  if (nodeAt(root, 'model', 'optim', 'name') === null) return [];
  const name = plan.sharding === 'zero1' ? 'mcore_distributed_optim' : 'fused_adam';
  return [{ path: ['model', 'optim', 'name'], value: name }];
}
