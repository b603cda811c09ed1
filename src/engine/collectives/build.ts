/** Which algorithm can do which collective, and the step list for it. */
import {
  bruckAllGather,
  bruckAllToAll,
  pairwise,
  recursiveAllGather,
  recursiveAllReduce,
  recursiveReduceScatter,
} from './exchanges';
import {
  hierarchicalAllGather,
  hierarchicalAllReduce,
  hierarchicalAllToAll,
  hierarchicalReduceScatter,
  hierarchicalRooted,
  type Levels,
} from './hierarchical';
import { chain, ringAllGather, ringReduceScatter } from './rings';
import {
  ALGORITHMS,
  type Algorithm,
  type CollectiveOp,
  inSequence,
  type Range,
  type Schedule,
  type ScheduleOptions,
  type Step,
  together,
} from './schedule';
import { everyone, oneByOne, star, switchAllGather, switchAllReduce, switchReduceScatter, switchRooted } from './stars';
import { binomialDown, binomialUp, doubleTreeAllReduce, doubleTreeRooted, subtreeBlocks } from './trees';

/** Segments of a pipelined path where nobody asks for another number. */
export const DEFAULT_SEGMENTS = 8;

/** Segments for a size, an even number for two trees: one a MiB, so that long messages fill a long path. */
export const segmentsFor = (bytes: number) => Math.min(128, Math.max(2, 2 * Math.floor(bytes / 2 ** 21)));

interface Context extends Levels {
  readonly root: number;
  /** All ranks, and all ranks beginning with the root. */
  readonly members: readonly number[];
  readonly fromRoot: readonly number[];
}

interface Recipe {
  /** blocks: `one` whole buffer, one a rank, or one a pair of ranks. */
  readonly blocks: 'one' | 'rank' | 'pair';
  readonly split?: number | 'segments';
  readonly steps: (c: Context) => Iterable<Step>;
}

const block = (r: number): Range[] => [[r, 1]];
const whole: () => Range[] = () => [[0, 1]];
const toTarget = (_: number, to: number) => block(to);
const ofSender = (from: number) => block(from);
const row =
  (n: number) =>
  (r: number): Range[] => [[r * n, n]];
const column =
  (n: number) =>
  (r: number): Range[] =>
    Array.from({ length: n }, (_, i) => [i * n + r, 1]);
const pair = (n: number) => (from: number, to: number) => block(from * n + to);
const owned = (c: Context) => c.members.map(block);
/** Halves of each block for the two directions of a ring. */
const half = (c: Context, part: number) => c.members.map((r): Range[] => [[2 * r + part, 1]]);

const bothWays = (c: Context, ring: typeof ringAllGather) =>
  together([ring(c.members, half(c, 0), 1), ring(c.members, half(c, 1), -1)]);

/** All-reduce as reduce-scatter and then all-gather of the same algorithm. */
function scatterGather(scatter: Recipe, gather: Recipe): Recipe {
  return { ...scatter, steps: c => inSequence(scatter.steps(c), gather.steps(c)) };
}

type Book = Partial<Record<Algorithm, Recipe>>;

const allGather: Book = {
  ring: { blocks: 'rank', steps: c => ringAllGather(c.members, owned(c)) },
  'bidirectional-ring': { blocks: 'rank', split: 2, steps: c => bothWays(c, ringAllGather) },
  'binomial-tree': {
    blocks: 'rank',
    steps: c =>
      inSequence(
        binomialUp(c.members, subtreeBlocks(0, c.ranks), false),
        binomialDown(c.members, (v, size) => missing(v, size, c.ranks)),
      ),
  },
  'recursive-halving-doubling': { blocks: 'rank', steps: c => recursiveAllGather(c.ranks) },
  bruck: { blocks: 'rank', steps: c => bruckAllGather(c.ranks) },
  pairwise: { blocks: 'rank', steps: c => pairwise(c.ranks, ofSender, false) },
  direct: { blocks: 'rank', steps: c => everyone(c.members, ofSender, false, c.ranksPerDomain) },
  hierarchical: { blocks: 'rank', split: 'segments', steps: hierarchicalAllGather },
  'in-switch': { blocks: 'rank', steps: c => switchAllGather(c.members, c.ranks, owned(c)) },
  naive: {
    blocks: 'rank',
    steps: c =>
      inSequence(
        oneByOne(0, c.ranks, false, block, false),
        oneByOne(0, c.ranks, true, r => missing(r, 1, c.ranks), false),
      ),
  },
};

/** All blocks but those of members v … v + size − 1. */
function missing(v: number, size: number, n: number): Range[] {
  const list: Range[] = [
    [0, v],
    [v + size, n - v - size],
  ];
  return list.filter(([, count]) => count > 0);
}

const reduceScatter: Book = {
  ring: { blocks: 'rank', steps: c => ringReduceScatter(c.members, owned(c)) },
  'bidirectional-ring': { blocks: 'rank', split: 2, steps: c => bothWays(c, ringReduceScatter) },
  'recursive-halving-doubling': { blocks: 'rank', steps: c => recursiveReduceScatter(c.ranks) },
  pairwise: { blocks: 'rank', steps: c => pairwise(c.ranks, toTarget, true) },
  direct: { blocks: 'rank', steps: c => everyone(c.members, toTarget, true, c.ranksPerDomain) },
  hierarchical: { blocks: 'rank', split: 'segments', steps: hierarchicalReduceScatter },
  'in-switch': { blocks: 'rank', steps: c => switchReduceScatter(c.members, c.ranks, owned(c)) },
  naive: {
    blocks: 'rank',
    steps: c =>
      inSequence(
        oneByOne(0, c.ranks, false, () => [[0, c.ranks]], true),
        oneByOne(0, c.ranks, true, block, false),
      ),
  },
};

const allReduce: Book = {
  'in-switch': {
    blocks: 'rank',
    // A short message would wait at each part for the switch's answer, so it reduces all parts first.
    steps: c =>
      c.segments > 2
        ? switchAllReduce(c.members, c.ranks, owned(c))
        : inSequence(switchReduceScatter(c.members, c.ranks, owned(c)), switchAllGather(c.members, c.ranks, owned(c))),
  },
  hierarchical: { blocks: 'rank', split: 'segments', steps: hierarchicalAllReduce },
  'recursive-halving-doubling': { blocks: 'rank', steps: c => recursiveAllReduce(c.ranks) },
  'binomial-tree': {
    blocks: 'one',
    steps: c => inSequence(binomialUp(c.members, whole, true), binomialDown(c.members, whole)),
  },
  'double-binary-tree': {
    blocks: 'one',
    split: 'segments',
    steps: c => doubleTreeAllReduce(c.members, c.ranksPerDomain, c.segments),
  },
  naive: {
    blocks: 'one',
    steps: c => inSequence(oneByOne(0, c.ranks, false, whole, true), oneByOne(0, c.ranks, true, whole, false)),
  },
};
for (const algorithm of ALGORITHMS) {
  const [scatter, gather] = [reduceScatter[algorithm], allGather[algorithm]];
  if (scatter && gather) allReduce[algorithm] ??= scatterGather(scatter, gather);
}

const broadcast: Book = {
  ring: { blocks: 'one', split: 'segments', steps: c => chain(c.fromRoot, c.segments, false) },
  'binomial-tree': { blocks: 'one', steps: c => binomialDown(c.fromRoot, whole) },
  'double-binary-tree': {
    blocks: 'one',
    split: 'segments',
    steps: c => doubleTreeRooted(c.root, c.fromRoot.slice(1), c.segments, false),
  },
  direct: { blocks: 'one', steps: c => star(c.root, c.ranks, true, whole, false) },
  hierarchical: { blocks: 'one', split: 'segments', steps: c => hierarchicalRooted(c, c.root, false) },
  'in-switch': { blocks: 'one', split: 'segments', steps: c => switchRooted(c.root, c.ranks, c.segments, false) },
  naive: { blocks: 'one', steps: c => oneByOne(c.root, c.ranks, true, whole, false) },
};

const reduce: Book = {
  ring: { blocks: 'one', split: 'segments', steps: c => chain([...c.fromRoot.slice(1), c.root], c.segments, true) },
  'binomial-tree': { blocks: 'one', steps: c => binomialUp(c.fromRoot, whole, true) },
  'double-binary-tree': {
    blocks: 'one',
    split: 'segments',
    steps: c => doubleTreeRooted(c.root, c.fromRoot.slice(1), c.segments, true),
  },
  direct: { blocks: 'one', steps: c => star(c.root, c.ranks, false, whole, true) },
  hierarchical: { blocks: 'one', split: 'segments', steps: c => hierarchicalRooted(c, c.root, true) },
  'in-switch': { blocks: 'one', split: 'segments', steps: c => switchRooted(c.root, c.ranks, c.segments, true) },
  naive: { blocks: 'one', steps: c => oneByOne(c.root, c.ranks, false, whole, true) },
};

const oneToEach = (outward: boolean): Book => ({
  'binomial-tree': {
    blocks: 'rank',
    steps: c =>
      outward
        ? binomialDown(c.fromRoot, subtreeBlocks(c.root, c.ranks))
        : binomialUp(c.fromRoot, subtreeBlocks(c.root, c.ranks), false),
  },
  direct: { blocks: 'rank', steps: c => star(c.root, c.ranks, outward, block, false) },
  naive: { blocks: 'rank', steps: c => oneByOne(c.root, c.ranks, outward, block, false) },
});

const allToAll: Book = {
  bruck: { blocks: 'pair', steps: c => bruckAllToAll(c.ranks) },
  pairwise: { blocks: 'pair', steps: c => pairwise(c.ranks, pair(c.ranks), false) },
  direct: { blocks: 'pair', steps: c => everyone(c.members, pair(c.ranks), false, c.ranksPerDomain) },
  hierarchical: { blocks: 'pair', steps: hierarchicalAllToAll },
  naive: {
    blocks: 'pair',
    steps: c =>
      inSequence(oneByOne(0, c.ranks, false, row(c.ranks), false), oneByOne(0, c.ranks, true, column(c.ranks), false)),
  },
};

/** Every rank sends its buffer to the next: what nccl-tests measures as sendrecv. */
const sendReceive: Book = {
  direct: {
    blocks: 'rank',
    steps: c =>
      c.ranks > 1 ? [c.members.map(r => ({ from: r, to: (r + 1) % c.ranks, first: r, count: 1, reduce: false }))] : [],
  },
};

/** A barrier is an all-gather of nothing: done where every rank has heard of every other. */
const barrier: Book = {
  ring: allGather.ring as Recipe,
  'binomial-tree': allGather['binomial-tree'] as Recipe,
  'recursive-halving-doubling': allGather['recursive-halving-doubling'] as Recipe,
  bruck: allGather.bruck as Recipe,
  direct: allGather.direct as Recipe,
  naive: allGather.naive as Recipe,
};

const BOOKS: Record<CollectiveOp, Book> = {
  broadcast,
  scatter: oneToEach(true),
  gather: oneToEach(false),
  reduce,
  'all-gather': allGather,
  'reduce-scatter': reduceScatter,
  'all-reduce': allReduce,
  'all-to-all': allToAll,
  'send-recv': sendReceive,
  barrier,
};

const SYNCHRONOUS: readonly Algorithm[] = ['pairwise'];
const RAILED: readonly Algorithm[] = ['ring', 'bidirectional-ring', 'double-binary-tree'];

/** The algorithms that can do an operation, in the order of ALGORITHMS. */
export function algorithmsFor(op: CollectiveOp): Algorithm[] {
  return ALGORITHMS.filter(a => BOOKS[op][a] !== undefined);
}

/**
 * The step list of an operation; null where the algorithm cannot do it, or not with so many ranks a domain
 * (`hierarchical` wants a whole number of domains, at least two, and two ranks or more in each).
 */
export function buildSchedule(
  op: CollectiveOp,
  algorithm: Algorithm,
  ranks: number,
  options: ScheduleOptions = {},
): Schedule | null {
  const recipe = BOOKS[op][algorithm];
  const { root = 0, ranksPerDomain = ranks, inSwitch = false, segments = DEFAULT_SEGMENTS } = options;
  if (!recipe) return null;
  const twoLevels = ranks % ranksPerDomain === 0 && ranksPerDomain > 1 && ranksPerDomain < ranks;
  if (algorithm === 'hierarchical' && !twoLevels) return null;
  const members = Array.from({ length: ranks }, (_, r) => r);
  const fromRoot = [...members.slice(root), ...members.slice(0, root)];
  const context: Context = { ranks, ranksPerDomain, inSwitch, root, segments, members, fromRoot };
  const hubs = algorithm === 'in-switch' ? 1 : algorithm === 'hierarchical' && inSwitch ? ranks / ranksPerDomain : 0;
  return {
    op,
    algorithm,
    ranks,
    root,
    ranksPerDomain,
    holders: ranks + hubs,
    blocks: recipe.blocks === 'one' ? 1 : recipe.blocks === 'rank' ? ranks : ranks * ranks,
    split: recipe.split === 'segments' ? segments : (recipe.split ?? 1),
    synchronous: SYNCHRONOUS.includes(algorithm),
    railed: RAILED.includes(algorithm),
    steps: () => recipe.steps(context),
  };
}
