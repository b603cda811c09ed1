/**
 * Makespans without simulation: exact where the schedule allows it, else a lower bound.
 *
 * Legend: p stages, m micro-batches, v chunks a stage; f_k, b_k, w_k seconds of a micro-batch's forward pass, backward
 * pass for inputs and for weights on stage k; t_k their sum.
 */
import { interleavedMakespan, oneForwardOneBackward } from '../estimate/makespan';
import type { ScheduleShape, StageSeconds } from '../estimate/schedule';
import type { ScheduleName } from '../plan/keys';

/** Schedules whose makespan is known in closed form for stages of unequal times. */
export function isClosed(name: ScheduleName, stages: number, microBatches: number, virtual: number): boolean {
  switch (name) {
    case 'none':
    case '1f1b':
    case 'interleaved-1f1b':
      return true;
    case 'naive':
    case 'gpipe':
      return microBatches <= 6 * stages;
    case 'breadth-first':
      return (virtual === 1 || microBatches >= stages) && microBatches <= 6 * stages;
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

/**
 * A makespan that no schedule of this kind can beat: stage k cannot start before a micro-batch has come through the
 * stages before it, and after its last backward pass for inputs those before it have theirs to do. In a V a stage has
 * half of its layers on the way there; DualPipe sends micro-batches from both ends.
 */
export function makespanBound({ name, stages: p, microBatches: m }: ScheduleShape, times: StageSeconds): number {
  return boundOfWay(wayOf(name), p, m, times);
}

/** Share of a stage's layers that a micro-batch passes before it reaches the next stage; schedules that share it share bounds. */
export function wayOf(name: ScheduleName): 0 | 0.5 | 1 {
  return name === 'dualpipe' ? 0 : ONE_WAY.has(name) ? 1 : 0.5;
}

export function boundOfWay(share: number, p: number, m: number, times: StageSeconds): number {
  const { forward, backwardInput, backwardWeight } = times;
  let [before, back, bound] = [0, 0, 0];
  for (let k = 0; k < p; k++) {
    const [f, b, w] = [forward[k], backwardInput[k], backwardWeight[k]];
    const own = share * before + m * (f + b + w);
    if (own > bound) bound = own;
    const around = share < 1 ? 0 : before + m * (f + b) + back + (k > 0 ? backwardWeight[0] : w);
    if (around > bound) bound = around;
    before += f;
    back += b;
  }
  return bound;
}

/** A stage is visited once each way. */
const ONE_WAY: ReadonlySet<ScheduleName> = new Set(['gpipe', 'eager-1f1b', 'zb-h1', 'zb-h2', 'zb-1p', 'zb-2p']);
