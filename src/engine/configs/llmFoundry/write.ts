/** A plan as changes of llm-foundry's YAML, where the config stands in it. */
import { placeChanges, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { nodeAt } from '../tree';
import { ATTENTION, BATCH, CHOICES, RECOMPUTE, SHARDING, TENSOR } from './keys';
import { baseOf } from './read';

export function writeLlmFoundry(writing: Writing): Change[] {
  const base = baseOf(writing.root);
  const inner = { ...writing, root: nodeAt(writing.root, ...base) ?? writing.root };
  const sharded = nodeAt(inner.root, 'fsdp_config') !== null || writing.plan.sharding !== 'none';
  const places = [...BATCH, TENSOR, ...CHOICES, ATTENTION, ...(sharded ? [SHARDING, RECOMPUTE] : [])];
  return placeChanges(inner, places).map(({ path, value }) => ({ path: [...base, ...path], value }));
}
