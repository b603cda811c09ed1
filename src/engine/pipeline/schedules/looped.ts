/**
 * Schedules over chunks that are dealt to the stages in turn: stage i holds positions i, p + i, 2p + i, …
 *
 * Legend: p stages, m micro-batches, v chunks a stage, i the stage from 0; the k-th forward of a stage is on a
 * (micro-batch, chunk).
 */
import { BW, F, OrderWriter, type Order } from '../order';
import { placement } from '../placement';

/**
 * Interleaved 1F1B (Narayanan et al. 2021, arXiv 2104.04473, section 2.2) in the order of Megatron-LM's schedules.py:
 * groups of p micro-batches go through all chunks of a stage before the next group, and 2(p − i − 1) + (v − 1)p
 * forwards precede the first backward. Where p does not divide m, the order is that of the next multiple of p without
 * the passes of the micro-batches that are not there: the last group leaves the stages short of work.
 */
export function interleaved(stages: number, microBatches: number, chunks: number): Order {
  const writer = new OrderWriter(placement(stages, chunks), microBatches, 2);
  const full = Math.ceil(microBatches / stages) * stages;
  const total = full * chunks;
  const { microBatchOf, chunkOf } = groupedOrder(full, chunks, stages);
  for (let stage = 0; stage < stages; stage++) {
    const warmUp = Math.min(total, 2 * (stages - stage - 1) + (chunks - 1) * stages);
    for (let k = 0; k < total + warmUp; k++) {
      if (k < total && microBatchOf[k] < microBatches) writer.put(stage, F, microBatchOf[k], chunkOf[k]);
      const back = k - warmUp;
      if (back >= 0 && microBatchOf[back] < microBatches) {
        writer.put(stage, BW, microBatchOf[back], chunks - 1 - chunkOf[back]);
      }
    }
  }
  return writer.finish('interleaved-1f1b');
}

/**
 * Breadth-first (Lamy-Poirier 2023, arXiv 2211.05953, section 4): all micro-batches through a chunk before the next
 * chunk, forwards and then backwards, so that a chunk's weights are gathered and its gradients reduced once.
 */
export function breadthFirst(stages: number, microBatches: number, chunks: number): Order {
  const writer = new OrderWriter(placement(stages, chunks), microBatches, 2);
  const { microBatchOf, chunkOf } = groupedOrder(microBatches, chunks, microBatches);
  for (let stage = 0; stage < stages; stage++) {
    for (let k = 0; k < chunkOf.length; k++) writer.put(stage, F, microBatchOf[k], chunkOf[k]);
    for (let k = 0; k < chunkOf.length; k++) writer.put(stage, BW, microBatchOf[k], chunks - 1 - chunkOf[k]);
  }
  return writer.finish('breadth-first');
}

/** Micro-batches in groups; each group through chunk 0, then through chunk 1, …; then the next group. */
function groupedOrder(microBatches: number, chunks: number, group: number) {
  const microBatchOf = new Int32Array(microBatches * chunks);
  const chunkOf = new Int32Array(microBatches * chunks);
  let k = 0;
  for (let first = 0; first < microBatches; first += group) {
    for (let chunk = 0; chunk < chunks; chunk++) {
      for (let microBatch = first; microBatch < first + group; microBatch++, k++) {
        microBatchOf[k] = microBatch;
        chunkOf[k] = chunk;
      }
    }
  }
  return { microBatchOf, chunkOf };
}
