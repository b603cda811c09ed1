/**
 * Algorithms without a path: everyone to everyone at once (direct), through one rank (naive), through the switch.
 *
 * In-switch: the switch of a domain reduces what its ranks send and multicasts what one of them sends, so that a rank
 * moves S · (1 + 1/n) bytes each way for an all-reduce (NVIDIA SHARP; Calculon's H100 file counts the same).
 */
import { type Range, type Step, send } from './schedule';

type Ranges = (from: number, to: number) => readonly Range[];

/**
 * One step in which every member sends to every other, at one distance after the other, so that no port is asked for
 * twice at a time: distance in domains of g members first, then in places. A receiver reduces in that order too.
 */
export function everyone(members: readonly number[], ranges: Ranges, reduce: boolean, g = members.length): Step[] {
  const n = members.length;
  const size = n % g === 0 ? g : n;
  const step: Step = [];
  for (let distance = 1; distance < n; distance++)
    for (let i = 0; i < n; i++) {
      const domain = Math.floor(i / size) + Math.floor(distance / size);
      const place = ((i % size) + (distance % size)) % size;
      const [from, to] = [members[i], members[(domain * size + place) % n]];
      send(step, from, to, ranges(from, to), reduce);
    }
  return n > 1 ? [step] : [];
}

/** One step from the root to all others, or the other way. */
export function star(
  root: number,
  n: number,
  outward: boolean,
  ranges: (rank: number) => readonly Range[],
  reduce: boolean,
) {
  return [...oneByOne(root, n, outward, ranges, reduce)].reduce<Step[]>(
    (all, step) => [[...(all[0] ?? []), ...step]],
    [],
  );
}

/** As `star`, one rank after the other in rising order. */
export function* oneByOne(
  root: number,
  n: number,
  outward: boolean,
  ranges: (rank: number) => readonly Range[],
  reduce: boolean,
): Generator<Step> {
  for (let r = 0; r < n; r++) {
    if (r === root) continue;
    const step: Step = [];
    send(step, outward ? root : r, outward ? r : root, ranges(r), reduce);
    yield step;
  }
}

/** Parts one after the other: all members send a part up, the switch reduces it and sends it to the part's owner. */
export function* switchReduceScatter(
  members: readonly number[],
  hub: number,
  owned: readonly (readonly Range[])[],
): Generator<Step> {
  if (members.length < 2) return;
  for (const [i, part] of owned.entries()) {
    const up: Step = [];
    for (const member of members) send(up, member, hub, part, true);
    yield up;
    const down: Step = [];
    send(down, hub, members[i], part, false);
    yield down;
  }
}

/** Parts one after the other: the owner sends its part up, the switch multicasts it to the others. */
export function* switchAllGather(
  members: readonly number[],
  hub: number,
  owned: readonly (readonly Range[])[],
): Generator<Step> {
  if (members.length < 2) return;
  for (const [i, part] of owned.entries()) {
    const owner = members[i];
    const up: Step = [];
    send(up, owner, hub, part, false);
    yield up;
    const down: Step = [];
    for (const member of members) if (member !== owner) send(down, hub, member, part, false);
    yield down;
  }
}

/** Segments through the switch: from the root to all, or from all, reduced, to the root. */
export function* switchRooted(root: number, n: number, segments: number, reduce: boolean): Generator<Step> {
  if (n < 2) return;
  for (let s = 0; s < segments; s++) {
    const up: Step = [];
    const down: Step = [];
    for (let r = 0; r < n; r++) {
      if (reduce || r === root) send(up, r, n, [[s, 1]], reduce);
      if (reduce === (r === root)) send(down, n, r, [[s, 1]], false);
    }
    yield up;
    yield down;
  }
}

/** Reduce-scatter and all-gather of the same parts, a part's all-gather after the next part's reduction is under way. */
export function* switchAllReduce(
  members: readonly number[],
  hub: number,
  owned: readonly (readonly Range[])[],
): Generator<Step> {
  const scatter = [...switchReduceScatter(members, hub, owned)];
  const gather = [...switchAllGather(members, hub, owned)];
  for (let i = 0; i < scatter.length + 2; i += 2)
    yield* [...scatter.slice(i, i + 2), ...(i === 0 ? [] : gather.slice(i - 2, i))];
}
