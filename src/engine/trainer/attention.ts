/**
 * Causal attention of a block of queries to a block of keys, with the running soft-max that lets blocks be joined
 * (FlashAttention-2, arXiv 2307.08691, section 3.1; backward section 3.1.2). Products run over tiles of query rows, so
 * that keys which no row of a tile sees cost nothing.
 *
 * Legend: q (sq, b, a, d), k and v (sk, b, g, d), o as q, lse (sq, b, a) = log Σ exp of a row's scores; a/g query heads
 * share a kv head. Queries stand at positions qStart …, keys at kStart …; a query sees the keys up to its position.
 * In a tile of n rows that see up to m keys: S = Q·Kᵀ/√d (n × m), P = exp(S − lse).
 */
import { gemm } from './gemm';
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

/** Query rows of a tile. */
const TILE = 64;

const make = (like: Real, length: number): Real =>
  like instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);

/** Rows of one head, `factor` times. */
function headRows(out: Real, x: Real, at: number, rows: number, stride: number, d: number, factor = 1): Real {
  for (let r = 0, to = 0; r < rows; r++) for (let i = at + r * stride, e = i + d; i < e; i++) out[to++] = factor * x[i];
  return out;
}

function addHeadRows(x: Real, rows: Real, at: number, stride: number, d: number, factor: number): void {
  for (let r = 0, from = 0; from < rows.length; r++)
    for (let i = at + r * stride, e = i + d; i < e; i++) x[i] += factor * rows[from++];
}

/** Rows of a tile of one query head. */
interface Tile {
  /** First row, in (sq). */
  readonly first: number;
  readonly n: number;
  /** Keys that its last row sees. */
  readonly m: number;
  /** Offset of the first row of the head in q. */
  readonly at: number;
  /** Index of the tile's first row in (sq, b, a). */
  readonly row: number;
}

/** Calls f with each tile of each query head of kv head `kv` of sequence `j` that sees a key. */
function eachTile(shape: AttentionShape, j: number, kv: number, f: (tile: Tile) => void): void {
  const { sq, sk, b, a, g, d, qStart, kStart } = shape;
  for (let head = (kv * a) / g; head < ((kv + 1) * a) / g; head++)
    for (let first = 0; first < sq; first += TILE) {
      const n = Math.min(TILE, sq - first);
      const m = Math.min(sk, qStart + first + n - kStart);
      const row = (first * b + j) * a + head;
      if (m > 0) f({ first, n, m, row, at: row * d });
    }
}

/** Keys that row i of a tile sees; none where it is 0 or less. */
const seen = ({ sk, qStart, kStart }: AttentionShape, { first }: Tile, i: number) =>
  Math.min(sk, qStart + first + i - kStart + 1);

/** Calls f with each kv head of each sequence: its rows, and the offset of its first row in k and v. */
function eachHead(
  k: Real,
  v: Real,
  { sk, b, g, d }: AttentionShape,
  f: (keys: Real, values: Real, at: number, j: number, kv: number) => void,
): void {
  const [keys, values] = [make(k, sk * d), make(v, sk * d)];
  for (let j = 0; j < b; j++)
    for (let kv = 0; kv < g; kv++) {
      const at = (j * g + kv) * d;
      f(headRows(keys, k, at, sk, b * g * d, d), headRows(values, v, at, sk, b * g * d, d), at, j, kv);
    }
}

/**
 * o and lse of the block alone; rows that see nothing keep o = 0 and get lse = −∞. Where `scores` (sq·b·a, sk) is
 * given, the soft-max is kept in it.
 */
export function attend(o: Real, lse: Real, q: Real, k: Real, v: Real, shape: AttentionShape, scores?: Real): void {
  const { sk, b, a, d } = shape;
  const room = new Room(q, shape);
  lse.fill(-Infinity);
  eachHead(k, v, shape, (keys, values, _, j, kv) =>
    eachTile(shape, j, kv, tile => {
      const { n, m } = tile;
      const s = room.scores(q, keys, tile);
      for (let i = 0; i < n; i++) {
        const r = tile.row + i * b * a;
        const visible = seen(shape, tile, i);
        if (visible > 0) lse[r] = logSumExp(s, i * m, visible);
        softmax(s, i * m, lse[r], visible, m);
        if (scores && visible > 0) scores.set(s.subarray(i * m, i * m + visible), r * sk);
      }
      const out = room.rows(tile);
      gemm(out, s, values.subarray(0, m * d), { m: n, n: d, k: m });
      addHeadRows(o, out, tile.at, b * a * d, d, 1);
    }),
  );
}

/** Memory that the tiles of one call take by turns. */
class Room {
  private readonly query: Real;
  private readonly out: Real;
  private readonly first: Real;
  private readonly second: Real;

  constructor(
    like: Real,
    private readonly shape: AttentionShape,
  ) {
    const { sq, sk, d } = shape;
    const n = Math.min(TILE, sq);
    [this.query, this.out] = [make(like, n * d), make(like, n * d)];
    [this.first, this.second] = [make(like, n * sk), make(like, n * sk)];
  }

  /** Q/√d */
  queries(q: Real, { n, at }: Tile): Real {
    const { b, a, d } = this.shape;
    return headRows(this.query.subarray(0, n * d), q, at, n, b * a * d, d, 1 / Math.sqrt(d));
  }

  /** S */
  scores(q: Real, keys: Real, tile: Tile): Real {
    const { n, m } = tile;
    const { d } = this.shape;
    const s = this.square(tile);
    gemm(s, this.queries(q, tile), keys.subarray(0, m * d), { m: n, n: m, k: d, transB: true });
    return s;
  }

  /** (n × m) */
  square({ n, m }: Tile): Real {
    return this.first.subarray(0, n * m);
  }

  /** (n × m) */
  otherSquare({ n, m }: Tile): Real {
    return this.second.subarray(0, n * m);
  }

  /** (n × d) */
  rows({ n }: Tile): Real {
    return this.out.subarray(0, n * this.shape.d);
  }
}

/** The logarithm of the sum of the exponentials of the first `keys` scores from `at`. */
function logSumExp(s: Real, at: number, keys: number): number {
  let most = -Infinity;
  for (let p = at; p < at + keys; p++) if (s[p] > most) most = s[p];
  let total = 0;
  for (let p = at; p < at + keys; p++) total += Math.exp(s[p] - most);
  return most + Math.log(total);
}

/** From the stored lse, so that the backward pass makes the same bits again; 0 for keys that are not seen. */
function softmax(s: Real, at: number, lse: number, keys: number, m: number): void {
  for (let p = at; p < at + keys; p++) s[p] = Math.exp(s[p] - lse);
  s.fill(0, at + Math.max(0, keys), at + m);
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
  kept?: Real,
): void {
  const { sk, b, a, g, d } = shape;
  const room = new Room(side.q, shape);
  const [dKeys, dValues, dOut] = [make(k, sk * d), make(v, sk * d), make(k, Math.min(TILE, shape.sq) * d)];
  const factor = 1 / Math.sqrt(d);
  eachHead(k, v, shape, (keys, values, at, j, kv) => {
    dKeys.fill(0);
    dValues.fill(0);
    eachTile(shape, j, kv, tile => {
      const { n, m } = tile;
      const p = softmaxAgain(room, side, keys, tile, shape, kept);
      const dO = headRows(dOut.subarray(0, n * d), side.dO, tile.at, n, b * a * d, d);
      gemm(dValues.subarray(0, m * d), p, dO, { m, n: d, k: n, transA: true, accumulate: true });
      const dS = room.otherSquare(tile);
      gemm(dS, dO, values.subarray(0, m * d), { m: n, n: m, k: d, transB: true });
      scoreSlopes(dS, p, side, tile, shape);
      const query = room.queries(side.q, tile);
      gemm(dKeys.subarray(0, m * d), dS, query, { m, n: d, k: n, transA: true, accumulate: true });
      const dQuery = room.rows(tile);
      gemm(dQuery, dS, keys.subarray(0, m * d), { m: n, n: d, k: m });
      addHeadRows(dq, dQuery, tile.at, b * a * d, d, factor);
    });
    addHeadRows(dk, dKeys, at, b * g * d, d, 1);
    addHeadRows(dv, dValues, at, b * g * d, d, 1);
  });
}

/** P of a tile, as it was kept or from the stored lse. */
function softmaxAgain(room: Room, side: QuerySide, keys: Real, tile: Tile, shape: AttentionShape, kept?: Real): Real {
  const { n, m, row } = tile;
  const { sk, b, a } = shape;
  const p = kept ? room.square(tile) : room.scores(side.q, keys, tile);
  for (let i = 0; i < n; i++) {
    const r = row + i * b * a;
    const visible = Math.max(0, seen(shape, tile, i));
    if (kept) p.fill(0, i * m, (i + 1) * m).set(kept.subarray(r * sk, r * sk + visible), i * m);
    else softmax(p, i * m, side.lse[r], visible, m);
  }
  return p;
}

/** dS·√d = P ∘ (dO·Vᵀ − dO·O) in the place of dO·Vᵀ. */
function scoreSlopes(dS: Real, p: Real, { dO, o }: QuerySide, tile: Tile, { b, a, d }: AttentionShape): void {
  const { n, m, at } = tile;
  for (let i = 0; i < n; i++) {
    let mean = 0;
    for (let x = at + i * b * a * d, e = x + d; x < e; x++) mean += dO[x] * o[x];
    for (let x = i * m, e = x + m; x < e; x++) dS[x] = p[x] * (dS[x] - mean);
  }
}
