/** Where each GPU's cell lies: nodes in reading order, the GPUs of a node in a small block. */

export interface MeshLayout {
  /** Side of a cell, in CSS pixels. */
  readonly cell: number;
  /** Cells across a node, and nodes across the drawing. */
  readonly columns: number;
  readonly nodesAcross: number;
  readonly height: number;
  /** Ranks that one cell stands for: 1, or a node's. */
  readonly ranksPerCell: number;
  readonly cells: number;
  readonly cellsPerNode: number;
}

const SIZES = [26, 22, 18, 14, 10, 8, 6, 4, 3];
const TALLEST = 460;
const NODE_GAP = 4;

/** The largest cells with which the drawing stays low; nodes as cells where even the smallest make it too tall. */
export function meshLayout(width: number, gpus: number, gpusPerNode: number): MeshLayout {
  for (const cell of SIZES) {
    const layout = at(cell, width, gpus, gpusPerNode, 1);
    if (layout.height <= TALLEST && layout.columns * cell <= width) return layout;
  }
  return at(SIZES[SIZES.length - 1], width, Math.ceil(gpus / gpusPerNode), 1, gpusPerNode);
}

function at(cell: number, width: number, cells: number, cellsPerNode: number, ranksPerCell: number): MeshLayout {
  const columns = blockWidth(cellsPerNode);
  const rows = Math.ceil(cellsPerNode / columns);
  const nodes = Math.ceil(cells / cellsPerNode);
  const gap = cellsPerNode === 1 ? 0 : Math.min(NODE_GAP, cell);
  const nodesAcross = Math.max(1, Math.min(nodes, Math.floor((width + gap) / (columns * cell + gap))));
  const height = Math.ceil(nodes / nodesAcross) * (rows * cell + gap);
  return { cell, columns, nodesAcross, height, ranksPerCell, cells, cellsPerNode };
}

/** Twice as wide as high where that divides evenly. */
function blockWidth(size: number): number {
  for (let columns = Math.ceil(Math.sqrt(1.5 * size)); columns < size; columns++)
    if (size % columns === 0) return columns;
  return size;
}

/** Left upper corner of a cell. */
export function cornerOf(layout: MeshLayout, index: number): [x: number, y: number] {
  const { cell, columns, nodesAcross, cellsPerNode } = layout;
  const gap = cellsPerNode === 1 ? 0 : Math.min(NODE_GAP, cell);
  const rows = Math.ceil(cellsPerNode / columns);
  const node = Math.floor(index / cellsPerNode);
  const inNode = index % cellsPerNode;
  return [
    (node % nodesAcross) * (columns * cell + gap) + (inNode % columns) * cell,
    Math.floor(node / nodesAcross) * (rows * cell + gap) + Math.floor(inNode / columns) * cell,
  ];
}

/** The cell at a point, or null between cells. */
export function cellAt(layout: MeshLayout, x: number, y: number): number | null {
  const { cell, columns, nodesAcross, cellsPerNode, cells } = layout;
  const gap = cellsPerNode === 1 ? 0 : Math.min(NODE_GAP, cell);
  const rows = Math.ceil(cellsPerNode / columns);
  const [across, down] = [columns * cell + gap, rows * cell + gap];
  const [column, row] = [Math.floor((x % across) / cell), Math.floor((y % down) / cell)];
  const nodeColumn = Math.floor(x / across);
  if (column >= columns || row >= rows || nodeColumn >= nodesAcross) return null;
  const index = (Math.floor(y / down) * nodesAcross + nodeColumn) * cellsPerNode + row * columns + column;
  return row * columns + column < cellsPerNode && index < cells ? index : null;
}
