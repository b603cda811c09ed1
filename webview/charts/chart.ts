/** Bars on a canvas by chart.js, of which only the used parts are registered; one chart a canvas, updated in place. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);
// A live-editing user wants the new bars, not a movement towards them.
Chart.defaults.animation = false;

/** A bar from 0 to a value, or from one value to another. */
export type BarValue = number | [number, number];
export type BarConfiguration = ChartConfiguration<'bar', BarValue[], string>;

const charts = new Map<string, Chart<'bar', BarValue[], string>>();

/** Draws into the canvas with this id, or forgets its chart where the page shows that canvas no longer. */
export function drawBars(id: string, configure: () => BarConfiguration): void {
  const canvas = document.getElementById(id);
  const old = charts.get(id);
  if (!(canvas instanceof HTMLCanvasElement)) {
    old?.destroy();
    charts.delete(id);
    return;
  }
  const { data, options, plugins } = configure();
  // Plugins close over the snapshot that they draw, so a chart with plugins is made anew; it takes a few milliseconds.
  old?.destroy();
  charts.set(id, new Chart(canvas, { type: 'bar', data, options: options ?? {}, plugins: plugins ?? [] }));
}
