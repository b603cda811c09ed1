/** A plan as changes of levanter's YAML. */
import { placeChanges, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { nodeAt, plainValue } from '../tree';
import { PLACES } from './keys';

export function writeLevanter(writing: Writing): Change[] {
  const { root, plan, changed } = writing;
  const changes = placeChanges(writing, PLACES);
  if (changed.has('globalBatch') && nodeAt(root, 'trainer', 'train_batch_size')?.kind === 'scalar')
    changes.push({ path: ['trainer', 'train_batch_size'], value: plan.globalBatch });
  const part = plainValue(nodeAt(root, 'trainer', 'per_device_parallelism'));
  if (changed.has('microBatch') || (typeof part === 'number' && part > 0 && changed.has('dp')))
    changes.push({ path: ['trainer', 'per_device_parallelism'], value: plan.microBatch });
  return changes;
}
