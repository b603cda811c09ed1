/** What the explorer shows of the rows: filter, order and choice, which the page keeps among what is chosen. */
import type { SearchDocument } from '../../src/documents/types';
import type { SearchState } from '../../src/protocol/dashboard';
import type { Scene } from '../parts';
import { matches, parseQuery, type QueryError } from './query';
import { columnNames, type Row, rowsOf, sorted } from './rows';

export const QUERY = 'explorer-query';
/** `column` or `-column`, the largest first. */
export const SORT = 'explorer-sort';
export const ROW = 'explorer-row';

const known = new WeakMap<SearchDocument, readonly Row[]>();

/** The rows of a document are made once, however often it is drawn. */
function allRows(document: SearchDocument): readonly Row[] {
  const rows = known.get(document) ?? rowsOf(document);
  known.set(document, rows);
  return rows;
}

export interface Shown {
  readonly all: readonly Row[];
  /** Those that the filter leaves, in order; all where it is wrong. */
  readonly rows: readonly Row[];
  readonly error: QueryError | null;
  readonly sort: { readonly column: string; readonly descending: boolean };
  readonly row: Row | null;
}

export function shownRows(document: SearchDocument, chosen: Scene['chosen']): Shown {
  const all = allRows(document);
  const order = chosen.get(SORT) ?? '-tokens';
  const descending = order.startsWith('-');
  const column = descending ? order.slice(1) : order;
  const query = parseQuery(chosen.get(QUERY) ?? '', columnNames(all));
  const error = 'code' in query ? query : null;
  const left = 'code' in query ? all : all.filter(row => matches(query, row));
  return {
    all,
    rows: sorted(left, column, descending),
    error,
    sort: { column, descending },
    row: all.find(({ planString }) => planString === chosen.get(ROW)) ?? null,
  };
}

export function foundDocument(search: SearchState): SearchDocument | null {
  return search.phase === 'done' ? search.document : null;
}
