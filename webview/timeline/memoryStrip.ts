/** What one stage holds over time, below the rows. */
import type { TimelineFormats } from './words';
import { say } from './words';
import { type Layout, plotWidth } from './layout';
import { heldDuring, type Model, visibleSlots } from './model';
import type { Palette } from './palette';

export function drawMemory(
  context: CanvasRenderingContext2D,
  { model, stage, from, to }: { model: Model; stage: number; from: number; to: number },
  layout: Layout,
  palette: Palette,
  formats: TimelineFormats,
): void {
  const { input, inFlight } = model.run;
  const { memoryTop, memoryHeight: height, gutter } = layout;
  const bytesEach = input.activationBytesByStage?.[stage] ?? null;
  const peak = inFlight[stage];
  const capacity = bytesEach === null || input.capacityBytes === null ? Infinity : input.capacityBytes / bytesEach;
  // A capacity far above would press the curve to the floor.
  const isCapacityNear = capacity < 2 * peak;
  const scale = height / (1.1 * (isCapacityNear ? Math.max(capacity, peak) : peak));
  const columns = heldByColumn(model, stage, from, to, Math.ceil(plotWidth(layout)));
  context.fillStyle = palette.idle;
  const end = ((Math.min(model.makespan, to) - from) / (to - from)) * plotWidth(layout);
  context.fillRect(gutter, memoryTop, Math.max(end, 0), height);
  const area = new Path2D();
  area.moveTo(gutter, memoryTop + height);
  for (const [column, held] of columns.entries()) {
    const y = memoryTop + height - held * scale;
    area.lineTo(gutter + column, y);
    area.lineTo(gutter + column + 1, y);
  }
  area.lineTo(gutter + columns.length, memoryTop + height);
  context.fillStyle = palette.memory;
  context.fill(area);
  const title = bytesEach === null ? 'memoryPeakBatches' : 'memoryPeak';
  const amount = bytesEach === null ? formats.number(peak) : formats.bytes(peak * bytesEach);
  caption(context, say(title, { stage, peak: amount }), gutter, memoryTop - 8, palette, 'left');
  if (!isCapacityNear) return;
  const y = memoryTop + height - capacity * scale;
  context.save();
  context.beginPath();
  context.rect(gutter, memoryTop, layout.width, y - memoryTop);
  context.clip();
  context.fillStyle = palette.theme.chart('red');
  context.fill(area);
  context.restore();
  context.strokeStyle = palette.theme.foreground;
  context.lineWidth = 1;
  context.setLineDash([5, 3]);
  context.beginPath();
  context.moveTo(gutter, y);
  context.lineTo(layout.width - layout.right, y);
  context.stroke();
  context.setLineDash([]);
  const text = say('capacity', { bytes: formats.bytes(capacity * (bytesEach ?? 0)) });
  caption(context, text, layout.width - layout.right, memoryTop - 8, palette, 'right');
}

function caption(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  { axis, axisFont }: Palette,
  align: CanvasTextAlign,
): void {
  context.font = axisFont;
  context.fillStyle = axis;
  context.textAlign = align;
  context.textBaseline = 'middle';
  context.fillText(text, x, y);
}

/** By column: the most micro-batches that the stage holds there. */
export function heldByColumn(model: Model, stage: number, from: number, to: number, count: number): Float32Array {
  const { start, end } = model.run.simulation;
  const columns = new Float32Array(count);
  const scale = count / (to - from);
  const raise = (since: number, until: number, held: number) => {
    const last = Math.min(Math.floor((until - from) * scale), count - 1);
    for (let column = Math.max(Math.floor((since - from) * scale), 0); column <= last; column++) {
      if (held > columns[column]) columns[column] = held;
    }
  };
  const [first, past] = visibleSlots(model, stage, from, to);
  const beginning = model.run.order.firstSlot[stage];
  // The pause before the first visible pass may be the only thing to see.
  for (let slot = Math.max(first - 1, beginning); slot < past; slot++) {
    raise(start[slot], end[slot], heldDuring(model, stage, slot));
    const isLast = slot + 1 === model.run.order.firstSlot[stage + 1];
    if (!isLast) raise(end[slot], Math.min(start[slot + 1], to), model.heldAfter[slot]);
  }
  return columns;
}
