/** The timeline alone on a page, with what the checks measure within their reach. */
import { costTable } from '../../src/engine/pipeline/costs';
import { simulate, simulateInto } from '../../src/engine/pipeline/simulate';
import { LaneCanvas } from '../../webview/timeline/canvas';
import { layoutLane } from '../../webview/timeline/layout';
import { createModel } from '../../webview/timeline/model';
import { readPalette } from '../../webview/timeline/palette';
import { runSchedule, type TimelineInput } from '../../webview/timeline/run';
import { createTimeline } from '../../webview/timeline/view';
import { timelineFormats } from '../../webview/timeline/words';

const exported: unknown[] = [];
const container = document.createElement('main');
document.body.append(container);
const timeline = createTimeline(container, {
  onExport: ({ name, mime, data }) => exported.push({ name, mime, data: [...data.subarray(0, 2 ** 20)] }),
});

/** Milliseconds of the script of a draw, the median of several, by how close one looks; and of a run of the engine. */
function measure(input: TimelineInput, zooms: readonly number[]) {
  const begin = performance.now();
  const run = runSchedule(input);
  if ('code' in run) throw new Error(run.code);
  const ran = performance.now();
  const model = createModel(run);
  const modelled = performance.now();
  const again = simulate(run.order, run.costs);
  const simulations = Array.from({ length: 7 }, () => {
    const start = performance.now();
    simulateInto(run.order, costTable(run.order.place, run.costs), again);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const layout = layoutLane(input.stages, 1100);
  const canvas = new LaneCanvas(document.createElement('canvas'), timelineFormats());
  const palette = readPalette(run.order.chunks);
  const draws = zooms.map(zoom => {
    const span = model.makespan / zoom;
    const from = (model.makespan - span) / 2;
    const times = Array.from({ length: 15 }, (_, i) => {
      // Each draw looks at another place, as while one drags.
      const shifted = from + (i / 200) * span;
      const start = performance.now();
      const view = { model, layout, from: shifted, to: shifted + span, selected: -1, hovered: -1, stage: 0 };
      canvas.draw(view, palette);
      return performance.now() - start;
    }).sort((a, b) => a - b);
    return { zoom, least: times[0], median: times[7], most: times[14] };
  });
  return {
    passes: run.order.pass.length,
    engine: ran - begin,
    simulation: simulations[3],
    model: modelled - ran,
    draws,
  };
}

Object.assign(window, { timeline, exported, measure });
