/** Executes a step list on real buffers. The result arises from the list alone: a wrong list gives a wrong result. */
import { invariant } from '../problem';
import { chunkStarts, evenBlocks, holdings } from './layout';
import { allocate, type Buffer, divide, type Dtype, type Reduction, reduceInto } from './numbers';
import type { Schedule, Transfer } from './schedule';

/** What a holder has of each chunk. */
type Chunks = (Buffer | undefined)[];

/** A step list that breaks its own contract: who should have held or received what. */
export class ScheduleError extends Error {}

export interface Execution {
  readonly outputs: readonly Buffer[];
  /** Elements that each rank sent. */
  readonly sentElements: Float64Array;
  /** Elements that each rank received. */
  readonly receivedElements: Float64Array;
}

export interface Payload {
  readonly dtype: Dtype;
  readonly reduction: Reduction;
  /** One input a rank. Ranks whose input the operation does not read may give an empty buffer. */
  readonly inputs: readonly Buffer[];
  /** All-to-all with uneven parts: lengths[i · n + j] elements go from rank i to rank j. */
  readonly lengths?: readonly number[];
}

/** Lengths of all blocks as the inputs imply them. */
export function blockLengths(schedule: Schedule, { inputs, lengths }: Payload): readonly number[] {
  const { op, ranks, root } = schedule;
  const length = (rank: number) => inputs[rank].length;
  if (op === 'all-to-all' && lengths) return lengths;
  if (op === 'all-gather' || op === 'gather' || op === 'send-recv')
    return Array.from({ length: ranks }, (_, r) => length(r));
  return evenBlocks(schedule, op === 'barrier' ? 0 : length(op === 'broadcast' || op === 'scatter' ? root : 0));
}

/** Runs the schedule and returns each rank's output: empty where the operation gives a rank nothing. */
export function execute(schedule: Schedule, payload: Payload): Execution {
  const { op, ranks, holders, blocks, split, root } = schedule;
  const { dtype, reduction } = payload;
  const lengths = blockLengths(schedule, payload);
  const starts = chunkStarts(schedule, lengths);
  const { before, after } = holdings(op, ranks, root);
  const store: Chunks[] = [];
  for (let r = 0; r < holders; r++) {
    store.push(new Array<Buffer | undefined>(blocks * split).fill(undefined));
    if (r < ranks) load(store[r], payload.inputs[r], b => before(r, b), starts, split);
  }
  const traffic = { sent: new Float64Array(holders), received: new Float64Array(holders) };
  for (const step of schedule.steps()) {
    for (const transfer of step) move(transfer, store, ranks, payload, traffic);
    for (const { from, first, count } of step) if (from >= ranks) store[from].fill(undefined, first, first + count); // a switch keeps nothing
  }
  const outputs = Array.from({ length: ranks }, (_, r) =>
    collect(store[r], b => after(r, b), starts, schedule, dtype, r),
  );
  const reduces = op === 'reduce' || op === 'reduce-scatter' || op === 'all-reduce';
  if (reduces && reduction === 'average') for (const output of outputs) divide(output, dtype, ranks);
  return {
    outputs,
    sentElements: traffic.sent.subarray(0, ranks),
    receivedElements: traffic.received.subarray(0, ranks),
  };
}

function move(
  { from, to, first, count, reduce }: Transfer,
  store: readonly Chunks[],
  ranks: number,
  { dtype, reduction }: Payload,
  traffic: { sent: Float64Array; received: Float64Array },
): void {
  const source = store[from];
  const target = store[to];
  for (let c = first; c < first + count; c++) {
    const data = source[c];
    if (!data) throw new ScheduleError(`rank ${from} sends chunk ${c} that it does not hold`);
    traffic.sent[from] = traffic.sent[from] + data.length;
    traffic.received[to] = traffic.received[to] + data.length;
    const mine = target[c];
    if (!reduce || (!mine && to >= ranks)) target[c] = data.slice();
    else if (mine) reduceInto(mine, data, dtype, reduction);
    else throw new ScheduleError(`rank ${to} reduces chunk ${c} that it does not hold`);
  }
}

/** Cuts an input into the chunks that its rank holds at the start; they lie one after the other in it. */
function load(
  chunks: Chunks,
  input: Buffer,
  holds: (block: number) => boolean,
  starts: Float64Array,
  split: number,
): void {
  let at = 0;
  for (let c = 0; c < chunks.length; c++) {
    if (!holds(Math.floor(c / split))) continue;
    const length = starts[c + 1] - starts[c];
    chunks[c] = input.slice(at, at + length);
    at += length;
  }
  invariant(at <= input.length, `an input of ${input.length} elements is shorter than the ${at} that are needed`);
}

function collect(
  chunks: readonly (Buffer | undefined)[],
  holds: (block: number) => boolean,
  starts: Float64Array,
  { split }: Schedule,
  dtype: Dtype,
  rank: number,
): Buffer {
  const wanted = chunks.flatMap((_, c) => (holds(Math.floor(c / split)) ? [c] : []));
  const length = wanted.reduce((sum, c) => sum + starts[c + 1] - starts[c], 0);
  const output = allocate(dtype, length);
  let at = 0;
  for (const c of wanted) {
    const data = chunks[c];
    if (!data) throw new ScheduleError(`rank ${rank} never receives chunk ${c}`);
    output.set(data, at);
    at += data.length;
  }
  return output;
}
