/** The mesh of a plan as the page draws it: axes, a rank's place, nodes, groups. */
import type { EstimateDocument } from '../../src/documents/types';
import { DEFAULT_ORDER, type Degrees, denseMesh, expertMesh, groupOf, type Mesh } from '../../src/engine/mesh/mesh';

export type MeshAxis = 'tp' | 'cp' | 'dp' | 'pp' | 'ep';

const AXES: readonly MeshAxis[] = ['tp', 'cp', 'dp', 'pp', 'ep'];

export interface MeshModel {
  readonly gpus: number;
  readonly gpusPerNode: number;
  /** Axes with more than one rank, the innermost first. */
  readonly axes: readonly MeshAxis[];
  readonly dense: Mesh;
  readonly experts: Mesh | null;
}

/** null where degrees or GPUs are unknown or do not fit each other. */
export function meshModel({ setup }: EstimateDocument): MeshModel | null {
  const { plan, cluster } = setup;
  const { dp, tp, cp, pp, ep, etp } = plan;
  if (dp === null || tp === null || cp === null || pp === null || cluster.gpus !== dp * tp * cp * pp) return null;
  const degrees: Degrees = { dp, tp, cp, pp, ep: ep ?? 1, etp: etp ?? 1 };
  const order = plan.order ?? DEFAULT_ORDER;
  const experts = degrees.ep > 1 ? expertMesh(degrees, order) : null;
  const inOrder = order.split('-').filter((name): name is MeshAxis => AXES.includes(name as MeshAxis));
  const names = [...inOrder, ...AXES.filter(name => !inOrder.includes(name))];
  return {
    gpus: cluster.gpus,
    gpusPerNode: Math.min(cluster.gpusPerNode ?? 8, cluster.gpus),
    axes: names.filter(name => (name === 'ep' ? experts !== null && !('code' in experts) : degrees[name] > 1)),
    dense: denseMesh(degrees, order),
    experts: experts === null || 'code' in experts ? null : experts,
  };
}

const meshOfAxis = ({ dense, experts }: MeshModel, axis: MeshAxis): Mesh =>
  axis === 'ep' && experts !== null ? experts : dense;

export function sizeOf(model: MeshModel, axis: MeshAxis): number {
  return meshOfAxis(model, axis).axes.find(({ name }) => name === axis)?.size ?? 1;
}

/** The place of each rank on an axis; looked up once for many ranks. */
export function placesOn(model: MeshModel, axis: MeshAxis): (rank: number) => number {
  const mesh = meshOfAxis(model, axis);
  const index = mesh.axes.findIndex(({ name }) => name === axis);
  const [stride, size] = [mesh.strides[index], mesh.axes[index].size];
  return rank => Math.floor(rank / stride) % size;
}

export function placeOn(model: MeshModel, axis: MeshAxis, rank: number): number {
  return placesOn(model, axis)(rank);
}

/** The ranks that share every other coordinate with this one. */
export function membersOf(model: MeshModel, axis: MeshAxis, rank: number): number[] {
  return [...groupOf(meshOfAxis(model, axis), [axis], rank)];
}

export interface NodeRow {
  readonly nodes: readonly [from: number, to: number];
  readonly ranks: readonly [from: number, to: number];
  /** By axis: the least and the largest place. */
  readonly places: readonly (readonly [from: number, to: number])[];
}

/** Nodes, or as many of them together as leave at most `most` rows. */
export function nodeRows(model: MeshModel, most = 16): NodeRow[] {
  const { gpus, gpusPerNode, axes } = model;
  const nodes = Math.ceil(gpus / gpusPerNode);
  const size = Math.ceil(nodes / most);
  const rows: NodeRow[] = [];
  const placed = axes.map(axis => placesOn(model, axis));
  for (let node = 0; node < nodes; node += size) {
    const last = Math.min(node + size, nodes) - 1;
    const [from, to] = [node * gpusPerNode, Math.min((last + 1) * gpusPerNode, gpus) - 1];
    const places = placed.map((placeOf): [number, number] => {
      let [least, largest] = [Infinity, 0];
      for (let rank = from; rank <= to; rank++) {
        const place = placeOf(rank);
        if (place < least) least = place;
        if (place > largest) largest = place;
      }
      return [least, largest];
    });
    rows.push({ nodes: [node, last], ranks: [from, to], places });
  }
  return rows;
}
