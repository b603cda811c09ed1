/**
 * The parts of a step by a trainer's own timers, beside what the prediction gives to the same work. Names are those of
 * Megatron-LM's timers (megatron/training/training.py); what a timer spans there is what is added up here.
 */
import type { Estimate } from '../estimate/estimate';
import type { RunSummary } from './run';

export interface ComparedPart {
  readonly name: string;
  /** Of the slowest rank. */
  readonly loggedSeconds: number;
  /** null: the cost model has no such part. */
  readonly predictedSeconds: number | null;
}

type Times = Pick<Estimate, 'time' | 'hidden'>;

/** The reduction of gradients runs within the passes there, and so do the bubble and what the axes expose. */
const SPANS: Readonly<Record<string, (of: Required<{ [K in keyof Times]: NonNullable<Times[K]> }>) => number>> = {
  'forward-backward': ({ time }) =>
    Object.values(time).reduce((sum, seconds) => sum + seconds, 0) - time.optimizer - time.gradNorm - time.host,
  'all-grads-sync': ({ time, hidden }) => time.dpExposed + hidden.dp,
  'grads-all-reduce': ({ time, hidden }) => time.dpExposed + hidden.dp,
  optimizer: ({ time }) => time.optimizer + time.gradNorm,
};

/** In the order of the log; empty where it has no timers. */
export function comparedParts({ parts }: RunSummary, { time, hidden }: Times): ComparedPart[] {
  return parts.map(({ name, mostSeconds }) => ({
    name,
    loggedSeconds: mostSeconds,
    predictedSeconds: time === null || hidden === null ? null : (SPANS[name]?.({ time, hidden }) ?? null),
  }));
}
