/** Causes of a gap between prediction and log, in words, in English alone: agents and the command line read it. */
import type { Cause } from '../engine/bench/causes';
import { formatSeconds } from './format';

export function causeSentence({ code, seconds, evidence }: Cause): string {
  const time = seconds === null ? '' : ` (${formatSeconds(seconds)} a step)`;
  switch (code) {
    case 'power-cap':
      return `The driver holds the clocks down: ${evidence}.`;
    case 'data-loading':
      return `Loading data takes time that the step waits for${time}: timer ${evidence}.`;
    case 'imbalance':
      return `Ranks are unequally loaded or one is slow${time}: the fastest and the slowest of timer ${evidence} differ.`;
    case 'slow-link':
      return `Gradients take longer than the links should need${time}: timer ${evidence}.`;
    case 'unsteady':
      return 'Steps differ much from each other: something else uses the machines, or checkpoints and evaluation lie between.';
  }
}
