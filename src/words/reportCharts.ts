/** The charts of the report as SVG without scripts: bars that differ by pattern as well as by colour. */
import type { EstimateDocument, MemoryDocument } from '../documents/types';
import { TIME_PARTS, type TimePart } from '../engine/estimate/output';
import { PART_NAMES } from './explain';
import { formatBytes, formatPercent, formatSeconds } from './format';
import { escapeHtml } from './html';
import { MEMORY_PARTS, REPORT_WORDS } from './reportWords';

const WIDTH = 760;
const LABEL = 230;
const BAR = 18;
const ROW = 26;
/** Room behind a bar for its text. */
const END = 130;
const MOST_BARS = 32;

const COLOURS = ['#1a6fd0', '#8a52c4', '#2c8a3c', '#b45f06', '#a8871a', '#6b7280'] as const;

/** Stripes in four directions and dots over the colour; the first is plain. */
function patterns(prefix: string): string {
  const marks = [
    '',
    '<path d="M0 8L8 0" stroke="#fff" stroke-width="1.5"/>',
    '<path d="M4 0V8M0 4H8" stroke="#fff" stroke-width="1.2"/>',
    '<path d="M0 4H8" stroke="#fff" stroke-width="1.5"/>',
    '<circle cx="4" cy="4" r="1.6" fill="#fff"/>',
    '<path d="M0 0L8 8" stroke="#fff" stroke-width="1.5"/>',
  ];
  return COLOURS.map(
    (colour, i) =>
      `<pattern id="${prefix}${i}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="${colour}"/>${marks[i] ?? ''}</pattern>`,
  ).join('');
}

const text = (x: number, y: number, content: string, anchor = 'start'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" dominant-baseline="middle">${escapeHtml(content)}</text>`;

const rect = (x: number, y: number, width: number, fill: string): string =>
  `<rect x="${x.toFixed(2)}" y="${y}" width="${Math.max(width, 0.5).toFixed(2)}" height="${BAR}" fill="${fill}"/>`;

function svg(height: number, label: string, content: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(label)}" xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
}

/** Memory of each stage by part against the capacity; of many stages the first ones. */
export function memorySvg({ stages, capacityBytes }: MemoryDocument, label: string): string {
  const shown = stages.slice(0, MOST_BARS);
  const most = Math.max(capacityBytes ?? 0, ...shown.map(({ total }) => total));
  const scale = (WIDTH - LABEL - END) / most;
  const top = 22;
  const bars = shown.map((stage, row) => {
    const y = top + row * ROW;
    let x = LABEL;
    const parts = MEMORY_PARTS.map((part, i) => {
      const drawn = rect(x, y, stage[part] * scale, `url(#m${i})`);
      x += stage[part] * scale;
      return stage[part] > 0 ? drawn : '';
    });
    return `${text(LABEL - 8, y + BAR / 2, REPORT_WORDS.stageLabel(stage.stage), 'end')}${parts.join('')}${text(x + 6, y + BAR / 2, formatBytes(stage.total))}`;
  });
  const bottom = top + shown.length * ROW;
  const line =
    capacityBytes === null
      ? ''
      : `<path d="M${(LABEL + capacityBytes * scale).toFixed(2)} ${top - 4}V${bottom}" stroke="#c62828" stroke-width="2" stroke-dasharray="6 4"/>${text(LABEL + capacityBytes * scale, 8, REPORT_WORDS.capacityLabel(formatBytes(capacityBytes)), 'end')}`;
  const legend = MEMORY_PARTS.map((part, i) => {
    const x = LABEL + (i % 3) * 150;
    const y = bottom + 10 + Math.floor(i / 3) * 22;
    return `<rect x="${x}" y="${y}" width="14" height="14" fill="url(#m${i})"/>${text(x + 20, y + 7, REPORT_WORDS[part])}`;
  });
  return svg(bottom + 56, label, `<defs>${patterns('m')}</defs>${bars.join('')}${line}${legend.join('')}`);
}

const GROUP: Readonly<Partial<Record<TimePart, number>>> = {
  forward: 0,
  backward: 0,
  recompute: 1,
  bubble: 4,
  straggler: 4,
};
const groupOf = (part: TimePart): number => GROUP[part] ?? (part.endsWith('Exposed') ? 3 : 5);

/** The step as a waterfall: each part begins where the one before it ends. */
export function timeSvg({ time, throughput }: EstimateDocument, label: string): string {
  const step = throughput.stepSeconds ?? 0;
  const parts = TIME_PARTS.filter(part => (time[part] ?? 0) > 0);
  const scale = (WIDTH - LABEL - END) / step;
  let start = 0;
  const bars = parts.map((part, row) => {
    const seconds = time[part] ?? 0;
    const y = row * ROW;
    const x = LABEL + start * scale;
    start += seconds;
    const end = `${formatSeconds(seconds)} · ${formatPercent(seconds / step)}`;
    return `${text(LABEL - 8, y + BAR / 2, PART_NAMES[part], 'end')}${rect(x, y, seconds * scale, `url(#t${groupOf(part)})`)}${text(x + seconds * scale + 6, y + BAR / 2, end)}`;
  });
  const y = parts.length * ROW;
  const total = `${text(LABEL - 8, y + BAR / 2, REPORT_WORDS.step, 'end')}${rect(LABEL, y, step * scale, '#4b5563')}${text(LABEL + step * scale + 6, y + BAR / 2, formatSeconds(step))}`;
  return svg(y + ROW, label, `<defs>${patterns('t')}</defs>${bars.join('')}${total}`);
}
