/**
 * Tree algorithms.
 *
 * Binomial tree: member v sends to v + d for d = 2^k, ⌈log2 n⌉ steps (Thakur, Rabenseifner and Gropp 2005,
 * "Optimization of collective communication operations in MPICH", section 4).
 * Double binary tree: two trees on the same members, the inner members of one being leaves of the other, each
 * carrying half of the data in segments (Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth
 * broadcast, reduction and scan", section 3).
 */
import { cyclic, type Range, type Step, send } from './schedule';

const powerBelow = (n: number) => 2 ** Math.floor(Math.log2(Math.max(1, n - 1)));

/** Distances of a binomial tree over n members: the largest power of two below n, down to 1. */
function distances(n: number): number[] {
  const list: number[] = [];
  for (let d = powerBelow(n); n > 1 && d >= 1; d /= 2) list.push(d);
  return list;
}

/** Down the tree from member 0; `ranges(v, d)` are the chunks for the subtree of v, which holds d members at most. */
export function* binomialDown(
  members: readonly number[],
  ranges: (v: number, size: number) => readonly Range[],
): Generator<Step> {
  const n = members.length;
  for (const d of distances(n)) {
    const step: Step = [];
    for (let v = 0; v + d < n; v += 2 * d)
      send(step, members[v] as number, members[v + d] as number, ranges(v + d, Math.min(d, n - v - d)), false);
    yield step;
  }
}

/** Up the tree to member 0, the mirror image. */
export function* binomialUp(
  members: readonly number[],
  ranges: (v: number, size: number) => readonly Range[],
  reduce: boolean,
): Generator<Step> {
  const n = members.length;
  for (const d of distances(n).reverse()) {
    const step: Step = [];
    for (let v = 0; v + d < n; v += 2 * d)
      send(step, members[v + d] as number, members[v] as number, ranges(v + d, Math.min(d, n - v - d)), reduce);
    yield step;
  }
}

/** Blocks of a subtree where member v is rank v + root: they wrap round the end. */
export const subtreeBlocks = (root: number, ranks: number) => (v: number, size: number) =>
  cyclic(v + root, size, ranks);

interface Edge {
  readonly parent: number;
  readonly child: number;
  /** Steps after which the child has everything from below it, and after which the parent has it from above. */
  readonly height: number;
  readonly depth: number;
}

interface Tree {
  readonly root: number;
  readonly edges: readonly Edge[];
  readonly height: number;
}

/** The in-order binary tree on positions low … low + size − 1: every second position is a leaf. */
function inOrderTree(low: number, size: number, depth: number, edges: Edge[]): { root: number; height: number } {
  const left = 2 ** Math.floor(Math.log2(size)) - 1;
  const root = low + left;
  let height = 0;
  for (const [start, count] of [
    [low, left],
    [root + 1, size - left - 1],
  ] as const) {
    if (count === 0) continue;
    const child = inOrderTree(start, count, depth + 1, edges);
    edges.push({ parent: root, child: child.root, height: child.height, depth });
    height = Math.max(height, child.height + 1);
  }
  return { root, height };
}

/** The two trees on the members; in the second they change places so that leaves become inner. */
export function twoTrees(members: readonly number[]): readonly [Tree, Tree] {
  const n = members.length;
  const edges: Edge[] = [];
  const { root, height } = inOrderTree(0, n, 0, edges);
  const place = (map: (position: number) => number): Tree => {
    const member = (position: number) => members[map(position)] as number;
    return {
      root: member(root),
      height,
      edges: edges.map(e => ({ ...e, parent: member(e.parent), child: member(e.child) })),
    };
  };
  return [place(p => p), place(p => (n % 2 === 0 ? n - 1 - p : (p + 1) % n))];
}

/** Adds to `steps` a tree's upward and then downward passage of the given chunks, one chunk a step. */
function treeSteps(steps: Step[], tree: Tree, chunks: readonly number[], up: boolean, down: boolean, start = 0): void {
  const into = (t: number) => (steps[t] ??= []);
  chunks.forEach((chunk, s) => {
    if (up) for (const e of tree.edges) send(into(start + s + e.height), e.child, e.parent, [[chunk, 1]], true);
    const turn = start + s + (up ? tree.height : 0);
    if (down) for (const e of tree.edges) send(into(turn + e.depth), e.parent, e.child, [[chunk, 1]], false);
  });
}

const parity = (segments: number, odd: number) =>
  Array.from({ length: segments }, (_, s) => s).filter(s => s % 2 === odd);

/** All-reduce over all members: up and down both trees; even segments take the first tree, odd ones the second. */
export function doubleTreeAllReduce(members: readonly number[], segments: number): Step[] {
  const steps: Step[] = [];
  if (members.length > 1)
    twoTrees(members).forEach((tree, i) => treeSteps(steps, tree, parity(segments, i), true, true));
  return steps;
}

/** Broadcast from, or reduce to, a root that stands above the roots of both trees on the other members. */
export function doubleTreeRooted(root: number, others: readonly number[], segments: number, reduce: boolean): Step[] {
  const steps: Step[] = [];
  if (others.length === 0) return steps;
  twoTrees(others).forEach((tree, i) => {
    const chunks = parity(segments, i);
    chunks.forEach((chunk, s) => {
      const at = reduce ? s + tree.height : s;
      const [from, to] = reduce ? [tree.root, root] : [root, tree.root];
      send((steps[at] ??= []), from, to, [[chunk, 1]], reduce);
    });
    treeSteps(steps, tree, chunks, reduce, !reduce, reduce ? 0 : 1);
  });
  for (let t = 0; t < steps.length; t++) steps[t] ??= [];
  return steps;
}
