/**
 * Algorithms in which ranks exchange with partners at changing distances.
 *
 * Legend: n ranks · p the largest power of two ≤ n · d distance of a step.
 * Recursive halving and doubling: log2 p steps of S/2, S/4 … (Thakur et al. 2005, section 4.4; ranks p … n − 1 hand
 * their data to ranks 0 … n − p − 1 before and take the result after). Bruck: ⌈log2 n⌉ steps for any n (Bruck et al.
 * 1997, "Efficient algorithms for all-to-all communications", sections 2 and 3).
 */
import { cyclic, inSequence, type Range, type Step, send } from './schedule';

const powerAtMost = (n: number) => 2 ** Math.floor(Math.log2(n));

/** Blocks that the partners low … low + count − 1 stand for: their own, and those of the ranks folded onto them. */
function foldedBlocks(low: number, count: number, n: number): Range[] {
  const p = powerAtMost(n);
  const extra = Math.min(count, n - p - low);
  return extra > 0
    ? [
        [low, count],
        [low + p, extra],
      ]
    : [[low, count]];
}

/** Step that moves data between the folded ranks and their stand-ins. */
function fold(n: number, toStandIn: boolean, ranges: (extra: number) => readonly Range[], reduce: boolean): Step[] {
  const p = powerAtMost(n);
  const step: Step = [];
  for (let e = p; e < n; e++) send(step, toStandIn ? e : e - p, toStandIn ? e - p : e, ranges(e), reduce);
  return step.length > 0 ? [step] : [];
}

function* halving(n: number): Generator<Step> {
  for (let d = powerAtMost(n) / 2; d >= 1; d /= 2) {
    const step: Step = [];
    for (let v = 0; v < powerAtMost(n); v++) {
      const partner = v ^ d;
      send(step, v, partner, foldedBlocks(partner - (partner % d), d, n), true);
    }
    yield step;
  }
}

function* doubling(n: number): Generator<Step> {
  for (let d = 1; d < powerAtMost(n); d *= 2) {
    const step: Step = [];
    for (let v = 0; v < powerAtMost(n); v++) send(step, v, v ^ d, foldedBlocks(v - (v % d), d, n), false);
    yield step;
  }
}

export function recursiveReduceScatter(n: number): Iterable<Step> {
  return inSequence(
    fold(n, true, () => [[0, n]], true),
    halving(n),
    fold(n, false, e => [[e, 1]], false),
  );
}

export function recursiveAllGather(n: number): Iterable<Step> {
  // A folded rank keeps its own block and misses the rest: the blocks before it and after it.
  const rest = (e: number): Range[] =>
    e === n - 1
      ? [[0, e]]
      : [
          [0, e],
          [e + 1, n - e - 1],
        ];
  return inSequence(
    fold(n, true, e => [[e, 1]], false),
    doubling(n),
    fold(n, false, rest, false),
  );
}

/** As reduce-scatter and then all-gather, but the folded ranks stand aside between the two. */
export function recursiveAllReduce(n: number): Iterable<Step> {
  const all = (): Range[] => [[0, n]];
  return inSequence(fold(n, true, all, true), halving(n), doubling(n), fold(n, false, all, false));
}

/** Rank r holds blocks r … r + d − 1 and sends them, as far as they are missing, to rank r − d. */
export function* bruckAllGather(n: number): Generator<Step> {
  for (let d = 1; d < n; d *= 2) {
    const step: Step = [];
    for (let r = 0; r < n; r++) send(step, r, (r - d + n) % n, cyclic(r, Math.min(d, n - d), n), false);
    yield step;
  }
}

/** Block (i, j) has to go j − i ranks onwards: it takes the powers of two in that number, smallest first. */
export function* bruckAllToAll(n: number): Generator<Step> {
  for (let d = 1; d < n; d *= 2) {
    const step: Step = [];
    for (let r = 0; r < n; r++)
      for (let distance = d; distance < n; distance++) {
        if ((distance & d) === 0) continue;
        const i = (r - (distance & (d - 1)) + n) % n;
        send(step, r, (r + d) % n, [[i * n + ((i + distance) % n), 1]], false);
      }
    yield step;
  }
}

/** Step t: every rank sends to the one t places on; `ranges(from, to)` says what. */
export function* pairwise(
  n: number,
  ranges: (from: number, to: number) => readonly Range[],
  reduce: boolean,
): Generator<Step> {
  for (let t = 1; t < n; t++) {
    const step: Step = [];
    for (let r = 0; r < n; r++) send(step, r, (r + t) % n, ranges(r, (r + t) % n), reduce);
    yield step;
  }
}
