/** Charts on a canvas by chart.js, of which only the used parts are registered; one chart a canvas. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  type ChartType,
  Legend,
  LinearScale,
  LineElement,
  LogarithmicScale,
  PointElement,
  ScatterController,
  Tooltip,
} from 'chart.js';

Chart.register(BarController, BarElement, ScatterController, LineElement, PointElement);
Chart.register(CategoryScale, LinearScale, LogarithmicScale, Legend, Tooltip);
// A live-editing user wants the new bars, not a movement towards them.
Chart.defaults.animation = false;

/** A bar from 0 to a value, or from one value to another. */
export type BarValue = number | [number, number];
export type BarConfiguration = ChartConfiguration<'bar', BarValue[], string>;

const charts = new Map<string, { destroy(): void }>();

/** Draws into the canvas with this id, or forgets its chart where the page shows that canvas no longer. */
export function drawChart<T extends ChartType, D, L>(id: string, configure: () => ChartConfiguration<T, D, L>): void {
  const canvas = document.getElementById(id);
  charts.get(id)?.destroy();
  charts.delete(id);
  if (!(canvas instanceof HTMLCanvasElement)) return;
  // Plugins close over the snapshot that they draw, so a chart is made anew; it takes a few milliseconds.
  charts.set(id, new Chart(canvas, configure()));
}
