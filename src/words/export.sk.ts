/** Slovak words of exports. */
import { plural } from './language';

export const SLOVAK = {
  title: 'MeshLens: do ktorého frameworku sa má konfigurácia vyviezť?',
  madeBy: (from: string): string => `Vyviezol MeshLens z: ${from}.`,
  allCarried: 'Plán je tu celý.',
  notCarried: 'Čo tento formát nepovie tak ako pôvodný súbor:',
  became: (key: string, value: string, became: string): string => `${key} = ${value} je tu ${became}`,
  left: (key: string, value: string): string => `${key} = ${value} tu chýba`,
  open: 'Pred spustením doplňte:',
  refused: (problems: string): string => `Nedá sa vyviezť: ${problems}`,
  done: (files: readonly string[]): string => `Nové: ${files.join(', ')}`,
  lost: (count: number): string =>
    `${count} ${plural(count, 'hodnota sa nedala', 'hodnoty sa nedali', 'hodnoty sa nedalo', 'hodnôt sa nedalo')} preniesť`,
  'open-data': 'dáta na trénovanie',
  'open-tokenizer': 'tokenizér',
  'open-model-folder': 'váhy modelu v priečinku ./model',
  'open-flavor': 'variant modelu (flavor) s týmito veľkosťami',
  'open-training-script': 'trénovací skript, ktorý tento súbor použije',
  'open-launcher': 'spúšťač: torchrun s počtom procesov',
};
