/**
 * Two-level algorithms: inside each scale-up domain first, then between domains on rails (members with the same place
 * in their domain), or the other way round. The data goes in segments, so that one segment crosses the fabric while
 * the next is inside its domain.
 *
 * Legend: n ranks · g ranks a domain · N = n / g domains · rank = domain · g + place · k segments. Each rail moves 1/g
 * of the data, so that every network card works (Cho et al. 2019, "BlueConnect"; NCCL's collnet and NVLS trees).
 */
import { ringAllGather, ringReduceScatter } from './rings';
import { inSequence, type Range, type Step, send, together } from './schedule';
import { everyone, switchAllGather, switchReduceScatter } from './stars';

export interface Levels {
  readonly ranks: number;
  readonly ranksPerDomain: number;
  readonly inSwitch: boolean;
  readonly segments: number;
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

/** Members of each domain and each rail, and the chunks of segment s that a rank or a whole rail stands for. */
function levels({ ranks, ranksPerDomain: g, segments: k }: Levels, s: number) {
  const domains = upTo(ranks / g).map(m => upTo(g).map(l => m * g + l));
  const rails = upTo(g).map(l => upTo(ranks / g).map(m => m * g + l));
  const own = (rank: number): Range[] => [[rank * k + s, 1]];
  return { domains, rails, own, ofPlace: rails.map(rail => rail.flatMap(own)) };
}

function scatterPhases(shape: Levels, s: number): Iterable<Step>[] {
  const { domains, rails, own, ofPlace } = levels(shape, s);
  const inside = domains.map((members, m) =>
    shape.inSwitch ? switchReduceScatter(members, shape.ranks + m, ofPlace) : ringReduceScatter(members, ofPlace),
  );
  return [together(inside), together(rails.map(rail => ringReduceScatter(rail, rail.map(own))))];
}

function gatherPhases(shape: Levels, s: number): Iterable<Step>[] {
  const { domains, rails, own, ofPlace } = levels(shape, s);
  const inside = domains.map((members, m) =>
    shape.inSwitch ? switchAllGather(members, shape.ranks + m, ofPlace) : ringAllGather(members, ofPlace),
  );
  return [together(rails.map(rail => ringAllGather(rail, rail.map(own)))), together(inside)];
}

/** Segment s enters its first phase when segment s − 1 enters its second. */
function* pipelined(segments: number, phasesOf: (segment: number) => Iterable<Step>[]): Generator<Step> {
  const phases = upTo(segments).map(phasesOf);
  const count = phases[0]?.length ?? 0;
  for (let round = 0; round < segments + count - 1; round++)
    yield* together(phases.flatMap((list, s) => (round - s >= 0 && round - s < count ? [list[round - s] ?? []] : [])));
}

export const hierarchicalReduceScatter = (shape: Levels) => pipelined(shape.segments, s => scatterPhases(shape, s));

export const hierarchicalAllGather = (shape: Levels) => pipelined(shape.segments, s => gatherPhases(shape, s));

export const hierarchicalAllReduce = (shape: Levels) =>
  pipelined(shape.segments, s => [...scatterPhases(shape, s), ...gatherPhases(shape, s)]);

/** Inside each domain the blocks go to the place of their target, then along its rail: N − 1 large messages, not n − g small. */
export function hierarchicalAllToAll({ ranks: n, ranksPerDomain: g }: Levels): Iterable<Step> {
  const { domains, rails } = levels({ ranks: n, ranksPerDomain: g, inSwitch: false, segments: 1 }, 0);
  const toPlace = (from: number, to: number) => upTo(n / g).map((m): Range => [from * n + m * g + (to % g), 1]);
  const toDomain = (from: number, to: number) => {
    const first = Math.floor(from / g) * g;
    return upTo(g).map((l): Range => [(first + l) * n + to, 1]);
  };
  return inSequence(
    together(domains.map(members => everyone(members, toPlace, false))),
    together(rails.map(rail => everyone(rail, toDomain, false))),
  );
}

/** The root's data goes to its place's rail, then inside each domain; reduced, the way back. */
export function hierarchicalRooted(shape: Levels, root: number, reduce: boolean): Iterable<Step> {
  const { ranks: n, ranksPerDomain: g, segments } = shape;
  return pipelined(segments, s => {
    const between: Step = [];
    const inside: Step = [];
    const link = (step: Step, near: number, far: number) =>
      send(step, reduce ? far : near, reduce ? near : far, [[s, 1]], reduce);
    for (let m = 0; m < n / g; m++) {
      const leader = m * g + (root % g);
      if (leader !== root) link(between, root, leader);
      for (let l = 0; l < g; l++) if (m * g + l !== leader) link(inside, leader, m * g + l);
    }
    return reduce ? [[inside], [between]] : [[between], [inside]];
  });
}
