/** What the timeline hands out as a file: a webview cannot save one itself. */
import type { Lane } from './lane';
import { type Model, stageOfSlot } from './model';
import type { Palette } from './palette';
import { asCsv, asJson } from '../chartFiles';
import { chromeTrace, PASS_NAMES } from './trace';
import { say, scheduleName, type TimelineFormats } from './words';

export interface ExportedFile {
  readonly name: string;
  readonly mime: string;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** All schedules in one trace, each a process. */
export function traceFile(models: readonly Model[]): ExportedFile {
  const traceEvents = models.flatMap(({ run }, pid) => chromeTrace(run.simulation, run.order, pid).traceEvents);
  const text = JSON.stringify({ traceEvents, displayTimeUnit: 'ms' });
  return { name: `${fileName(models)}.trace.json`, mime: 'application/json', data: new TextEncoder().encode(text) };
}

/** A row a pass, in the order of the stages. */
export function passesFile(models: readonly Model[], format: 'csv' | 'json'): ExportedFile {
  const data = {
    columns: ['schedule', 'stage', 'pass', 'microBatch', 'chunk', 'startSeconds', 'endSeconds'],
    rows: models.flatMap(model => {
      const { order, simulation } = model.run;
      return Array.from(order.pass, (kind, slot) => [
        order.schedule,
        stageOfSlot(model, slot),
        PASS_NAMES[kind as keyof typeof PASS_NAMES],
        order.microBatch[slot],
        order.chunk[slot],
        simulation.start[slot],
        simulation.end[slot],
      ]);
    }),
  };
  const text = format === 'csv' ? asCsv(data) : asJson(data);
  const mime = format === 'csv' ? 'text/csv' : 'application/json';
  return { name: `${fileName(models)}.${format}`, mime, data: new TextEncoder().encode(text) };
}

const TITLE = 30;
const MARGIN = 12;

/** The lanes as they are seen, below each other, each under its name and figures. */
export async function pictureFile(
  lanes: readonly Lane[],
  palette: Palette,
  formats: TimelineFormats,
): Promise<ExportedFile | null> {
  const { theme } = palette;
  const ratio = devicePixelRatio;
  const drawn = lanes.flatMap(({ model, canvas }) => (model === null ? [] : [{ model, canvas: canvas.canvas }]));
  const canvases = drawn.map(({ canvas }) => canvas);
  if (drawn.length === 0) return null;
  const sheet = document.createElement('canvas');
  sheet.width = Math.max(...canvases.map(({ width }) => width)) + 2 * MARGIN * ratio;
  sheet.height = canvases.reduce(
    (sum, { height }) => sum + height + (TITLE + MARGIN) * ratio,
    (MARGIN + TITLE) * ratio,
  );
  const context = sheet.getContext('2d');
  if (context === null) return null;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.textBaseline = 'middle';
  context.font = `600 ${theme.fontSize * ratio}px ${theme.font}`;
  let y = MARGIN * ratio;
  for (const { model, canvas } of drawn) {
    context.fillStyle = theme.foreground;
    context.fillText(heading(model, formats), MARGIN * ratio, y + (TITLE / 2) * ratio);
    context.drawImage(canvas, MARGIN * ratio, y + TITLE * ratio);
    y += canvas.height + (TITLE + MARGIN) * ratio;
  }
  drawLegend(context, palette, MARGIN * ratio, y + (TITLE / 2 - MARGIN) * ratio, ratio);
  const blob = await new Promise<Blob | null>(resolve => sheet.toBlob(resolve, 'image/png'));
  if (blob === null) return null;
  const data = new Uint8Array(await blob.arrayBuffer());
  return { name: `${fileName(drawn.map(({ model }) => model))}.png`, mime: 'image/png', data };
}

/** A picture goes where the page's legend does not. */
function drawLegend(context: CanvasRenderingContext2D, palette: Palette, left: number, y: number, ratio: number): void {
  const { styles, idle, theme, axisFont } = palette;
  const [forward, backward, weight] = styles.map(([{ fill }]) => fill);
  let x = left / ratio;
  context.save();
  context.scale(ratio, ratio);
  context.font = axisFont;
  for (const [fill, word] of [
    [forward, 'forwardLetter'],
    [backward, 'backwardLetters'],
    [weight, 'weightLetter'],
    [idle, 'idle'],
  ] as const) {
    context.fillStyle = fill;
    context.fillRect(x, y / ratio - 6, 20, 12);
    context.fillStyle = theme.foreground;
    context.fillText(say(word), x + 26, y / ratio);
    x += 46 + context.measureText(say(word)).width;
  }
  context.restore();
}

function fileName(models: readonly Model[]): string {
  return `timeline-${models.map(({ run }) => run.input.schedule).join('-')}`;
}

function heading({ run: { input, simulation } }: Model, { seconds, percent }: TimelineFormats): string {
  const figures = [
    `${say('makespan')} ${seconds(simulation.makespan)}`,
    `${say('bubble')} ${percent(simulation.bubbleFraction)}`,
  ];
  return [scheduleName(input.schedule), ...figures].join(' · ');
}
