// Matrix products, out (m × n) = a (m × k) · b (k × n), row-major, in f32 and f64 without fused multiply-add.
// Both sides are packed into panels: a in panels of ROWS rows, b in panels of WIDTH columns, each with its lines
// interleaved, so that the inner loop reads both from end to end and keeps a tile of the result in registers.
// An element of the result is a sum over k in rising order, in blocks of DEPTH that are added up: its bits do not
// depend on m, n or its place, so a slice of a product has the bits of the product of the slice.

// A tile is ROWS rows by three vectors: twelve sums, which with their operands is what the registers hold.
const ROWS: i32 = 4;
const VECTORS: i32 = 3;
// Rows of a and columns of b that are packed at once: a's stay in the second cache, a panel of b's in the first.
const DEPTH: i32 = 256;
const TALL: i32 = 64;
const WIDE: i32 = 768;

// @ts-ignore: decorator
@inline function lanes<T extends number>(): i32 { return 16 / sizeof<T>(); }
// @ts-ignore: decorator
@inline function width<T extends number>(): i32 { return VECTORS * lanes<T>(); }

// Bytes of the room that a product needs beside its matrices.
export function productRoom(): i32 { return (TALL * DEPTH + DEPTH * WIDE) * 8 + 512; }

// @ts-ignore: decorator
@inline function sum<T extends number>(c: v128, x: v128, y: v128): v128 { return v128.add<T>(c, v128.mul<T>(x, y)); }

// @ts-ignore: decorator
@inline function more<T extends number>(out: i32, offset: i32, c: v128): v128 { return v128.add<T>(v128.load(out + offset), c); }

// @ts-ignore: decorator
@inline function row<T extends number>(out: i32, c0: v128, c1: v128, c2: v128): void {
  v128.store(out, c0); v128.store(out, c1, 16); v128.store(out, c2, 32);
}

// One tile: k steps over a panel of a and a panel of b; rows of the result are `stride` bytes apart.
function tile<T extends number>(k: i32, a: i32, b: i32, out: i32, stride: i32, adds: bool): void {
  let c00 = v128.splat<T>(0 as T), c01 = c00, c02 = c00;
  let c10 = c00, c11 = c00, c12 = c00;
  let c20 = c00, c21 = c00, c22 = c00;
  let c30 = c00, c31 = c00, c32 = c00;
  const unit: i32 = sizeof<T>();
  // Two steps a turn: half of the loop's own work.
  const end = a + (k & ~1) * ROWS * unit;
  while (a < end) {
    const y0 = v128.load(b, 0), y1 = v128.load(b, 16), y2 = v128.load(b, 32);
    const x0 = v128.load_splat<T>(a);
    c00 = sum<T>(c00, x0, y0); c01 = sum<T>(c01, x0, y1); c02 = sum<T>(c02, x0, y2);
    const x1 = v128.load_splat<T>(a, sizeof<T>());
    c10 = sum<T>(c10, x1, y0); c11 = sum<T>(c11, x1, y1); c12 = sum<T>(c12, x1, y2);
    const x2 = v128.load_splat<T>(a, 2 * sizeof<T>());
    c20 = sum<T>(c20, x2, y0); c21 = sum<T>(c21, x2, y1); c22 = sum<T>(c22, x2, y2);
    const x3 = v128.load_splat<T>(a, 3 * sizeof<T>());
    c30 = sum<T>(c30, x3, y0); c31 = sum<T>(c31, x3, y1); c32 = sum<T>(c32, x3, y2);
    const y0n = v128.load(b, 48), y1n = v128.load(b, 64), y2n = v128.load(b, 80);
    const x0n = v128.load_splat<T>(a, 4 * sizeof<T>());
    c00 = sum<T>(c00, x0n, y0n); c01 = sum<T>(c01, x0n, y1n); c02 = sum<T>(c02, x0n, y2n);
    const x1n = v128.load_splat<T>(a, 5 * sizeof<T>());
    c10 = sum<T>(c10, x1n, y0n); c11 = sum<T>(c11, x1n, y1n); c12 = sum<T>(c12, x1n, y2n);
    const x2n = v128.load_splat<T>(a, 6 * sizeof<T>());
    c20 = sum<T>(c20, x2n, y0n); c21 = sum<T>(c21, x2n, y1n); c22 = sum<T>(c22, x2n, y2n);
    const x3n = v128.load_splat<T>(a, 7 * sizeof<T>());
    c30 = sum<T>(c30, x3n, y0n); c31 = sum<T>(c31, x3n, y1n); c32 = sum<T>(c32, x3n, y2n);
    a += 2 * ROWS * unit;
    b += 2 * VECTORS * 16;
  }
  if (k & 1) {
    const y0 = v128.load(b, 0), y1 = v128.load(b, 16), y2 = v128.load(b, 32);
    const x0 = v128.load_splat<T>(a);
    c00 = sum<T>(c00, x0, y0); c01 = sum<T>(c01, x0, y1); c02 = sum<T>(c02, x0, y2);
    const x1 = v128.load_splat<T>(a, sizeof<T>());
    c10 = sum<T>(c10, x1, y0); c11 = sum<T>(c11, x1, y1); c12 = sum<T>(c12, x1, y2);
    const x2 = v128.load_splat<T>(a, 2 * sizeof<T>());
    c20 = sum<T>(c20, x2, y0); c21 = sum<T>(c21, x2, y1); c22 = sum<T>(c22, x2, y2);
    const x3 = v128.load_splat<T>(a, 3 * sizeof<T>());
    c30 = sum<T>(c30, x3, y0); c31 = sum<T>(c31, x3, y1); c32 = sum<T>(c32, x3, y2);
  }
  if (adds) {
    row<T>(out, more<T>(out, 0, c00), more<T>(out, 16, c01), more<T>(out, 32, c02));
    out += stride;
    row<T>(out, more<T>(out, 0, c10), more<T>(out, 16, c11), more<T>(out, 32, c12));
    out += stride;
    row<T>(out, more<T>(out, 0, c20), more<T>(out, 16, c21), more<T>(out, 32, c22));
    out += stride;
    row<T>(out, more<T>(out, 0, c30), more<T>(out, 16, c31), more<T>(out, 32, c32));
  } else {
    row<T>(out, c00, c01, c02);
    row<T>(out + stride, c10, c11, c12);
    row<T>(out + 2 * stride, c20, c21, c22);
    row<T>(out + 3 * stride, c30, c31, c32);
  }
}

// Interleaves one vector of lines that each lie along k: panel[p][line] = line[p], a square of lanes at a time.
// @ts-ignore: decorator
@inline function packAlong<T extends number>(to: i32, step: i32, from: i32, line: i32, k: i32): void {
  let p = 0;
  if (sizeof<T>() == 4) {
    for (; p + 4 <= k; p += 4) {
      const r0 = v128.load(from), r1 = v128.load(from + line), r2 = v128.load(from + 2 * line), r3 = v128.load(from + 3 * line);
      const a = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5), b = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
      const c = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7), d = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
      v128.store(to, v128.shuffle<f32>(a, b, 0, 1, 4, 5));
      v128.store(to + step, v128.shuffle<f32>(a, b, 2, 3, 6, 7));
      v128.store(to + 2 * step, v128.shuffle<f32>(c, d, 0, 1, 4, 5));
      v128.store(to + 3 * step, v128.shuffle<f32>(c, d, 2, 3, 6, 7));
      from += 16; to += 4 * step;
    }
  } else {
    for (; p + 2 <= k; p += 2) {
      const r0 = v128.load(from), r1 = v128.load(from + line);
      v128.store(to, v128.shuffle<f64>(r0, r1, 0, 2));
      v128.store(to + step, v128.shuffle<f64>(r0, r1, 1, 3));
      from += 16; to += 2 * step;
    }
  }
  for (; p < k; p++) {
    for (let l = 0; l < lanes<T>(); l++) store<T>(to + l * sizeof<T>(), load<T>(from + l * line));
    from += sizeof<T>(); to += step;
  }
}

// A panel of `lines` lines, each `line` bytes after the one before, its elements `next` bytes apart; missing ones are zero.
function pack<T extends number>(to: i32, from: i32, lines: i32, full: i32, k: i32, line: i32, next: i32): void {
  const unit: i32 = sizeof<T>(), step = full * unit;
  if (lines == full && next == unit) {
    for (let l = 0; l < full; l += lanes<T>()) packAlong<T>(to + l * unit, step, from + l * line, line, k);
  } else if (lines == full && line == unit) {
    for (let p = 0; p < k; p++) {
      v128.store(to, v128.load(from));
      if (step > 16) v128.store(to, v128.load(from, 16), 16);
      if (step > 32) v128.store(to, v128.load(from, 32), 32);
      to += step; from += next;
    }
  } else {
    for (let p = 0; p < k; p++) {
      for (let l = 0; l < full; l++) store<T>(to + l * unit, l < lines ? load<T>(from + l * line) : (0 as T));
      to += step; from += next;
    }
  }
}

// A tile past the edge of the result: computed aside, and the part inside is copied.
function edge<T extends number>(k: i32, a: i32, b: i32, out: i32, stride: i32, adds: bool, rows: i32, columns: i32, aside: i32): void {
  const own = VECTORS * 16;
  tile<T>(k, a, b, aside, own, false);
  for (let r = 0; r < rows; r++)
    for (let c: i32 = 0; c < columns; c++) {
      const at = out + r * stride + c * sizeof<T>(), value = load<T>(aside + r * own + c * sizeof<T>());
      store<T>(at, adds ? ((load<T>(at) + value) as T) : value);
    }
}

function product<T extends number>(m: i32, n: i32, k: i32, a: i32, b: i32, out: i32, transA: bool, transB: bool, adds: bool, room: i32): void {
  const unit: i32 = sizeof<T>(), W = width<T>(), stride = n * unit;
  const lineA = transA ? unit : k * unit, nextA = transA ? m * unit : unit;
  const lineB = transB ? k * unit : unit, nextB = transB ? unit : n * unit;
  const left = room + 256, right = left + TALL * DEPTH * unit;
  for (let p = 0; p < k; p += DEPTH) {
    const depth = min(DEPTH, k - p), more = adds || p > 0;
    for (let j0 = 0; j0 < n; j0 += WIDE) {
      const j1 = min(n, j0 + WIDE);
      for (let j = j0; j < j1; j += W)
        pack<T>(right + (j - j0) * depth * unit, b + j * lineB + p * nextB, min(W, j1 - j), W, depth, lineB, nextB);
      for (let i0 = 0; i0 < m; i0 += TALL) {
        const i1 = min(m, i0 + TALL);
        for (let i = i0; i < i1; i += ROWS)
          pack<T>(left + (i - i0) * depth * unit, a + i * lineA + p * nextA, min(ROWS, i1 - i), ROWS, depth, lineA, nextA);
        for (let j = j0; j < j1; j += W)
          for (let i = i0; i < i1; i += ROWS) {
            const x = left + (i - i0) * depth * unit, y = right + (j - j0) * depth * unit, to = out + i * stride + j * unit;
            if (i + ROWS <= i1 && j + W <= j1) tile<T>(depth, x, y, to, stride, more);
            else edge<T>(depth, x, y, to, stride, more, min(ROWS, i1 - i), min(W, j1 - j), room);
          }
      }
    }
  }
}

// Addresses are bytes; a is stored as k × m where transA, b as n × k where transB; adds to `out` where `adds`.
export function productF32(m: i32, n: i32, k: i32, a: i32, b: i32, out: i32, transA: bool, transB: bool, adds: bool, room: i32): void {
  product<f32>(m, n, k, a, b, out, transA, transB, adds, room);
}

export function productF64(m: i32, n: i32, k: i32, a: i32, b: i32, out: i32, transA: bool, transB: bool, adds: bool, room: i32): void {
  product<f64>(m, n, k, a, b, out, transA, transB, adds, room);
}
