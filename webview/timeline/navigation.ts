/** Where a key leads from the selected pass. */
import { type Model, nearestSlot, stageOfSlot } from './model';

/** The pass that a key leads to; undefined where it is no such key. `slot` is −1 where none is selected yet. */
export function navigate(model: Model, slot: number, key: string, time: number): number | undefined {
  const { firstSlot, after, stages } = model.run.order;
  if (!KEYS.has(key)) return undefined;
  if (slot < 0) return key === 'Enter' ? slot : nearestSlot(model, 0, time);
  const stage = stageOfSlot(model, slot);
  switch (key) {
    case 'ArrowLeft':
      return Math.max(slot - 1, firstSlot[stage]);
    case 'ArrowRight':
      return Math.min(slot + 1, firstSlot[stage + 1] - 1);
    case 'ArrowUp':
      return stage > 0 ? nearestSlot(model, stage - 1, middle(model, slot)) : slot;
    case 'ArrowDown':
      return stage + 1 < stages ? nearestSlot(model, stage + 1, middle(model, slot)) : slot;
    case 'Home':
      return firstSlot[stage];
    case 'End':
      return firstSlot[stage + 1] - 1;
    default:
      return after[slot] >= 0 ? after[slot] : slot;
  }
}

const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Enter']);

function middle({ run: { simulation } }: Model, slot: number): number {
  return (simulation.start[slot] + simulation.end[slot]) / 2;
}
