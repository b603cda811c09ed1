/** What the user has chosen to see of the mesh. */
import type { MeshAxis, MeshModel } from './model';

export const MESH_CANVAS = 'mesh-canvas';
export const MESH_AXIS = 'mesh-axis';
export const MESH_RANK = 'mesh-rank';

/** The axis whose places are coloured; null where no axis has more than one rank. */
export function chosenAxis({ axes }: MeshModel, chosen: ReadonlyMap<string, string>): MeshAxis | null {
  return axes.find(axis => axis === chosen.get(MESH_AXIS)) ?? axes.at(0) ?? null;
}

export function chosenRank({ gpus }: MeshModel, chosen: ReadonlyMap<string, string>): number {
  const rank = Number(chosen.get(MESH_RANK) ?? 0);
  return Number.isInteger(rank) && rank >= 0 && rank < gpus ? rank : 0;
}
