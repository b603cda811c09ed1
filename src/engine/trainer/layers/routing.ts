/**
 * Top-k routing: each token goes to its k best experts, weighted by the soft-max over these k scores (Mixtral,
 * arXiv 2401.04088, section 2.1). No token is dropped.
 *
 * Legend: R rows, E experts, k experts a token; a slot is one (row, choice), R·k of them.
 */
import type { Real } from '../heap';

export interface Routing {
  readonly k: number;
  /** Expert by slot. */
  readonly expert: Int32Array;
  /** Slots in the order of their experts; equal ones in the order of their rows. */
  readonly order: Int32Array;
  /** Slots by expert. */
  readonly counts: Int32Array;
}

/** Chooses experts by the scores (R, E) and writes the weights (R, k) of the chosen. */
export function route(logits: Real, experts: number, k: number, weights: Real): Routing {
  const rows = logits.length / experts;
  const expert = new Int32Array(rows * k);
  const counts = new Int32Array(experts);
  for (let r = 0; r < rows; r++) {
    const row = logits.subarray(r * experts, (r + 1) * experts);
    const best = Array.from(row, (_, e) => e).sort((a, b) => row[b] - row[a] || a - b);
    let total = 0;
    for (let j = 0; j < k; j++) total += Math.exp(row[best[j]] - row[best[0]]);
    for (let j = 0; j < k; j++) {
      expert[r * k + j] = best[j];
      counts[best[j]]++;
      weights[r * k + j] = Math.exp(row[best[j]] - row[best[0]]) / total;
    }
  }
  const next = starts(counts);
  const order = new Int32Array(rows * k);
  for (let slot = 0; slot < expert.length; slot++) order[next[expert[slot]]++] = slot;
  return { k, expert, order, counts };
}

/** The first place of each count in a list of all. */
export function starts(counts: ArrayLike<number>): Int32Array {
  const first = new Int32Array(counts.length);
  for (let i = 1; i < counts.length; i++) first[i] = first[i - 1] + counts[i - 1];
  return first;
}

/** Adds the gradient of the scores from that of the weights: wᵢ (dᵢ − Σ wⱼ dⱼ) over the chosen. */
export function routeBackward(
  dLogits: Real,
  dWeights: Real,
  weights: Real,
  { k, expert }: Routing,
  experts: number,
): void {
  for (let r = 0; r < weights.length / k; r++) {
    let mean = 0;
    for (let s = r * k; s < (r + 1) * k; s++) mean += weights[s] * dWeights[s];
    for (let s = r * k; s < (r + 1) * k; s++) dLogits[r * experts + expert[s]] += weights[s] * (dWeights[s] - mean);
  }
}

/** Rows of the slots, in the order of their experts: out[i] = x[row of order[i]]. */
export function dispatch(out: Real, x: Real, { k, order }: Routing, h: number): void {
  order.forEach((slot, i) => {
    const from = Math.floor(slot / k) * h;
    for (let c = 0; c < h; c++) out[i * h + c] = x[from + c];
  });
}

/** Adds each slot's row, times its weight (or 1), to its token. */
export function combine(out: Real, rows: Real, weights: Real | null, { k, order }: Routing, h: number): void {
  // In the order of the slots, so that a token's sum has the same bits wherever its experts are.
  const placeOf = new Int32Array(order.length);
  order.forEach((slot, i) => (placeOf[slot] = i));
  for (let slot = 0; slot < placeOf.length; slot++) {
    const [from, to] = [placeOf[slot] * h, Math.floor(slot / k) * h];
    const weight = weights ? weights[slot] : 1;
    for (let c = 0; c < h; c++) out[to + c] += weight * rows[from + c];
  }
}

/** Gradients of `combine`: dRows = weight · dOut, dWeights = rows · dOut. */
export function combineBackward(
  { dRows, dWeights }: { dRows: Real; dWeights: Real },
  dOut: Real,
  rows: Real,
  weights: Real,
  { k, order }: Routing,
  h: number,
): void {
  order.forEach((slot, i) => {
    const token = Math.floor(slot / k) * h;
    let product = 0;
    for (let c = 0; c < h; c++) {
      product += rows[i * h + c] * dOut[token + c];
      dRows[i * h + c] = weights[slot] * dOut[token + c];
    }
    dWeights[slot] = product;
  });
}
