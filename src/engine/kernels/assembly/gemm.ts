// The inner part of a matrix product in f64: a packed panel of four rows against packed panels of four columns.
// No fused multiply-add, so the bits are those of plain JavaScript.

// a: k × 4 elements, b: panels of k × 4 elements, out: one 4 × 4 tile a panel, row-major.
export function tileRow(a: i32, b: i32, out: i32, k: i32, panels: i32): void {
  for (let j = 0; j < panels; j++) {
    let c00 = f64x2.splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
    let x = a;
    for (let p = 0; p < k; p++) {
      const y0 = v128.load(b);
      const y1 = v128.load(b, 16);
      const x0 = v128.load64_splat(x);
      c00 = f64x2.add(c00, f64x2.mul(x0, y0));
      c01 = f64x2.add(c01, f64x2.mul(x0, y1));
      const x1 = v128.load64_splat(x, 8);
      c10 = f64x2.add(c10, f64x2.mul(x1, y0));
      c11 = f64x2.add(c11, f64x2.mul(x1, y1));
      const x2 = v128.load64_splat(x, 16);
      c20 = f64x2.add(c20, f64x2.mul(x2, y0));
      c21 = f64x2.add(c21, f64x2.mul(x2, y1));
      const x3 = v128.load64_splat(x, 24);
      c30 = f64x2.add(c30, f64x2.mul(x3, y0));
      c31 = f64x2.add(c31, f64x2.mul(x3, y1));
      x += 32;
      b += 32;
    }
    v128.store(out, c00); v128.store(out, c01, 16);
    v128.store(out, c10, 32); v128.store(out, c11, 48);
    v128.store(out, c20, 64); v128.store(out, c21, 80);
    v128.store(out, c30, 96); v128.store(out, c31, 112);
    out += 128;
  }
}
