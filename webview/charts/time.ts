/** The step as a waterfall: each part starts where the one before it ends, and the last bar is the whole step. */
import type { Plugin } from 'chart.js';
import type { EstimateDocument } from '../../src/documents/types';
import { type TimeGroup, timeRows } from '../figures';
import type { Formats } from '../format';
import type { ChartColour, Theme } from '../theme';
import { say } from '../words';
import type { BarConfiguration, BarValue } from './chart';
import { endLabel } from './label';
import { type Pattern, patternFill } from './pattern';

const LOOKS: Readonly<Record<TimeGroup, readonly [ChartColour, Pattern]>> = {
  compute: ['blue', 'plain'],
  repeated: ['purple', 'grid'],
  communication: ['orange', 'rising'],
  idle: ['red', 'dots'],
  other: ['green', 'falling'],
};

/** Under this width labels say the share alone. */
const NARROW = 460;

export function timeChart(estimate: EstimateDocument, formats: Formats, theme: Theme): BarConfiguration {
  const rows = timeRows(estimate);
  const step = estimate.throughput.stepSeconds ?? 0;
  const bars: BarValue[] = [...rows.map((row): BarValue => [row.start, row.start + row.seconds]), [0, step]];
  const fills = [...rows.map(row => patternFill(theme, ...LOOKS[row.group])), theme.muted];
  const lengths = [...rows.map(row => row.seconds), step];
  const font = { family: theme.font, size: theme.fontSize };
  const narrow = document.documentElement.clientWidth < NARROW;
  const text = (seconds: number) =>
    narrow ? formats.percent(seconds / step) : `${formats.seconds(seconds)} · ${formats.percent(seconds / step)}`;
  return {
    type: 'bar',
    data: {
      labels: [...rows.map(row => say(row.word)), say('step')],
      datasets: [{ data: bars, backgroundColor: fills, maxBarThickness: 18, minBarLength: 2 }],
    },
    plugins: [endLabels(lengths.map(text), theme)],
    options: {
      indexAxis: 'y',
      responsive: true,
      maintainAspectRatio: false,
      layout: { padding: { right: narrow ? 56 : 120 } },
      scales: {
        x: {
          max: step,
          beginAtZero: true,
          grid: { color: theme.grid },
          border: { display: false },
          ticks: {
            color: theme.muted,
            font,
            maxRotation: 0,
            autoSkipPadding: 16,
            callback: value => formats.seconds(Number(value)),
          },
        },
        y: {
          grid: { display: false },
          border: { color: theme.grid },
          ticks: { color: theme.foreground, font, autoSkip: false },
        },
      },
      plugins: {
        legend: { display: false },
        tooltip: { callbacks: { label: item => text(lengths[item.dataIndex]) } },
      },
    },
  };
}

function endLabels(texts: readonly string[], theme: Theme): Plugin<'bar'> {
  return {
    id: 'endLabels',
    afterDatasetsDraw: chart => {
      chart.getDatasetMeta(0).data.forEach((bar, index) => endLabel(chart.ctx, theme, texts[index], bar.x, bar.y));
    },
  };
}
