/** Times collectives from inside the ranks: batches of calls, each batch a sample. */
import type { Program, Rank } from '../../engine/collectives/communicator';
import type { CollectiveOp } from '../../engine/collectives/schedule';
import { type HeapLayout, viewOf } from './heap';
import type { RankThread } from './rankThread';

/** Operations that can be measured on the own machine. */
export const MEASURED_OPS = [
  'all-reduce',
  'reduce-scatter',
  'all-gather',
  'all-to-all',
  'broadcast',
  'send-recv',
  'barrier',
] as const;
export type MeasuredOp = (typeof MEASURED_OPS)[number];

export interface Point {
  readonly op: MeasuredOp;
  /** As nccl-tests counts. */
  readonly bytes: number;
}

export interface TimedOptions {
  readonly points: readonly Point[];
  readonly warmups: number;
  readonly samples: number;
  /** A sample repeats a call until about this long is over. */
  readonly sampleSeconds: number;
}

/** Seconds of one call, by point and sample. */
export type Samples = number[][];

const FEWEST_SECONDS = 2e-7;

/** How many calls make a sample, from the time of one warm call. All ranks must come to the same number. */
const batchOf = (sampleSeconds: number, callSeconds: number) =>
  Math.max(1, Math.min(2000, Math.round(sampleSeconds / Math.max(callSeconds, FEWEST_SECONDS))));

/** A guess of a call's time that every rank shares: 1 GB/s and half a microsecond. */
const guess = ({ bytes }: Point) => 5e-7 + bytes / 4e9;

/** One rank a thread. The rank's arena holds its input and output, each a half. */
export function timeRankThread(
  thread: RankThread,
  rank: number,
  layout: HeapLayout,
  memory: { readonly buffer: ArrayBufferLike },
  options: TimedOptions,
): Samples {
  const input = layout.arenas + rank * layout.arenaBytes;
  const output = input + layout.arenaBytes / 2;
  viewOf(memory, 'f32', input, layout.arenaBytes / 4).fill(1);
  thread.use(input, output);
  return options.points.map(point => {
    const call = callOf(thread, point, layout.workers);
    const count = batchOf(options.sampleSeconds, guess(point));
    const list: number[] = [];
    for (let sample = -options.warmups; sample < options.samples; sample++) {
      thread.barrier();
      const start = performance.now();
      for (let i = 0; i < count; i++) call();
      const seconds = (performance.now() - start) / 1000 / count;
      if (sample >= 0) list.push(point.op === 'send-recv' ? seconds / 2 : seconds);
    }
    return list;
  });
}

function callOf(thread: RankThread, { op, bytes }: Point, n: number): () => void {
  switch (op) {
    case 'all-reduce':
      return () => thread.allReduce(bytes, 'f32', 'sum');
    case 'reduce-scatter':
      return () => thread.reduceScatter(bytes, 'f32', 'sum');
    case 'all-gather':
      return () => thread.allGather(bytes / n);
    case 'all-to-all':
      return () => thread.allToAll(bytes, 'f32');
    case 'broadcast':
      return () => thread.broadcast(bytes, 0);
    case 'send-recv':
      return () => thread.pingPong(bytes);
    case 'barrier':
      return () => thread.barrier();
  }
}

/** The same as a rank's program, for more ranks than threads. */
export const timedProgram = (options: TimedOptions) =>
  function* (rank: Rank): Program<Samples> {
    const all: Samples = [];
    for (const point of options.points) {
      const { op, bytes } = point;
      const share = op === 'all-gather' ? bytes / rank.size : bytes;
      const data = rank.allocate('f32', op === 'barrier' ? 0 : Math.floor(share / 4));
      const request = rank.request(op satisfies CollectiveOp, data, { inPlace: true });
      const count = batchOf(options.sampleSeconds, guess(point) * rank.size);
      const list: number[] = [];
      for (let sample = -options.warmups; sample < options.samples; sample++) {
        yield* rank.barrier();
        const start = performance.now();
        for (let i = 0; i < count; i++) yield request;
        if (sample >= 0) list.push((performance.now() - start) / 1000 / count);
      }
      all.push(list);
    }
    return all;
  };
