/** A good product in plain JavaScript: panels of four lines, 4 × 4 tiles in local variables, sums over 256 steps. */
const DEPTH = 256;

/** out = a · b, all n × n with n a multiple of four; sums in f64, which is faster here than rounding each to f32. */
export function tiledProduct(out: Float32Array, a: Float32Array, b: Float32Array, n: number): void {
  const left = new Float32Array(4 * DEPTH);
  const right = new Float32Array(DEPTH * n);
  for (let first = 0; first < n; first += DEPTH) {
    const k = Math.min(DEPTH, n - first);
    for (let j = 0; j < n; j += 4)
      for (let p = 0, to = j * k, at = first * n + j; p < k; p++, to += 4, at += n) {
        right[to] = b[at];
        right[to + 1] = b[at + 1];
        right[to + 2] = b[at + 2];
        right[to + 3] = b[at + 3];
      }
    for (let i = 0; i < n; i += 4) {
      for (let p = 0, to = 0, at = i * n + first; p < k; p++, to += 4, at++) {
        left[to] = a[at];
        left[to + 1] = a[at + n];
        left[to + 2] = a[at + 2 * n];
        left[to + 3] = a[at + 3 * n];
      }
      for (let j = 0; j < n; j += 4) tile(out, i * n + j, n, left, right, j * k, k, first > 0);
    }
  }
}

function tile(
  out: Float32Array,
  at: number,
  n: number,
  left: Float32Array,
  right: Float32Array,
  panel: number,
  k: number,
  adds: boolean,
): void {
  let c00 = 0;
  let c01 = 0;
  let c02 = 0;
  let c03 = 0;
  let c10 = 0;
  let c11 = 0;
  let c12 = 0;
  let c13 = 0;
  let c20 = 0;
  let c21 = 0;
  let c22 = 0;
  let c23 = 0;
  let c30 = 0;
  let c31 = 0;
  let c32 = 0;
  let c33 = 0;
  for (let x = 0, y = panel; x < 4 * k; x += 4, y += 4) {
    const b0 = right[y];
    const b1 = right[y + 1];
    const b2 = right[y + 2];
    const b3 = right[y + 3];
    const a0 = left[x];
    c00 += a0 * b0;
    c01 += a0 * b1;
    c02 += a0 * b2;
    c03 += a0 * b3;
    const a1 = left[x + 1];
    c10 += a1 * b0;
    c11 += a1 * b1;
    c12 += a1 * b2;
    c13 += a1 * b3;
    const a2 = left[x + 2];
    c20 += a2 * b0;
    c21 += a2 * b1;
    c22 += a2 * b2;
    c23 += a2 * b3;
    const a3 = left[x + 3];
    c30 += a3 * b0;
    c31 += a3 * b1;
    c32 += a3 * b2;
    c33 += a3 * b3;
  }
  put(out, at, adds, c00, c01, c02, c03);
  put(out, at + n, adds, c10, c11, c12, c13);
  put(out, at + 2 * n, adds, c20, c21, c22, c23);
  put(out, at + 3 * n, adds, c30, c31, c32, c33);
}

function put(out: Float32Array, at: number, adds: boolean, c0: number, c1: number, c2: number, c3: number): void {
  out[at] = adds ? out[at] + c0 : c0;
  out[at + 1] = adds ? out[at + 1] + c1 : c1;
  out[at + 2] = adds ? out[at + 2] + c2 : c2;
  out[at + 3] = adds ? out[at + 3] + c3 : c3;
}
