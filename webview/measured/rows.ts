/** What the charts and tables of own measurements show, as plain values. */
import type { RunComparison } from '../../src/documents/bench';
import { say } from '../words';

export const HISTORY_CHART = 'history-chart';
export const runChart = (at: number): string => `compare-chart-${at}`;

export interface PartRow {
  readonly name: string;
  /** Seconds; null where the log, or the model, has no such part. */
  readonly logged: number | null;
  readonly predicted: number | null;
}

/** The step, then the parts that the log has timers of. */
export function partRows({ run, predicted, parts }: RunComparison): PartRow[] {
  return [
    { name: say('compareStep'), logged: run?.stepSeconds ?? null, predicted: predicted.stepSeconds },
    ...parts.map(one => ({ name: one.name, logged: one.loggedSeconds, predicted: one.predictedSeconds })),
  ];
}
