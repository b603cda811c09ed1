/**
 * Matrix product: both sides are packed into panels of four, then 4 × 4 tiles are summed, by a compiled kernel where the
 * host has one.
 * Every element is one sum over k in rising order, in f64, whatever the shape of the rest: a slice of the columns of
 * a product has the same bits as the product of the slice.
 *
 * Legend: out (m × n) = a (m × k) · b (k × n), row-major.
 */
import { loadGemmKernel } from './gemmKernel';
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
const kernel = loadGemmKernel();
let plain = new Float64Array(0);

/** Room for a panel of rows, panels of columns and their tiles, one after the other. */
function room(elements: number): Float64Array {
  if (kernel) return kernel.room(elements);
  if (plain.length < elements) plain = new Float64Array(2 * elements);
  return plain;
}

/** `compiled: false` keeps to plain JavaScript, which gives the same bits. */
export function gemm(out: Real, a: Real, b: Real, shape: Gemm, compiled = true): void {
  const { m, n, k, transA = false, transB = false, accumulate = false } = shape;
  const panels = Math.ceil(n / TILE);
  const right = TILE * k;
  const tiles = right + panels * TILE * k;
  const memory = room(tiles + panels * TILE * TILE);
  for (let j = 0; j < panels; j++)
    pack(memory, right + j * TILE * k, b, j * TILE, n, k, transB ? k : 1, transB ? 1 : n);
  for (let i = 0; i < m; i += TILE) {
    pack(memory, 0, a, i, m, k, transA ? 1 : k, transA ? m : 1);
    if (kernel && compiled) kernel.tileRow(0, 8 * right, 8 * tiles, k, panels);
    else for (let j = 0; j < panels; j++) tile(memory, right + j * TILE * k, tiles + j * TILE * TILE, k);
    const rows = Math.min(TILE, m - i);
    for (let j = 0; j < panels; j++)
      store(out, memory, tiles + j * TILE * TILE, i, rows, j * TILE, Math.min(TILE, n - j * TILE), n, accumulate);
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

/** One 4 × 4 tile: the panel of rows at 0 times the panel of columns at `yAt`. */
function tile(memory: Float64Array, yAt: number, to: number, k: number): void {
  for (let r = 0; r < TILE; r++) {
    let [c0, c1, c2, c3] = [0, 0, 0, 0];
    for (let p = 0, i = r, j = yAt; p < k; p++, i += TILE, j += TILE) {
      const x = memory[i];
      c0 += x * memory[j];
      c1 += x * memory[j + 1];
      c2 += x * memory[j + 2];
      c3 += x * memory[j + 3];
    }
    const at = to + r * TILE;
    memory[at] = c0;
    memory[at + 1] = c1;
    memory[at + 2] = c2;
    memory[at + 3] = c3;
  }
}

function store(
  out: Real,
  tiles: Float64Array,
  from: number,
  row: number,
  rows: number,
  column: number,
  columns: number,
  n: number,
  accumulate: boolean,
): void {
  for (let r = 0; r < rows; r++) {
    let to = (row + r) * n + column;
    for (let c = 0, at = from + r * TILE; c < columns; c++, to++, at++)
      out[to] = accumulate ? out[to] + tiles[at] : tiles[at];
  }
}
