/**
 * The pieces from which the closed forms of shapes.ts are made: what one pass along a ring, a tree or an exchange costs.
 *
 * Legend: n ranks · g ranks a domain · D = ⌈n / g⌉ domains · k segments · S bytes in nccl-tests' sense
 */

export interface Shape {
  readonly upHops: number;
  readonly outHops: number;
  readonly switchHops: number;
  /** Parts of S through one rank's port. */
  readonly upFraction: number;
  readonly outFraction: number;
  readonly switchFraction: number;
  /** Partners beyond the first that a port serves at once. */
  readonly peers: number;
  /** How much of the shorter link's time the longer one hides: 1 all, 0 none. */
  readonly overlap: number;
  /** The out fraction is spread over the cards of all ranks in a domain. */
  readonly railed: boolean;
}

export const NOTHING: Shape = {
  upHops: 0,
  outHops: 0,
  switchHops: 0,
  upFraction: 0,
  outFraction: 0,
  switchFraction: 0,
  peers: 0,
  overlap: 1,
  railed: false,
};

export const add = (a: Shape, b: Shape): Shape => ({
  upHops: a.upHops + b.upHops,
  outHops: a.outHops + b.outHops,
  switchHops: a.switchHops + b.switchHops,
  upFraction: a.upFraction + b.upFraction,
  outFraction: a.outFraction + b.outFraction,
  switchFraction: a.switchFraction + b.switchFraction,
  peers: a.peers + b.peers,
  overlap: Math.min(a.overlap, b.overlap),
  railed: a.railed || b.railed,
});

export interface Group {
  readonly n: number;
  readonly g: number;
  readonly domains: number;
  readonly inSwitch: boolean;
  readonly segments: number;
}

export const log2Up = (n: number) => Math.ceil(Math.log2(n));

/** `hops` equal hops along a path that leaves a domain `outHops` times, each hop carrying `fraction` of S. */
export function path({ domains }: Group, hops: number, out: number, fraction: number, railed = false): Shape {
  const outHops = domains > 1 ? Math.min(hops, out) : 0;
  return {
    ...NOTHING,
    upHops: hops - outHops,
    outHops,
    upFraction: hops > outHops ? fraction : 0,
    outFraction: domains > 1 ? fraction : 0,
    railed,
  };
}

export function ring(group: Group): Shape {
  const { n, domains } = group;
  return path(group, n - 1, domains, (n - 1) / n, true);
}

/** A chain of k segments: the port carries S, and each further hop adds one segment. */
export function chained(group: Group): Shape {
  const { n, domains, segments: k } = group;
  return path(group, n - 1, domains - 1, (k + n - 2) / k, true);
}

/** log2 steps over doubling distances; those of g and more leave the domain. */
export function recursive(group: Group): Shape {
  const { n, g, domains } = group;
  const p = 2 ** Math.floor(Math.log2(n));
  const far = domains > 1 ? Math.max(0, Math.log2(p) - Math.floor(Math.log2(g))) : 0;
  const near = Math.log2(p) - far;
  return {
    ...NOTHING,
    upHops: near,
    outHops: far,
    upFraction: (2 ** near - 1) / p,
    outFraction: domains > 1 ? (p - 2 ** near) / p : 0,
    overlap: 0,
  };
}

/** The step in which ranks beyond the power of two hand over `fraction` of S. */
export function folded(group: Group, fraction: number): Shape {
  const { n, domains } = group;
  if (Number.isInteger(Math.log2(n))) return NOTHING;
  const far = domains > 1;
  return {
    ...NOTHING,
    upHops: far ? 0 : 1,
    outHops: far ? 1 : 0,
    upFraction: far ? 0 : fraction,
    outFraction: far ? fraction : 0,
    overlap: 0,
  };
}

/** Every rank to every other, 1/n of S each, at once. */
export function everyone({ n, g, domains }: Group): Shape {
  const near = Math.min(n, g) - 1;
  return {
    ...NOTHING,
    upHops: domains > 1 ? 0 : 1,
    outHops: domains > 1 ? 1 : 0,
    upFraction: near / n,
    outFraction: domains > 1 ? (n - 1 - near) / n : 0,
    peers: n - 2,
  };
}

/** As `everyone`, one distance after the other. */
export function paced(group: Group): Shape {
  const { n, g, domains } = group;
  const near = domains > 1 ? 0 : Math.min(n, g) - 1;
  return { ...NOTHING, upHops: near, outHops: n - 1 - near, upFraction: near / n, outFraction: (n - 1 - near) / n };
}

/** Bruck: ⌈log2 n⌉ steps; where there are domains, each step has messages that leave one. */
export function bruck(group: Group, fraction: number): Shape {
  const steps = log2Up(group.n);
  return path(group, steps, steps, fraction);
}

export function binomial(group: Group, fraction: number): Shape {
  const far = group.domains > 1 ? log2Up(group.domains) : 0;
  const steps = log2Up(group.n);
  return {
    ...NOTHING,
    upHops: steps - far,
    outHops: far,
    upFraction: fraction < 0 ? steps - far : (fraction * (steps - far)) / steps,
    outFraction: fraction < 0 ? far : (fraction * far) / steps,
    overlap: 0,
  };
}

/** A binomial tree in which a subtree's members get 1/n each: the far hops carry whole domains. */
export function scattered(group: Group): Shape {
  const { n, g, domains } = group;
  const one = binomial(group, 0);
  return domains > 1
    ? { ...one, upFraction: (g - 1) / n, outFraction: (domains - 1) / domains }
    : { ...one, upFraction: (n - 1) / n };
}

/** Marks a binomial tree whose every hop carries all of S. */
export const WHOLE = -1;

/** A share of its time that a port of the double tree waits, since it serves two trees in turn. */
const TREE_STALL = 1.3;
/** The same between domains, where the chains inside them keep the trees apart. */
const FAR_STALL = 1.1;

/** Half of the data down (or up) each tree: inner members of one send to two children, leaves of it work in the other. */
export function doubleTreeRooted(group: Group): Shape {
  const { n, domains, segments: k } = group;
  if (n === 2) return path(group, 1, 1, 1, true);
  const height = Math.floor(Math.log2(n)) + 1;
  const far = domains > 1 ? log2Up(domains) + 1 : 0;
  return path(group, height, far, TREE_STALL + (height - 1) / k, true);
}

/** Up and down; between domains, two of them exchange S/2 a tree and more of them twice that. */
export function doubleTree(group: Group): Shape {
  const { n, g, domains, segments: k } = group;
  const between = domains > 1 ? Math.max(1, Math.floor(Math.log2(domains))) : 0;
  const inside = domains > 1 ? g - 1 : Math.max(1, Math.floor(Math.log2(n)));
  const fill = (2 * (between + inside) - 1) / k;
  const [near, far] = [n === 2 || g === 1 ? 1 : 2 * TREE_STALL, domains <= 2 ? 1 : 2 * FAR_STALL];
  return {
    ...NOTHING,
    upHops: 2 * inside,
    outHops: 2 * between,
    upFraction: inside > 0 ? near + fill : 0,
    outFraction: domains > 1 ? far + fill : 0,
    railed: true,
  };
}

/** Everything through the root's port: to all others at once or one after the other, or back. */
export function throughRoot({ n, g, domains }: Group, fraction: number): Shape {
  const near = Math.min(n, g) - 1;
  const far = n - 1 - near;
  return {
    ...NOTHING,
    upHops: domains > 1 ? 0 : 1,
    outHops: domains > 1 ? 1 : 0,
    upFraction: near * fraction,
    outFraction: far * fraction,
    peers: n - 2,
  };
}

export const onSwitch = (hops: number, fraction: number): Shape => ({
  ...NOTHING,
  switchHops: hops,
  switchFraction: fraction,
});

/** `passes` reduce-scatters or all-gathers inside the domains and along the rails. */
export function hierarchical({ g, domains, inSwitch, segments: k }: Group, passes: number): Shape {
  const inside = inSwitch ? onSwitch(passes, passes === 2 ? 1 + 1 / g : 1) : NOTHING;
  return {
    ...inside,
    upHops: inSwitch ? 0 : passes * (g - 1),
    outHops: passes * (domains - 1),
    upFraction: inSwitch ? 0 : (passes * (g - 1)) / g,
    outFraction: (passes * (domains - 1)) / domains / g,
    overlap: 1 - 1 / k,
  };
}
