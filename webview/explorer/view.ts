/** All layouts of a search: a table that sorts and filters. */
import type { SearchDocument } from '../../src/documents/types';
import { h, type VNode } from '../dom';
import type { Formats } from '../format';
import { button, type Column, type Scene, table } from '../parts';
import { say, type WordKey } from '../words';
import { comparisonOf } from './chosen';
import { heatFigure } from './heatMap';
import { scatterFigure } from './plots';
import type { Row } from './rows';
import { QUERY, ROW, type Shown, SORT, shownRows } from './shown';

/** Rows drawn at first, and at most. */
const FEW = 10;
const MOST = 200;
const ALL_ROWS = 'explorer-all';

export function explorer(scene: Scene, document: SearchDocument): VNode {
  const shown = shownRows(document, scene.chosen);
  return h(
    'div',
    { id: 'explorer' },
    h('h3', {}, say('explorerHeading')),
    h('p', { class: 'note' }, say('explorerText')),
    filterBox(scene, shown),
    layoutTable(scene, shown),
    below(scene, shown),
    shown.row === null ? null : comparisonOf(scene, document, shown.row),
    shown.rows.length > 0 && [scatterFigure(scene, shown), heatFigure(scene, shown)],
  );
}

function filterBox({ chosen, formats }: Scene, { rows, all, error }: Shown): VNode {
  const count = say('rowsShown', { shown: formats.integer(rows.length), all: formats.integer(all.length) });
  return h(
    'div',
    { id: 'explorer-filter' },
    h(
      'label',
      { class: 'choice' },
      say('filter'),
      h('input', {
        id: QUERY,
        type: 'search',
        'data-choice': true,
        value: chosen.get(QUERY) ?? '',
        maxlength: 200,
        spellcheck: 'false',
        autocomplete: 'off',
        'aria-invalid': error === null ? null : 'true',
        'aria-describedby': 'explorer-count explorer-hint',
      }),
    ),
    h(
      'p',
      { id: 'explorer-count', role: 'status', class: error === null ? null : 'banner warning' },
      error === null ? count : say(`query-${error.code}`, { text: error.text }),
    ),
    h('p', { id: 'explorer-hint', class: 'note' }, say('filterHint')),
  );
}

interface Shape {
  readonly name: string;
  readonly head: string;
  readonly cell: (row: Row) => string;
}

/** The first of these stand before the figures; of the others only those that differ among the rows are drawn. */
const DEGREES = ['dp', 'tp', 'cp', 'pp', 'ep'];

function shapesOf({ all }: Shown, formats: Formats): Shape[] {
  const names = [...new Set(all.flatMap(({ keys }) => [...keys.keys()]))];
  const differ = names.filter(name => new Set(all.map(({ keys }) => keys.get(name))).size > 1);
  const key = (name: string): Shape => ({
    name: name.toLowerCase(),
    head: name,
    cell: row => row.keys.get(name) ?? '–',
  });
  const figure = (
    name: string,
    word: WordKey,
    value: (row: Row) => number | null,
    format: (value: number) => string,
  ) => ({
    name,
    head: say(word),
    cell: (row: Row) => {
      const read = value(row);
      return read === null ? say('unknownValue') : format(read);
    },
  });
  return [
    ...DEGREES.filter(name => differ.includes(name)).map(key),
    figure('speed', 'speedColumn', row => row.speedup, formats.times),
    figure('tokens', 'tokensColumn', row => row.tokensPerSecond, formats.integer),
    figure('step', 'stepTime', row => row.stepSeconds, formats.seconds),
    figure('mfu', 'mfu', row => row.mfu, formats.percent),
    figure('memory', 'peak', row => row.peakBytes, formats.bytes),
    { name: 'fit', head: say('fit'), cell: row => say(row.uncertain === true ? 'fitsClosely' : 'fits') },
    figure('bubble', 'bubbleColumn', row => row.bubbleFraction, formats.percent),
    { name: 'list', head: say('listColumn'), cell: row => row.lists.map(list => say(`list-${list}`)).join(', ') },
    ...differ.filter(name => !DEGREES.includes(name)).map(key),
  ];
}

const WORDS: ReadonlySet<string> = new Set([
  'list',
  'fit',
  'sharding',
  'schedule',
  'recompute',
  'cpkind',
  'dtype',
  'stagelayers',
]);

function layoutTable({ formats, open }: Scene, shown: Shown): VNode {
  const { rows, sort, row: chosen } = shown;
  const shapes = shapesOf(shown, formats);
  const columns = shapes.map(({ name, head }): Column => {
    const sortedBy = sort.column === name;
    const next = sortedBy ? !sort.descending : !WORDS.has(name);
    return {
      head: button(`explorer-sort-${name}`, 'choose', head, {
        class: 'link sort',
        'aria-label': say('sortBy', { column: head }),
        'data-target': SORT,
        'data-value': `${next ? '-' : ''}${name}`,
      }),
      numeric: !WORDS.has(name),
      sort: sortedBy ? (sort.descending ? 'descending' : 'ascending') : null,
    };
  });
  const drawn = rows.slice(0, open.has(ALL_ROWS) ? MOST : FEW);
  const lines = drawn.map((row, index) => {
    const isChosen = row === chosen;
    const choose = button(`explorer-row-${index + 1}`, 'choose', formats.integer(index + 1), {
      class: 'link',
      'aria-label': say('chooseRow', { rank: formats.integer(index + 1), plan: row.planString }),
      'aria-pressed': String(isChosen),
      'data-target': ROW,
      'data-value': isChosen ? null : row.planString,
    });
    return [choose, ...shapes.map(({ cell }) => cell(row))];
  });
  return table('explorer-table', say('explorerTable'), [{ head: say('rankColumn') }, ...columns], lines);
}

function below({ open, formats }: Scene, { rows }: Shown): VNode {
  const all = open.has(ALL_ROWS);
  const more = rows.length > MOST ? 'showFirst' : 'showAll';
  const label = say(all ? 'showFew' : more, { count: formats.integer(Math.min(rows.length, MOST)) });
  const save = (format: string, word: WordKey) =>
    button(`explorer-${format}`, 'saveRows', say(word), { class: 'secondary', 'data-format': format });
  return h(
    'div',
    { class: 'buttons' },
    rows.length === 0 && h('p', {}, say('nothingMatches')),
    rows.length > FEW &&
      button('explorer-more', 'toggle', label, {
        class: 'secondary',
        'data-target': ALL_ROWS,
        'aria-controls': 'explorer-table',
      }),
    save('csv', 'saveCsv'),
    save('json', 'saveJson'),
  );
}
