// One rank's share of a collective on a shared heap, without any waiting. A table holds for each member the addresses
// of its input and output: table + member · 16 → input, + 4 → output. Member r owns block r; blocks are cut by elements,
// the first ones a unit longer. A block is reduced from its owner's input on, then the member before it, and so on:
// the order of the direct step list.
import { addToBoth, combine, copy } from './reduce';

const TILE: i32 = 8192;

// @ts-ignore: decorator
@inline export function inputOf(table: i32, member: i32): i32 { return load<i32>(table + (member << 4)); }
// @ts-ignore: decorator
@inline export function outputOf(table: i32, member: i32): i32 { return load<i32>(table + (member << 4), 4); }

export function blockStart(member: i32, n: i32, bytes: i32, unit: i32): i32 {
  const count = bytes / unit, base = count / n, rest = count - base * n;
  return (base * member + min(member, rest)) * unit;
}

// Reduces bytes [offset, offset + bytes) of all inputs to `to`, in the order of block `r`.
function fold(table: i32, r: i32, n: i32, offset: i32, to: i32, bytes: i32, kind: i32): void {
  if (n == 1) { copy(to, inputOf(table, 0) + offset, bytes); return; }
  let before = r == 0 ? n - 1 : r - 1;
  combine(kind, inputOf(table, r) + offset, inputOf(table, before) + offset, to, bytes);
  for (let k = 2; k < n; k++) {
    before = before == 0 ? n - 1 : before - 1;
    combine(kind, to, inputOf(table, before) + offset, to, bytes);
  }
}

export function allReduceSlice(table: i32, r: i32, n: i32, bytes: i32, unit: i32, kind: i32): void {
  const start = blockStart(r, n, bytes, unit), length = blockStart(r + 1, n, bytes, unit) - start;
  if (n == 2 && kind == 0) {
    addToBoth(inputOf(table, 0) + start, inputOf(table, 1) + start, outputOf(table, 0) + start, outputOf(table, 1) + start, length);
    return;
  }
  // The sum goes to a place where no input stands that is still to be read: the own output, which may be the own input.
  const own = outputOf(table, r) + start;
  for (let t = 0; t < length; t += TILE) {
    const size = min(TILE, length - t);
    fold(table, r, n, start + t, own + t, size, kind);
    for (let q = 0; q < n; q++) if (q != r) copy(outputOf(table, q) + start + t, own + t, size);
  }
}

export function reduceScatterSlice(table: i32, r: i32, n: i32, bytes: i32, unit: i32, kind: i32): void {
  const start = blockStart(r, n, bytes, unit), length = blockStart(r + 1, n, bytes, unit) - start;
  for (let t = 0; t < length; t += TILE) {
    const size = min(TILE, length - t);
    fold(table, r, n, start + t, outputOf(table, r) + t, size, kind);
  }
}

// Each member reduces its block into the root's output.
export function reduceSlice(table: i32, r: i32, n: i32, bytes: i32, unit: i32, kind: i32, root: i32): void {
  const start = blockStart(r, n, bytes, unit), length = blockStart(r + 1, n, bytes, unit) - start;
  for (let t = 0; t < length; t += TILE) {
    const size = min(TILE, length - t);
    fold(table, r, n, start + t, outputOf(table, root) + start + t, size, kind);
  }
}

// Inputs of `bytes` each, one after the other.
export function allGatherSlice(table: i32, r: i32, n: i32, bytes: i32): void {
  const to = outputOf(table, r);
  for (let k = 0; k < n; k++) {
    let q = r + k;
    if (q >= n) q -= n;
    copy(to + q * bytes, inputOf(table, q), bytes);
  }
}

// `bytes` is the whole input of a member.
export function allToAllSlice(table: i32, r: i32, n: i32, bytes: i32, unit: i32): void {
  const start = blockStart(r, n, bytes, unit), length = blockStart(r + 1, n, bytes, unit) - start;
  const to = outputOf(table, r);
  for (let k = 0; k < n; k++) {
    let q = r + k;
    if (q >= n) q -= n;
    copy(to + q * length, inputOf(table, q) + start, length);
  }
}

// With few members all of them share the copy to each; with one, each copies for itself.
export function broadcastSlice(table: i32, r: i32, n: i32, bytes: i32, root: i32): void {
  if (n == 2 && bytes >= 16384) {
    const half = (bytes >> 1) & ~63, start = r == 0 ? 0 : half;
    const length = r == 0 ? half : bytes - half, other = 1 - root;
    copy(outputOf(table, other) + start, inputOf(table, root) + start, length);
    if (outputOf(table, root) != inputOf(table, root)) copy(outputOf(table, root) + start, inputOf(table, root) + start, length);
    return;
  }
  const from = inputOf(table, root), to = outputOf(table, r);
  if (from != to) copy(to, from, bytes);
}
