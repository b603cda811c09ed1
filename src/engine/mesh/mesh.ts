/**
 * A named device mesh: every rank of the world has one coordinate on each axis.
 *
 * Legend: n_i size of axis i · s_i = Π_{j inner of i} n_j its stride · rank = Σ c_i · s_i
 */
import { invariant, type Problem, problem } from '../problem';

export interface Axis {
  readonly name: string;
  readonly size: number;
}

/** Axes from the outermost to the innermost: neighbours on the last axis have neighbouring ranks. */
export interface Mesh {
  readonly axes: readonly Axis[];
  readonly strides: readonly number[];
  readonly size: number;
}

/** The process groups of some axes: group g holds ranks[g·groupSize … (g+1)·groupSize − 1]. */
export interface Groups {
  readonly count: number;
  readonly groupSize: number;
  readonly ranks: Int32Array;
}

/** Builds a mesh; axes from the outermost to the innermost. Sizes are positive integers. */
export function meshOf(axes: readonly Axis[]): Mesh {
  const strides = new Array<number>(axes.length);
  let size = 1;
  for (let i = axes.length - 1; i >= 0; i--) {
    const axis = axes[i];
    invariant(Number.isInteger(axis.size) && axis.size > 0, `axis ${axis.name} has size ${axis.size}`);
    strides[i] = size;
    size *= axis.size;
  }
  invariant(new Set(axes.map(a => a.name)).size === axes.length, 'two axes of a mesh share a name');
  return { axes, strides, size };
}

function axisIndex(mesh: Mesh, name: string): number {
  const index = mesh.axes.findIndex(a => a.name === name);
  invariant(index >= 0, `the mesh has no axis ${name}`);
  return index;
}

/** The coordinate of a rank on one axis. */
export function coordinate(mesh: Mesh, rank: number, axis: string): number {
  const i = axisIndex(mesh, axis);
  return Math.floor(rank / mesh.strides[i]) % mesh.axes[i].size;
}

/** All coordinates of a rank, in the order of the axes. */
export function coordinates(mesh: Mesh, rank: number): number[] {
  invariant(rank >= 0 && rank < mesh.size, `rank ${rank} is outside a world of ${mesh.size}`);
  return mesh.axes.map((axis, i) => Math.floor(rank / mesh.strides[i]) % axis.size);
}

/** The rank that has these coordinates, given in the order of the axes. */
export function rankAt(mesh: Mesh, coords: readonly number[]): number {
  return coords.reduce((rank, c, i) => rank + c * mesh.strides[i], 0);
}

/** Offsets from a group's first rank to its members, over the axes with the given indices. */
function offsets(mesh: Mesh, chosen: readonly number[]): Int32Array {
  let list = Int32Array.of(0);
  for (const i of chosen) {
    const { size } = mesh.axes[i];
    const stride = mesh.strides[i];
    const next = new Int32Array(list.length * size);
    for (let a = 0; a < list.length; a++) for (let c = 0; c < size; c++) next[a * size + c] = list[a] + c * stride;
    list = next;
  }
  return list;
}

/**
 * The process groups that communicate over the given axes (ranks that share the coordinates of all other axes).
 * Groups and their members are in rising order of rank where the axes are named from outer to inner.
 */
export function groupsOf(mesh: Mesh, axes: readonly string[]): Groups {
  const chosen = axes.map(name => axisIndex(mesh, name)).sort((a, b) => a - b);
  const members = offsets(mesh, chosen);
  const others = mesh.axes.map((_, i) => i).filter(i => !chosen.includes(i));
  const firsts = offsets(mesh, others);
  const ranks = new Int32Array(mesh.size);
  for (let g = 0, at = 0; g < firsts.length; g++)
    for (let m = 0; m < members.length; m++) ranks[at++] = firsts[g] + members[m];
  return { count: firsts.length, groupSize: members.length, ranks };
}

/** The one group over the given axes that a rank belongs to. */
export function groupOf(mesh: Mesh, axes: readonly string[], rank: number): Int32Array {
  const chosen = axes.map(name => axisIndex(mesh, name)).sort((a, b) => a - b);
  const own = coordinates(mesh, rank);
  const first = chosen.reduce((r, i) => r - own[i] * mesh.strides[i], rank);
  return offsets(mesh, chosen).map(o => first + o);
}

/** Degrees of a plan that make its mesh. */
export interface Degrees {
  readonly dp: number;
  readonly tp: number;
  readonly cp: number;
  readonly pp: number;
  readonly ep: number;
  readonly etp: number;
}

/** The nesting that Megatron uses when nothing else is said, from the innermost axis to the outermost. */
export const DEFAULT_ORDER = 'tp-cp-ep-dp-pp';

/** The mesh of the dense layers: dp, tp, cp, pp nested as `order` says (innermost first, `ep` has no rank of its own). */
export function denseMesh(degrees: Degrees, order = DEFAULT_ORDER): Mesh {
  const names = order.split('-').filter(name => name !== 'ep');
  return meshOf(names.reverse().map(name => ({ name, size: degrees[name as keyof Degrees] })));
}

/**
 * The mesh of the expert layers on the same ranks. Experts multiply nothing: the ranks of dp · cp · tp inside a
 * stage are dealt anew to etp · ep · edp, with edp = dp · cp · tp / (etp · ep). Axes are called etp, ep, edp, pp.
 * A product that does not divide is the user's mistake: problem `expert-ranks`.
 */
export function expertMesh(degrees: Degrees, order = DEFAULT_ORDER): Mesh | Problem {
  const { dp, tp, cp, pp, ep, etp } = degrees;
  const ranks = dp * cp * tp;
  if (ranks % (ep * etp) !== 0) return problem('expert-ranks', { dp, cp, tp, ep, etp, ranks, needed: ep * etp });
  const sizes: Record<string, Axis> = {
    tp: { name: 'etp', size: etp },
    ep: { name: 'ep', size: ep },
    dp: { name: 'edp', size: ranks / (ep * etp) },
    pp: { name: 'pp', size: pp },
  };
  const names = order.includes('ep') ? order.split('-') : order.replace('dp', 'ep-dp').split('-');
  return meshOf(
    names
      .filter(name => name !== 'cp')
      .reverse()
      .map(name => sizes[name]),
  );
}
