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

/** What B frees of a micro-batch's activations, 34sbh + 5as²b in all (Korthikanti et al. 2022, arXiv 2205.05198). */
export const FREED_BY_B = {
  /** With FlashAttention: 2 of 34 sbh. */
  flash: 2 / 34,
  /** Scores kept for the backward, 5as/h = 40, as in the models of 14.6B and 28.3B of arXiv 2401.10241. */
  unfused: 42 / 74,
} as const;

/**
 * The most micro-batches whose activations a stage holds at once, each counted as a whole stage: from its forward to
 * the end of its backward. Where the backward is split, one that waits for its W counts as the share that B left.
 */
export function peakInFlight(order: Order, freedByB: number = FREED_BY_B.flash): Float64Array {
  const share = chunksPerMicroBatch(order.place);
  // In chunks first, so that the count is exact.
  const chunks = peakBytes(order, { freedByB: freedByB * share, freedByW: (1 - freedByB) * share });
  return chunks.map(peak => (Math.abs(peak - Math.round(peak)) < 1e-9 ? Math.round(peak) : peak) / share);
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
