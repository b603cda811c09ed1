/** Draws the mesh: a cell a GPU, coloured and numbered by its place on the chosen axis, the group of a rank framed. */
import type { ChartColour, Theme } from '../theme';
import type { Drawing } from '../drawing';
import { cellAt, cornerOf, type MeshLayout, meshLayout } from './layout';
import { membersOf, type MeshModel, meshModel, placesOn, sizeOf } from './model';
import { chosenAxis, chosenRank, MESH_CANVAS, MESH_RANK } from './chosen';

const FEW: readonly ChartColour[] = ['blue', 'orange', 'green', 'purple', 'yellow', 'red'];
/** Smaller cells have no room for a number. */
const NUMBERED = 14;

export function drawMesh({ state, chosen, theme }: Drawing): void {
  const canvas = document.getElementById(MESH_CANVAS);
  const model = meshModel(state.estimate);
  const context = canvas instanceof HTMLCanvasElement ? canvas.getContext('2d') : null;
  if (!(canvas instanceof HTMLCanvasElement) || context === null || model === null) return;
  const box = canvas.parentElement ?? canvas;
  const layout = meshLayout(box.clientWidth, model.gpus, model.gpusPerNode);
  const scale = devicePixelRatio;
  canvas.width = Math.round(box.clientWidth * scale);
  canvas.height = Math.round(layout.height * scale);
  canvas.style.width = `${box.clientWidth}px`;
  canvas.style.height = `${layout.height}px`;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const axis = chosenAxis(model, chosen);
  if (axis === null) return;
  const placeOf = placesOn(model, axis);
  drawCells(context, layout, theme, sizeOf(model, axis), index => placeOf(index * layout.ranksPerCell));
  drawGroup(context, layout, theme, model, membersOf(model, axis, chosenRank(model, chosen)));
  canvas.onclick = ({ offsetX, offsetY }) => pick(cellAt(layout, offsetX, offsetY), layout);
}

/** The field says which rank is shown: a click on a cell writes into it. */
function pick(index: number | null, { ranksPerCell }: MeshLayout): void {
  const field = document.getElementById(MESH_RANK);
  if (index === null || !(field instanceof HTMLInputElement)) return;
  field.value = String(index * ranksPerCell);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function drawCells(
  context: CanvasRenderingContext2D,
  layout: MeshLayout,
  theme: Theme,
  size: number,
  place: (index: number) => number,
): void {
  const { cell, cells } = layout;
  const fills = Array.from({ length: Math.min(size, 64) }, (_, i) => fillOf(theme, i, Math.min(size, 64)));
  const inset = cell >= 8 ? 1 : cell >= 4 ? 0.5 : 0;
  const labels: [x: number, y: number, text: string][] = [];
  // Cells of one colour one after the other: the browser reads each colour once, not once a cell.
  const byFill = fills.map((): number[] => []);
  for (let index = 0; index < cells; index++) {
    const value = place(index);
    byFill[size <= 64 ? value : Math.floor((value / size) * 64)].push(index);
  }
  byFill.forEach((indices, fill) => {
    context.fillStyle = fills[fill];
    for (const index of indices) {
      const [x, y] = cornerOf(layout, index);
      context.fillRect(x, y, cell - inset, cell - inset);
      if (cell < NUMBERED) continue;
      const text = String(place(index));
      if (text.length * 7 <= cell) labels.push([x, y, text]);
    }
  });
  context.font = `${Math.min(theme.fontSize - 2, cell - 5)}px ${theme.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = theme.background;
  context.fillStyle = theme.foreground;
  for (const [x, y, text] of labels) {
    context.strokeText(text, x + cell / 2, y + cell / 2);
    context.fillText(text, x + cell / 2, y + cell / 2);
  }
}

/** A colour each where there are few places, else a way from one to another. */
function fillOf(theme: Theme, place: number, size: number): string {
  if (size <= FEW.length) return theme.chart(FEW[place]);
  const share = Math.round((place / (size - 1)) * 100);
  return `color-mix(in oklab, ${theme.chart('blue')} ${100 - share}%, ${theme.chart('yellow')})`;
}

function drawGroup(
  context: CanvasRenderingContext2D,
  layout: MeshLayout,
  theme: Theme,
  { gpusPerNode }: MeshModel,
  members: readonly number[],
): void {
  const cells = new Set(members.map(rank => (layout.ranksPerCell === 1 ? rank : Math.floor(rank / gpusPerNode))));
  const side = layout.cell - (layout.cell >= 8 ? 1 : 0);
  for (const [colour, width] of [
    [theme.background, 5],
    [theme.foreground, 2],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    for (const index of cells) {
      const [x, y] = cornerOf(layout, index);
      context.strokeRect(x, y, side, side);
    }
  }
}
