/**
 * Schedules that give each stage one chunk and never split the backward.
 *
 * Legend: p stages, m micro-batches, i the stage from 0.
 */
import { BW, F, OrderWriter, type Order } from '../order';
import { placement } from '../placement';
import type { ScheduleName } from '../../plan/keys';

/** Forwards of stage i before its first backward, of which the last one belongs to the steady state. */
type WarmUp = (stage: number) => number;

/** One micro-batch at a time: layer-wise model parallelism without a pipeline. */
export function naive(stages: number, microBatches: number): Order {
  return oneForwardOneBackward('naive', stages, microBatches, () => 1);
}

/** All forwards, then all backwards (Huang et al. 2019, arXiv 1811.06965, section 2.3). */
export function gpipe(stages: number, microBatches: number): Order {
  return oneForwardOneBackward('gpipe', stages, microBatches, () => microBatches);
}

/** 1F1B with flush (Narayanan et al. 2021, arXiv 2104.04473, section 2.2): p − i micro-batches in flight. */
export function oneF1B(schedule: ScheduleName, stages: number, microBatches: number): Order {
  return oneForwardOneBackward(schedule, stages, microBatches, stage => stages - stage);
}

/** Eager 1F1B (Zhuang et al. 2023, arXiv 2211.05322, section 4): 2(p − i) − 1 in flight, which hides messages. */
export function eagerOneF1B(stages: number, microBatches: number): Order {
  return oneForwardOneBackward('eager-1f1b', stages, microBatches, stage => 2 * (stages - stage) - 1);
}

function oneForwardOneBackward(schedule: ScheduleName, stages: number, microBatches: number, warmUp: WarmUp): Order {
  const writer = new OrderWriter(placement(stages, 1), microBatches, 2);
  for (let stage = 0; stage < stages; stage++) {
    const ahead = Math.min(microBatches, warmUp(stage));
    for (let k = 0; k < microBatches + ahead - 1; k++) {
      if (k < microBatches) writer.put(stage, F, k, 0);
      if (k >= ahead - 1) writer.put(stage, BW, k - ahead + 1, 0);
    }
  }
  return writer.finish(schedule);
}
