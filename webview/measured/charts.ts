/** The charts of own measurements: a logged run beside its prediction, and this machine over time. */
import { type BarConfiguration, drawChart } from '../charts/chart';
import { patternFill } from '../charts/pattern';
import type { Drawing } from '../drawing';
import type { Theme } from '../theme';
import { say } from '../words';
import { HISTORY_CHART, partRows, runChart } from './rows';
import { boxLegend } from '../charts/legend';

export function drawMeasured({ state, formats, theme }: Drawing): void {
  const { runs = [], history = [] } = state.measured ?? {};
  runs.forEach((run, at) => {
    const rows = partRows(run);
    const bars = [
      { label: say('compareLogged'), data: rows.map(row => row.logged ?? 0), fill: theme.chart('orange') },
      {
        label: say('comparePredicted'),
        data: rows.map(row => row.predicted ?? 0),
        fill: patternFill(theme, 'foreground', 'rising'),
      },
    ];
    drawChart(runChart(at), () =>
      barChart(
        rows.map(({ name }) => name),
        bars,
        formats.seconds,
        theme,
      ),
    );
  });
  const known = history.filter(({ allReduceBusbw }) => allReduceBusbw !== null);
  const rates = known.map(({ allReduceBusbw }) => allReduceBusbw ?? 0);
  const bars = [{ label: say('historyReduce'), data: rates, fill: theme.chart('blue') }];
  drawChart(HISTORY_CHART, () =>
    barChart(
      known.map(({ date }) => formats.date(date)),
      bars,
      rate => `${formats.bytes(rate)}/s`,
      theme,
    ),
  );
}

interface Bars {
  readonly label: string;
  readonly data: number[];
  readonly fill: CanvasPattern | string;
}

/** Horizontal bars, one group a label; `format` writes a value. */
function barChart(labels: string[], bars: Bars[], format: (value: number) => string, theme: Theme): BarConfiguration {
  const font = { family: theme.font, size: theme.fontSize };
  const axis = { grid: { color: theme.grid }, border: { color: theme.grid } };
  return {
    type: 'bar',
    data: {
      labels,
      datasets: bars.map(({ label, data, fill }) => ({ label, data, backgroundColor: fill, maxBarThickness: 16 })),
    },
    options: {
      indexAxis: 'y',
      responsive: true,
      maintainAspectRatio: false,
      scales: {
        x: {
          ...axis,
          beginAtZero: true,
          ticks: { color: theme.muted, font, callback: value => format(Number(value)) },
        },
        y: { ...axis, ticks: { color: theme.foreground, font, autoSkip: false } },
      },
      plugins: {
        legend: boxLegend(theme),
        tooltip: {
          callbacks: { label: ({ dataset, raw }) => `${dataset.label ?? ''}: ${format(Number(raw))}` },
        },
      },
    },
  };
}
