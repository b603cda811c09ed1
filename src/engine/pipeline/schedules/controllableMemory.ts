/**
 * V-Half and V-Min (Qi et al. 2024, "Pipeline Parallelism with Controllable Memory", arXiv 2405.15362): one building
 * block is repeated every six time units for each micro-batch, which fixes the memory of the steady state; then the
 * warm-up and the cool-down are squeezed without rising above that memory. Offsets of the blocks and the two rounds of
 * squeezing as in zbv_greedy.py of sail-sg/zero-bubble-pipeline-parallelism at 39f2c186.
 *
 * The order is made for F = B = W, as there, whatever the real times are.
 *
 * Legend: p stages, m micro-batches, two chunks a stage in a V. F0, F1 are the forwards of the chunks, B1, B0 their
 * backwards for inputs in the order in which they happen; W are the backwards for weights of both, oldest first.
 */
import { B, F, OrderWriter, W as WEIGHT, type Order } from '../order';
import { placement } from '../placement';
import { squeeze } from './squeeze';
import { B0, B1, F0, F1, Grid, W } from './grid';

const INTERVAL = 6;

/** Activations of p/2 + 1 micro-batches, half of 1F1B's. */
export function vHalf(stages: number, microBatches: number): Order {
  const gap = stages % 2 === 0 ? 3 : 0;
  return repeatBlock('v-half', stages, microBatches, i => [
    2 * i,
    3 * stages - 2 - i,
    3 * stages + gap + 2 * i - 1,
    6 * stages + gap - 2 - i,
  ]);
}

/** Activations of about p/3 micro-batches, the least that a V allows. */
export function vMin(stages: number, microBatches: number): Order {
  const gap = stages % 3 === 0 ? 2 : 0;
  return repeatBlock('v-min', stages, microBatches, i => [
    i,
    2 * stages - 1 - i,
    2 * stages + gap + i,
    4 * stages + gap - 1 - i,
  ]);
}

/** `block` gives the times of F0, F1, B1 and B0 of micro-batch 0 on a stage. */
function repeatBlock(
  schedule: 'v-half' | 'v-min',
  stages: number,
  microBatches: number,
  block: (stage: number) => [number, number, number, number],
): Order {
  const grid = new Grid(stages, microBatches, INTERVAL * microBatches + 14 * stages + 32);
  for (let stage = 0; stage < stages; stage++) {
    const times = block(stage);
    for (let microBatch = 0; microBatch < microBatches; microBatch++) {
      for (const kind of [F0, F1, B1, B0] as const)
        grid.put(kind, stage, microBatch, times[kind] + INTERVAL * microBatch);
    }
  }
  grid.fillWeights();
  squeeze(grid, 'weights-in-place');
  grid.runEagerly();
  grid.clearWeights();
  squeeze(grid, 'weights-flexible');
  grid.fillWeights();
  grid.runEagerly();
  return toOrder(schedule, grid);
}

/** Reads the grid row by row. W fills the same cells as before, those of the second chunk before those of the first. */
function toOrder(schedule: 'v-half' | 'v-min', grid: Grid): Order {
  const { stages, microBatches } = grid;
  const writer = new OrderWriter(placement(stages, 2, 'v'), microBatches, 3);
  for (let stage = 0; stage < stages; stage++) {
    const next = [0, 0, 0, 0];
    const weights = [0, 0];
    for (let time = 0; time < grid.length; time++) {
      const kind = grid.kindAt(stage, time);
      if (kind === W) {
        const chunk = weights[1] < next[B1] ? 1 : 0;
        writer.put(stage, WEIGHT, weights[chunk]++, chunk);
      } else if (kind !== null) {
        writer.put(stage, kind < B1 ? F : B, next[kind]++, kind === F1 || kind === B1 ? 1 : 0);
      }
    }
  }
  return writer.finish(schedule);
}
