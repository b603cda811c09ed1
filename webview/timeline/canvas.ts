/** Draws one lane: time axis, a row a stage, marks of the selected pass, what a stage holds. */
import { Blocks } from './blocks';
import { CrowdedRows } from './crowd';
import { type Layout, plotWidth } from './layout';
import { drawMemory } from './memoryStrip';
import { type Model, stageOfSlot, visibleSlots } from './model';
import type { Palette } from './palette';
import { timeAxis } from './ticks';
import { say, type TimelineFormats } from './words';

export interface LaneView {
  readonly model: Model;
  readonly layout: Layout;
  readonly from: number;
  readonly to: number;
  /** Slots, or −1. */
  readonly selected: number;
  readonly hovered: number;
  /** Whose memory is shown. */
  readonly stage: number;
}

/** Passes narrower than this on the average are drawn as a crowd. */
const NARROW = 6;
const TICK_DISTANCE = 96;
const ROW_LABEL = 13;

export class LaneCanvas {
  private readonly context: CanvasRenderingContext2D | null;
  private readonly crowd = new CrowdedRows();
  private readonly blocks = new Blocks();

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly formats: TimelineFormats,
  ) {
    this.context = canvas.getContext('2d', { alpha: false });
  }

  draw(view: LaneView, palette: Palette): void {
    const { context } = this;
    if (context === null) return;
    this.prepare(context, view.layout, palette);
    drawAxis(context, view, palette);
    this.drawRows(context, view, palette);
    drawStages(context, view, palette);
    drawMarks(context, view, palette);
    drawMemory(context, view, view.layout, palette, this.formats);
  }

  private prepare(context: CanvasRenderingContext2D, { width, height }: Layout, { theme }: Palette): void {
    const ratio = devicePixelRatio;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== wide) this.canvas.width = wide;
    if (this.canvas.height !== high) this.canvas.height = high;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, height);
  }

  private drawRows(context: CanvasRenderingContext2D, view: LaneView, palette: Palette): void {
    const { model, layout, from, to } = view;
    const { gutter, top, rowPitch, rowHeight } = layout;
    const width = plotWidth(layout);
    const stages = [...Array(model.run.order.stages).keys()];
    const crowded = stages.filter(stage => {
      const [first, past] = visibleSlots(model, stage, from, to);
      return (past - first) * NARROW > width;
    });
    if (crowded.length > 0) this.drawCrowd(context, view, palette, crowded);
    const end = Math.min(((model.makespan - from) / (to - from)) * width, width);
    context.fillStyle = palette.idle;
    for (const stage of stages) {
      if (crowded.includes(stage)) continue;
      const y = top + stage * rowPitch;
      context.fillRect(gutter, y, Math.max(end, 0), rowHeight);
      this.blocks.row(model, stage, from, to, gutter, width, y, rowHeight);
    }
    this.blocks.draw(context, palette);
  }

  /** All crowded rows go into one image. */
  private drawCrowd(context: CanvasRenderingContext2D, view: LaneView, palette: Palette, stages: number[]): void {
    const { model, layout, from, to } = view;
    const { gutter, top, rowPitch, rowHeight } = layout;
    const first = stages[0];
    const rows = stages[stages.length - 1] + 1 - first;
    this.crowd.begin(Math.floor(plotWidth(layout)), rows * rowPitch, palette);
    for (const stage of stages) this.crowd.row(model, stage, from, to, palette, (stage - first) * rowPitch, rowHeight);
    this.crowd.end(context, gutter, top + first * rowPitch);
  }
}

function drawAxis(context: CanvasRenderingContext2D, { model, layout, from, to }: LaneView, palette: Palette): void {
  const { gutter, top, rowPitch } = layout;
  const width = plotWidth(layout);
  const bottom = top + model.run.order.stages * rowPitch;
  const { first, step, count, text } = timeAxis(from, to, width / TICK_DISTANCE);
  context.font = palette.axisFont;
  context.textBaseline = 'middle';
  for (let tick = 0; tick < count; tick++) {
    const time = first + tick * step;
    const x = gutter + ((time - from) / (to - from)) * width;
    context.fillStyle = palette.theme.grid;
    context.fillRect(Math.round(x), top - 5, 1, bottom - top + 5);
    context.fillStyle = palette.axis;
    const label = text(time);
    const half = context.measureText(label).width / 2;
    context.textAlign = 'center';
    context.fillText(label, Math.min(Math.max(x, gutter + half), layout.width - half - 2), top - 13);
  }
}

/** The number of each stage, or of each second, fifth … where rows are low. */
function drawStages(context: CanvasRenderingContext2D, { model, layout }: LaneView, palette: Palette): void {
  const { gutter, top, rowPitch, rowHeight } = layout;
  const every = [1, 2, 4, 8, 16, 32, 64, 128].find(step => step * rowPitch >= ROW_LABEL) ?? 256;
  context.font = palette.axisFont;
  context.fillStyle = palette.axis;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let stage = 0; stage < model.run.order.stages; stage += every) {
    context.fillText(String(stage), gutter - 8, top + stage * rowPitch + rowHeight / 2 + 0.5);
  }
  context.textAlign = 'left';
  context.fillText(say('stage'), 0, top - 13);
}

/** The way of the selected micro-batch, what the selected pass waits for, and a ring around it. */
function drawMarks(context: CanvasRenderingContext2D, view: LaneView, palette: Palette): void {
  const { model, layout, selected, hovered } = view;
  context.save();
  context.beginPath();
  context.rect(layout.gutter - 3, layout.top - 3, plotWidth(layout) + 6, layout.memoryTop - layout.top);
  context.clip();
  if (selected >= 0) {
    const needed = model.run.order.after[selected];
    if (needed >= 0) drawWait(context, view, palette, needed);
    ring(context, view, selected, palette.theme.background, 5);
    ring(context, view, selected, palette.focus, 2.5);
  }
  if (hovered >= 0 && hovered !== selected) ring(context, view, hovered, palette.theme.foreground, 1.5);
  context.restore();
}

function boxOf({ model, layout, from, to }: LaneView, slot: number) {
  const { start, end } = model.run.simulation;
  const scale = plotWidth(layout) / (to - from);
  const x = layout.gutter + (start[slot] - from) * scale;
  const width = Math.max((end[slot] - start[slot]) * scale, 2);
  return { x, width, y: layout.top + stageOfSlot(model, slot) * layout.rowPitch, height: layout.rowHeight };
}

function ring(context: CanvasRenderingContext2D, view: LaneView, slot: number, colour: string, wide: number): void {
  const { x, y, width, height } = boxOf(view, slot);
  context.strokeStyle = colour;
  context.lineWidth = wide;
  context.strokeRect(x - 0.5, y - 0.5, width, height + 1);
}

function drawWait(context: CanvasRenderingContext2D, view: LaneView, { focus, theme }: Palette, needed: number): void {
  const from = boxOf(view, needed);
  const to = boxOf(view, view.selected);
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  for (const [colour, wide] of [
    [theme.background, 4],
    [focus, 2],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.beginPath();
    context.moveTo(x1, y1);
    const bend = Math.max(12, Math.abs(x2 - x1) / 2);
    context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    context.stroke();
  }
  ring(context, view, needed, focus, 1);
}
