/** The best speed of each pair of tp and pp: a cell a pair, its number written in it and as strong in colour. */
import type { ChartData } from '../chartFiles';
import { h, type VNode } from '../dom';
import type { Formats } from '../format';
import { figure, type Scene, table } from '../parts';
import type { Theme } from '../theme';
import { say } from '../words';
import type { Row } from './rows';
import type { Shown } from './shown';

const HEAT_CHART = 'heat-chart';

interface HeatMap {
  readonly tps: readonly number[];
  readonly pps: readonly number[];
  /** The fastest layout of a pair; none where the search found none. */
  readonly at: (tp: number, pp: number) => Row | undefined;
  readonly fastest: Row;
  readonly slowest: Row;
}

const degree = (row: Row, key: 'tp' | 'pp') => Number(row.keys.get(key) ?? 1);

/** null where no layout is left. */
function heatMap(rows: readonly Row[]): HeatMap | null {
  const best = new Map<string, Row>();
  for (const row of rows) {
    const pair = `${degree(row, 'tp')},${degree(row, 'pp')}`;
    if (row.tokensPerSecond > (best.get(pair)?.tokensPerSecond ?? 0)) best.set(pair, row);
  }
  const cells = [...best.values()].sort((a, b) => b.tokensPerSecond - a.tokensPerSecond);
  const [fastest, slowest] = [cells.at(0), cells.at(-1)];
  if (fastest === undefined || slowest === undefined) return null;
  const degrees = (key: 'tp' | 'pp') => [...new Set(cells.map(row => degree(row, key)))].sort((a, b) => a - b);
  return { tps: degrees('tp'), pps: degrees('pp'), at: (tp, pp) => best.get(`${tp},${pp}`), fastest, slowest };
}

export function heatFigure(scene: Scene, { rows }: Shown): VNode | null {
  const map = heatMap(rows);
  if (map === null) return null;
  const { formats } = scene;
  const { tps, pps, at, fastest } = map;
  const label = say('heatChart', {
    tp: degree(fastest, 'tp'),
    pp: degree(fastest, 'pp'),
    tokens: formats.integer(fastest.tokensPerSecond),
  });
  const cell = (tp: number, pp: number) => {
    const row = at(tp, pp);
    return row === undefined ? say('unknownValue') : formats.integer(row.tokensPerSecond);
  };
  const canvas = h('canvas', { id: HEAT_CHART, role: 'img', 'aria-label': label });
  return h(
    'div',
    {},
    h('h4', {}, say('heatHeading')),
    figure(
      scene,
      { id: HEAT_CHART, label, source: 'estimated', data: () => dataOf(map) },
      h('div', { class: 'heat-box' }, canvas),
      reachable =>
        table(
          'heat-table',
          say('heatTable'),
          [{ head: say('heatCorner') }, ...pps.map(pp => ({ head: `pp ${pp}`, numeric: true }))],
          tps.map(tp => [`tp ${tp}`, ...pps.map(pp => cell(tp, pp))]),
          { reachable },
        ),
    ),
  );
}

function dataOf({ tps, pps, at }: HeatMap): ChartData {
  const pairs = tps.flatMap(tp => pps.map(pp => [tp, pp] as const));
  return {
    columns: ['tp', 'pp', 'tokensPerSecond', 'plan'],
    rows: pairs.map(([tp, pp]) => [tp, pp, at(tp, pp)?.tokensPerSecond ?? null, at(tp, pp)?.planString ?? null]),
  };
}

const GUTTER = 52;
const HEAD = 24;
const CELL_HEIGHT = 32;
const WIDEST_CELL = 120;
const GAP = 2;
/** Share of the colour in the best cell: text stays readable on it in every theme. */
const STRONGEST = 55;
const WEAKEST = 6;

export function drawHeatMap({ rows }: Shown, formats: Formats, theme: Theme): void {
  const canvas = document.getElementById(HEAT_CHART);
  const context = canvas instanceof HTMLCanvasElement ? canvas.getContext('2d') : null;
  const map = heatMap(rows);
  if (!(canvas instanceof HTMLCanvasElement) || context === null || map === null) return;
  const available = (canvas.parentElement ?? canvas).clientWidth;
  const width = Math.min(WIDEST_CELL, (available - GUTTER) / map.pps.length);
  size(canvas, context, GUTTER + width * map.pps.length, HEAD + CELL_HEIGHT * map.tps.length);
  context.textBaseline = 'middle';
  context.font = `${theme.fontSize - 1}px ${theme.font}`;
  context.fillStyle = theme.muted;
  const middle = (row: number) => HEAD + row * CELL_HEIGHT + CELL_HEIGHT / 2;
  map.tps.forEach((tp, row) => context.fillText(`tp ${tp}`, 0, middle(row)));
  context.textAlign = 'center';
  map.pps.forEach((pp, column) => context.fillText(`pp ${pp}`, GUTTER + (column + 0.5) * width, HEAD / 2));
  map.tps.forEach((tp, row) =>
    map.pps.forEach((pp, column) => {
      const found = map.at(tp, pp);
      drawCell(context, map, found, GUTTER + column * width, HEAD + row * CELL_HEIGHT, width, formats, theme);
    }),
  );
}

function size(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, width: number, height: number): void {
  const scale = devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  context.setTransform(scale, 0, 0, scale, 0, 0);
}

function drawCell(
  context: CanvasRenderingContext2D,
  { fastest, slowest }: HeatMap,
  row: Row | undefined,
  x: number,
  y: number,
  width: number,
  formats: Formats,
  theme: Theme,
): void {
  const [w, h] = [width - GAP, CELL_HEIGHT - GAP];
  if (row === undefined) {
    context.strokeStyle = theme.grid;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
    return;
  }
  const span = fastest.tokensPerSecond - slowest.tokensPerSecond;
  const share = span === 0 ? 1 : (row.tokensPerSecond - slowest.tokensPerSecond) / span;
  const strength = Math.round(WEAKEST + share * (STRONGEST - WEAKEST));
  context.fillStyle = `color-mix(in srgb, ${theme.chart('blue')} ${strength}%, ${theme.background})`;
  context.fillRect(x, y, w, h);
  if (row === fastest) {
    context.strokeStyle = theme.foreground;
    context.lineWidth = 2;
    context.strokeRect(x + 1, y + 1, w - 2, h - 2);
  }
  const text = formats.count(row.tokensPerSecond);
  if (context.measureText(text).width > w - 4) return;
  context.fillStyle = theme.foreground;
  context.fillText(text, x + w / 2, y + h / 2);
}
