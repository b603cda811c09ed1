/**
 * Ring algorithms over any ordered members. Member i owns the chunk ranges owned[i].
 *
 * Legend: n members · S bytes of the whole vector · t step. Reduce-scatter and all-gather take n − 1 steps of S/n
 * each (Patarasuk and Yuan 2009, "Bandwidth optimal all-reduce algorithms", section 3).
 */
import { type Range, type Step, send } from './schedule';

/** The element at an index between −n and 2n − 1, cyclic. */
function at<T>(list: readonly T[], i: number): T {
  const n = list.length;
  return list[i < 0 ? i + n : i < n ? i : i - n];
}

/** Step t: member i sends the part of i − t − 1 onwards, so that each part ends, reduced, at its owner. */
export function* ringReduceScatter(
  members: readonly number[],
  owned: readonly (readonly Range[])[],
  direction: 1 | -1 = 1,
): Generator<Step> {
  const n = members.length;
  for (let t = 0; t < n - 1; t++) {
    const step: Step = [];
    for (let i = 0; i < n; i++)
      send(step, members[i], at(members, i + direction), at(owned, i - direction * (t + 1)), true);
    yield step;
  }
}

/** Step t: member i sends the part of i − t onwards: each part goes once round the ring. */
export function* ringAllGather(
  members: readonly number[],
  owned: readonly (readonly Range[])[],
  direction: 1 | -1 = 1,
): Generator<Step> {
  const n = members.length;
  for (let t = 0; t < n - 1; t++) {
    const step: Step = [];
    for (let i = 0; i < n; i++) send(step, members[i], at(members, i + direction), at(owned, i - direction * t), false);
    yield step;
  }
}

/** A chain from the first member to the last, in `segments` chunks that follow each other. */
export function* chain(members: readonly number[], segments: number, reduce: boolean): Generator<Step> {
  const hops = members.length - 1;
  if (hops === 0) return;
  for (let t = 0; t < hops + segments - 1; t++) {
    const step: Step = [];
    for (let hop = Math.max(0, t - segments + 1); hop <= Math.min(hops - 1, t); hop++)
      send(step, members[hop], members[hop + 1], [[t - hop, 1]], reduce);
    yield step;
  }
}
