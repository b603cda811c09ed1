/**
 * The three training demonstrations of the lecture (Stanford CS336 2025, lecture 8) as rank programs of their own, with
 * the backward passes that it leaves as exercises. Weights are slices of one serial network, which the lecture's are not
 * (it seeds each shard anew).
 *
 * Legend: B rows, D columns, L layers x → gelu(x·W), loss mean(x²), n ranks.
 */
import type { Program, Rank } from '../collectives/communicator';
import { gemm } from './gemm';
import { rowValue } from './layers/mlp';
import { collect } from './layers/dealHeads';
import { ADAMW, adamw } from './optimizer';
import { geluBackward, geluForward } from './pointwise';
import { hashName, normal } from './random';

export interface LectureSizes {
  readonly rows: number;
  readonly columns: number;
  readonly layers: number;
}

/** The lecture's own. */
export const LECTURE_SIZES: LectureSizes = { rows: 128, columns: 1024, layers: 4 };

const SEED = 0;

export function lectureData({ columns }: LectureSizes, first: number, count: number): Float32Array {
  return Float32Array.from({ length: count * columns }, (_, i) =>
    rowValue(SEED, first + Math.floor(i / columns), i % columns, columns),
  );
}

/** Columns first … first + count − 1 of a layer's (D, D) weights, normal / √D. */
export function lectureWeights({ columns }: LectureSizes, layer: number, first = 0, count = columns): Float32Array {
  const stream = hashName(`layer ${layer}`);
  return Float32Array.from({ length: columns * count }, (_, i) => {
    const index = Math.floor(i / count) * columns + first + (i % count);
    return normal(SEED, stream, index) / Math.sqrt(columns);
  });
}

/** One layer's forward: z = x·W (m, n) and gelu(z). */
function forward(x: Float32Array, w: Float32Array, m: number): { z: Float32Array; y: Float32Array } {
  const k = x.length / m;
  const z = new Float32Array((m * w.length) / k);
  gemm(z, x, w, { m, n: w.length / k, k });
  const y = new Float32Array(z.length);
  geluForward(y, z);
  return { z, y };
}

/** dx and dW of a layer from dy and what its forward kept. */
function backward(dy: Float32Array, x: Float32Array, z: Float32Array, w: Float32Array, m: number) {
  const [k, n] = [x.length / m, z.length / m];
  const dz = new Float32Array(z.length);
  geluBackward(dz, dy, z);
  const [dx, dw] = [new Float32Array(x.length), new Float32Array(w.length)];
  gemm(dx, dz, w, { m, n: k, k: n, transB: true });
  gemm(dw, x, dz, { m: k, n, k: m, transA: true });
  return { dx, dw };
}

const meanSquare = (x: Float32Array) => x.reduce((sum, value) => sum + value * value, 0) / x.length;
const meanSquareSlope = (x: Float32Array, elements = x.length) => x.map(value => (2 * value) / elements);

/** A rank's step in the data-parallel demonstration. */
export interface DataParallelStep {
  readonly step: number;
  readonly loss: number;
  /** After the step. */
  readonly params: readonly Float32Array[];
  readonly gradients: readonly Float32Array[];
}

/** Rows are cut; gradients are averaged over the ranks, one all-reduce a layer: the only difference to one device. */
export function* dataParallel(
  rank: Rank,
  sizes: LectureSizes,
  weights: readonly Float32Array[],
  steps: number,
): Program<DataParallelStep[]> {
  const rows = sizes.rows / rank.size;
  const data = lectureData(sizes, rank.rank * rows, rows);
  const params = weights.map(w => w.slice());
  const moments = params.map(w => [new Float32Array(w.length), new Float32Array(w.length)]);
  const done: DataParallelStep[] = [];
  for (let step = 0; step < steps; step++) {
    const { inputs, kept, output } = forwardAll(data, params, rows);
    const gradients = backwardAll(meanSquareSlope(output), inputs, kept, params, rows).gradients;
    for (let i = 0; i < params.length; i++) {
      gradients[i] = (yield* rank.allReduce(gradients[i], { reduction: 'average' })) as Float32Array;
      adamw(params[i], gradients[i], moments[i], step + 1, ADAMW);
    }
    done.push({ step, loss: meanSquare(output), params: params.map(w => w.slice(0, 1)), gradients });
  }
  return done;
}

function forwardAll(data: Float32Array, params: readonly Float32Array[], rows: number) {
  const inputs: Float32Array[] = [];
  const kept: Float32Array[] = [];
  let x = data;
  for (const w of params) {
    const { z, y } = forward(x, w, rows);
    inputs.push(x);
    kept.push(z);
    x = y;
  }
  return { inputs, kept, output: x };
}

function backwardAll(
  dOutput: Float32Array,
  inputs: readonly Float32Array[],
  kept: readonly Float32Array[],
  params: readonly Float32Array[],
  rows: number,
) {
  const gradients: Float32Array[] = [];
  let dy = dOutput;
  for (let i = params.length - 1; i >= 0; i--) {
    const { dx, dw } = backward(dy, inputs[i], kept[i], params[i], rows);
    gradients[i] = dw;
    dy = dx;
  }
  return { gradients, dx: dy };
}

export interface TensorParallelResult {
  readonly output: Float32Array;
  readonly loss: number;
  /** Of the rank's columns. */
  readonly gradients: readonly Float32Array[];
}

/** Columns of each layer are cut, outputs are gathered; backward, each rank's dx is a part that must be summed. */
export function* tensorParallel(rank: Rank, sizes: LectureSizes): Program<TensorParallelResult> {
  const { rows, columns, layers } = sizes;
  const local = columns / rank.size;
  const params = Array.from({ length: layers }, (_, i) => lectureWeights(sizes, i, rank.rank * local, local));
  const inputs: Float32Array[] = [];
  const kept: Float32Array[] = [];
  let x = lectureData(sizes, 0, rows);
  for (const w of params) {
    const { z, y } = forward(x, w, rows);
    inputs.push(x);
    kept.push(z);
    const parts = (yield* rank.allGather(y)) as Float32Array;
    x = new Float32Array(rows * columns);
    collect(parts, rows, columns, rank.size, x);
  }
  const gradients: Float32Array[] = [];
  let dy: Float32Array = meanSquareSlope(x);
  for (let i = layers - 1; i >= 0; i--) {
    const own = new Float32Array(rows * local);
    for (let j = 0; j < own.length; j++) own[j] = dy[Math.floor(j / local) * columns + rank.rank * local + (j % local)];
    const { dx, dw } = backward(own, inputs[i], kept[i], params[i], rows);
    gradients[i] = dw;
    dy = (yield* rank.allReduce(dx)) as Float32Array;
  }
  return { output: x, loss: meanSquare(x), gradients };
}

export interface PipelineResult {
  /** What was sent on, by micro-batch; the outputs on the last rank. */
  readonly sent: readonly Float32Array[];
  readonly loss: number;
  readonly gradients: readonly Float32Array[];
}

/** Layers are cut over the ranks, rows into micro-batches; all forwards, then all backwards with gradients added up. */
export function* pipelineParallel(rank: Rank, sizes: LectureSizes, microBatches: number): Program<PipelineResult> {
  const { rows, columns, layers } = sizes;
  const [part, size] = [layers / rank.size, rows / microBatches];
  const params = Array.from({ length: part }, (_, i) => lectureWeights(sizes, rank.rank * part + i));
  const isLast = rank.rank === rank.size - 1;
  const passes: ReturnType<typeof forwardAll>[] = [];
  for (let m = 0; m < microBatches; m++) {
    const x =
      rank.rank === 0 ? lectureData(sizes, m * size, size) : ((yield* rank.receive(rank.rank - 1)) as Float32Array);
    const pass = forwardAll(x, params, size);
    passes.push(pass);
    if (!isLast) yield* rank.send(rank.rank + 1, pass.output);
  }
  const gradients = params.map(w => new Float32Array(w.length));
  for (const { inputs, kept, output } of passes) {
    const dy = isLast
      ? meanSquareSlope(output, rows * columns)
      : ((yield* rank.receive(rank.rank + 1)) as Float32Array);
    const found = backwardAll(dy, inputs, kept, params, size);
    found.gradients.forEach((g, i) => g.forEach((value, j) => (gradients[i][j] += value)));
    if (rank.rank > 0) yield* rank.send(rank.rank - 1, found.dx);
  }
  const loss = isLast ? passes.reduce((sum, { output }) => sum + meanSquare(output) / microBatches, 0) : 0;
  return { sent: passes.map(pass => pass.output), loss, gradients };
}
