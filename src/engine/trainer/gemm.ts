/**
 * Matrix product in plain loops: both sides are packed into panels of four, then 4 × 4 tiles are summed.
 * Every element is one sum over k in rising order, in f64, whatever the shape of the rest: a slice of the columns of
 * a product has the same bits as the product of the slice.
 *
 * Legend: out (m × n) = a (m × k) · b (k × n), row-major.
 */
import type { Real } from './heap';

export interface Gemm {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  /** a is stored as k × m. */
  readonly transA?: boolean;
  /** b is stored as n × k. */
  readonly transB?: boolean;
  /** Adds to what `out` holds. */
  readonly accumulate?: boolean;
}

const TILE = 4;
let left = new Float64Array(0);
let right = new Float64Array(0);
const tile = new Float64Array(TILE * TILE);

export function gemm(out: Real, a: Real, b: Real, shape: Gemm): void {
  const { m, n, k, transA = false, transB = false, accumulate = false } = shape;
  const columns = Math.ceil(n / TILE);
  if (left.length < TILE * k) left = new Float64Array(2 * TILE * k);
  if (right.length < columns * TILE * k) right = new Float64Array(2 * columns * TILE * k);
  for (let j = 0; j < columns; j++) pack(right, j * TILE * k, b, j * TILE, n, k, transB ? k : 1, transB ? 1 : n);
  for (let i = 0; i < m; i += TILE) {
    pack(left, 0, a, i, m, k, transA ? 1 : k, transA ? m : 1);
    const rows = Math.min(TILE, m - i);
    for (let j = 0; j < columns; j++) {
      multiply(left, right, j * TILE * k, k);
      store(out, i, rows, j * TILE, Math.min(TILE, n - j * TILE), n, accumulate);
    }
  }
}

/** Four lines of a matrix, interleaved: panel[p · 4 + l] = line first + l at p; lines past the end are zero. */
function pack(
  panel: Float64Array,
  at: number,
  source: Real,
  first: number,
  lines: number,
  k: number,
  lineStride: number,
  stride: number,
): void {
  for (let l = 0; l < TILE; l++) {
    const line = first + l;
    let to = at + l;
    if (line >= lines) {
      for (let p = 0; p < k; p++, to += TILE) panel[to] = 0;
      continue;
    }
    let from = line * lineStride;
    for (let p = 0; p < k; p++, to += TILE, from += stride) panel[to] = source[from];
  }
}

function multiply(x: Float64Array, y: Float64Array, yAt: number, k: number): void {
  let c00 = 0,
    c01 = 0,
    c02 = 0,
    c03 = 0;
  let c10 = 0,
    c11 = 0,
    c12 = 0,
    c13 = 0;
  let c20 = 0,
    c21 = 0,
    c22 = 0,
    c23 = 0;
  let c30 = 0,
    c31 = 0,
    c32 = 0,
    c33 = 0;
  for (let p = 0, i = 0, j = yAt; p < k; p++, i += TILE, j += TILE) {
    const y0 = y[j],
      y1 = y[j + 1],
      y2 = y[j + 2],
      y3 = y[j + 3];
    const x0 = x[i];
    c00 += x0 * y0;
    c01 += x0 * y1;
    c02 += x0 * y2;
    c03 += x0 * y3;
    const x1 = x[i + 1];
    c10 += x1 * y0;
    c11 += x1 * y1;
    c12 += x1 * y2;
    c13 += x1 * y3;
    const x2 = x[i + 2];
    c20 += x2 * y0;
    c21 += x2 * y1;
    c22 += x2 * y2;
    c23 += x2 * y3;
    const x3 = x[i + 3];
    c30 += x3 * y0;
    c31 += x3 * y1;
    c32 += x3 * y2;
    c33 += x3 * y3;
  }
  tile[0] = c00;
  tile[1] = c01;
  tile[2] = c02;
  tile[3] = c03;
  tile[4] = c10;
  tile[5] = c11;
  tile[6] = c12;
  tile[7] = c13;
  tile[8] = c20;
  tile[9] = c21;
  tile[10] = c22;
  tile[11] = c23;
  tile[12] = c30;
  tile[13] = c31;
  tile[14] = c32;
  tile[15] = c33;
}

function store(
  out: Real,
  row: number,
  rows: number,
  column: number,
  columns: number,
  n: number,
  accumulate: boolean,
): void {
  for (let r = 0; r < rows; r++) {
    let to = (row + r) * n + column;
    for (let c = 0; c < columns; c++, to++) out[to] = accumulate ? out[to] + tile[r * TILE + c] : tile[r * TILE + c];
  }
}
