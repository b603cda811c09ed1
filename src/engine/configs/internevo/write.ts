/** A plan as edits of InternEvo's Python config: literals alone; what the file does not write stays as it is. */
import type { TextEdit } from '../../problem';
import { accumulationChange, placeChanges, setPlace, type Target, type Writing } from '../placeChanges';
import { globalsTree } from '../python/globals';
import { literalEdits } from '../python/literals';
import type { Change } from '../treeEdits';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import * as keys from './keys';

export function writeInternEvo({ file, text, beside = [] }: Target, next: Omit<Writing, 'root'>): TextEdit[] {
  const { root } = globalsTree(file, text, keys.NAMES, beside);
  return literalEdits([{ file, text }, ...beside], root, changesOf({ ...next, root }));
}

function changesOf(writing: Writing): Change[] {
  const { root } = writing;
  const isSequence = plainValue(nodeAt(root, 'parallel', 'tensor', 'mode')) === 'isp';
  const tensor = { ...keys.TENSOR, key: isSequence ? 'cp' : 'tp' };
  const places = [tensor, keys.PIPELINE, keys.CHUNKS, ...keys.BATCH, ...keys.CHOICES];
  return [
    ...placeChanges(writing, places),
    ...accumulationChange(writing, { key: 'accumulation', at: ['data.micro_num'], absent: 1 }),
    ...accumulationChange(writing, { key: 'accumulation', at: ['data.gradient_accumulation'] }).filter(({ path }) =>
      isThere(root, path),
    ),
    ...sequenceMode(writing, isSequence),
    ...checkpointing(writing),
    ...sharding(writing, isSequence),
  ];
}

const isThere = (root: ConfigNode, path: readonly string[]): boolean => nodeAt(root, ...path) !== null;

function sequenceMode({ root, plan, changed }: Writing, isSequence: boolean): Change[] {
  if (isSequence || !changed.has('sp') || (plan.tp ?? 1) === 1) return [];
  const words = { mtp: false, msp: true, fsp: true };
  return setPlace(root, { key: 'sp', at: ['parallel.tensor.mode'], words }, plan.sp);
}

/** A share of layers, or all or none of them in the file's own way to say so. */
function checkpointing({ root, plan, changed }: Writing): Change[] {
  const path = ['model', 'checkpoint'];
  if (!changed.has('recompute') || plan.recompute === 'selective') return [];
  const all = plan.recompute === 'full';
  const isNumber = typeof plainValue(nodeAt(root, ...path)) === 'number';
  return [{ path, value: isNumber ? Number(all) : all }];
}

function sharding({ root, plan, changed }: Writing, isSequence: boolean): Change[] {
  if (!changed.has('sharding') && !changed.has('shardSize')) return [];
  const zero1 = ['parallel', 'zero1'];
  const size = nodeAt(root, ...zero1)?.kind === 'map' ? [...zero1, 'size'] : zero1;
  const weight = ['parallel', 'weight', 'size'];
  const fsdp: Change = { path: [...zero1, 'fsdp'], value: plan.sharding === 'zero3' };
  if (plan.sharding === 'hsdp') return isSequence ? [{ path: weight, value: plan.shardSize }, fsdp] : [];
  const own: Change[] = plan.sharding === 'zero3' ? [] : [{ path: size, value: plan.sharding === 'none' ? 1 : -1 }];
  return [...own, fsdp, { path: weight, value: 1 }];
}
