/** Where things stand in a lane, in CSS pixels. */

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Left of the rows: the stages' numbers. */
  readonly gutter: number;
  /** Right of the rows: the last tick's label needs it. */
  readonly right: number;
  readonly top: number;
  readonly rowPitch: number;
  /** Without the gap to the next row. */
  readonly rowHeight: number;
  readonly memoryTop: number;
  readonly memoryHeight: number;
}

const GUTTER = 46;
const RIGHT = 8;
const AXIS = 22;
const MEMORY_TITLE = 24;
const MEMORY = 40;
const BOTTOM = 4;
const ROWS_HEIGHT = 384;

export function layoutLane(stages: number, width: number): Layout {
  const rowPitch = Math.min(Math.max(Math.floor(ROWS_HEIGHT / stages), 4), 28);
  const memoryTop = AXIS + stages * rowPitch + MEMORY_TITLE;
  return {
    width,
    height: memoryTop + MEMORY + BOTTOM,
    gutter: GUTTER,
    right: RIGHT,
    top: AXIS,
    rowPitch,
    rowHeight: rowPitch - (rowPitch >= 14 ? 2 : 1),
    memoryTop,
    memoryHeight: MEMORY,
  };
}

export function plotWidth({ width, gutter, right }: Layout): number {
  return Math.max(width - gutter - right, 1);
}

export function stageAt({ top, rowPitch }: Layout, stages: number, y: number): number {
  const stage = Math.floor((y - top) / rowPitch);
  return stage >= 0 && stage < stages ? stage : -1;
}
