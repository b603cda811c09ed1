/** A plan as changes of nanotron's YAML. */
import { accumulationChange, placeChanges, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { BATCH, CHOICES, DEGREES, ENGINE } from './keys';

const ACCUMULATION = { key: 'accumulation', at: ['tokens.batch_accumulation_per_replica'] };

export function writeNanotron(writing: Writing): Change[] {
  const engine = (writing.plan.pp ?? 1) > 1 ? [ENGINE] : [];
  const places = [...DEGREES, ...BATCH, ...CHOICES, ...engine];
  return [...placeChanges(writing, places), ...accumulationChange(writing, ACCUMULATION)];
}
