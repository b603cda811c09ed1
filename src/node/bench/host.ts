/** `bench host`: what this machine's CPU does: products by shape, copies by size, collectives and latency among threads. */
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import type { BenchMeasurement, HostDocument, HostMemory, HostProduct } from '../../documents/bench';
import { SCHEMA } from '../../documents/types';
import { statistics } from '../../engine/bench/statistics';
import { MEASURED_OPS, type MeasuredOp } from '../collectives/timed';
import { defaultRanks, wholeShares } from './collectives';
import type { HostPoint, HostWorkerInput } from './hostWorker';
import { busyFraction, isBusy, loadOf, thisMachine } from './machine';
import { benchCollectives } from './measurements';

interface HostProgress {
  readonly done: number;
  readonly operations: number;
  /** What is being measured: a product's shape, a copy's size or an operation. */
  readonly op: string;
}

export interface HostRun {
  readonly ranks?: number;
  readonly ops?: readonly MeasuredOp[];
  readonly points?: readonly HostPoint[];
  /** Bytes of the collectives, as nccl-tests counts. */
  readonly sizes?: readonly number[];
  readonly pointSeconds?: number;
  /** Of each collective; as many as are needed where it is not given. */
  readonly samples?: number;
  /** The bundles of src/node/collectives/worker.ts and of hostWorker.ts. */
  readonly workerUrl: URL;
  readonly hostUrl: URL;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: HostProgress) => void;
}

/** Squares, and the shapes of a decoder layer of hidden 512 with 512 tokens: projection, feed-forward, one head's scores. */
const SHAPES: readonly (readonly [m: number, k: number, n: number])[] = [
  [128, 128, 128],
  [256, 256, 256],
  [512, 512, 512],
  [1024, 1024, 1024],
  [512, 512, 1536],
  [512, 2048, 512],
  [512, 64, 512],
];

/** From what the first cache holds to what none does. */
const COPY_SIZES = Array.from({ length: 7 }, (_, i) => 2 ** 14 * 4 ** i);

const HOST_POINTS: readonly HostPoint[] = [
  ...SHAPES.map(([m, k, n]): HostPoint => ({ kind: 'product', m, k, n, dtype: 'f32' })),
  { kind: 'product', m: 512, k: 512, n: 512, dtype: 'f64' },
  ...COPY_SIZES.map((bytes): HostPoint => ({ kind: 'copy', bytes })),
];

const COLLECTIVE_SIZES = [2 ** 6, 2 ** 12, 2 ** 16, 2 ** 20, 2 ** 24];
const POINT_SECONDS = 0.5;

/** Measures one thing after the other. Rejects with the signal's reason where it aborts; no thread outlives the call. */
export async function runHost(run: HostRun): Promise<HostDocument> {
  const { ranks = defaultRanks(), points = HOST_POINTS, sizes = COLLECTIVE_SIZES, ops = MEASURED_OPS } = run;
  const { workerUrl, signal, onProgress } = run;
  const operations = points.length + ops.length;
  const report = (done: number, op: string) => onProgress?.({ done, operations, op });
  const oneMinute = os.loadavg()[0];
  const before = await busyFraction(signal);
  const samples = await samplePoints(run, points, at => report(at, nameOf(points[at])));
  const collectives: BenchMeasurement[] = [];
  for (const [at, op] of ops.entries()) {
    report(points.length + at, op);
    const whole = sizes.map(bytes => wholeShares(bytes, ranks));
    const found = await benchCollectives({
      ranks,
      ops: [op],
      sizes: whole,
      workerUrl,
      adaptive: run.samples === undefined && !isBusy(before),
      ...(run.samples === undefined ? {} : { samples: run.samples }),
      ...(signal ? { signal } : {}),
    });
    collectives.push(...found.measurements);
  }
  const machine = thisMachine();
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'host',
    date: new Date().toISOString(),
    machine,
    load: loadOf(before, await busyFraction(signal), oneMinute),
    ranks,
    threads: Math.min(ranks, machine.parallelism),
    products: points.flatMap((point, i) => (point.kind === 'product' ? [productOf(point, samples[i] ?? [])] : [])),
    memory: points.flatMap((point, i) => (point.kind === 'copy' ? [memoryOf(point.bytes, samples[i] ?? [])] : [])),
    collectives,
    latency: latencyOf(collectives),
  };
}

function nameOf(point: HostPoint | undefined): string {
  if (point === undefined) return '';
  return point.kind === 'copy' ? `copy of ${point.bytes} bytes` : `product ${point.m}×${point.k}×${point.n}`;
}

function productOf({ m, k, n, dtype }: HostPoint & { kind: 'product' }, samples: readonly number[]): HostProduct {
  const stats = statistics(samples);
  const flops = 2 * m * k * n;
  return { m, k, n, dtype, flops, flopsPerSecond: flops / stats.medianSeconds, ...stats };
}

/** A copy reads its bytes and writes them. */
function memoryOf(bytes: number, samples: readonly number[]): HostMemory {
  const stats = statistics(samples);
  return { op: 'copy', bytes, bytesPerSecond: (2 * bytes) / stats.medianSeconds, ...stats };
}

function latencyOf(collectives: readonly BenchMeasurement[]): HostDocument['latency'] {
  const messages = collectives.filter(({ op }) => op === 'send-recv').sort((a, b) => a.bytes - b.bytes);
  return {
    messageSeconds: messages[0]?.medianSeconds ?? null,
    barrierSeconds: collectives.find(({ op }) => op === 'barrier')?.medianSeconds ?? null,
  };
}

/** Samples of all points, from a thread of its own that ends with the call. */
async function samplePoints(
  { hostUrl, signal, pointSeconds = POINT_SECONDS }: HostRun,
  points: readonly HostPoint[],
  onPoint: (at: number) => void,
): Promise<number[][]> {
  const input: HostWorkerInput = { points, pointSeconds };
  const thread = new Worker(hostUrl, { workerData: input });
  const found: number[][] = [];
  try {
    onPoint(0);
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      thread.on('message', (samples: number[]) => {
        found.push(samples);
        if (found.length < points.length) onPoint(found.length);
      });
      thread.once('error', reject);
      thread.once('exit', resolve);
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    return found;
  } finally {
    await thread.terminate();
  }
}
