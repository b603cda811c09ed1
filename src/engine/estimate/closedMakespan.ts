/**
 * Makespans in closed form, exact for stages of unequal times where the schedule allows it (interleaved 1F1B: nearly).
 *
 * Legend: p stages, m micro-batches, v chunks a stage.
 */
import type { ScheduleName } from '../plan/keys';
import { interleavedMakespan, oneForwardOneBackward } from './makespan';

/** Seconds of a micro-batch by stage. */
export interface StageSeconds {
  readonly forward: Float64Array;
  readonly backwardInput: Float64Array;
  readonly backwardWeight: Float64Array;
}

export interface ScheduleShape {
  readonly name: ScheduleName;
  readonly stages: number;
  readonly microBatches: number;
  readonly virtual: number;
}

/** Schedules whose makespan is known in closed form for stages of unequal times. */
export function isClosed(name: ScheduleName, stages: number, microBatches: number, virtual: number): boolean {
  switch (name) {
    case 'none':
    case '1f1b':
    case 'interleaved-1f1b':
      return true;
    case 'naive':
    case 'gpipe':
      return true;
    case 'breadth-first':
      return virtual === 1 || microBatches >= stages;
    default:
      return stages === 1;
  }
}

/** Seconds from the first pass to the last of a schedule that isClosed. */
export function closedMakespan(
  { name, stages: p, microBatches: m, virtual: v }: ScheduleShape,
  times: StageSeconds,
): number {
  if (p === 1) return m * (times.forward[0] + times.backwardInput[0] + times.backwardWeight[0]);
  switch (name) {
    case '1f1b':
      return oneForwardOneBackward(p, m, times);
    case 'interleaved-1f1b':
      return interleavedMakespan(p, m, v, times);
    case 'naive':
      return m * sums(p, times).whole;
    default:
      return forwardsFirst(p, m, v, times);
  }
}

/**
 * All forwards, then all backwards (GPipe, arXiv 1811.06965; in v rounds: breadth-first, arXiv 2211.05953). Either half
 * is a flow shop: one pass through all stages, and the rest of the m·v chunks at the slowest of them; m ≥ p where v > 1.
 */
function forwardsFirst(p: number, m: number, v: number, times: StageSeconds): number {
  const { whole, mostForward, mostBackward } = sums(p, times);
  return (whole + (m * v - 1) * (mostForward + mostBackward)) / v;
}

const total = { whole: 0, mostForward: 0, mostBackward: 0 };

function sums(p: number, { forward, backwardInput, backwardWeight }: StageSeconds): typeof total {
  total.whole = total.mostForward = total.mostBackward = 0;
  for (let k = 0; k < p; k++) {
    const backward = backwardInput[k] + backwardWeight[k];
    total.whole += forward[k] + backward;
    total.mostForward = Math.max(total.mostForward, forward[k]);
    total.mostBackward = Math.max(total.mostBackward, backward);
  }
  return total;
}
