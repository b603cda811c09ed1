/**
 * The pipeline's timeline: one schedule, or two below each other on one axis of time, with figures, notes, tables and
 * files to take along. It runs the schedules itself from the seconds of each stage.
 */
import type { ScheduleName } from '../../src/engine/plan/keys';
import { h, patch } from '../dom';
import { bar, type Command, footBar } from './bar';
import { runSentence } from './describe';
import { legend, tables } from './figures';
import { Lane, type Shared } from './lane';
import type { Model } from './model';
import { drawSwatches, type Palette, readPalette } from './palette';
import { mostPasses, type Run, runSchedule, type TimelineInput, withSchedule } from './run';
import { type ExportedFile, passesFile, pictureFile, traceFile } from './save';
import { Viewport } from './viewport';
import { problemText, say, type TimelineFormats, timelineFormats } from './words';

export interface TimelineOptions {
  /** A webview cannot save files: the host does. */
  readonly onExport: (file: ExportedFile) => void;
}

export interface Timeline {
  /** The plan's pipeline, and another to stand below it where there is one. */
  update(inputs: readonly TimelineInput[]): void;
  dispose(): void;
}

/** More passes than this take too long to run between two frames, and more memory than a page should. */
const MOST_DRAWN = 2 ** 23;
const ID = 'timeline';
const TABLES = 'timeline-tables';
const ZOOM_STEP = 1.6;

/** Fills the container, which must be the timeline's alone. */
export function createTimeline(container: HTMLElement, options: TimelineOptions): Timeline {
  return new View(container, options);
}

class View implements Timeline {
  private readonly root = document.createElement('figure');
  private readonly caption = document.createElement('figcaption');
  private readonly bar = div('timeline-bar');
  private readonly legendBox = div('timeline-legend-box');
  private readonly lanesBox = div('timeline-lanes');
  private readonly foot = div('timeline-foot');
  private readonly live = div('for-readers');
  private readonly help = document.createElement('p');
  private readonly viewport = new Viewport();
  private readonly formats: TimelineFormats;
  private readonly shared: Shared;
  private readonly lanes: Lane[] = [];
  private readonly aborter = new AbortController();
  private readonly resized = new ResizeObserver(() => this.redraw());
  private readonly themeWatch = new MutationObserver(() => this.newTheme());
  private inputs: readonly TimelineInput[] = [];
  /** What the user compares with; undefined until a choice is made. */
  private choice: ScheduleName | '' | undefined;
  private results = new Map<string, Run | string>();
  private palette: Palette | null = null;
  private frame = 0;
  /** Ids of the tables that are open. */
  private readonly open = new Set<string>();

  constructor(
    container: HTMLElement,
    private readonly options: TimelineOptions,
  ) {
    this.formats = timelineFormats();
    this.shared = {
      viewport: this.viewport,
      formats: this.formats,
      redraw: () => this.redraw(),
      announce: text => (this.live.textContent = text),
    };
    this.root.className = 'timeline chart';
    this.help.id = `${ID}-help`;
    this.help.className = 'note';
    this.help.textContent = say('help');
    this.live.setAttribute('aria-live', 'polite');
    this.root.append(this.bar, this.caption, this.legendBox, this.lanesBox, this.help, this.live, this.foot);
    container.append(this.root);
    const { signal } = this.aborter;
    this.bar.addEventListener('change', ({ target }) => this.chosen(target), { signal });
    this.root.addEventListener('click', ({ target }) => this.clicked(target), { signal });
    this.root.addEventListener('toggle', ({ target }) => this.toggled(target), { signal, capture: true });
    this.resized.observe(this.lanesBox);
    // VS Code tells a change of theme by the classes of the body and the variables on the root element.
    this.themeWatch.observe(document.documentElement, { attributeFilter: ['style', 'class'] });
    this.themeWatch.observe(document.body, { attributeFilter: ['class'] });
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.aborter.abort();
    this.resized.disconnect();
    this.themeWatch.disconnect();
    for (const lane of this.lanes.splice(0)) lane.dispose();
    this.root.remove();
  }

  update(inputs: readonly TimelineInput[]): void {
    this.inputs = inputs;
    this.render();
  }

  private render(): void {
    const [plan, other] = this.inputs;
    if (plan === undefined) return;
    const chosen = this.choice ?? other?.schedule ?? '';
    const second = chosen === '' ? null : chosen === other?.schedule ? other : withSchedule(plan, chosen);
    const shown = second === null ? [plan] : [plan, second];
    const runs = this.run(shown);
    patch(this.bar, bar(plan, chosen));
    while (this.lanes.length > shown.length) this.lanes.pop()?.dispose();
    for (const [index, run] of runs.entries()) this.laneAt(index).show(run);
    this.palette = null;
    const models = this.models();
    this.viewport.setContent(
      Math.max(...models.map(({ makespan }) => makespan)),
      Math.min(...models.map(({ shortestPass }) => shortestPass)),
    );
    const sentences = models.map(({ run }) => runSentence(run, this.formats)).join(' ');
    patch(this.caption, [sentences, h('span', { class: 'source' }, say('simulated'))]);
    patch(this.legendBox, [legend(models.map(({ run }) => run))]);
    this.renderTables();
    this.redraw();
  }

  /** What was run for the last update is not run again: most snapshots leave the pipeline as it was. */
  private run(inputs: readonly TimelineInput[]): (Run | string)[] {
    const before = this.results;
    this.results = new Map();
    return inputs.map(input => {
      const key = JSON.stringify(input);
      const result = before.get(key) ?? runOrSay(input, this.formats);
      this.results.set(key, result);
      return result;
    });
  }

  private laneAt(index: number): Lane {
    let lane = this.lanes[index];
    if (lane === undefined) {
      lane = new Lane(`${ID}-lane-${index}`, this.shared, this.help.id, index === 0);
      this.lanes.push(lane);
      this.lanesBox.append(lane.element);
    }
    return lane;
  }

  private models(): Model[] {
    return this.lanes.flatMap(({ model }) => (model === null ? [] : [model]));
  }

  private renderTables(): void {
    const shown = this.open.has(TABLES);
    const content = this.models().flatMap((model, index) => {
      const id = `${ID}-table-${index}`;
      return tables(model, id, this.formats, { shown, withPasses: this.open.has(`${id}-passes`) });
    });
    patch(this.foot, [
      footBar(shown, TABLES),
      h('div', { id: TABLES, class: shown ? 'timeline-tables' : 'for-readers' }, content),
    ]);
  }

  private redraw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    if (!this.root.isConnected || this.lanesBox.clientWidth === 0) return;
    const palette = this.currentPalette();
    for (const lane of this.lanes) lane.draw(palette);
  }

  private currentPalette(): Palette {
    if (this.palette === null) {
      this.palette = readPalette(Math.max(1, ...this.models().map(({ run }) => run.order.chunks)));
      drawSwatches(this.legendBox, this.palette);
    }
    return this.palette;
  }

  private newTheme(): void {
    this.palette = null;
    this.redraw();
  }

  private chosen(target: EventTarget | null): void {
    if (!(target instanceof HTMLSelectElement)) return;
    this.choice = target.value as ScheduleName | '';
    this.render();
  }

  private toggled(target: EventTarget | null): void {
    if (!(target instanceof HTMLDetailsElement)) return;
    if (target.open) this.open.add(target.id);
    else this.open.delete(target.id);
    this.renderTables();
  }

  private clicked(target: EventTarget | null): void {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-timeline]') : null;
    if (button !== null) this.act(button.dataset['timeline'] as Command);
  }

  private act(command: Command): void {
    switch (command) {
      case 'zoomIn':
      case 'zoomOut':
        this.viewport.zoom(command === 'zoomIn' ? ZOOM_STEP : 1 / ZOOM_STEP);
        return this.redraw();
      case 'fit':
        this.viewport.fit();
        return this.redraw();
      case 'toggleTables':
        if (!this.open.delete(TABLES)) this.open.add(TABLES);
        return this.renderTables();
      case 'saveCsv':
      case 'saveJson':
        return this.options.onExport(passesFile(this.models(), command === 'saveCsv' ? 'csv' : 'json'));
      case 'saveTrace':
        return this.options.onExport(traceFile(this.models()));
      case 'savePicture':
        return void this.savePicture();
    }
  }

  private async savePicture(): Promise<void> {
    this.draw();
    const file = await pictureFile(this.lanes, this.currentPalette(), this.formats);
    if (file !== null) this.options.onExport(file);
  }
}

/** The run, or the sentence that says why there is none. */
function runOrSay(input: TimelineInput, { integer }: TimelineFormats): Run | string {
  const passes = mostPasses(input);
  if (passes > MOST_DRAWN) return say('tooLarge', { passes: integer(passes), most: integer(MOST_DRAWN) });
  const result = runSchedule(input);
  return 'code' in result ? problemText(result) : result;
}

function div(name: string): HTMLDivElement {
  const element = document.createElement('div');
  element.className = name;
  return element;
}
