/** Words of exports into another framework: the head of a new file, what is lost, what is left to fill in. */
import type { Loss } from '../engine/configs/export/losses';
import type { OpenItem } from '../engine/configs/export/targets';
import { plural, translated } from './language';
import { SLOVAK } from './export.sk';

export const EXPORT_WORDS = translated(
  {
    title: 'MeshLens: export to which framework?',
    madeBy: (from: string): string => `Exported by MeshLens from ${from}.`,
    allCarried: 'The whole plan is here.',
    notCarried: 'What this format does not say as the original does:',
    became: (key: string, value: string, became: string): string => `${key} = ${value} is ${became} here`,
    left: (key: string, value: string): string => `${key} = ${value} is not here`,
    open: 'To fill in before a run:',
    refused: (problems: string): string => `This cannot be exported: ${problems}`,
    done: (files: readonly string[]): string => `New: ${files.join(', ')}`,
    lost: (count: number): string => `${count} ${plural(count, 'value', 'values')} could not be carried over`,
    'open-data': 'the data to train on',
    'open-tokenizer': 'the tokenizer',
    'open-model-folder': 'the model’s weights in ./model',
    'open-flavor': 'a flavor of the model with these sizes',
    'open-training-script': 'the training script that uses this file',
    'open-launcher': 'the launcher: torchrun with the number of processes',
  },
  SLOVAK,
);

export const openWords = (item: OpenItem): string => EXPORT_WORDS[`open-${item}`];

export function lossWords({ key, value, became }: Loss): string {
  return became === null ? EXPORT_WORDS.left(key, value) : EXPORT_WORDS.became(key, value, became);
}
