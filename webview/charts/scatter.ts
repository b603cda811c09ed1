/** Tokens a second against memory: all layouts, their front, the present plan and the chosen one, each with its mark. */
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { SearchDocument } from '../../src/documents/types';
import { front, type Row } from '../explorer/rows';
import type { Shown } from '../explorer/shown';
import type { Formats } from '../format';
import type { Theme } from '../theme';
import { say } from '../words';
import { verticalLine } from './scatterLine';
import { pointLegend } from './legend';

export const SCATTER_CHART = 'explorer-scatter';

interface Dot {
  readonly x: number;
  readonly y: number;
  readonly name: string;
}

export function scatterChart(
  { current, setup }: SearchDocument,
  { rows, row }: Shown,
  formats: Formats,
  theme: Theme,
): ChartConfiguration<'scatter', Dot[], string> {
  const font = { family: theme.font, size: theme.fontSize };
  const { capacityBytes, gpus } = setup.cluster;
  const { tokensPerSecondPerGpu: tokens } = current.throughput;
  const { peakBytes } = current.memory;
  const present =
    tokens === null || peakBytes === null ? [] : [{ x: peakBytes, y: tokens * (gpus ?? 1), name: say('presentPlan') }];
  const marked = (
    label: string,
    data: Dot[],
    colour: Parameters<Theme['chart']>[0],
    style: object,
  ): ChartDataset<'scatter', Dot[]> => ({
    label,
    data,
    borderColor: theme.chart(colour),
    backgroundColor: theme.chart(colour),
    ...style,
  });
  const capacity = () => say('capacityLabel', { capacity: formats.bytes(capacityBytes ?? 0) });
  const axis = { grid: { color: theme.grid }, border: { color: theme.grid } };
  return {
    type: 'scatter',
    data: {
      datasets: [
        // Drawn the last first: what is marked lies above the crowd.
        marked(say('chosenLayout'), row === null ? [] : [dot(row)], 'red', {
          pointStyle: 'rect',
          pointRadius: 8,
          borderWidth: 2,
          backgroundColor: 'transparent',
        }),
        marked(say('presentPlan'), present, 'orange', { pointStyle: 'triangle', pointRadius: 8 }),
        marked(say('front'), front(rows).map(dot), 'green', {
          pointStyle: 'rectRot',
          pointRadius: 5,
          showLine: true,
          stepped: 'before',
          borderWidth: 2,
        }),
        marked(say('otherLayouts'), rows.map(dot), 'blue', {
          pointStyle: 'circle',
          pointRadius: 3,
          backgroundColor: 'transparent',
        }),
      ],
    },
    plugins: capacityBytes === null ? [] : [verticalLine(capacityBytes, capacity(), theme)],
    options: {
      responsive: true,
      maintainAspectRatio: false,
      layout: { padding: { top: 18, right: 8 } },
      interaction: { mode: 'nearest', intersect: false },
      scales: {
        x: {
          ...axis,
          title: { display: true, text: say('memoryAxis'), color: theme.muted, font },
          suggestedMin: 0,
          suggestedMax: (capacityBytes ?? 0) * 1.04,
          ticks: {
            color: theme.muted,
            font,
            maxRotation: 0,
            autoSkipPadding: 16,
            callback: value => formats.bytes(Number(value)),
          },
        },
        y: {
          ...axis,
          title: { display: true, text: say('tokensAxis'), color: theme.muted, font },
          ticks: { color: theme.muted, font, callback: value => formats.integer(Number(value)) },
        },
      },
      plugins: {
        legend: pointLegend(theme),
        tooltip: {
          callbacks: {
            label: ({ raw }) => {
              const { x, y, name } = raw as Dot;
              return [name, `${formats.integer(y)} tokens/s, ${formats.bytes(x)}`];
            },
          },
        },
      },
    },
  };
}

/** Named by its degrees: the whole plan is too long for a label. */
function dot({ peakBytes, tokensPerSecond, keys }: Row): Dot {
  const degrees = ['dp', 'tp', 'cp', 'pp', 'ep', 'sharding', 'recompute', 'schedule'];
  const name = degrees.flatMap(key => (keys.has(key) ? [`${key}=${keys.get(key) ?? ''}`] : [])).join(' ');
  return { x: peakBytes, y: tokensPerSecond, name };
}
