/** A dashed line across a chart at a value of its x axis, with its label above. */
import type { Plugin } from 'chart.js';
import type { Theme } from '../theme';

export function verticalLine(value: number, label: string, theme: Theme): Plugin<'scatter'> {
  return {
    id: 'vertical-line',
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const x = scales['x'].getPixelForValue(value);
      ctx.save();
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.strokeStyle = theme.chart('red');
      ctx.lineWidth = 2;
      ctx.setLineDash([6, 4]);
      ctx.stroke();
      ctx.fillStyle = theme.foreground;
      ctx.font = `${theme.fontSize - 1}px ${theme.font}`;
      ctx.textBaseline = 'bottom';
      ctx.textAlign = x - chartArea.left > ctx.measureText(label).width ? 'right' : 'left';
      ctx.fillText(label, x, chartArea.top - 3);
      ctx.restore();
    },
  };
}
