/** Fills that differ by pattern as well as by colour, so that no chart is read by colour alone. */
import type { Theme, ChartColour } from '../theme';

export type Pattern = 'plain' | 'rising' | 'falling' | 'dots' | 'lines' | 'grid';

/** The tile is drawn at twice its size, so that it stays sharp on dense screens. */
const TILE = 16;
const SCALE = 0.5;

export function patternFill(theme: Theme, colour: ChartColour, pattern: Pattern): CanvasPattern | string {
  const fill = theme.chart(colour);
  if (pattern === 'plain') return fill;
  const tile = document.createElement('canvas');
  tile.width = TILE;
  tile.height = TILE;
  const context = tile.getContext('2d');
  if (context === null) return fill;
  context.fillStyle = fill;
  context.fillRect(0, 0, TILE, TILE);
  context.strokeStyle = theme.background;
  context.fillStyle = theme.background;
  context.lineWidth = 3;
  DRAW[pattern](context);
  const made = context.createPattern(tile, 'repeat');
  made?.setTransform(new DOMMatrix().scale(SCALE));
  return made ?? fill;
}

const DRAW: Readonly<Record<Exclude<Pattern, 'plain'>, (context: CanvasRenderingContext2D) => void>> = {
  rising: context => diagonal(context, 1),
  falling: context => diagonal(context, -1),
  dots: context => {
    context.beginPath();
    context.arc(TILE / 2, TILE / 2, 3, 0, 2 * Math.PI);
    context.fill();
  },
  lines: context => line(context, 0, TILE / 2, TILE, TILE / 2),
  grid: context => {
    line(context, 0, TILE / 2, TILE, TILE / 2);
    line(context, TILE / 2, 0, TILE / 2, TILE);
  },
};

/** Three strokes, so that the corners of neighbouring tiles meet. */
function diagonal(context: CanvasRenderingContext2D, slope: 1 | -1): void {
  for (const shift of [-TILE, 0, TILE]) {
    const [from, to] = slope === 1 ? [TILE, 0] : [0, TILE];
    line(context, shift, from, shift + TILE, to);
  }
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
