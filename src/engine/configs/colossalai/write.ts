/** A plan as edits of ColossalAI's Python config: literals alone; what the file does not write stays as it is. */
import type { TextEdit } from '../../problem';
import { accumulation, placeChanges, type Target, type Writing } from '../placeChanges';
import { globalsTree } from '../python/globals';
import { literalEdits } from '../python/literals';
import type { Change } from '../treeEdits';
import { nodeAt, plainValue } from '../tree';
import { NAMES, PLACES, TENSOR } from './read';

export function writeColossalAi({ file, text, beside = [] }: Target, next: Omit<Writing, 'root'>): TextEdit[] {
  const { root } = globalsTree(file, text, NAMES, beside);
  const writing = { ...next, root };
  const isSequence = plainValue(nodeAt(root, 'parallel', 'tensor', 'mode')) === 'sequence';
  const tensor = { ...TENSOR, key: isSequence ? 'cp' : 'tp' };
  const changes = [...placeChanges(writing, [...PLACES, tensor]), ...batch(writing)];
  return literalEdits([{ file, text }, ...beside], root, changes);
}

/** A rank's batch is one forward, or all micro-batches of a pipeline. */
function batch({ root, plan, changed }: Writing): Change[] {
  const watched = ['microBatch', 'globalBatch', 'dp', 'pp'] as const;
  if (plan.microBatch === null || !watched.some(key => changed.has(key))) return [];
  const steps = accumulation(plan) ?? 1;
  if ((plan.pp ?? 1) === 1) {
    return [
      { path: ['BATCH_SIZE'], value: plan.microBatch },
      { path: ['gradient_accumulation'], value: steps },
    ];
  }
  const rounds = plainValue(nodeAt(root, 'gradient_accumulation')) ?? 1;
  const parts = steps / Number(rounds);
  return [
    { path: ['NUM_MICRO_BATCHES'], value: parts },
    { path: ['BATCH_SIZE'], value: plan.microBatch * parts },
  ];
}
