import assert from 'node:assert/strict';
import { LECTURE_DEMOS, lectureCommand } from './lecture';

/** Small enough for a test; the lecture's are 128 × 1024. */
const sizes = { rows: 16, columns: 32, layers: 4 };

describe('the lecture command', () => {
  it('prints the collectives as the lecture’s output does, in the order of the ranks', () => {
    const { lines } = lectureCommand('collectives');
    // Lines of spring2025-lectures/var/traces/lecture_08_stdout.txt at bbdbc9c.
    for (const line of [
      "Rank 3 [before all-reduce]: tensor([3., 4., 5., 6.], device='cuda:3')",
      "Rank 1 [after all-reduce]: tensor([ 6., 10., 14., 18.], device='cuda:1')",
      "Rank 2 [before reduce-scatter]: input = tensor([2., 3., 4., 5.], device='cuda:2'), output = tensor([0.], device='cuda:2')",
      "Rank 2 [after reduce-scatter]: input = tensor([2., 3., 4., 5.], device='cuda:2'), output = tensor([14.], device='cuda:2')",
      "Rank 0 [after all-gather]: input = tensor([6.], device='cuda:0'), output = tensor([ 6., 10., 14., 18.], device='cuda:0')",
    ])
      assert.ok(lines.includes(line), line);
    assert.equal(lines.length, 24);
    assert.match(lines[4] ?? '', /^Rank 0 \[after/);
  });

  it('prints a benchmark that is marked as simulated, with the reduce-scatter figure corrected beside it', () => {
    const { lines, values } = lectureCommand('benchmark');
    assert.equal(lines.length, 16);
    assert.match(
      lines[0] ?? '',
      /^\[all_reduce\] Rank 0: all_reduce\(world_size=4, num_elements=104857600\) took \d+\.\d\dms$/,
    );
    assert.match(lines[4] ?? '', /^\[all_reduce\] Rank 0: all_reduce measured bandwidth = \d+ GB\/s$/);
    assert.match(lines[8] ?? '', /^\[reduce_scatter\] Rank 0: reduce_scatter\(world_size=4/);
    assert.equal(values.source, 'simulated');
    const [allReduce, reduceScatter] = values.results as { factor: number; busbw: number }[];
    assert.deepEqual([allReduce.factor, reduceScatter.factor], [1, 4]);
  });

  it('trains data-parallel: local losses differ, their mean is the serial loss', () => {
    const { lines, values } = lectureCommand('data-parallel', sizes);
    assert.match(
      lines[1] ?? '',
      /^\[data_parallelism\] Rank 1: step = 0, loss = 0\.\d+, params = \['32x32\[-?0\.\d+\.\.\.\]', .*\]$/,
    );
    const ranks = values.ranks as { loss: number; startIndex: number; endIndex: number }[];
    assert.equal(new Set(ranks.map(r => r.loss)).size, 4);
    assert.deepEqual([ranks[1].startIndex, ranks[1].endIndex], [4, 8]);
    assert.ok(Math.abs((values.meanLoss as number) - (values.serialLoss as number)) < 2e-7);
    assert.ok((values.maxGradientDifference as number) < 1e-5);
    const params = lines.map(line => line.replace(/.*params/, ''));
    assert.equal(new Set(params).size, 1);
    // One all-reduce a layer; each sends 2 (n − 1)/n of the weights.
    assert.deepEqual(values.traffic, [
      { op: 'all-reduce', count: 4, bytesPerRank: new Array(4).fill(4 * 1.5 * 32 * 32 * 4) },
    ]);
  });

  it('runs tensor parallelism forward to the bits of the serial network, and backward', () => {
    const { lines, values } = lectureCommand('tensor-parallel', sizes);
    assert.match(
      lines[3] ?? '',
      /^\[tensor_parallelism\] Rank 3: forward pass produced activations 16x32\[-?[\d.e-]+\.\.\.\]$/,
    );
    assert.equal(values.forwardBitEqual, true);
    assert.equal(values.localNumDim, 8);
    assert.ok((values.maxGradientDifference as number) < 1e-5);
    // golden.json lecture_demo_volumes: all-gather sends (n − 1)/n of the activations a layer and rank.
    const [gather] = values.traffic as { op: string; bytesPerRank: number[] }[];
    assert.deepEqual([gather.op, gather.bytesPerRank[0]], ['all-gather', 4 * 0.75 * 16 * 32 * 4]);
  });

  it('runs the pipeline forward and backward', () => {
    const { lines, values } = lectureCommand('pipeline-parallel', sizes);
    assert.equal(lines.length, 4);
    assert.match(lines[0] ?? '', /^\[pipeline_parallelism\] Rank 0: sending 4x32\[-?[\d.e-]+\.\.\.\] to rank 1$/);
    assert.equal(values.forwardIdleFraction, 0.2);
    assert.ok((values.maxGradientDifference as number) < 1e-5);
    assert.equal(values.loss, values.serialLoss);
  });

  it('is the same each time', () => {
    for (const demo of LECTURE_DEMOS) assert.deepEqual(lectureCommand(demo, sizes), lectureCommand(demo, sizes), demo);
  });
});
