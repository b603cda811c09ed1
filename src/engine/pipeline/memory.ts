/**
 * What the passes of an order hold in memory. Each stage works alone through its list, so a peak depends on the order
 * and never on times.
 *
 * Legend: a forward stores what the backward for inputs frees (B) and what only the backward for weights frees (W);
 * a whole backward frees both. Peaks are by stage.
 */
import { B, BW, F, F_JOINED, type Order } from './order';
import { chunksPerMicroBatch, type Placement } from './placement';

/** By one number for a whole stage's micro-batch (split over its chunks), or by stage, or by stage and chunk. */
export type StageBytes = number | readonly number[] | readonly (readonly number[])[];

/**
 * The largest number of micro-batches, each counted as a whole stage, whose forward has run and whose backward has not
 * ended; where the backward is split, until its W has ended.
 */
export function peakInFlight(order: Order): Float64Array {
  return peakBytes(order, { freedByB: 0, freedByW: 1 });
}

/** Peak bytes of stored activations: the two pools of one micro-batch on a whole stage. */
export function peakBytes(order: Order, stored: { freedByB: StageBytes; freedByW: StageBytes }): Float64Array {
  const { stages, firstSlot, pass, chunk, chunks } = order;
  const peak = new Float64Array(stages);
  const byB = bytesByChunk(order.place, stored.freedByB);
  const byW = bytesByChunk(order.place, stored.freedByW);
  for (let stage = 0; stage < stages; stage++) {
    let held = 0;
    for (let slot = firstSlot[stage]; slot < firstSlot[stage + 1]; slot++) {
      const place = stage * chunks + chunk[slot];
      const kind = pass[slot];
      if (kind === F || kind === F_JOINED) held += byB[place] + byW[place];
      else held -= kind === B ? byB[place] : kind === BW ? byB[place] + byW[place] : byW[place];
      if (held > peak[stage]) peak[stage] = held;
    }
  }
  return peak;
}

function bytesByChunk(place: Placement, bytes: StageBytes): Float64Array {
  const { stages, chunks } = place;
  const share = chunksPerMicroBatch(place);
  return Float64Array.from({ length: stages * chunks }, (_, i) => {
    if (typeof bytes === 'number') return bytes / share;
    const ofStage = bytes[Math.floor(i / chunks)];
    return typeof ofStage === 'number' ? ofStage / share : ofStage[i % chunks];
  });
}
