/** The benchmark of collectives as users start it: sizes, progress, and what the machine was doing meanwhile. */
import os from 'node:os';
import type { BenchDocument, BenchMeasurement } from '../../documents/bench';
import { SCHEMA } from '../../documents/types';
import { MEASURED_OPS, type MeasuredOp } from '../collectives/timed';
import { busyFraction, isBusy, loadOf, thisMachine } from './machine';
import { benchCollectives } from './measurements';

interface BenchProgress {
  readonly done: number;
  readonly operations: number;
  /** The one that is being measured. */
  readonly op: MeasuredOp;
}

export interface BenchRun {
  readonly ranks?: number;
  /** Bytes as nccl-tests counts. */
  readonly sizes?: readonly number[];
  readonly samples?: number;
  /** The bundle of src/node/collectives/worker.ts. */
  readonly workerUrl: URL;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BenchProgress) => void;
}

/** Powers of four, 4 KiB to 64 MiB. */
const SIZES = Array.from({ length: 8 }, (_, i) => 2 ** 12 * 4 ** i);

/** As src/node/collectives/measure.ts does by default. */
const WARMUPS = 5;

export const MOST_RANKS = 64;

/** All ranks' buffers lie in one memory; beyond this the largest default sizes are left out. */
const MOST_BYTES = 2 ** 31;
const fits = (bytes: number, ranks: number) => 4 * bytes * ranks <= MOST_BYTES;

/** Two ranks at least, four where the cores are there: more say little more of the same memory. */
export const defaultRanks = (): number => Math.max(2, Math.min(4, os.availableParallelism()));

/** The largest size that so many ranks can be measured with. */
export const mostBytes = (ranks: number): number => MOST_BYTES / 4 / ranks;

/** Measures one operation after the other. Rejects with the signal's reason where it aborts; no thread outlives the call. */
export async function runBench(run: BenchRun): Promise<BenchDocument> {
  const { ranks = defaultRanks(), workerUrl, signal, onProgress } = run;
  const sizes = run.sizes ?? SIZES.filter(bytes => fits(bytes, ranks));
  const report = (done: number) => onProgress?.({ done, operations: MEASURED_OPS.length, op: MEASURED_OPS[done] });
  report(0);
  const oneMinute = os.loadavg()[0];
  const before = await busyFraction(signal);
  const measurements: BenchMeasurement[] = [];
  for (const [done, op] of MEASURED_OPS.entries()) {
    report(done);
    const found = await benchCollectives({
      ranks,
      ops: [op],
      sizes: sizes.map(bytes => wholeShares(bytes, ranks)),
      workerUrl,
      adaptive: run.samples === undefined && !isBusy(before),
      ...(run.samples === undefined ? {} : { samples: run.samples }),
      ...(signal ? { signal } : {}),
    });
    measurements.push(...found.measurements);
  }
  const machine = thisMachine();
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'collectives',
    date: new Date().toISOString(),
    machine,
    load: loadOf(before, await busyFraction(signal), oneMinute),
    ranks,
    threads: Math.min(ranks, machine.parallelism),
    warmups: WARMUPS,
    measurements,
  };
}

/** Every rank's share is a whole number of float32. */
export function wholeShares(bytes: number, ranks: number): number {
  const unit = 4 * ranks;
  return Math.ceil(bytes / unit) * unit;
}
