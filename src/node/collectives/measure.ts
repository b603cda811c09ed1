/** Measures collectives on this machine: real buffers in shared memory, one thread a rank or many ranks on few threads. */
import { availableParallelism } from 'node:os';
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
export interface Measurement extends Point {
  readonly ranks: number;
  readonly samples: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
  readonly leastSeconds: number;
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
  const sorted = [...slowest].sort((a, b) => a - b);
  const medians = byRank.map(list =>
    quantile(
      [...list].sort((a, b) => a - b),
      0.5,
    ),
  );
  return {
    ...point,
    ranks: byRank.length,
    samples: count,
    medianSeconds: quantile(sorted, 0.5),
    p95Seconds: quantile(sorted, 0.95),
    leastSeconds: sorted[0] ?? 0,
    slowestRank: medians.indexOf(Math.max(...medians)),
  };
}

/** Linear between the two nearest of sorted values. */
function quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}
