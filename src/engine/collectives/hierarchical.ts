/**
 * Two-level algorithms: inside each scale-up domain first, then between domains on rails (members with the same place
 * in their domain), or the other way round.
 *
 * Legend: n ranks · g ranks a domain · N = n / g domains · rank = domain · g + place. Each rail moves 1/g of the data,
 * so that every network card works (NCCL's collnet and NVLS trees; Cho et al. 2019, "BlueConnect").
 */
import { ringAllGather, ringReduceScatter } from './rings';
import { inSequence, type Range, type Step, send, together } from './schedule';
import { everyone, switchAllGather, switchReduceScatter } from './stars';

export interface Levels {
  readonly ranks: number;
  readonly ranksPerDomain: number;
  readonly inSwitch: boolean;
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

function levels({ ranks, ranksPerDomain: g }: Levels) {
  const domains = ranks / g;
  const rank = (domain: number, place: number) => domain * g + place;
  return {
    domains: upTo(domains).map(m => upTo(g).map(l => rank(m, l))),
    rails: upTo(g).map(l => upTo(domains).map(m => rank(m, l))),
    /** What a place stands for inside its domain: the blocks of its whole rail. */
    ofPlace: upTo(g).map(l => upTo(domains).map((m): Range => [rank(m, l), 1])),
  };
}

const own = (members: readonly number[]): Range[][] => members.map(r => [[r, 1]]);

export function hierarchicalReduceScatter(shape: Levels): Iterable<Step> {
  const { domains, rails, ofPlace } = levels(shape);
  const inside = domains.map((members, m) =>
    shape.inSwitch ? switchReduceScatter(members, shape.ranks + m, ofPlace) : ringReduceScatter(members, ofPlace),
  );
  return inSequence(together(inside), together(rails.map(rail => ringReduceScatter(rail, own(rail)))));
}

export function hierarchicalAllGather(shape: Levels): Iterable<Step> {
  const { domains, rails, ofPlace } = levels(shape);
  const inside = domains.map((members, m) =>
    shape.inSwitch ? switchAllGather(members, shape.ranks + m, ofPlace) : ringAllGather(members, ofPlace),
  );
  return inSequence(together(rails.map(rail => ringAllGather(rail, own(rail)))), together(inside));
}

/** Inside each domain the blocks go to the place of their target, then along its rail: N − 1 large messages, not n − g small. */
export function hierarchicalAllToAll({ ranks: n, ranksPerDomain: g }: Levels): Iterable<Step> {
  const { domains, rails } = levels({ ranks: n, ranksPerDomain: g, inSwitch: false });
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
export function hierarchicalRooted({ ranks: n, ranksPerDomain: g }: Levels, root: number, reduce: boolean): Step[] {
  const between: Step = [];
  const inside: Step = [];
  for (let m = 0; m < n / g; m++) {
    const leader = m * g + (root % g);
    const link = (step: Step, near: number, far: number) =>
      send(step, reduce ? far : near, reduce ? near : far, [[0, 1]], reduce);
    if (leader !== root) link(between, root, leader);
    for (let l = 0; l < g; l++) if (m * g + l !== leader) link(inside, leader, m * g + l);
  }
  return (reduce ? [inside, between] : [between, inside]).filter(step => step.length > 0);
}
