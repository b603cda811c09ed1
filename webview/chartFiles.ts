/** A chart as a file: its picture, or the numbers behind it, unrounded and in SI units. */
import { say } from './words';

export interface ChartData {
  /** Names of the columns with their units, as in the documents of the command line. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

export type ChartFormat = 'png' | 'csv' | 'json';

export interface ChartFile {
  readonly name: string;
  readonly mime: string;
  readonly data: Uint8Array<ArrayBuffer>;
}

const behind = new Map<string, () => ChartData>();

/** Keeps where the numbers of a chart that is being drawn come from. */
export function keepData(id: string, data: () => ChartData): void {
  behind.set(id, data);
}

/** null where the chart is not on the page. */
export async function chartFile(id: string, format: ChartFormat): Promise<ChartFile | null> {
  if (format === 'png') return picture(id);
  const data = behind.get(id)?.();
  if (data === undefined) return null;
  const text = format === 'csv' ? asCsv(data) : asJson(data);
  const mime = format === 'csv' ? 'text/csv' : 'application/json';
  return { name: `${id}.${format}`, mime, data: new TextEncoder().encode(text) };
}

/** RFC 4180; text that a spreadsheet would take for a formula gets an apostrophe. */
export function asCsv({ columns, rows }: ChartData): string {
  const field = (value: string | number | null) => {
    if (value === null) return '';
    if (typeof value === 'number') return String(value);
    const text = /^[=+\-@]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map(row => `${row.map(field).join(',')}\r\n`).join('');
}

export function asJson({ columns, rows }: ChartData): string {
  const objects = rows.map(row => Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}

const MARGIN = 16;

/** The drawing on the page's background, under its sentence. */
async function picture(id: string): Promise<ChartFile | null> {
  const canvas = document.getElementById(id);
  if (!(canvas instanceof HTMLCanvasElement)) return null;
  const style = getComputedStyle(document.body);
  const ratio = canvas.width / Math.max(1, canvas.clientWidth);
  const sheet = document.createElement('canvas');
  const context = sheet.getContext('2d');
  if (context === null) return null;
  const size = Number.parseFloat(style.fontSize) * ratio;
  const font = `${size}px ${style.fontFamily}`;
  context.font = font;
  const lines = wrapped(context, canvas.getAttribute('aria-label') ?? say('chart'), canvas.width);
  const margin = MARGIN * ratio;
  sheet.width = canvas.width + 2 * margin;
  sheet.height = canvas.height + lines.length * size * 1.4 + 2.5 * margin;
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.font = font;
  context.fillStyle = style.color;
  context.textBaseline = 'top';
  lines.forEach((line, index) => context.fillText(line, margin, margin + index * size * 1.4));
  context.drawImage(canvas, margin, sheet.height - canvas.height - margin);
  const blob = await new Promise<Blob | null>(resolve => sheet.toBlob(resolve, 'image/png'));
  return blob && { name: `${id}.png`, mime: 'image/png', data: new Uint8Array(await blob.arrayBuffer()) };
}

function wrapped(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (context.measureText(longer).width <= width || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
