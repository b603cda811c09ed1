/**
 * What a step list costs in closed form: hops on its critical path and the part of the bytes that its busiest port
 * carries, on each kind of link. A test holds every form against the list itself, so that search can use the short form.
 *
 * Legend: n ranks · g ranks a domain · D = ⌈n / g⌉ domains · k segments · S bytes in nccl-tests' sense ·
 * T = Σ hops · α + S · (fractions / B), where the links work at once: the larger, else both.
 */
import { DEFAULT_SEGMENTS } from './build';
import type { Algorithm, CollectiveOp } from './schedule';
import {
  type Shape,
  NOTHING,
  add,
  type Group,
  log2Up,
  path,
  ring,
  chained,
  recursive,
  folded,
  everyone,
  paced,
  bruck,
  binomial,
  scattered,
  WHOLE,
  doubleTreeRooted,
  doubleTree,
  throughRoot,
  onSwitch,
  hierarchical,
} from './shapeParts';

type Rule = (group: Group) => Shape;
type Rules = Partial<Record<Algorithm, Rule>>;

const oneEach: Rules = {
  ring,
  'bidirectional-ring': ring,
  'recursive-halving-doubling': c => add(recursive(c), add(folded(c, 1), folded(c, 0))),
  bruck: c => bruck(c, (c.n - 1) / c.n),
  pairwise: paced,
  direct: everyone,
  hierarchical: c => hierarchical(c, 1),
  'in-switch': () => onSwitch(1, 1),
};

const rooted: Rules = {
  ring: chained,
  'binomial-tree': c => binomial(c, WHOLE),
  'double-binary-tree': doubleTreeRooted,
  direct: c => throughRoot(c, 1),
  hierarchical: c => ({
    ...NOTHING,
    upHops: 1,
    outHops: 1,
    upFraction: c.g - 1,
    outFraction: c.domains - 1,
    overlap: 1 - 1 / c.segments,
  }),
  'in-switch': c => onSwitch(1, 1 + 1 / c.segments),
  naive: c => throughRoot(c, 1),
};

const fromRoot: Rules = {
  'binomial-tree': scattered,
  direct: c => throughRoot(c, 1 / c.n),
  naive: c => throughRoot(c, 1 / c.n),
};

const twice =
  (rule: Rule): Rule =>
  c =>
    add(rule(c), rule(c));

const RULES: Record<CollectiveOp, Rules> = {
  broadcast: rooted,
  reduce: rooted,
  scatter: fromRoot,
  gather: fromRoot,
  'all-gather': {
    ...oneEach,
    'binomial-tree': c => add(scattered(c), binomial(c, log2Up(c.n) - (c.n - 1) / c.n)),
    naive: c => add(throughRoot(c, 1 / c.n), throughRoot(c, (c.n - 1) / c.n)),
  },
  'reduce-scatter': {
    ...oneEach,
    'in-switch': c => onSwitch(1, 1 + 1 / c.n),
    naive: c => add(throughRoot(c, 1), throughRoot(c, 1 / c.n)),
  },
  'all-reduce': {
    ring: twice(ring),
    'bidirectional-ring': twice(ring),
    'binomial-tree': twice(c => binomial(c, WHOLE)),
    'double-binary-tree': doubleTree,
    'recursive-halving-doubling': c => add(twice(recursive)(c), twice(x => folded(x, 1))(c)),
    pairwise: twice(paced),
    direct: twice(everyone),
    hierarchical: c => hierarchical(c, 2),
    'in-switch': c => onSwitch(2, 1 + 2 / c.n),
    naive: twice(c => throughRoot(c, 1)),
  },
  'all-to-all': {
    bruck: c => bruck(c, log2Up(c.n) / 2),
    pairwise: paced,
    direct: everyone,
    hierarchical: c => ({
      ...NOTHING,
      upHops: 1,
      outHops: 1,
      upFraction: (c.g - 1) / c.g,
      outFraction: (c.domains - 1) / c.domains,
      overlap: 0,
    }),
    naive: c => add(throughRoot(c, 1), throughRoot(c, 1)),
  },
  'send-recv': { direct: c => path(c, 1, 1, 1) },
  barrier: {
    ring,
    'binomial-tree': twice(c => binomial(c, 0)),
    'recursive-halving-doubling': c => add(recursive(c), add(folded(c, 0), folded(c, 0))),
    bruck: c => bruck(c, 0),
    direct: everyone,
    naive: twice(c => throughRoot(c, 0)),
  },
};

/** The closed form of an algorithm; null where it cannot do the operation. One rank costs nothing. */
export function shapeOf(
  op: CollectiveOp,
  algorithm: Algorithm,
  ranks: number,
  ranksPerDomain: number,
  options: { inSwitch?: boolean; segments?: number } = {},
): Shape | null {
  const rule = RULES[op][algorithm];
  if (!rule) return null;
  const g = Math.min(ranks, ranksPerDomain);
  const domains = Math.ceil(ranks / g);
  if (algorithm === 'hierarchical' && (domains === 1 || g === 1 || ranks % g !== 0)) return null;
  if (algorithm === 'in-switch' && domains > 1) return null;
  if (ranks === 1) return NOTHING;
  return rule({
    n: ranks,
    g,
    domains,
    inSwitch: options.inSwitch ?? false,
    segments: options.segments ?? DEFAULT_SEGMENTS,
  });
}
