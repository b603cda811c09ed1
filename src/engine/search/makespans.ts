/**
 * Lower bounds of makespans, for schedules that would have to be simulated.
 *
 * Legend: p stages, m micro-batches, v chunks a stage; f_k, b_k, w_k seconds of a micro-batch's forward pass, backward
 * pass for inputs and for weights on stage k; t_k their sum.
 */
import type { ScheduleShape, StageSeconds } from '../estimate/closedMakespan';
import type { ScheduleName } from '../plan/keys';

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
  let before = 0;
  let back = 0;
  let bound = 0;
  for (let k = 0; k < p; k++) {
    const f = forward[k];
    const b = backwardInput[k];
    const w = backwardWeight[k];
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
