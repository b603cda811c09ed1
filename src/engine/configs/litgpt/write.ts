/** A plan as changes of LitGPT's YAML: the batch, precision and rank; the recipe decides the rest. */
import { placeChanges, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { BATCH, OPTIMIZER, PRECISION, RANK } from './keys';

export function writeLitgpt(writing: Writing): Change[] {
  return placeChanges(writing, [...BATCH, PRECISION, OPTIMIZER, RANK]);
}
