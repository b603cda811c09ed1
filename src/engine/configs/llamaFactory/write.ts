/** A plan as changes of LLaMA-Factory's YAML; Megatron's degrees only in a file that is for it. */
import { accumulationChange, placeChanges, type Writing } from '../placeChanges';
import { presentPath } from '../places';
import type { Change } from '../treeEdits';
import { nodeAt } from '../tree';
import { BATCH, CHOICES, DEGREES, RECOMPUTE } from './keys';
import { isMegatron } from './read';

const ACCUMULATION = { key: 'accumulation', at: ['gradient_accumulation_steps'], absent: 1 };
const RANK = { key: 'adapterRank', at: ['lora_rank'], absent: 8 };

export function writeLlamaFactory(writing: Writing): Change[] {
  const { root, plan, changed } = writing;
  const megatron = isMegatron(root);
  // The Trainer's files state steps; the whole batch only where it is there already.
  const batch = BATCH.filter(place => place.key !== 'globalBatch' || presentPath(root, place) !== undefined);
  const places = [...batch, ...CHOICES, RANK, ...(megatron ? [...DEGREES, ...RECOMPUTE] : [])];
  const changes = [...placeChanges(writing, places), ...accumulationChange(writing, ACCUMULATION)];
  if (!megatron && changed.has('recompute')) {
    const plain =
      nodeAt(root, 'gradient_checkpointing') !== null && nodeAt(root, 'disable_gradient_checkpointing') === null;
    if (plain) changes.push({ path: ['gradient_checkpointing'], value: plan.recompute === 'full' });
    else changes.push({ path: ['disable_gradient_checkpointing'], value: plan.recompute !== 'full' });
  }
  return changes;
}
