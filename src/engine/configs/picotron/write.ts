/** A plan as changes of picotron's JSON. The global batch is kept by writing the accumulation that follows from it. */
import type { Plan } from '../../plan/keys';
import { accumulation, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { type ConfigNode, nodeAt } from '../tree';
import { DEGREE_KEYS, ENGINES } from './read';

export function writePicotron({ root, plan }: Writing): Change[] {
  return [...degrees(plan), ...engine(plan), ...batch(plan), ...attention(root, plan)];
}

function degrees(plan: Plan): Change[] {
  return (Object.keys(DEGREE_KEYS) as (keyof typeof DEGREE_KEYS)[]).flatMap(key => change(DEGREE_KEYS[key], plan[key]));
}

function engine({ schedule, pp }: Plan): Change[] {
  if (pp === null || pp === 1) return [];
  const name = (Object.keys(ENGINES) as (keyof typeof ENGINES)[]).find(key => ENGINES[key] === schedule);
  return change(['distributed', 'pp_engine'], name ?? null);
}

function batch(plan: Plan): Change[] {
  return [
    ...change(['training', 'seq_length'], plan.seqLen),
    ...change(['training', 'micro_batch_size'], plan.microBatch),
    ...change(['training', 'gradient_accumulation_steps'], accumulation(plan)),
  ];
}

/** The environment decides; the model's flag is kept in step where it is written. */
function attention(root: ConfigNode, { attention: kind }: Plan): Change[] {
  const flash = kind === 'flash';
  const changes: Change[] = [];
  if (nodeAt(root, 'environment', 'FLASH_ATTEN') !== null)
    changes.push({ path: ['environment', 'FLASH_ATTEN'], value: flash ? '1' : '0' });
  if (nodeAt(root, 'model', 'use_flash_attention') !== null)
    changes.push({ path: ['model', 'use_flash_attention'], value: flash });
  return changes;
}

function change(path: readonly string[], value: Change['value']): Change[] {
  return value === null ? [] : [{ path, value }];
}
