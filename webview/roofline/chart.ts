/** The roof in log-log, and the operators under it: circles are limited by compute, triangles by memory. */
import type { ChartConfiguration, ChartDataset, Plugin } from 'chart.js';
import type { Roofline, RooflineOperator } from '../../src/engine/estimate/roofline';
import { endLabel } from '../charts/label';
import type { Formats } from '../format';
import type { Theme } from '../theme';
import { say } from '../words';
import { operatorName, withProducts } from './names';
import { pointLegend } from '../charts/legend';

export const ROOFLINE_CHART = 'roofline-chart';

interface Dot {
  readonly x: number;
  readonly y: number;
  /** Place in the table, from 1; 0 for the roof. */
  readonly number: number;
  readonly name: string;
}

export function rooflineChart(
  found: Roofline,
  formats: Formats,
  theme: Theme,
): ChartConfiguration<'scatter', Dot[], string> {
  const dots = withProducts(found).map((operator, index): Dot & { bound: RooflineOperator['bound'] } => ({
    x: operator.flops / operator.bytes,
    y: operator.flops / operator.seconds,
    number: index + 1,
    name: operatorName(operator, found),
    bound: operator.bound,
  }));
  const { peakFlopsPerSecond: peak, memoryBytesPerSecond: memory, ridge } = found;
  const left = Math.min(ridge / 100, ...dots.map(({ x }) => x / 2));
  const right = Math.max(ridge * 30, ...dots.map(({ x }) => x * 2));
  const bottom = Math.min(left * memory, ...dots.map(({ y }) => y / 2));
  const point = (x: number, y: number): Dot => ({ x, y, number: 0, name: say('roofLabel') });
  const roof: ChartDataset<'scatter', Dot[]> = {
    label: say('roofLabel'),
    data: [point(left, left * memory), point(ridge, peak), point(right, peak)],
    showLine: true,
    borderColor: theme.foreground,
    backgroundColor: theme.foreground,
    borderWidth: 2,
    pointStyle: 'line',
    pointRadius: 0,
    pointHitRadius: 0,
  };
  const marked = (bound: RooflineOperator['bound'], label: string): ChartDataset<'scatter', Dot[]> => ({
    label,
    data: dots.filter(dot => dot.bound === bound),
    pointStyle: bound === 'compute' ? 'circle' : 'triangle',
    pointRadius: 6,
    borderColor: theme.chart(bound === 'compute' ? 'blue' : 'orange'),
    backgroundColor: theme.chart(bound === 'compute' ? 'blue' : 'orange'),
  });
  const font = { family: theme.font, size: theme.fontSize };
  const axis = (title: string) => ({
    type: 'logarithmic' as const,
    grid: { color: theme.grid },
    border: { color: theme.grid },
    title: { display: true, text: title, color: theme.muted, font },
  });
  const decades = (text: (value: number) => string) => ({
    color: theme.muted,
    font,
    maxRotation: 0,
    callback: (value: number | string) => (Number.isInteger(Math.log10(Number(value))) ? text(Number(value)) : ''),
  });
  return {
    type: 'scatter',
    data: {
      datasets: [marked('compute', say('computeOperators')), marked('memory', say('memoryOperators')), roof],
    },
    plugins: [numbers(theme)],
    options: {
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', intersect: true },
      layout: { padding: { right: 16, top: 8 } },
      scales: {
        x: { ...axis(say('intensityAxis')), min: left, max: right, ticks: decades(formats.number) },
        y: { ...axis(say('rateAxis')), min: bottom, max: peak * 2, ticks: decades(formats.flopsPerSecond) },
      },
      plugins: {
        legend: pointLegend(theme),
        tooltip: {
          callbacks: {
            label: ({ raw }) => {
              const { name, x, y } = raw as Dot;
              return `${name}: ${formats.flopsPerSecond(y)}, ${formats.number(x)} ${say('intensityAxis')}`;
            },
          },
        },
      },
    },
  };
}

/** The number of each point in the table, beside it. Points that lie together share one label. */
function numbers(theme: Theme): Plugin<'scatter'> {
  return {
    id: 'numbers',
    afterDatasetsDraw: chart => {
      const placed: { x: number; y: number; texts: string[] }[] = [];
      chart.data.datasets.forEach((set, index) => {
        chart.getDatasetMeta(index).data.forEach(({ x, y }, at) => {
          const { number } = set.data[at] as unknown as Dot;
          if (number === 0) return;
          const near = placed.find(other => Math.abs(other.x - x) < 18 && Math.abs(other.y - y) < 14);
          if (near === undefined) placed.push({ x, y, texts: [String(number)] });
          else near.texts.push(String(number));
        });
      });
      for (const { x, y, texts } of placed) endLabel(chart.ctx, theme, texts.join(', '), x - 10, y - 15);
    },
  };
}
