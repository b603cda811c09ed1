/** Measures collectives on this machine: real buffers in shared memory, one thread a rank or many ranks on few threads. */
import { availableParallelism } from 'node:os';
import { type Statistics, statistics } from '../../engine/bench/statistics';
import { runJob, type ThreadOptions } from './runThreads';
import { type Point, type Samples, type TimedOptions } from './timed';

export interface MeasureOptions extends Partial<TimedOptions> {
  readonly ranks: number;
  readonly points: readonly Point[];
  readonly workerUrl: URL;
  readonly signal?: AbortSignal;
  readonly bound?: boolean;
}

/** Seconds of one call. The slowest rank of each sample counts, as it is the one that the others wait for. */
export interface Measurement extends Point, Statistics {
  readonly ranks: number;
  readonly slowestRank: number;
}

const DEFAULTS = { warmups: 5, samples: 20, sampleSeconds: 1e-3 };

/** @returns one measurement a point, in their order */
export async function measure(options: MeasureOptions): Promise<Measurement[]> {
  const { ranks, points, workerUrl, signal, bound } = options;
  const timed: TimedOptions = { ...DEFAULTS, ...pick(options), points };
  const most = Math.max(4096, ...points.map(p => p.bytes));
  const threads = ranks <= availableParallelism();
  const bytes = threads ? 2 * (most + 4096) : points.reduce((sum, p) => sum + p.bytes + 4096, 2 * most + 65536);
  const where: ThreadOptions = {
    ranks,
    arenaBytes: Math.ceil(bytes / 8192) * 8192,
    workerUrl,
    ...(signal ? { signal } : {}),
    ...(bound === undefined ? {} : { bound }),
  };
  const { results } = await runJob<Samples>(where, {
    kind: threads ? 'timed-kernels' : 'timed-program',
    options: timed,
  });
  return points.map((point, i) =>
    summary(
      point,
      results.map(samples => samples?.[i] ?? []),
    ),
  );
}

function pick({ warmups, samples, sampleSeconds }: MeasureOptions) {
  return {
    ...(warmups === undefined ? {} : { warmups }),
    ...(samples === undefined ? {} : { samples }),
    ...(sampleSeconds === undefined ? {} : { sampleSeconds }),
  };
}

/** Statistics of the samples of all ranks. */
export function summary(point: Point, byRank: readonly (readonly number[])[]): Measurement {
  const count = byRank[0]?.length ?? 0;
  const slowest = Array.from({ length: count }, (_, s) => Math.max(...byRank.map(list => list[s] ?? 0)));
  const medians = byRank.map(list => statistics(list).medianSeconds);
  return {
    ...point,
    ranks: byRank.length,
    ...statistics(slowest),
    slowestRank: medians.indexOf(Math.max(...medians)),
  };
}
