/** Calls of collectives added up: how many bytes each rank sends for a call, read from the step list that the world takes. */
import { algorithmsFor, buildSchedule } from '../collectives/build';
import { type Communication, dtypeOf, type Group, type Program, type Reply } from '../collectives/communicator';
import { countSchedule } from '../collectives/count';
import { chunkStarts, evenBlocks } from '../collectives/layout';
import { BYTES_PER_ELEMENT } from '../collectives/numbers';
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
function scheduleOf(op: CollectiveOp, n: number) {
  const schedule = buildSchedule(op, algorithmsFor(op)[0], n);
  invariant(schedule !== null, `${op} has no algorithm`);
  return schedule;
}

/** Elements that each member sends in an all-to-all of unequal parts: `matrix` has a row of lengths for each member. */
export function dealtElements(matrix: readonly number[], n: number): Float64Array {
  const schedule = scheduleOf('all-to-all', n);
  return countSchedule(schedule, chunkStarts(schedule, matrix)).sentBytes;
}

/** One rank's side of an all-to-all of unequal parts; what it sends is known when all sides are. */
export interface Deal {
  readonly group: Group;
  readonly lengths: readonly number[];
  /** Of an element. */
  readonly bytes: number;
}

/** Adds up calls and bytes by axis and operation. */
export class Tally {
  private readonly found = new Map<string, PredictedTraffic>();

  readonly deals: Deal[] = [];

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
    return this.parts().map(entry => ({ ...entry, count: Math.round(entry.count) }));
  }

  /** As `list`, where not all ranks of a group have been counted yet: counts are fractions. */
  parts(): PredictedTraffic[] {
    return [...this.found.values()];
  }
}

/** Counts what a rank asks for where no world does: every request by the bytes that the rank sends for it. */
export function* counting<T>(program: Program<T>, rank: number, tally: Tally): Program<T> {
  let reply: Reply = undefined;
  for (;;) {
    const next = program.next(reply);
    if (next.done) return next.value;
    const request = next.value;
    if (request.kind === 'start') countRequest(tally, rank, request.request);
    else if (request.kind !== 'wait' && request.kind !== 'compute') countRequest(tally, rank, request);
    reply = yield request;
  }
}

function countRequest(tally: Tally, rank: number, request: Communication): void {
  if (request.kind === 'receive') return;
  const { data } = request;
  const bytes = BYTES_PER_ELEMENT[dtypeOf(data)];
  if (request.kind === 'send') return tally.put('pp', 'send-recv', rank, data.length * bytes, 1);
  const { op, group, sendLengths } = request;
  const seat = { group, size: group.ranks.length, index: group.ranks.indexOf(rank) };
  if (sendLengths) return void tally.deals.push({ group, lengths: sendLengths, bytes });
  // Elements as nccl-tests counts: of an all-gather the whole output.
  tally.add(op, seat, rank, op === 'all-gather' ? data.length * seat.size : data.length, bytes);
}

/** Adds the deals of all ranks to a tally: the i-th of a group on one member meets the i-th on the others. */
export function addDeals(tally: Tally, byRank: readonly (readonly Deal[])[]): void {
  const meetings = new Map<string, number[][]>();
  const groups = new Map<string, Deal>();
  byRank.forEach((deals, rank) => {
    const counts = new Map<string, number>();
    for (const deal of deals) {
      const { axis, ranks } = deal.group;
      const name = `${axis} ${ranks.join()}`;
      const turn = counts.get(name) ?? 0;
      counts.set(name, turn + 1);
      const key = `${name} ${turn}`;
      groups.set(key, deal);
      const rows = meetings.get(key) ?? ranks.map(() => []);
      rows[ranks.indexOf(rank)] = [...deal.lengths];
      meetings.set(key, rows);
    }
  });
  for (const [key, rows] of meetings) {
    const { group, bytes } = groups.get(key) as Deal;
    const sent = dealtElements(rows.flat(), rows.length);
    group.ranks.forEach((rank, i) => tally.put(group.axis, 'all-to-all', rank, sent[i] * bytes, 1 / rows.length));
  }
}
