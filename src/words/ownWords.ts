/** Words of own measurements in reports. */
import { translated } from './language';
import { SLOVAK } from './ownWords.sk';

const ENGLISH = {
  heading: 'Own measurements',
  profile: (file: string): string => `What ${file} moves`,
  constant: 'constant',
  shipped: 'shipped',
  calibrated: 'calibrated',
  ownRun: (name: string, measured: string, before: string, after: string): string =>
    `${name}: measured ${measured}, predicted ${before} before the calibration and ${after} after it.`,
  run: (name: string): string => `The run ${name} beside its prediction`,
  part: 'part',
  logged: 'logged',
  predicted: 'predicted',
  step: 'step',
  memory: 'allocated memory',
  history: 'This machine over time (all-reduce among threads)',
  date: 'date',
  machine: 'machine',
  ranks: 'ranks',
  reduce: 'all-reduce',
  message: 'message',
  unknown: 'unknown',
};

export const OWN_WORDS = translated(ENGLISH, SLOVAK);
