/** Memory of each stage, stacked by part, against a line for the capacity. */
import type { Plugin } from 'chart.js';
import type { MemoryDocument } from '../../src/documents/types';
import { MEMORY_PARTS, type MemoryRow, memoryRows } from '../figures';
import type { Formats } from '../format';
import { rowLabel } from '../sections/memory';
import type { ChartColour, Theme } from '../theme';
import { say } from '../words';
import { byteAxes } from './byteAxes';
import type { BarConfiguration, BarValue } from './chart';
import { endLabel } from './label';
import { type Pattern, patternFill } from './pattern';
import { boxLegend } from './legend';

const LOOKS: Readonly<Record<(typeof MEMORY_PARTS)[number], readonly [ChartColour, Pattern]>> = {
  weights: ['blue', 'plain'],
  gradients: ['purple', 'rising'],
  optimizer: ['green', 'grid'],
  activations: ['orange', 'plain'],
  buffers: ['yellow', 'dots'],
  overhead: ['foreground', 'falling'],
};

export function memoryChart(memory: MemoryDocument, formats: Formats, theme: Theme): BarConfiguration {
  const rows = memoryRows(memory);
  const { capacityBytes } = memory;
  const datasets = MEMORY_PARTS.map((part, index) => ({
    label: say(part),
    data: rows.map((row): BarValue => row.parts[index]),
    backgroundColor: patternFill(theme, ...LOOKS[part]),
    borderColor: theme.background,
    borderWidth: { right: 1, left: 0, top: 0, bottom: 0 },
    borderSkipped: false as const,
    maxBarThickness: 26,
  }));
  const { x, y } = byteAxes(true, formats, theme);
  const most = Math.max(capacityBytes ?? 0, ...rows.map(({ total }) => total));
  return {
    type: 'bar',
    data: { labels: rows.map(rowLabel), datasets },
    plugins: [
      ...(capacityBytes === null ? [] : [capacityLine(capacityBytes, formats, theme)]),
      totals(rows, formats, theme),
    ],
    options: {
      indexAxis: 'y',
      responsive: true,
      maintainAspectRatio: false,
      layout: { padding: { top: 18, right: 8 } },
      scales: { x: { ...x, suggestedMax: most * 1.12 }, y },
      plugins: {
        legend: boxLegend(theme),
        tooltip: {
          callbacks: { label: item => `${item.dataset.label ?? ''}: ${formats.bytesBoth(Number(item.raw))}` },
        },
      },
    },
  };
}

/** Narrower charts have no room for totals behind the bars. */
const NARROW = 260;

/** The total at the end of each bar. */
function totals(rows: readonly MemoryRow[], formats: Formats, theme: Theme): Plugin<'bar'> {
  return {
    id: 'totals',
    afterDatasetsDraw: chart => {
      const { x, y } = chart.scales;
      if (chart.chartArea.width < NARROW) return;
      rows.forEach(({ total }, index) =>
        endLabel(chart.ctx, theme, formats.bytes(total), x.getPixelForValue(total), y.getPixelForValue(index)),
      );
    },
  };
}

function capacityLine(capacityBytes: number, formats: Formats, theme: Theme): Plugin<'bar'> {
  return {
    id: 'capacity',
    afterDatasetsDraw: chart => {
      const { ctx, chartArea, scales } = chart;
      const x = scales['x'].getPixelForValue(capacityBytes);
      ctx.save();
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      // A rim in the colour of the background, so that the line shows on bars of any colour.
      ctx.strokeStyle = theme.background;
      ctx.lineWidth = 5;
      ctx.stroke();
      ctx.strokeStyle = theme.chart('red');
      ctx.lineWidth = 2;
      ctx.setLineDash([6, 4]);
      ctx.stroke();
      ctx.fillStyle = theme.foreground;
      ctx.font = `${theme.fontSize - 1}px ${theme.font}`;
      ctx.textBaseline = 'bottom';
      const text = say('capacityLabel', { capacity: formats.bytes(capacityBytes) });
      ctx.textAlign = x - chartArea.left > ctx.measureText(text).width ? 'right' : 'left';
      ctx.fillText(text, x, chartArea.top - 3);
      ctx.restore();
    },
  };
}
