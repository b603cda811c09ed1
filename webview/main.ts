/** Entry of the dashboard's page: takes snapshots from the host, draws them, and sends back what the user does. */
import './pageLanguage';
import type { DashboardState, FromDashboard, MeasurementCommand, ToDashboard } from '../src/protocol/dashboard';
import { language } from '../src/words/language';
import { reportHtml } from '../src/words/report';
import { chartFile, type ChartFormat } from './chartFiles';
import { patch } from './dom';
import { copyRow, rowsFile } from './explorer/actions';
import { reportFigures } from './figures';
import { formats } from './format';
import { pageByKey, TABS, tabId } from './navigation';
import { page } from './page';
import { pageOfSection, SHOWN_PAGE, shownPage } from './pages';
import type { Action } from './parts';
import { proofFile } from './proof/export';
import { provenDocument } from './proof/section';
import { searchAsk } from './sections/goal';
import type { Inspection } from './local/engine';
import { FirstChange } from './local/firstChange';
import { localEngine, loadEngine } from './local/load';
import { type Host, PageState } from './state';
import { onThemeChange, readTheme } from './theme';
import { TimelinePlace } from './timelinePlace';
import { WHAT_IF } from './whatIf/change';
import { inspectionOf, type Shown, triedOut, withControl } from './whatIf/shown';

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const own = new PageState(host);
const send = (message: FromDashboard) => host.postMessage(message);
const first = new FirstChange(draw);
const timeline = new TimelinePlace(file => send({ type: 'save', ...file }));

function draw(): void {
  const shown = shownNow();
  if (shown === null) return;
  const { state, base } = shown;
  const scene = {
    open: own.open,
    chosen: own.chosen,
    formats: formats(),
    hasEngine: localEngine() !== null,
    inspect,
    first: first.known(own.snapshot),
  };
  patch(document.body, [page({ ...scene, state, base })]);
  drawCharts();
  if (shownPage(own.chosen).id === 'pipeline') timeline.show(state);
  if (shownPage(own.chosen).id === 'overview') first.look(own.snapshot);
}

function inspect(): Inspection | null {
  return own.snapshot === null ? null : inspectionOf(own.snapshot, own.chosen, localEngine());
}

function shownNow(): Shown | null {
  return own.snapshot === null ? null : triedOut(own.snapshot, own.chosen, localEngine());
}

function drawCharts(): void {
  const state = shownNow()?.state;
  if (state === undefined) return;
  const drawing = { state, chosen: own.chosen, formats: formats(), theme: readTheme(), inspect };
  shownPage(own.chosen).draw?.(drawing);
}

function show(state: DashboardState): void {
  if (!own.accept(state)) return;
  draw();
  if (own.restoredScroll > 0) scrollTo(0, own.restoredScroll);
  own.restoredScroll = 0;
  own.save(scrollY);
  document.body.dataset['meshlens'] = 'ready';
  // Behind the first drawing, which must not wait for it.
  if (localEngine() === null) {
    loadEngine(() => {
      draw();
      report();
    });
  }
  report();
}

/** Tests wait for it; also for the engine, which a page that closes early leaves half loaded. */
function report(): void {
  if (own.snapshot === null) return;
  const engine = localEngine() === null ? 'loading' : 'loaded';
  const memoryCard = document.getElementById('card-memory')?.textContent.slice(0, 100) ?? '';
  const figures = { ...reportFigures(own.snapshot.estimate), engine, language: language(), memoryCard };
  send({ type: 'report', figures });
}

function act(action: Action, { dataset }: HTMLElement): void {
  switch (action) {
    case 'search':
      return send({ type: 'search', ask: searchAsk(own) });
    case 'apply':
      return send({ type: 'apply', planString: dataset['plan'] ?? '' });
    case 'prove':
      return send({ type: 'prove', planString: dataset['plan'] ?? null });
    case 'saveProof': {
      const document = provenDocument(own.snapshot?.proof);
      const format = dataset['format'] === 'json' ? 'json' : 'csv';
      return document === null ? undefined : send({ type: 'save', ...proofFile(document, format) });
    }
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
    case 'tryOut':
      return choose(WHAT_IF, dataset['change'] ?? '');
    case 'resetWhatIf':
      return choose(WHAT_IF, undefined);
    case 'showPage':
      return showPage(dataset['target'] ?? '');
    case 'searchAll':
      showPage('search');
      return send({ type: 'search', ask: searchAsk(own) });
    case 'copyRow':
      return void copyRow(own).then(draw);
    case 'saveRows': {
      const file = rowsFile(own, dataset['format'] === 'json' ? 'json' : 'csv');
      return file === null ? undefined : send({ type: 'save', ...file });
    }
    case 'saveReport':
      return saveReport();
    case 'saveChart':
      return void saveChart(dataset['target'] ?? '', dataset['format'] as ChartFormat);
    case 'measurements':
      return send({ type: 'measurements', command: dataset['command'] as MeasurementCommand });
    case 'cancelSearch':
    case 'cancelProof':
    case 'chooseProofText':
    case 'ownProofText':
    case 'benchmark':
    case 'cancelBenchmark':
    case 'chooseFiles':
    case 'chooseCluster':
    case 'askValues':
    case 'exportMarkdown':
    case 'setPrice':
      return send({ type: action });
  }
}

/** With the plan that is tried out, where there is one. */
function saveReport(): void {
  const shown = shownNow();
  if (shown === null) return;
  const data = new TextEncoder().encode(reportHtml(shown.state.estimate, shown.state.files, shown.state.measured));
  send({ type: 'save', name: 'report.html', mime: 'text/html', data });
}

async function saveChart(id: string, format: ChartFormat): Promise<void> {
  const file = await chartFile(id, format);
  if (file !== null) send({ type: 'save', ...file });
}

document.addEventListener('click', ({ target }) => {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-action]') : null;
  if (element === null || element.getAttribute('aria-disabled') === 'true') return;
  act(element.dataset['action'] as Action, element);
});

document.addEventListener('keydown', event => {
  const isTab = event.target instanceof Element && event.target.getAttribute('role') === 'tab';
  const next = isTab ? pageByKey(event.key, shownPage(own.chosen).id) : null;
  if (next === null) return;
  event.preventDefault();
  showPage(next);
  document.getElementById(tabId(next))?.focus();
});

/** Another page begins at its top, under the tabs where these have come to stick. */
function showPage(id: string): void {
  const tabs = document.getElementById(TABS);
  const stuck = tabs !== null && tabs.getBoundingClientRect().top <= 0;
  choose(SHOWN_PAGE, id);
  if (stuck) document.getElementById(`page-${id}`)?.scrollIntoView();
}

function choose(list: string, value: string | undefined): void {
  if (value === undefined) own.chosen.delete(list);
  else own.chosen.set(list, value);
  own.save(scrollY);
  draw();
}

document.addEventListener('input', ({ target }) => {
  const choosing = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
  if (choosing && target.dataset['whatIf'] !== undefined) tryOut(target);
  if (choosing && target.dataset['choice'] !== undefined) choose(target.id, target.value);
});

let frame = 0;

/** A control that moves faster than the screen is drawn once a frame. */
function tryOut(control: HTMLInputElement | HTMLSelectElement): void {
  const shown = shownNow();
  if (shown === null) return;
  own.chosen.set(WHAT_IF, withControl(shown, own.chosen.get(WHAT_IF) ?? '', control));
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => {
    draw();
    own.save(scrollY);
  });
}

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

function scrollToSection(section: string): void {
  choose(SHOWN_PAGE, pageOfSection(section));
  document.getElementById(section)?.scrollIntoView();
}

// Only VS Code can post into this frame; a message of another kind is none of ours.
addEventListener('message', ({ data }: MessageEvent<ToDashboard>) => {
  if (data?.type === 'state') show(data.state);
  if (data?.type === 'scrollTo') scrollToSection(data.section);
});

onThemeChange(drawCharts);
// Bars follow the width by themselves, but labels that are too long for a narrow panel do not.
addEventListener('resize', drawCharts);

send({ type: 'ready' });
