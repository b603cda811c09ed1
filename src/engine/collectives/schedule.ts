/**
 * A collective's algorithm as data: the list of steps that every reading shares. Cost counts it, virtual time
 * times it, buffers execute it.
 *
 * The data of a collective is cut into blocks (one a rank, or one for each pair of ranks in all-to-all) and each
 * block into `split` chunks; chunk = block · split + part. A transfer moves whole chunks.
 */

export const COLLECTIVE_OPS = [
  'broadcast',
  'scatter',
  'gather',
  'reduce',
  'all-gather',
  'reduce-scatter',
  'all-reduce',
  'all-to-all',
  'send-recv',
  'barrier',
] as const;
export type CollectiveOp = (typeof COLLECTIVE_OPS)[number];

export const ALGORITHMS = [
  'ring',
  'bidirectional-ring',
  'binomial-tree',
  'double-binary-tree',
  'recursive-halving-doubling',
  'bruck',
  'pairwise',
  'direct',
  'hierarchical',
  'in-switch',
  'naive',
] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** Chunks `first` … `first + count − 1` go from one rank to another, which takes them or reduces them into its own. */
export interface Transfer {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly count: number;
  readonly reduce: boolean;
}

/** Transfers that may run at once. Neighbours in the list with the same sender and receiver travel as one message. */
export type Step = Transfer[];

export interface Schedule {
  readonly op: CollectiveOp;
  readonly algorithm: Algorithm;
  readonly ranks: number;
  /** Ranks, and after them the switches that hold data on the way. */
  readonly holders: number;
  readonly root: number;
  /** Ranks of the group that share a scale-up domain, as the builder was told. */
  readonly ranksPerDomain: number;
  readonly blocks: number;
  readonly split: number;
  /** A rank waits for what it receives in a step before it begins the next. */
  readonly synchronous: boolean;
  /** A message across domains is spread over the network cards of all the group's ranks in its domain. */
  readonly railed: boolean;
  /** The steps in order, made anew at each call, so that long lists never stand in memory. */
  readonly steps: () => Iterable<Step>;
}

/** What builders need beside the ranks. */
export interface ScheduleOptions {
  readonly root?: number;
  /** Ranks of the group in each scale-up domain, for `hierarchical`. */
  readonly ranksPerDomain?: number;
  /** Whether the domain's switch reduces, for `hierarchical`. */
  readonly inSwitch?: boolean;
  /** Pipeline segments of algorithms that send a long buffer along a path. */
  readonly segments?: number;
}

/** Contiguous chunks: first, count. */
export type Range = readonly [number, number];

/** Adds one message to a step. */
export function send(step: Step, from: number, to: number, ranges: readonly Range[], reduce: boolean): void {
  for (let i = 0; i < ranges.length; i++) {
    const range = ranges[i];
    step.push({ from, to, first: range[0], count: range[1], reduce });
  }
}

/** One part of `whole` blocks of one rank each, cyclic: `count` blocks from `first` on. */
export function cyclic(first: number, count: number, whole: number): Range[] {
  const start = ((first % whole) + whole) % whole;
  const head = Math.min(count, whole - start);
  return head < count
    ? [
        [start, head],
        [0, count - head],
      ]
    : [[start, count]];
}

/** Runs several step lists side by side: step t of the result holds step t of each. */
export function* together(lists: readonly Iterable<Step>[]): Generator<Step> {
  const iterators = lists.map(list => list[Symbol.iterator]());
  for (;;) {
    const step: Step = [];
    let live = false;
    for (const iterator of iterators) {
      const next = iterator.next();
      if (next.done) continue;
      live = true;
      for (const transfer of next.value) step.push(transfer);
    }
    if (!live) return;
    yield step;
  }
}

/** Steps of the first list, then of the second, and so on. */
export function* inSequence(...lists: readonly Iterable<Step>[]): Generator<Step> {
  for (const list of lists) yield* list;
}
