/** Counts a step list: the traffic that the cost model predicts and that counters must show. */
import type { Schedule } from './schedule';

export interface Count {
  readonly steps: number;
  readonly messages: number;
  /** By rank. */
  readonly sentBytes: Float64Array;
  readonly receivedBytes: Float64Array;
}

/** @param chunkBytes start of each chunk in bytes, with the end as a last entry */
export function countSchedule(schedule: Schedule, chunkBytes: Float64Array): Count {
  const sent = new Float64Array(schedule.holders);
  const received = new Float64Array(schedule.holders);
  let [steps, messages] = [0, 0];
  for (const step of schedule.steps()) {
    let [lastFrom, lastTo] = [-1, -1];
    for (const { from, to, first, count } of step) {
      const bytes = chunkBytes[first + count] - chunkBytes[first];
      sent[from] = sent[from] + bytes;
      received[to] = received[to] + bytes;
      if (from !== lastFrom || to !== lastTo) messages++;
      [lastFrom, lastTo] = [from, to];
    }
    if (step.length > 0) steps++;
  }
  const { ranks } = schedule;
  return { steps, messages, sentBytes: sent.subarray(0, ranks), receivedBytes: received.subarray(0, ranks) };
}
