// Reductions of ranges of bytes. kind = type · 4 + reduction: types f32, f64, i32, bf16; reductions sum, min, max, product.
// Every element is combined by itself and in the order of the calls, so that the bits do not depend on who computes it.

// @ts-ignore: decorator
@inline function lanes<T extends number>(op: i32, a: v128, b: v128): v128 {
  if (op == 0) return v128.add<T>(a, b);
  if (op == 1) return v128.min<T>(a, b);
  if (op == 2) return v128.max<T>(a, b);
  return v128.mul<T>(a, b);
}

// @ts-ignore: decorator
@inline function one<T extends number>(op: i32, a: T, b: T): T {
  if (op == 0) return (a + b) as T;
  if (op == 1) return min<T>(a, b);
  if (op == 2) return max<T>(a, b);
  return (a * b) as T;
}

// @ts-ignore: decorator
@inline function range<T extends number>(op: i32, a: i32, b: i32, to: i32, bytes: i32): void {
  let i = 0;
  const wide = bytes & ~63;
  for (; i < wide; i += 64) {
    v128.store(to + i, lanes<T>(op, v128.load(a + i), v128.load(b + i)));
    v128.store(to + i, lanes<T>(op, v128.load(a + i, 16), v128.load(b + i, 16)), 16);
    v128.store(to + i, lanes<T>(op, v128.load(a + i, 32), v128.load(b + i, 32)), 32);
    v128.store(to + i, lanes<T>(op, v128.load(a + i, 48), v128.load(b + i, 48)), 48);
  }
  for (; i < bytes; i += sizeof<T>()) store<T>(to + i, one<T>(op, load<T>(a + i), load<T>(b + i)));
}

// @ts-ignore: decorator
@inline function fromBf16(bits: u16): f32 {
  return reinterpret<f32>((bits as u32) << 16);
}

// @ts-ignore: decorator
@inline function toBf16(x: f32): u16 {
  const bits = reinterpret<u32>(x);
  if (x != x) return ((bits >> 16) | 0x40) as u16;
  return ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as u16;
}

// @ts-ignore: decorator
@inline function rangeBf16(op: i32, a: i32, b: i32, to: i32, bytes: i32): void {
  for (let i = 0; i < bytes; i += 2)
    store<u16>(to + i, toBf16(one<f32>(op, fromBf16(load<u16>(a + i)), fromBf16(load<u16>(b + i)))));
}

// to[i] = a[i] ⊕ b[i]; `to` may be a or b.
export function combine(kind: i32, a: i32, b: i32, to: i32, bytes: i32): void {
  switch (kind) {
    case 0: range<f32>(0, a, b, to, bytes); return;
    case 1: range<f32>(1, a, b, to, bytes); return;
    case 2: range<f32>(2, a, b, to, bytes); return;
    case 3: range<f32>(3, a, b, to, bytes); return;
    case 4: range<f64>(0, a, b, to, bytes); return;
    case 5: range<f64>(1, a, b, to, bytes); return;
    case 6: range<f64>(2, a, b, to, bytes); return;
    case 7: range<f64>(3, a, b, to, bytes); return;
    case 8: range<i32>(0, a, b, to, bytes); return;
    case 9: range<i32>(1, a, b, to, bytes); return;
    case 10: range<i32>(2, a, b, to, bytes); return;
    case 11: range<i32>(3, a, b, to, bytes); return;
    case 12: rangeBf16(0, a, b, to, bytes); return;
    case 13: rangeBf16(1, a, b, to, bytes); return;
    case 14: rangeBf16(2, a, b, to, bytes); return;
    default: rangeBf16(3, a, b, to, bytes);
  }
}

// x[i] = y[i] = a[i] + b[i] in f32: the whole of a two-rank all-reduce in one pass over memory.
export function addToBoth(a: i32, b: i32, x: i32, y: i32, bytes: i32): void {
  let i = 0;
  const wide = bytes & ~63;
  for (; i < wide; i += 64) {
    const s0 = f32x4.add(v128.load(a + i), v128.load(b + i));
    const s1 = f32x4.add(v128.load(a + i, 16), v128.load(b + i, 16));
    const s2 = f32x4.add(v128.load(a + i, 32), v128.load(b + i, 32));
    const s3 = f32x4.add(v128.load(a + i, 48), v128.load(b + i, 48));
    v128.store(x + i, s0); v128.store(x + i, s1, 16); v128.store(x + i, s2, 32); v128.store(x + i, s3, 48);
    v128.store(y + i, s0); v128.store(y + i, s1, 16); v128.store(y + i, s2, 32); v128.store(y + i, s3, 48);
  }
  for (; i < bytes; i += 4) {
    const s = load<f32>(a + i) + load<f32>(b + i);
    store<f32>(x + i, s);
    store<f32>(y + i, s);
  }
}

// Short copies go by hand: a call of memory.copy costs more than the bytes.
export function copy(to: i32, from: i32, bytes: i32): void {
  if (bytes >= 256) { memory.copy(to, from, bytes); return; }
  let i = 0;
  for (; i + 16 <= bytes; i += 16) v128.store(to + i, v128.load(from + i));
  for (; i + 4 <= bytes; i += 4) store<i32>(to + i, load<i32>(from + i));
  for (; i < bytes; i++) store<u8>(to + i, load<u8>(from + i));
}
