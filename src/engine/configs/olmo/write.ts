/** A plan as changes of OLMo's YAML. */
import { placeChanges, setPlace, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { nodeAt, plainValue } from '../tree';
import { BATCH, CHOICES, RECOMPUTE, SHARDING } from './keys';

export function writeOlmo(writing: Writing): Change[] {
  return [...placeChanges(writing, [...BATCH, ...CHOICES]), ...recompute(writing), ...sharding(writing)];
}

/** The file's word for none is null. */
function recompute({ root, plan, changed }: Writing): Change[] {
  if (!changed.has('recompute')) return [];
  if (plan.recompute !== 'none') return setPlace(root, RECOMPUTE, plan.recompute);
  return nodeAt(root, ...RECOMPUTE.at) === null ? [] : [{ path: RECOMPUTE.at, value: null }];
}

/** Replicas without shards are another strategy. */
function sharding({ root, plan, changed }: Writing): Change[] {
  if (!changed.has('sharding')) return [];
  const strategy = plainValue(nodeAt(root, 'distributed_strategy'));
  if (plan.sharding === 'none') return [{ path: ['distributed_strategy'], value: 'ddp' }];
  const change: Change[] = strategy === 'ddp' ? [{ path: ['distributed_strategy'], value: 'fsdp' }] : [];
  return [...change, ...setPlace(root, SHARDING, plan.sharding)];
}
