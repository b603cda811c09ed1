/** Multiplies for half a second beside other threads; answers with the mean rate in GFLOP/s. */
import { parentPort } from 'node:worker_threads';
import { gemm } from '../../src/engine/trainer/gemm';

const N = 256;
const [a, b, out] = [0.5, 0.25, 0].map(value => new Float32Array(N * N).fill(value));

function multiplyFor(milliseconds: number): number {
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < milliseconds; count++) gemm(out, a, b, { m: N, n: N, k: N });
  return (2e-6 * N ** 3 * count) / (performance.now() - start);
}

multiplyFor(100);
parentPort?.postMessage(multiplyFor(500));
