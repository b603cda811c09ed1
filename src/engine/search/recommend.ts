/** Which of the plans that a search found a user should run. */
import { stepWidth } from '../estimate/estimate';
import type { Tables } from '../estimate/prepare';
import type { Candidate } from './candidate';
import { excessOf, type Goal } from './objective';

/** Seconds a sequence, with the excess of a batch past the critical one: what the search makes least. */
export function secondsPerSequence({ stepSeconds, plan: { globalBatch, seqLen } }: Candidate, goal: Goal): number {
  return (stepSeconds / globalBatch) * excessOf(goal, globalBatch * seqLen);
}

/** Whether the likely range of its memory reaches over the capacity, although its peak does not. */
export function isClose({ peakBytes, upperBytes }: Candidate, capacityBytes: number | null): boolean {
  return capacityBytes !== null && peakBytes <= capacityBytes && capacityBytes < upperBytes;
}

/**
 * The best plan, unless it fits only closely and the fastest that surely fits is no slower than the model may err: a
 * gain within the interval of a step is not worth a run that may die of memory. `front`: the Pareto front, on which the
 * fastest of those that surely fit stands.
 */
export function recommended(
  [first]: readonly Candidate[],
  front: readonly Candidate[],
  {
    goal,
    tables,
    capacityBytes,
  }: { readonly goal: Goal; readonly tables: Tables; readonly capacityBytes: number | null },
): Candidate | null {
  if (first === undefined || goal.objective === 'memory' || !isClose(first, capacityBytes)) return first ?? null;
  const seconds = (candidate: Candidate) => secondsPerSequence(candidate, goal);
  const [sure] = front
    .filter(candidate => candidate.upperBytes <= (capacityBytes ?? Infinity))
    .sort((a, b) => seconds(a) - seconds(b));
  if (sure === undefined) return first;
  return seconds(sure) <= seconds(first) * Math.exp(stepWidth(tables, first.plan.stack)) ? sure : first;
}
