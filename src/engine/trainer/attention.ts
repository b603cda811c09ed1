/**
 * Causal attention of a block of queries to a block of keys, with the running soft-max that lets blocks be joined
 * (FlashAttention-2, arXiv 2307.08691, section 3.1; backward section 3.1.2).
 *
 * Legend: q (sq, b, a, d), k and v (sk, b, g, d), o as q, lse (sq, b, a) = log Σ exp of a row's scores; a/g query heads
 * share a kv head. Queries stand at positions qStart …, keys at kStart …; a query sees the keys up to its position.
 */
import type { Real } from './heap';

export interface AttentionShape {
  readonly sq: number;
  readonly sk: number;
  readonly b: number;
  readonly a: number;
  readonly g: number;
  readonly d: number;
  readonly qStart: number;
  readonly kStart: number;
}

/** Calls f for each query row that sees a key: its index in (sq, b, a), the first key's offset, and how many it sees. */
function eachRow(
  { sq, sk, b, a, g, d, qStart, kStart }: AttentionShape,
  f: (row: number, key: number, keys: number) => void,
): void {
  for (let i = 0; i < sq; i++) {
    const keys = Math.min(sk, qStart + i - kStart + 1);
    if (keys <= 0) continue;
    for (let j = 0; j < b; j++)
      for (let head = 0; head < a; head++) f((i * b + j) * a + head, (j * g + Math.floor((head * g) / a)) * d, keys);
  }
}

/**
 * o and lse of the block alone; rows that see nothing keep o = 0 and get lse = −∞. Where `scores` (sq·b·a, sk) is
 * given, the soft-max is kept in it.
 */
export function attend(o: Real, lse: Real, q: Real, k: Real, v: Real, shape: AttentionShape, scores?: Real): void {
  const { sk, b, g, d } = shape;
  const stride = b * g * d;
  const row = new Float64Array(sk);
  const factor = 1 / Math.sqrt(d);
  const sum = new Float64Array(d);
  lse.fill(-Infinity);
  eachRow(shape, (r, key, keys) => {
    let most = -Infinity;
    for (let p = 0, at = key; p < keys; p++, at += stride) {
      row[p] = factor * dot(q, r * d, k, at, d);
      if (row[p] > most) most = row[p];
    }
    let total = 0;
    for (let p = 0; p < keys; p++) total += Math.exp(row[p] - most);
    lse[r] = most + Math.log(total);
    sum.fill(0);
    for (let p = 0, at = key; p < keys; p++, at += stride) {
      // From the stored lse, so that the backward pass makes the same bits again.
      const weight = Math.exp(row[p] - lse[r]);
      if (scores) scores[r * sk + p] = weight;
      for (let x = 0; x < d; x++) sum[x] += weight * v[at + x];
    }
    for (let x = 0; x < d; x++) o[r * d + x] = sum[x];
  });
}

/** Joins a second block's result into the first: o and lse become those of both blocks together. */
export function join(o: Real, lse: Real, otherO: Real, otherLse: Real, d: number): void {
  for (let r = 0; r < lse.length; r++) {
    const other = otherLse[r];
    if (other === -Infinity) continue;
    const most = Math.max(lse[r], other);
    const together = most + Math.log(Math.exp(lse[r] - most) + Math.exp(other - most));
    const [own, theirs] = [Math.exp(lse[r] - together), Math.exp(other - together)];
    for (let i = r * d; i < (r + 1) * d; i++) o[i] = own * o[i] + theirs * otherO[i];
    lse[r] = together;
  }
}

/** What the backward pass knows of the queries: o and lse are those over all blocks. */
export interface QuerySide {
  readonly q: Real;
  readonly o: Real;
  readonly lse: Real;
  readonly dO: Real;
}

/** Adds the block's part to dq, dk and dv. */
export function attendBackward(
  { dq, dk, dv }: { dq: Real; dk: Real; dv: Real },
  { q, o, lse, dO }: QuerySide,
  k: Real,
  v: Real,
  shape: AttentionShape,
  scores?: Real,
): void {
  const { sk, b, g, d } = shape;
  const stride = b * g * d;
  const factor = 1 / Math.sqrt(d);
  eachRow(shape, (r, key, keys) => {
    const mine = r * d;
    const mean = dot(dO, mine, o, mine, d);
    for (let p = 0, at = key; p < keys; p++, at += stride) {
      const weight = scores ? scores[r * sk + p] : Math.exp(factor * dot(q, mine, k, at, d) - lse[r]);
      const slope = weight * (dot(dO, mine, v, at, d) - mean) * factor;
      for (let x = 0; x < d; x++) {
        dv[at + x] += weight * dO[mine + x];
        dq[mine + x] += slope * k[at + x];
        dk[at + x] += slope * q[mine + x];
      }
    }
  });
}

function dot(x: Real, xAt: number, y: Real, yAt: number, d: number): number {
  let sum = 0;
  for (let i = 0; i < d; i++) sum += x[xAt + i] * y[yAt + i];
  return sum;
}
