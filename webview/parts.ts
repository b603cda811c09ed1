/** The pieces that sections are built of: disclosures, tables, buttons, lists of facts. */
import type { EstimateDocument, WhatIfDocument } from '../src/documents/types';
import type { DashboardState } from '../src/protocol/dashboard';
import { type ChartData, type ChartFormat, keepData } from './chartFiles';
import { type Child, h, styled, type VNode } from './dom';
import type { Formats } from './format';
import type { Inspection } from './local/engine';
import { say } from './words';

/** What a section draws from. */
export interface Scene {
  readonly state: DashboardState;
  /** Ids of what the user has opened. */
  readonly open: ReadonlySet<string>;
  /** What is chosen in each list, by its id. */
  readonly chosen: ReadonlyMap<string, string>;
  readonly formats: Formats;
  /** The file's own estimate where the state's is that of a change that is tried out; else null. */
  readonly base: EstimateDocument | null;
  /** Whether the page has its engine yet. */
  readonly hasEngine: boolean;
  /** What is inside the plan that is shown; null as long as the page has no engine. */
  readonly inspect: () => Inspection | null;
  /** The best single change of the file's plan; undefined until it is found. */
  readonly first: WhatIfDocument | null | undefined;
}

/** Everything that a click can mean: the name in `data-action`, the arguments in further data attributes. */
export type Action =
  | 'search'
  | 'cancelSearch'
  | 'benchmark'
  | 'cancelBenchmark'
  | 'apply'
  | 'chooseFiles'
  | 'chooseCluster'
  | 'askValues'
  | 'reveal'
  | 'exportMarkdown'
  | 'toggle'
  /** Sets or clears what is chosen in the list `data-target`. */
  | 'choose'
  | 'prove'
  | 'cancelProof'
  | 'chooseProofText'
  | 'ownProofText'
  | 'saveProof'
  | 'copyRow'
  | 'saveRows'
  /** Shows the page `data-target`. */
  | 'showPage'
  | 'searchAll'
  /** Forgets what is tried out. */
  | 'resetWhatIf'
  /** Tries out the change `data-change`. */
  | 'tryOut'
  /** Asks for the price of a GPU-hour. */
  | 'setPrice'
  /** The command of measurements `data-command`. */
  | 'measurements'
  /** Saves the chart `data-target` as `data-format`. */
  | 'saveChart'
  /** Saves what the page shows as one HTML file. */
  | 'saveReport';

type Content = Child | null | false;

export function button(
  id: string,
  action: Action,
  label: string,
  attributes: Readonly<Record<string, string | boolean | null>> = {},
): VNode {
  return h('button', { id, type: 'button', 'data-action': action, ...attributes }, label);
}

interface Place {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** A link that opens a place in a file; nothing where the place is not known. */
export function placeLink(id: string, { file, line, column }: Place): VNode | null {
  if (file === null || line === null || column === null) return null;
  const place = `${file}:${line}:${column}`;
  return button(id, 'reveal', place, {
    class: 'link',
    'aria-label': say('revealLabel', { place }),
    'data-file': file,
    'data-line': String(line),
    'data-column': String(column),
  });
}

export function section(id: string, heading: string, ...content: readonly (Content | readonly Content[])[]): VNode {
  const headingId = `${id}-heading`;
  return h('section', { id, 'aria-labelledby': headingId }, h('h2', { id: headingId }, heading), ...content);
}

export function disclosure({ open }: Scene, id: string, summary: string, content: VNode): VNode {
  return h('details', { id, open: open.has(id) }, h('summary', {}, summary), h('div', { class: 'opened' }, content));
}

/** A button that shows and hides what has the id `target`, which may stand elsewhere on the page. */
export function toggle(
  { open }: Scene,
  target: string,
  shownLabel: string,
  hiddenLabel: string,
  ariaLabel: string | null = null,
): VNode {
  const shown = open.has(target);
  return button(`${target}-toggle`, 'toggle', shown ? shownLabel : hiddenLabel, {
    class: 'link',
    'data-target': target,
    'aria-label': ariaLabel,
    'aria-expanded': String(shown),
    'aria-controls': target,
  });
}

export interface Column {
  readonly head: Content;
  readonly numeric?: boolean;
  readonly sort?: 'ascending' | 'descending' | null;
}

/**
 * A native table; the first cell of each row is its head. Wide ones scroll sideways in a box that takes the focus,
 * unless the table is one that only screen readers have at present.
 */
export function table(
  id: string,
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Content[])[],
  { totalRow = false, reachable = true } = {},
): VNode {
  const cell = (content: Content, column: number) =>
    column === 0
      ? h('th', { scope: 'row' }, content)
      : h('td', { class: columns[column].numeric === true ? 'number' : null }, content);
  return h(
    'div',
    {
      id,
      class: 'scroller',
      role: 'region',
      tabindex: reachable ? '0' : null,
      'aria-label': say('scrollable', { name: caption }),
    },
    h(
      'table',
      {},
      h('caption', { class: 'for-readers' }, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...columns.map(({ head, numeric, sort }) =>
            h('th', { scope: 'col', class: numeric === true ? 'number' : null, 'aria-sort': sort }, head),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        ...rows.map((row, index) =>
          h('tr', { class: totalRow && index === rows.length - 1 ? 'total' : null }, ...row.map(cell)),
        ),
      ),
    ),
  );
}

/** What the numbers of a chart are. */
type Source = 'planned' | 'estimated' | 'measured' | 'published' | 'simulated';

export interface ChartFigure {
  /** Names the drawing to be made in the canvas. */
  readonly id: string;
  /** One sentence that says what the chart shows. */
  readonly label: string;
  readonly height: number;
  readonly source: Source | readonly Source[];
  /** The numbers to be taken along. */
  readonly data: () => ChartData;
}

/**
 * A chart under its sentence, with the same numbers as a table. The table is always there for screen readers; the
 * button shows it to all.
 */
export function chartWithTable(scene: Scene, chart: ChartFigure, twin: (reachable: boolean) => VNode): VNode {
  const box = h('div', { class: 'canvas-box' }, h('canvas', { id: chart.id, role: 'img', 'aria-label': chart.label }));
  return figure(scene, chart, styled({ height: `${chart.height}px` }, box), twin);
}

/** A drawing with its sentence, its table and its files. */
export function figure(
  scene: Scene,
  { id, label, source, data }: Omit<ChartFigure, 'height'>,
  drawing: VNode,
  twin: (reachable: boolean) => VNode,
): VNode {
  const twinId = `${id}-table`;
  const shown = scene.open.has(twinId);
  keepData(id, data);
  return h(
    'figure',
    { id: `${id}-figure`, class: 'chart' },
    h('figcaption', { id: `${id}-caption` }, unbroken(label), ...sourceLabels(source)),
    drawing,
    h(
      'div',
      { class: 'figure-bar' },
      toggle(scene, twinId, say('hideTable'), say('showTable')),
      (['png', 'csv', 'json'] as const).map(format => saveButton(id, format, label)),
    ),
    h('div', { id: twinId, class: shown ? null : 'for-readers' }, twin(shown)),
  );
}

/** Buttons that save the numbers of a table. */
export function tableFiles(id: string, label: string, data: () => ChartData): VNode {
  keepData(id, data);
  return h(
    'div',
    { class: 'figure-bar' },
    (['csv', 'json'] as const).map(format => saveButton(id, format, label)),
  );
}

/** No line ends between a number and its unit. */
const unbroken = (text: string) => text.replace(/(\d) (?=\S)/g, '$1\u00a0');

function sourceLabels(source: ChartFigure['source']): VNode[] {
  return [source].flat().map(one => h('span', { class: 'source' }, say(`source-${one}`)));
}

function saveButton(id: string, format: ChartFormat, label: string): VNode {
  return button(`${id}-${format}`, 'saveChart', format.toUpperCase(), {
    class: 'link',
    'data-target': id,
    'data-format': format,
    'aria-label': say('saveChart', { format: format.toUpperCase(), chart: label }),
  });
}
