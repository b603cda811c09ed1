/** Collectives measured on this machine, with the bandwidths that one compares. */
import { bandwidthOf, lectureBandwidth } from '../../engine/collectives/bandwidth';
import type { BenchMeasurement } from '../../documents/bench';
import { measure, type Measurement } from '../collectives/measure';
import { MEASURED_OPS, type MeasuredOp, type Point } from '../collectives/timed';

export interface BenchOptions {
  readonly ranks: number;
  /** Default: all. */
  readonly ops?: readonly MeasuredOp[];
  /** Bytes as nccl-tests counts; default 4 KiB, 64 KiB, 1 MiB, 16 MiB. */
  readonly sizes?: readonly number[];
  readonly samples?: number;
  /** Measure again, with more samples, what is not known well: of use where nobody else keeps the machine busy. */
  readonly adaptive?: boolean;
  readonly workerUrl: URL;
  readonly signal?: AbortSignal;
}

const DEFAULT_SIZES = [2 ** 12, 2 ** 16, 2 ** 20, 2 ** 24];
const FEWEST_SAMPLES = 10;
const GIB = 2 ** 30;

/** The measurements, without `schema` and `command`. Aborts with its signal. */
export async function benchCollectives(options: BenchOptions): Promise<{ measurements: BenchMeasurement[] }> {
  const { ranks, ops = MEASURED_OPS, sizes = DEFAULT_SIZES, workerUrl, signal } = options;
  const samples = Math.max(FEWEST_SAMPLES, options.samples ?? 20);
  const points = ops.flatMap((op): Point[] =>
    op === 'barrier' ? [{ op, bytes: 0 }] : sizes.map(bytes => ({ op, bytes })),
  );
  const where = { ranks, workerUrl, ...(signal ? { signal } : {}) };
  const measured = await measure({ ...where, points, samples });
  const unsure = measured.filter(({ medianWidth }) => options.adaptive === true && medianWidth > WANTED_WIDTH);
  if (unsure.length === 0) return { measurements: measured.map(withBandwidths) };
  const again = await measure({
    ...where,
    points: unsure.map(({ op, bytes }) => ({ op, bytes })),
    samples: MORE * samples,
  });
  const better = new Map(again.map(one => [`${one.op} ${one.bytes}`, one]));
  return { measurements: measured.map(one => withBandwidths(better.get(`${one.op} ${one.bytes}`) ?? one)) };
}

/** Medians known less well are measured again, by so many more samples. */
const WANTED_WIDTH = 0.05;
const MORE = 4;

/** Adds the bandwidths to a measurement; by the median of the slowest rank. */
export function withBandwidths(measurement: Measurement): BenchMeasurement {
  const { op, bytes, medianSeconds, ranks } = measurement;
  const rates = op === 'barrier' ? { algbw: null, busbw: null } : bandwidthOf(op, bytes, medianSeconds, ranks);
  const { busbw } = rates;
  return {
    ...measurement,
    source: 'measured',
    transport: 'shared-memory-threads',
    ...rates,
    busbwGB: busbw === null ? null : busbw / 1e9,
    busbwGiB: busbw === null ? null : busbw / GIB,
    lecture: op === 'all-reduce' || op === 'reduce-scatter' ? lectureOf(op, bytes, medianSeconds, ranks) : null,
  };
}

function lectureOf(op: 'all-reduce' | 'reduce-scatter', bytes: number, seconds: number, ranks: number) {
  const { bytesPerSecond, factor } = lectureBandwidth(op, bytes, seconds, ranks);
  const code = op === 'all-reduce' ? ('same-as-busbw' as const) : ('counts-output-bytes' as const);
  return { printedGiB: bytesPerSecond / GIB, factor, code };
}
