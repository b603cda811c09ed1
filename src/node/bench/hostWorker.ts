/** The worker thread that measures products and copies: one message a point, so that the others can follow and stop it. */
import { parentPort, workerData } from 'node:worker_threads';
import { isSettled } from '../../engine/bench/statistics';
import { gemm } from '../../engine/trainer/gemm';

export type HostPoint =
  | {
      readonly kind: 'product';
      readonly m: number;
      readonly k: number;
      readonly n: number;
      readonly dtype: 'f32' | 'f64';
    }
  | { readonly kind: 'copy'; readonly bytes: number };

export interface HostWorkerInput {
  readonly points: readonly HostPoint[];
  /** A point is left when its median is known or after this long. */
  readonly pointSeconds: number;
}

const WARMUPS = 5;
const FEWEST = 15;
const MOST = 400;
/** A sample repeats a call until it is long beside the clock's own error. */
const SAMPLE_SECONDS = 1e-3;

/** Seconds of one call, by sample. */
function sample(call: () => void, limit: number): number[] {
  const once = timed(call, 1);
  for (let i = 1; i < WARMUPS; i++) call();
  const calls = Math.max(
    1,
    Math.min(5000, Math.round(SAMPLE_SECONDS / Math.max(1e-7, Math.min(once, timed(call, 1))))),
  );
  const list: number[] = [];
  const end = performance.now() + limit * 1000;
  while (list.length < MOST && (list.length < FEWEST || performance.now() < end)) {
    list.push(timed(call, calls));
    if (list.length >= FEWEST && list.length % 5 === 0 && isSettled(list)) break;
  }
  return list;
}

function timed(call: () => void, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) call();
  return (performance.now() - start) / 1000 / calls;
}

function callOf(point: HostPoint): () => void {
  if (point.kind === 'copy') {
    const from = new Float64Array(point.bytes / 8).fill(1);
    const to = new Float64Array(point.bytes / 8);
    return () => to.set(from);
  }
  const { m, k, n, dtype } = point;
  const make = (length: number) => (dtype === 'f32' ? new Float32Array(length) : new Float64Array(length)).fill(0.5);
  const [a, b, out] = [make(m * k), make(k * n), make(m * n)];
  return () => gemm(out, a, b, { m, n, k });
}

const { points, pointSeconds } = workerData as HostWorkerInput;
for (const point of points) parentPort?.postMessage(sample(callOf(point), pointSeconds));
