/** Tokens a second and efficiency by the number of GPUs, with the knee. */
import type { ChartConfiguration } from 'chart.js';
import type { SearchDocument } from '../../src/documents/types';
import type { Formats } from '../format';
import type { Theme } from '../theme';
import { say } from '../words';
import { verticalLine } from './scatterLine';
import { pointLegend } from './legend';

export const SCALE_CHART = 'scale-chart';

interface Dot {
  readonly x: number;
  readonly y: number;
}

export function scaleChart(
  { points, kneeGpus }: NonNullable<SearchDocument['scale']>,
  formats: Formats,
  theme: Theme,
): ChartConfiguration<'scatter', Dot[], string> {
  const font = { family: theme.font, size: theme.fontSize };
  const dots = (read: (point: (typeof points)[number]) => number | null) =>
    points.flatMap((point): Dot[] => {
      const y = read(point);
      return y === null ? [] : [{ x: point.gpus, y }];
    });
  const axis = { grid: { color: theme.grid }, border: { color: theme.grid } };
  const title = (text: string) => ({ display: true, text, color: theme.muted, font });
  return {
    type: 'scatter',
    data: {
      datasets: [
        {
          label: say('tokensAll'),
          data: dots(({ tokensPerSecond }) => tokensPerSecond),
          yAxisID: 'y',
          showLine: true,
          pointRadius: 4,
          borderColor: theme.chart('blue'),
          backgroundColor: theme.chart('blue'),
        },
        {
          label: say('efficiency'),
          data: dots(({ efficiency }) => efficiency),
          yAxisID: 'efficiency',
          // The best stands on the upper edge.
          clip: false,
          showLine: true,
          pointStyle: 'triangle',
          pointRadius: 5,
          borderDash: [6, 4],
          borderColor: theme.chart('orange'),
          backgroundColor: theme.chart('orange'),
        },
      ],
    },
    plugins: kneeGpus === null ? [] : [verticalLine(kneeGpus, say('knee', { gpus: formats.integer(kneeGpus) }), theme)],
    options: {
      responsive: true,
      maintainAspectRatio: false,
      layout: { padding: { top: 18 } },
      interaction: { mode: 'nearest', intersect: false },
      scales: {
        x: {
          ...axis,
          type: 'logarithmic',
          title: title(say('gpusColumn')),
          afterBuildTicks: scale => void (scale.ticks = points.map(({ gpus }) => ({ value: gpus }))),
          ticks: { color: theme.muted, font, maxRotation: 0, callback: value => formats.integer(Number(value)) },
        },
        y: {
          ...axis,
          beginAtZero: true,
          title: title(say('tokensAll')),
          ticks: { color: theme.muted, font, callback: value => formats.integer(Number(value)) },
        },
        efficiency: {
          position: 'right',
          min: 0,
          max: 1,
          title: title(say('efficiency')),
          grid: { display: false },
          border: { color: theme.grid },
          ticks: { color: theme.muted, font, callback: value => formats.wholePercent(Number(value)) },
        },
      },
      plugins: {
        legend: pointLegend(theme),
        tooltip: {
          callbacks: {
            label: ({ dataset, raw }) => {
              const { x, y } = raw as Dot;
              const value = dataset.yAxisID === 'efficiency' ? formats.percent(y) : formats.integer(y);
              return `${formats.integer(x)} GPUs: ${value}`;
            },
          },
        },
      },
    },
  };
}
