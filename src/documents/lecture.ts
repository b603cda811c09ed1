/**
 * `meshlens lecture`: the demonstrations of Stanford CS336 2025, lecture 8, in its print format, in the order of the
 * ranks, from real buffers on a simulated mesh. `values` holds the same numbers, and those that the lecture shows beside
 * its code.
 */
import { lectureBandwidth } from '../engine/collectives/bandwidth';
import { chooseAlgorithm } from '../engine/collectives/choose';
import { type Program, type Rank } from '../engine/collectives/communicator';
import { networkOf } from '../engine/collectives/network';
import type { Buffer } from '../engine/collectives/numbers';
import { runWorld, type Traffic } from '../engine/collectives/world';
import { accelerator } from '../engine/hardware/accelerators';
import { invariant } from '../engine/problem';
import {
  dataParallel,
  LECTURE_SIZES,
  type LectureSizes,
  lectureWeights,
  pipelineParallel,
  tensorParallel,
} from '../engine/trainer/lecturePrograms';

export const LECTURE_DEMOS = [
  'collectives',
  'benchmark',
  'data-parallel',
  'tensor-parallel',
  'pipeline-parallel',
] as const;
export type LectureDemo = (typeof LECTURE_DEMOS)[number];

export interface LectureDocument {
  readonly lines: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** What stands between the ranks of a demonstration and the world, to see what they say. */
export type Watch = <T>(program: Program<T>, rank: Rank) => Program<T>;
const UNWATCHED: Watch = program => program;

/** `sizes` are the lecture's unless a test asks for smaller ones. */
export function lectureCommand(
  demo: LectureDemo,
  sizes: LectureSizes = LECTURE_SIZES,
  watch: Watch = UNWATCHED,
): LectureDocument {
  switch (demo) {
    case 'collectives':
      return collectives();
    case 'benchmark':
      return benchmark();
    case 'data-parallel':
      return dataParallelDemo(sizes, watch);
    case 'tensor-parallel':
      return tensorParallelDemo(sizes, watch);
    case 'pipeline-parallel':
      return pipelineParallelDemo(sizes, watch);
  }
}

const WORLD = 4;

/** Runs ranks to their end. */
function run<T>(ranks: number, program: (rank: Rank) => Program<T>): { results: T[]; traffic: readonly Traffic[] } {
  const { results, diagnosis, traffic } = runWorld({ ranks, program });
  invariant(diagnosis === null, `a demonstration hangs: ${JSON.stringify(diagnosis)}`);
  return { results: results as T[], traffic };
}

const sentBytes = (traffic: readonly Traffic[]) =>
  traffic.map(({ op, count, sentBytes }) => ({ op, count, bytesPerRank: [...sentBytes] }));

/** `tensor([ 6., 10.], device='cuda:0')`, as PyTorch prints whole floats. */
function tensorText(values: Buffer, rank: number): string {
  const texts = Array.from(values, value => `${value}.`);
  const width = Math.max(...texts.map(text => text.length));
  return `tensor([${texts.map(text => text.padStart(width)).join(', ')}], device='cuda:${rank}')`;
}

/** `1024x256[-0.0299...]`: the shape and the first value to four decimals, as Python prints it; gradients, which are small, to four digits. */
export function summary(shape: readonly number[], values: Float32Array, isSmall = false): string {
  const value = Number(isSmall ? values[0].toPrecision(4) : values[0].toFixed(4));
  return `${shape.join('x')}[${Number.isInteger(value) ? `${value}.0` : value}...]`;
}

/** All-reduce, then reduce-scatter and all-gather, which together give the same. */
function collectives(): LectureDocument {
  const { results } = run(WORLD, function* (rank) {
    const input = Float32Array.from([0, 1, 2, 3], value => value + rank.rank);
    const reduced = yield* rank.allReduce(input);
    yield* rank.barrier();
    const scattered = yield* rank.reduceScatter(input);
    yield* rank.barrier();
    const gathered = yield* rank.allGather(scattered);
    return { input, reduced, scattered, gathered };
  });
  type Shown = (typeof results)[number];
  const each = (when: string, show: (shown: Shown, text: (values: Buffer) => string) => string) =>
    results.map((shown, rank) => `Rank ${rank} [${when}]: ${show(shown, values => tensorText(values, rank))}`);
  const pair = (input: string, output: string) => `input = ${input}, output = ${output}`;
  const zeros = (length: number) => new Float32Array(length);
  const lines = [
    ...each('before all-reduce', (s, text) => text(s.input)),
    ...each('after all-reduce', (s, text) => text(s.reduced)),
    ...each('before reduce-scatter', (s, text) => pair(text(s.input), text(zeros(1)))),
    ...each('after reduce-scatter', (s, text) => pair(text(s.input), text(s.scattered))),
    ...each('before all-gather', (s, text) => pair(text(s.scattered), text(zeros(4)))),
    ...each('after all-gather', (s, text) => pair(text(s.scattered), text(s.gathered))),
  ];
  const ranks = results.map(shown => ({
    input: [...shown.input],
    allReduce: [...shown.reduced],
    reduceScatter: [...shown.scattered],
    allGather: [...shown.gathered],
  }));
  return { lines, values: { worldSize: WORLD, ranks } };
}

const NUM_ELEMENTS = 100 * 1024 ** 2;
const GIB = 1024 ** 3;

/** Simulated on the lecture's machine: four H100 of a node. The lecture's own measurements are in `published`. */
function benchmark(): LectureDocument {
  const network = networkOf('h100-sxm', accelerator('h100-sxm'), WORLD);
  const one = (op: 'all-reduce' | 'reduce-scatter', bytes: number) => {
    const name = op.replace('-', '_');
    const fastest = chooseAlgorithm(op, bytes, network);
    invariant(fastest !== null, `no algorithm for ${op}`);
    const { seconds } = fastest;
    const { bytesPerSecond, factor } = lectureBandwidth(op, bytes, seconds, WORLD);
    const ranks = Array.from({ length: WORLD }, (_, rank) => `[${name}] Rank ${rank}: ${name}`);
    const lines = [
      ...ranks.map(rank => `${rank}(world_size=${WORLD}, num_elements=${NUM_ELEMENTS}) took ${duration(seconds)}`),
      // Called GB/s there, though it is divided by 2^30.
      ...ranks.map(rank => `${rank} measured bandwidth = ${Math.round(bytesPerSecond / GIB)} GB/s`),
    ];
    const busbw = bytesPerSecond * factor;
    return { lines, values: { op, bytes, seconds, printedGiBPerSecond: bytesPerSecond / GIB, factor, busbw } };
  };
  const allReduce = one('all-reduce', NUM_ELEMENTS * 4);
  const reduceScatter = one('reduce-scatter', NUM_ELEMENTS * 4 * WORLD);
  return {
    lines: [...allReduce.lines, ...reduceScatter.lines],
    values: {
      source: 'simulated',
      worldSize: WORLD,
      numElements: NUM_ELEMENTS,
      results: [allReduce.values, reduceScatter.values],
      published: PUBLISHED,
    },
  };
}

/** Printed by the lecture of 2025 (var/traces/lecture_08_stdout.txt at bbdbc9c), by rank. */
const PUBLISHED = {
  allReduce: { milliseconds: [2.14, 2.16, 2.11, 2.11], printedGBPerSecond: [273, 272, 278, 278] },
  reduceScatter: { milliseconds: [4.06, 4.03, 3.92, 3.92], printedGBPerSecond: [72, 73, 75, 75] },
};

function duration(seconds: number): string {
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(2)}us`;
  return seconds < 1 ? `${(seconds * 1e3).toFixed(2)}ms` : `${seconds.toFixed(2)}s`;
}

const MEAN = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

function dataParallelDemo(sizes: LectureSizes, watch: Watch): LectureDocument {
  const { rows, columns, layers } = sizes;
  const weights = Array.from({ length: layers }, (_, i) => lectureWeights(sizes, i));
  const program = (rank: Rank) => dataParallel(rank, sizes, weights, 1);
  const { results, traffic } = run(WORLD, rank => watch(program(rank), rank));
  const serial = run(1, program).results[0][0];
  const lines = results.map(([{ step, loss, params }], rank) => {
    const shown = params.map(w => `'${summary([columns, columns], w)}'`).join(', ');
    return `[data_parallelism] Rank ${rank}: step = ${step}, loss = ${loss}, params = [${shown}]`;
  });
  const losses = results.map(([{ loss }]) => loss);
  const local = rows / WORLD;
  return {
    lines,
    values: {
      batchSize: rows,
      numDim: columns,
      localBatchSize: local,
      ranks: losses.map((loss, rank) => ({ startIndex: rank * local, endIndex: (rank + 1) * local, loss })),
      meanLoss: MEAN(losses),
      serialLoss: serial.loss,
      maxGradientDifference: largestDifference(results[0][0].gradients, serial.gradients),
      traffic: sentBytes(traffic),
    },
  };
}

/** Relative to the largest of each tensor. */
function largestDifference(found: readonly Float32Array[], expected: readonly Float32Array[]): number {
  return expected.reduce((worst, want, i) => {
    let [difference, largest] = [0, 0];
    want.forEach((value, j) => {
      difference = Math.max(difference, Math.abs(value - found[i][j]));
      largest = Math.max(largest, Math.abs(value));
    });
    return Math.max(worst, largest > 0 ? difference / largest : 0);
  }, 0);
}

function tensorParallelDemo(sizes: LectureSizes, watch: Watch): LectureDocument {
  const { rows, columns } = sizes;
  const local = columns / WORLD;
  const { results, traffic } = run(WORLD, rank => watch(tensorParallel(rank, sizes), rank));
  const serial = run(1, rank => tensorParallel(rank, sizes)).results[0];
  const lines = results.flatMap(({ output, gradients }, rank) => [
    `[tensor_parallelism] Rank ${rank}: forward pass produced activations ${summary([rows, columns], output)}`,
    `[tensor_parallelism] Rank ${rank}: backward pass produced gradients [${gradients
      .map(g => `'${summary([columns, local], g, true)}'`)
      .join(', ')}]`,
  ]);
  const slices = (rank: number) => serial.gradients.map(g => columnsOf(g, columns, rank * local, local));
  return {
    lines: [...lines.filter((_, i) => i % 2 === 0), ...lines.filter((_, i) => i % 2 === 1)],
    values: {
      batchSize: rows,
      numDim: columns,
      localNumDim: local,
      losses: results.map(({ loss }) => loss),
      serialLoss: serial.loss,
      forwardBitEqual: results.every(({ output }) => output.every((value, i) => value === serial.output[i])),
      maxGradientDifference: Math.max(
        ...results.map(({ gradients }, rank) => largestDifference(gradients, slices(rank))),
      ),
      traffic: sentBytes(traffic),
    },
  };
}

function columnsOf(matrix: Float32Array, columns: number, first: number, count: number): Float32Array {
  return Float32Array.from(
    { length: (matrix.length / columns) * count },
    (_, i) => matrix[Math.floor(i / count) * columns + first + (i % count)],
  );
}

const PIPELINE_WORLD = 2;
const MICRO_BATCHES = 4;

function pipelineParallelDemo(sizes: LectureSizes, watch: Watch): LectureDocument {
  const { rows, columns, layers } = sizes;
  const size = rows / MICRO_BATCHES;
  const { results, traffic } = run(PIPELINE_WORLD, rank => watch(pipelineParallel(rank, sizes, MICRO_BATCHES), rank));
  const serial = run(1, rank => pipelineParallel(rank, sizes, MICRO_BATCHES)).results[0];
  const lines = results
    .slice(0, -1)
    .flatMap(({ sent }, rank) =>
      sent.map(x => `[pipeline_parallelism] Rank ${rank}: sending ${summary([size, columns], x)} to rank ${rank + 1}`),
    );
  const gradients = results.flatMap(result => result.gradients);
  return {
    lines,
    values: {
      batchSize: rows,
      numDim: columns,
      localNumLayers: layers / PIPELINE_WORLD,
      microBatchSize: size,
      microBatches: MICRO_BATCHES,
      loss: results[PIPELINE_WORLD - 1].loss,
      serialLoss: serial.loss,
      maxGradientDifference: largestDifference(gradients, serial.gradients),
      // Equal passes, forward alone: (p − 1)/(m + p − 1).
      forwardIdleFraction: (PIPELINE_WORLD - 1) / (MICRO_BATCHES + PIPELINE_WORLD - 1),
      traffic: sentBytes(traffic),
    },
  };
}
