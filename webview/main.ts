/** Entry of the dashboard's page: takes snapshots from the host, draws them, and sends back what the user does. */
import type { DashboardState, FromDashboard, ToDashboard } from '../src/protocol/dashboard';
import { drawChart } from './charts/chart';
import { collectivesChart } from './charts/collectives';
import { memoryChart } from './charts/memory';
import { SCATTER_CHART, scatterChart } from './charts/scatter';
import { SCALE_CHART, scaleChart } from './charts/scatterScale';
import { timeChart } from './charts/time';
import { patch } from './dom';
import { copyRow, rowsFile } from './explorer/actions';
import { foundDocument, shownRows } from './explorer/shown';
import { reportFigures } from './figures';
import { formats } from './format';
import { page } from './page';
import type { Action } from './parts';
import { COLLECTIVES_CHART, chosenOp } from './sections/collectives';
import { MEMORY_CHART } from './sections/memory';
import { TIMELINE_BOX, timelineInput } from './sections/pipeline';
import { FREE_BATCH } from './sections/search';
import { TIME_CHART } from './sections/time';
import { type Host, PageState } from './state';
import { onThemeChange, readTheme } from './theme';
import { createTimeline, type Timeline } from './timeline/view';

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const own = new PageState(host);
const send = (message: FromDashboard) => host.postMessage(message);

function draw(): void {
  const { snapshot } = own;
  if (snapshot === null) return;
  patch(document.body, [
    page({ state: snapshot, open: own.open, chosen: own.chosen, formats: formats(snapshot.locale) }),
  ]);
  drawCharts(snapshot);
  drawTimeline(snapshot);
}

let timeline: { readonly box: HTMLElement; readonly view: Timeline } | null = null;
let timelineShown = '';

/** The timeline draws itself; it is made with its place and told only of what is new to it. */
function drawTimeline(state: DashboardState): void {
  const box = document.getElementById(TIMELINE_BOX);
  const input = timelineInput(state);
  if (timeline !== null && timeline.box !== box) {
    timeline.view.dispose();
    timeline = null;
  }
  if (box === null || input === null) return;
  const shown = JSON.stringify(input);
  if (timeline !== null && shown === timelineShown) return;
  timelineShown = shown;
  timeline ??= {
    box,
    view: createTimeline(box, { locale: state.locale, onExport: file => send({ type: 'save', ...file }) }),
  };
  timeline.view.update([input]);
}

function drawCharts(state: DashboardState): void {
  const { estimate, locale } = state;
  const [numbers, theme] = [formats(locale), readTheme()];
  drawChart(MEMORY_CHART, () => memoryChart(estimate.memory, numbers, theme));
  drawChart(TIME_CHART, () => timeChart(estimate, numbers, theme));
  drawChart(COLLECTIVES_CHART, () => collectivesChart(state, chosenOp(own.chosen), numbers, theme));
  const found = foundDocument(state.search);
  if (found === null) return;
  drawChart(SCATTER_CHART, () => scatterChart(found, shownRows(found, own.chosen), numbers, theme));
  const { scale } = found;
  if (scale !== null) drawChart(SCALE_CHART, () => scaleChart(scale, numbers, theme));
}

function show(state: DashboardState): void {
  if (!own.accept(state)) return;
  draw();
  if (own.restoredScroll > 0) scrollTo(0, own.restoredScroll);
  own.restoredScroll = 0;
  own.save(scrollY);
  document.body.dataset['meshlens'] = 'ready';
  send({ type: 'report', figures: reportFigures(state.estimate) });
}

function act(action: Action, { dataset }: HTMLElement): void {
  switch (action) {
    case 'search':
      return send({ type: 'search', freeBatch: own.open.has(FREE_BATCH) });
    case 'apply':
      return send({ type: 'apply', planString: dataset['plan'] ?? '' });
    case 'reveal':
      return send({
        type: 'reveal',
        file: dataset['file'] ?? '',
        line: Number(dataset['line']),
        column: Number(dataset['column']),
      });
    case 'toggle':
      own.toggle(dataset['target'] ?? '');
      own.save(scrollY);
      return draw();
    case 'choose':
      return choose(dataset['target'] ?? '', dataset['value']);
    case 'copyRow':
      return void copyRow(own).then(draw);
    case 'saveRows': {
      const file = rowsFile(own, dataset['format'] === 'json' ? 'json' : 'csv');
      return file === null ? undefined : send({ type: 'save', ...file });
    }
    case 'cancelSearch':
    case 'benchmark':
    case 'cancelBenchmark':
    case 'chooseCluster':
    case 'askValues':
    case 'exportMarkdown':
      return send({ type: action });
  }
}

document.addEventListener('click', ({ target }) => {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-action]') : null;
  if (element === null || element.getAttribute('aria-disabled') === 'true') return;
  act(element.dataset['action'] as Action, element);
});

function choose(list: string, value: string | undefined): void {
  if (value === undefined) own.chosen.delete(list);
  else own.chosen.set(list, value);
  own.save(scrollY);
  draw();
}

document.addEventListener('input', ({ target }) => {
  const choosing = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
  if (choosing && target.dataset['choice'] !== undefined) choose(target.id, target.value);
});

// The event of a disclosure does not bubble, but it can be caught on its way down.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement)) return;
    own.toggle(target.id, target.open);
    own.save(scrollY);
  },
  true,
);

let saving: number | undefined;
document.addEventListener('scroll', () => {
  clearTimeout(saving);
  saving = window.setTimeout(() => own.save(scrollY), 200);
});

// Only VS Code can post into this frame; a message of another kind is none of ours.
addEventListener('message', ({ data }: MessageEvent<ToDashboard>) => {
  if (data?.type === 'state') show(data.state);
  if (data?.type === 'scrollTo') document.getElementById(data.section)?.scrollIntoView();
});

function redrawCharts(): void {
  if (own.snapshot !== null) drawCharts(own.snapshot);
}

onThemeChange(redrawCharts);
// Bars follow the width by themselves, but labels that are too long for a narrow panel do not.
addEventListener('resize', redrawCharts);

send({ type: 'ready' });
