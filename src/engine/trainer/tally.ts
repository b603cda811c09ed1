/** Calls of collectives added up: how many bytes each rank sends for a call, read from the step list that the world takes. */
import { algorithmsFor, buildSchedule } from '../collectives/build';
import { countSchedule } from '../collectives/count';
import { chunkStarts, evenBlocks } from '../collectives/layout';
import type { CollectiveOp } from '../collectives/schedule';
import { invariant } from '../problem';
import type { Seat } from './layout';

export interface PredictedTraffic {
  readonly axis: string;
  readonly op: CollectiveOp;
  /** Calls, counted once a group. */
  count: number;
  readonly bytesPerRank: Float64Array;
}

/** Bytes by place in the group, read from the step list that the world takes when no network is given. */
const sent = new Map<string, Float64Array>();

function sentBytes(op: CollectiveOp, n: number, elements: number, bytes: number): Float64Array {
  const key = `${op} ${n} ${elements} ${bytes}`;
  let result = sent.get(key);
  if (!result) {
    const schedule = scheduleOf(op, n);
    result = countSchedule(schedule, chunkStarts(schedule, evenBlocks(schedule, elements))).sentBytes.map(
      x => x * bytes,
    );
    if (sent.size > 10_000) sent.clear();
    sent.set(key, result);
  }
  return result;
}

/** The step list that a world without a network takes. */
export function scheduleOf(op: CollectiveOp, n: number) {
  const schedule = buildSchedule(op, algorithmsFor(op)[0], n);
  invariant(schedule !== null, `${op} has no algorithm`);
  return schedule;
}

/** Adds up calls and bytes by axis and operation. */
export class Tally {
  private readonly found = new Map<string, PredictedTraffic>();

  constructor(private readonly world: number) {}

  /** One call of this rank in its group, with `elements` as nccl-tests counts them. */
  add(op: CollectiveOp, seat: Seat, rank: number, elements: number, bytes: number, times = 1): void {
    if (seat.size === 1 || times === 0) return;
    this.put(
      seat.group.axis,
      op,
      rank,
      sentBytes(op, seat.size, elements, bytes)[seat.index] * times,
      times / seat.size,
    );
  }

  put(axis: string, op: CollectiveOp, rank: number, bytes: number, count: number): void {
    const key = `${axis} ${op}`;
    let entry = this.found.get(key);
    if (!entry) this.found.set(key, (entry = { axis, op, count: 0, bytesPerRank: new Float64Array(this.world) }));
    entry.count += count;
    entry.bytesPerRank[rank] += bytes;
  }

  list(): PredictedTraffic[] {
    return [...this.found.values()].map(entry => ({ ...entry, count: Math.round(entry.count) }));
  }
}
