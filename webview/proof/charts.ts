/** The charts of a proof: what was counted beside what was predicted, the parallel run over the serial one. */
import type { ChartConfiguration } from 'chart.js';
import type { ProofResult } from '../../src/documents/proof';
import { formatExact } from '../../src/words/format';
import { byteAxes } from '../charts/byteAxes';
import { type BarConfiguration, type BarValue, drawChart } from '../charts/chart';
import { type Pattern, patternFill } from '../charts/pattern';
import type { DashboardState } from '../../src/protocol/dashboard';
import type { Formats } from '../format';
import type { ChartColour, Theme } from '../theme';
import { say } from '../words';
import { groupLabel, PROOF_MEMORY_CHART } from './memory';
import { memoryGroups, PREDICTED_KINDS, trafficRows } from './rows';
import { LOSS_CHART, operationLabel, provenDocument, TRAFFIC_CHART } from './section';
import { boxLegend, pointLegend } from '../charts/legend';

interface Dot {
  readonly x: number;
  readonly y: number;
}

const fontOf = (theme: Theme) => ({ family: theme.font, size: theme.fontSize });

export function drawProof({ state, formats, theme }: { state: DashboardState; formats: Formats; theme: Theme }): void {
  const result = provenDocument(state.proof)?.result ?? null;
  if (result === null) return;
  drawChart(LOSS_CHART, () => lossChart(result, formats, theme));
  drawChart(TRAFFIC_CHART, () => trafficChart(result, formats, theme));
  drawChart(PROOF_MEMORY_CHART, () => proofMemoryChart(result, formats, theme));
}

/** The serial run is a broad line with rings, the parallel one a thin dashed line with crosses: both show where they meet. */
function lossChart(
  { losses, serialLosses }: ProofResult,
  formats: Formats,
  theme: Theme,
): ChartConfiguration<'scatter', Dot[], string> {
  const font = fontOf(theme);
  const dots = (values: readonly number[]) => values.map((y, step): Dot => ({ x: step + 1, y }));
  const axis = { grid: { color: theme.grid }, border: { color: theme.grid } };
  const title = (text: string) => ({ display: true, text, color: theme.muted, font });
  return {
    type: 'scatter',
    data: {
      datasets: [
        {
          label: say('parallelRun'),
          data: dots(losses),
          showLine: true,
          borderWidth: 2,
          borderDash: [4, 4],
          pointStyle: 'crossRot',
          pointRadius: 5,
          pointBorderWidth: 2,
          borderColor: theme.chart('orange'),
          backgroundColor: theme.chart('orange'),
        },
        {
          label: say('serialRun'),
          data: dots(serialLosses),
          showLine: true,
          borderWidth: 5,
          pointStyle: 'circle',
          pointRadius: 8,
          pointBorderWidth: 2,
          borderColor: theme.chart('blue'),
          backgroundColor: 'transparent',
        },
      ],
    },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', intersect: false },
      scales: {
        x: {
          ...axis,
          offset: true,
          title: title(say('proofStep')),
          ticks: { color: theme.muted, font, stepSize: 1, callback: value => formats.integer(Number(value)) },
        },
        y: {
          ...axis,
          grace: '10%',
          title: title(say('lossHeading')),
          ticks: { color: theme.muted, font, callback: value => formats.number(Number(value)) },
        },
      },
      plugins: {
        legend: pointLegend(theme, { boxWidth: 14, boxHeight: 14 }),
        tooltip: {
          callbacks: {
            label: ({ dataset, raw }) => `${dataset.label ?? ''}: ${formatExact((raw as Dot).y.toPrecision(12))}`,
          },
        },
      },
    },
  };
}

/** Horizontal bars of bytes, one group a label. */
function byteBars(
  labels: string[],
  datasets: BarConfiguration['data']['datasets'],
  isStacked: boolean,
  formats: Formats,
  theme: Theme,
): BarConfiguration {
  const { x, y } = byteAxes(isStacked, formats, theme);
  return {
    type: 'bar',
    data: { labels, datasets },
    options: {
      indexAxis: 'y',
      responsive: true,
      maintainAspectRatio: false,
      scales: { x, y: { ...y, ticks: { ...y.ticks, autoSkip: false } } },
      plugins: {
        legend: boxLegend(theme),
        tooltip: {
          callbacks: { label: item => `${item.dataset.label ?? ''}: ${formats.integer(Number(item.raw))} B` },
        },
      },
    },
  };
}

function bars(theme: Theme, label: string, data: BarValue[], colour: ChartColour, pattern: Pattern, stack?: string) {
  return {
    label,
    data,
    backgroundColor: patternFill(theme, colour, pattern),
    borderColor: theme.background,
    borderWidth: { right: 1, left: 0, top: 0, bottom: 0 },
    borderSkipped: false as const,
    maxBarThickness: 16,
    ...(stack === undefined ? {} : { stack }),
  };
}

function trafficChart(result: ProofResult, formats: Formats, theme: Theme): BarConfiguration {
  const rows = trafficRows(result);
  return byteBars(
    rows.map(operationLabel),
    [
      bars(
        theme,
        say('counted'),
        rows.map(({ counted }) => counted),
        'blue',
        'plain',
      ),
      bars(
        theme,
        say('predicted'),
        rows.map(({ predicted }) => predicted),
        'foreground',
        'rising',
      ),
    ],
    false,
    formats,
    theme,
  );
}

/** The looks of the memory chart of the estimate. */
const LOOKS: Readonly<Record<(typeof PREDICTED_KINDS)[number], readonly [ChartColour, Pattern]>> = {
  weights: ['blue', 'plain'],
  gradients: ['purple', 'rising'],
  optimizer: ['green', 'grid'],
  activations: ['orange', 'plain'],
};

function proofMemoryChart(result: ProofResult, formats: Formats, theme: Theme): BarConfiguration {
  const groups = memoryGroups(result);
  const live = PREDICTED_KINDS.map(kind =>
    bars(
      theme,
      say(kind),
      groups.map(group => group.live[kind]),
      ...LOOKS[kind],
      'live',
    ),
  );
  const predicted = groups.map(({ predictedTotal }) => predictedTotal);
  return byteBars(
    groups.map(groupLabel),
    [...live, bars(theme, say('predictedTotal'), predicted, 'foreground', 'falling', 'predicted')],
    true,
    formats,
    theme,
  );
}
