/**
 * The handcrafted zero-bubble schedules of Qi et al. 2023 (arXiv 2401.10241, section 2): the backward is split into B,
 * on which other stages wait, and W, which fills the bubbles.
 *
 * Legend: p stages, m micro-batches, i the stage from 0.
 */
import { B, F, OrderWriter, W, type Order } from '../order';
import { placement } from '../placement';
import type { ScheduleName } from '../../plan/keys';

/** ZB-H1: 1F1B's forwards and backwards; W lags i micro-batches, so that each stage holds at most p of them. */
export function zbH1(stages: number, microBatches: number): Order {
  return splitBackward(
    'zb-h1',
    stages,
    microBatches,
    stage => stages - stage,
    stage => stage,
  );
}

/** ZB-H2: 2(p − i) − 1 forwards before the first backward; W lags 2i micro-batches: at most 2p − 1 are held. */
export function zbH2(stages: number, microBatches: number): Order {
  return splitBackward(
    'zb-h2',
    stages,
    microBatches,
    stage => 2 * (stages - stage) - 1,
    stage => 2 * stage,
  );
}

function splitBackward(
  schedule: ScheduleName,
  stages: number,
  microBatches: number,
  warmUp: (stage: number) => number,
  lag: (stage: number) => number,
): Order {
  const writer = new OrderWriter(placement(stages, 1), microBatches, 3);
  for (let stage = 0; stage < stages; stage++) {
    const ahead = Math.min(microBatches, warmUp(stage)) - 1;
    for (let k = 0; k < microBatches + ahead; k++) {
      if (k < microBatches) writer.put(stage, F, k, 0);
      const back = k - ahead;
      if (back >= 0) writer.put(stage, B, back, 0);
      if (back >= lag(stage)) writer.put(stage, W, back - lag(stage), 0);
    }
    for (let k = Math.max(0, microBatches - lag(stage)); k < microBatches; k++) writer.put(stage, W, k, 0);
  }
  return writer.finish(schedule);
}
