/** A plan as edits of picotron's JSON. The global batch is kept by writing the accumulation that follows from it. */
import type { Plan } from '../../plan/keys';
import type { TextEdit } from '../../problem';
import { type JsonChange, jsonEdits } from '../jsonEdits';
import { type ConfigNode, nodeAt } from '../tree';
import { DEGREE_KEYS, ENGINES } from './read';

export function writePicotron(file: string, text: string, root: ConfigNode, plan: Plan): TextEdit[] {
  return jsonEdits(file, text, root, [...degrees(plan), ...engine(plan), ...batch(plan), ...attention(root, plan)]);
}

function degrees(plan: Plan): JsonChange[] {
  return (Object.keys(DEGREE_KEYS) as (keyof typeof DEGREE_KEYS)[]).flatMap(key => change(DEGREE_KEYS[key], plan[key]));
}

function engine({ schedule, pp }: Plan): JsonChange[] {
  if (pp === null || pp === 1) return [];
  const name = (Object.keys(ENGINES) as (keyof typeof ENGINES)[]).find(key => ENGINES[key] === schedule);
  return change(['distributed', 'pp_engine'], name ?? null);
}

function batch({ microBatch, globalBatch, dp, seqLen }: Plan): JsonChange[] {
  const accumulation =
    microBatch === null || globalBatch === null || dp === null ? null : globalBatch / (microBatch * dp);
  return [
    ...change(['training', 'seq_length'], seqLen),
    ...change(['training', 'micro_batch_size'], microBatch),
    ...change(
      ['training', 'gradient_accumulation_steps'],
      accumulation !== null && Number.isInteger(accumulation) ? accumulation : null,
    ),
  ];
}

/** The environment decides; the model's flag is kept in step where it is written. */
function attention(root: ConfigNode, { attention: kind }: Plan): JsonChange[] {
  const flash = kind === 'flash';
  const changes: JsonChange[] = [];
  if (nodeAt(root, 'environment', 'FLASH_ATTEN') !== null)
    changes.push({ path: ['environment', 'FLASH_ATTEN'], value: flash ? '1' : '0' });
  if (nodeAt(root, 'model', 'use_flash_attention') !== null)
    changes.push({ path: ['model', 'use_flash_attention'], value: flash });
  return changes;
}

function change(path: readonly string[], value: JsonChange['value'] | null): JsonChange[] {
  return value === null ? [] : [{ path, value }];
}
