/** What the buttons of the explorer do. */
import type { PageState } from '../state';
import { COPIED, NOT_COPIED } from './chosen';
import { asCsv, asJson, asMarkdown } from './export';
import { foundDocument, type Shown, shownRows } from './shown';

function shown({ snapshot, chosen }: PageState): Shown | null {
  const document = snapshot === null ? null : foundDocument(snapshot.search);
  return document === null ? null : shownRows(document, chosen);
}

export async function copyRow(own: PageState): Promise<void> {
  const row = shown(own)?.row;
  if (row == null) return;
  const copied = await navigator.clipboard.writeText(asMarkdown(row)).then(
    () => true,
    () => false,
  );
  own.chosen.set(COPIED, copied ? row.planString : NOT_COPIED);
}

/** The shown rows as a file; a page cannot save one itself. */
export function rowsFile(
  own: PageState,
  format: 'csv' | 'json',
): { readonly name: string; readonly mime: string; readonly data: Uint8Array<ArrayBuffer> } | null {
  const rows = shown(own)?.rows;
  if (rows === undefined) return null;
  const data = new TextEncoder().encode(format === 'csv' ? asCsv(rows) : asJson(rows));
  return { name: `layouts.${format}`, mime: format === 'csv' ? 'text/csv' : 'application/json', data };
}
