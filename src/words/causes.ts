/** Causes of a gap between prediction and log, in words. */
import type { Cause } from '../engine/bench/causes';
import { SLOVAK } from './causes.sk';
import { formatPercent, formatSeconds } from './format';
import { translated } from './language';

const ENGLISH = {
  time: (seconds: string): string => ` (${seconds} a step)`,
  'power-cap': (_time: string, evidence: string): string => `The driver holds the clocks down: ${evidence}.`,
  'data-loading': (time: string, evidence: string): string =>
    `Loading data takes time that the step waits for${time}: timer ${evidence}.`,
  imbalance: (time: string, evidence: string): string =>
    `Ranks are unequally loaded or one is slow${time}: the fastest and the slowest of timer ${evidence} differ.`,
  'slow-link': (time: string, evidence: string): string =>
    `Gradients take longer than the links should need${time}: timer ${evidence}.`,
  'slow-collectives': (name: string, measured: string, usual: string): string =>
    `Collectives that were measured reach ${measured} of the datasheet’s rate (${name}), where ${usual} is usual: look at the topology, the cables and what else uses the links.`,
  unsteady: (): string =>
    'Steps differ much from each other: something else uses the machines, or checkpoints and evaluation lie between.',
};

const WORDS = translated(ENGLISH, SLOVAK);

export function causeSentence({ code, seconds, evidence, shares = null }: Cause): string {
  if (shares !== null)
    return WORDS['slow-collectives'](evidence, formatPercent(shares.measured), formatPercent(shares.usual));
  return WORDS[code](seconds === null ? '' : WORDS.time(formatSeconds(seconds)), evidence);
}
