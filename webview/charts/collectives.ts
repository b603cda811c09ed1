/** Bus bandwidth against size, both logarithmic. What a series is shows in its marks: nothing is told by colour alone. */
import { Chart, type ChartConfiguration, type ChartDataset, type LegendItem, type Scale } from 'chart.js';
import type { DashboardState } from '../../src/protocol/dashboard';
import { collectivesView, type PlottedOp, type Point, type Series } from '../collectives';
import type { Formats } from '../format';
import { seriesLabel } from '../sections/collectives';
import type { ChartColour, Theme } from '../theme';
import { say } from '../words';
import { pointLegend } from './legend';

interface Dot {
  readonly x: number;
  readonly y: number;
  readonly point: Point;
}

/** Measured: dashes and triangles. Simulated: a line, for dp a dotted one. Published: marks without a line. */
function look(series: Series, index: number): { colour: ChartColour } & Partial<Omit<ChartDataset<'scatter'>, 'data'>> {
  switch (series.kind) {
    case 'measured':
      return { colour: 'orange', showLine: true, borderDash: [8, 4], pointStyle: 'triangle', pointRadius: 5 };
    case 'simulated': {
      const tp = series.group.axis === 'tp';
      const borderDash = tp ? [] : [2, 3];
      return { colour: tp ? 'blue' : 'purple', showLine: true, borderDash, pointStyle: 'line', pointRadius: 0 };
    }
    case 'published':
      return { colour: 'green', showLine: false, pointStyle: index % 2 === 0 ? 'circle' : 'rectRot', pointRadius: 4.5 };
  }
}

export function collectivesChart(
  state: DashboardState,
  op: PlottedOp,
  formats: Formats,
  theme: Theme,
): ChartConfiguration<'scatter', Dot[], string> {
  const font = { family: theme.font, size: theme.fontSize };
  const rate = (bytesPerSecond: number) => `${formats.bytes(bytesPerSecond)}/s`;
  const axis = {
    type: 'logarithmic' as const,
    grid: { color: theme.grid },
    border: { color: theme.grid },
  };
  return {
    type: 'scatter',
    data: { datasets: collectivesView(state, op).series.map((series, index) => dataset(series, index, theme)) },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', intersect: false },
      scales: {
        x: {
          ...axis,
          title: { display: true, text: say('messageSize'), color: theme.muted, font },
          afterBuildTicks: scale => placeTicks(scale, 2 ** 12, 16),
          ticks: { color: theme.muted, font, maxRotation: 0, callback: value => formats.binaryBytes(Number(value)) },
        },
        y: {
          ...axis,
          title: { display: true, text: say('busBandwidth'), color: theme.muted, font },
          afterBuildTicks: scale => placeTicks(scale, 1e3, 10),
          ticks: { color: theme.muted, font, callback: value => `${formats.number(Number(value) / 1e9)} GB/s` },
        },
      },
      plugins: {
        legend: pointLegend(theme, { pointStyleWidth: 22, boxHeight: 8, generateLabels: legendItems }),
        tooltip: {
          callbacks: {
            label: ({ dataset: { label }, raw }) => {
              const { bytes, busbw, seconds } = (raw as Dot).point;
              return `${label ?? ''}: ${rate(busbw)}, ${formats.binaryBytes(bytes)}, ${formats.seconds(seconds)}`;
            },
          },
        },
      },
    },
  };
}

function dataset(series: Series, index: number, theme: Theme): ChartDataset<'scatter', Dot[]> {
  const { colour, ...style } = look(series, index);
  const published = series.kind === 'published';
  return {
    label: seriesLabel(series),
    data: series.points.map(point => ({ x: point.bytes, y: point.busbw, point })),
    borderColor: theme.chart(colour),
    backgroundColor: published ? theme.background : theme.chart(colour),
    borderWidth: 2,
    ...style,
  };
}

/** chart.js leaves the dashes of lines out of a legend of marks. */
function legendItems(chart: Chart): LegendItem[] {
  const items = Chart.defaults.plugins.legend.labels.generateLabels(chart);
  return items.map((item, index) => {
    const { borderDash, pointStyle } = chart.data.datasets[index] as ChartDataset<'scatter'>;
    return pointStyle === 'line' ? { ...item, lineWidth: 2, lineDash: borderDash as number[] } : item;
  });
}

/** Marks at powers of `step`, as many as the scale reaches over. */
function placeTicks(scale: Scale, first: number, step: number): void {
  const ticks: { value: number }[] = [];
  for (let value = first; value <= scale.max; value *= step) if (value >= scale.min) ticks.push({ value });
  scale.ticks = ticks;
}
