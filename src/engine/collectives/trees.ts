/**
 * Tree algorithms.
 *
 * Binomial tree: member v sends to v + d for d = 2^k, ⌈log2 n⌉ steps (Thakur, Rabenseifner and Gropp 2005,
 * "Optimization of collective communication operations in MPICH", section 4).
 * Double binary tree: two trees on the same members, the inner members of one being leaves of the other, each
 * carrying half of the data in segments; where there are domains, their trees join chains inside them (Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth
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
      send(step, members[v], members[v + d], ranges(v + d, Math.min(d, n - v - d)), false);
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
      send(step, members[v + d], members[v], ranges(v + d, Math.min(d, n - v - d)), reduce);
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

type Children = ReadonlyMap<number, readonly number[]>;

/** The in-order binary tree on positions low … low + size − 1, every second of which is a leaf. Returns its root. */
function inOrder(low: number, size: number, children: Map<number, number[]>): number {
  const left = 2 ** Math.floor(Math.log2(size)) - 1;
  const root = low + left;
  const below = [];
  if (left > 0) below.push(inOrder(low, left, children));
  if (size - left > 1) below.push(inOrder(root + 1, size - left - 1, children));
  children.set(root, below);
  return root;
}

/** Edges under a member, deepest first. */
function edgesUnder(parent: number, children: Children, depth: number, edges: Edge[]): number {
  let height = 0;
  for (const child of children.get(parent) ?? []) {
    const below = edgesUnder(child, children, depth + 1, edges);
    edges.push({ parent, child, height: below, depth });
    height = Math.max(height, below + 1);
  }
  return height;
}

function treeFrom(root: number, children: Children): Tree {
  const edges: Edge[] = [];
  const height = edgesUnder(root, children, 0, edges);
  return { root, edges, height };
}

/** The two trees on the members: in the second they change places so that leaves become inner. */
export function twoTrees(members: readonly number[]): readonly [Tree, Tree] {
  const n = members.length;
  const positions = new Map<number, number[]>();
  const root = inOrder(0, n, positions);
  const place = (map: (position: number) => number): Tree => {
    const member = (position: number) => members[map(position)];
    return treeFrom(member(root), new Map([...positions].map(([p, below]) => [member(p), below.map(member)])));
  };
  return [place(p => p), place(p => (n % 2 === 0 ? n - 1 - p : (p + 1) % n))];
}

/** The two trees on the domains of g members each, and in every domain a chain: forwards in one, backwards in the other. */
function twoTreesOfDomains(members: readonly number[], g: number): readonly [Tree, Tree] {
  const leaders = (place: number) => members.filter((_, i) => i % g === place);
  const [first, second] = [twoTrees(leaders(0))[0], twoTrees(leaders(g - 1))[1]];
  const withChains = (tree: Tree, start: number, direction: 1 | -1): Tree => {
    const children = new Map<number, number[]>();
    const under = (parent: number, child: number) => children.set(parent, [...(children.get(parent) ?? []), child]);
    for (const { parent, child } of tree.edges) under(parent, child);
    for (let base = 0; base < members.length; base += g)
      for (let hop = 0; hop < g - 1; hop++) {
        const at = base + start + direction * hop;
        under(members[at], members[at + direction]);
      }
    return treeFrom(tree.root, children);
  };
  return [withChains(first, 0, 1), withChains(second, g - 1, -1)];
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
export function doubleTreeAllReduce(members: readonly number[], g: number, segments: number): Step[] {
  const steps: Step[] = [];
  const trees =
    g > 1 && g < members.length && members.length % g === 0 ? twoTreesOfDomains(members, g) : twoTrees(members);
  if (members.length > 1) trees.forEach((tree, i) => treeSteps(steps, tree, parity(segments, i), true, true));
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
      steps[at] ??= [];
      send(steps[at], from, to, [[chunk, 1]], reduce);
    });
    treeSteps(steps, tree, chunks, reduce, !reduce, reduce ? 0 : 1);
  });
  for (let t = 0; t < steps.length; t++) steps[t] ??= [];
  return steps;
}
