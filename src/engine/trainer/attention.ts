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

/** One kv head's keys and values as rows of their own, in f64: the loops below then run without strides. */
interface KeyValueHead {
  readonly k: Float64Array;
  readonly v: Float64Array;
}

function headRows(x: Real, at: number, rows: number, stride: number, d: number): Float64Array {
  const out = new Float64Array(rows * d);
  for (let r = 0, to = 0; r < rows; r++) for (let i = at + r * stride, e = i + d; i < e; i++) out[to++] = x[i];
  return out;
}

/** Calls f with each kv head of each sequence: the head's rows, and the offset of its first row in k and v. */
function eachHead(
  k: Real,
  v: Real,
  { sk, b, g, d }: AttentionShape,
  f: (head: KeyValueHead, at: number, j: number, kv: number) => void,
) {
  const stride = b * g * d;
  for (let j = 0; j < b; j++)
    for (let kv = 0; kv < g; kv++) {
      const at = (j * g + kv) * d;
      f({ k: headRows(k, at, sk, stride, d), v: headRows(v, at, sk, stride, d) }, at, j, kv);
    }
}

/** Calls f for each query row of a kv head that sees a key: its index in (sq, b, a), and how many keys it sees. */
function eachRow(shape: AttentionShape, j: number, kv: number, f: (row: number, keys: number) => void): void {
  const { sq, sk, b, a, g, qStart, kStart } = shape;
  for (let i = 0; i < sq; i++) {
    const keys = Math.min(sk, qStart + i - kStart + 1);
    if (keys > 0) for (let head = (kv * a) / g; head < ((kv + 1) * a) / g; head++) f((i * b + j) * a + head, keys);
  }
}

/**
 * o and lse of the block alone; rows that see nothing keep o = 0 and get lse = −∞. Where `scores` (sq·b·a, sk) is
 * given, the soft-max is kept in it.
 */
export function attend(o: Real, lse: Real, q: Real, k: Real, v: Real, shape: AttentionShape, scores?: Real): void {
  const { sk, d } = shape;
  const row = new Float64Array(sk);
  const query = new Float64Array(d);
  const sum = new Float64Array(d);
  lse.fill(-Infinity);
  eachHead(k, v, shape, (head, _, j, kv) =>
    eachRow(shape, j, kv, (r, keys) => {
      load(query, q, r * d);
      lse[r] = logSumExp(row, query, head.k, keys, d);
      softmax(row, lse[r], keys);
      if (scores) for (let p = 0; p < keys; p++) scores[r * sk + p] = row[p];
      sum.fill(0);
      for (let p = 0, at = 0; p < keys; p++) {
        const weight = row[p];
        for (let x = 0; x < d; x++) sum[x] += weight * head.v[at++];
      }
      for (let x = 0; x < d; x++) o[r * d + x] = sum[x];
    }),
  );
}

function load(target: Float64Array, source: Real, at: number): void {
  for (let i = 0; i < target.length; i++) target[i] = source[at + i];
}

/** Writes a row's scores q·k/√d, and returns the logarithm of the sum of their exponentials. */
function logSumExp(row: Float64Array, query: Float64Array, k: Float64Array, keys: number, d: number): number {
  scoreRow(row, query, k, keys, d);
  let most = -Infinity;
  for (let p = 0; p < keys; p++) if (row[p] > most) most = row[p];
  let total = 0;
  for (let p = 0; p < keys; p++) total += Math.exp(row[p] - most);
  return most + Math.log(total);
}

function scoreRow(row: Float64Array, query: Float64Array, k: Float64Array, keys: number, d: number): void {
  const factor = 1 / Math.sqrt(d);
  for (let p = 0, at = 0; p < keys; p++) {
    let sum = 0;
    for (let x = 0; x < d; x++) sum += query[x] * k[at++];
    row[p] = factor * sum;
  }
}

/** From the stored lse, so that the backward pass makes the same bits again. */
function softmax(row: Float64Array, lse: number, keys: number): void {
  for (let p = 0; p < keys; p++) row[p] = Math.exp(row[p] - lse);
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
  side: QuerySide,
  k: Real,
  v: Real,
  shape: AttentionShape,
  scores?: Real,
): void {
  const { sk, b, g, d } = shape;
  const row = new Float64Array(sk);
  const [query, dQuery, dOut] = [new Float64Array(d), new Float64Array(d), new Float64Array(d)];
  eachHead(k, v, shape, (head, at, j, kv) => {
    const d1 = { k: new Float64Array(sk * d), v: new Float64Array(sk * d) };
    eachRow(shape, j, kv, (r, keys) => {
      load(query, side.q, r * d);
      load(dOut, side.dO, r * d);
      if (scores) load(row, scores, r * sk);
      else {
        scoreRow(row, query, head.k, keys, d);
        softmax(row, side.lse[r], keys);
      }
      let mean = 0;
      for (let x = 0; x < d; x++) mean += dOut[x] * side.o[r * d + x];
      dQuery.fill(0);
      rowBackward(row, mean, { query, dQuery, dOut }, head, d1, keys, d);
      for (let x = 0; x < d; x++) dq[r * d + x] += dQuery[x];
    });
    addHead(dk, d1.k, at, b * g * d, d);
    addHead(dv, d1.v, at, b * g * d, d);
  });
}

/** dS = P ∘ (dO·Vᵀ − mean) / √d; dV += Pᵀ·dO, dQ += dS·K, dK += dSᵀ·Q, for one row. */
function rowBackward(
  row: Float64Array,
  mean: number,
  { query, dQuery, dOut }: { query: Float64Array; dQuery: Float64Array; dOut: Float64Array },
  { k, v }: KeyValueHead,
  gradient: KeyValueHead,
  keys: number,
  d: number,
): void {
  const factor = 1 / Math.sqrt(d);
  for (let p = 0; p < keys; p++) {
    const at = p * d;
    const weight = row[p];
    let product = 0;
    for (let x = 0; x < d; x++) product += dOut[x] * v[at + x];
    const slope = weight * (product - mean) * factor;
    for (let x = 0; x < d; x++) {
      gradient.v[at + x] += weight * dOut[x];
      dQuery[x] += slope * k[at + x];
      gradient.k[at + x] += slope * query[x];
    }
  }
}

function addHead(target: Real, rows: Float64Array, at: number, stride: number, d: number): void {
  for (let r = 0, from = 0; from < rows.length; r++)
    for (let i = at + r * stride, e = i + d; i < e; i++) target[i] += rows[from++];
}
