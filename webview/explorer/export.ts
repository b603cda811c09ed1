/** Layouts as text for elsewhere: CSV, JSON, Markdown. Numbers are unrounded, in SI units. */
import type { Row } from './rows';

const COLUMNS: readonly (readonly [string, (row: Row) => string | number | null])[] = [
  ['plan', row => row.planString],
  ['lists', row => row.lists.join(' ')],
  ['speedup', row => row.speedup],
  ['tokensPerSecond', row => row.tokensPerSecond],
  ['stepSeconds', row => row.stepSeconds],
  ['mfu', row => row.mfu],
  ['peakBytes', row => row.peakBytes],
  ['uncertain', row => (row.uncertain === null ? null : String(row.uncertain))],
  ['bubbleFraction', row => row.bubbleFraction],
];

export function asCsv(rows: readonly Row[]): string {
  const lines = [COLUMNS.map(([name]) => name), ...rows.map(row => COLUMNS.map(([, read]) => csvField(read(row))))];
  return lines.map(line => `${line.join(',')}\r\n`).join('');
}

/** RFC 4180; text that a spreadsheet would take for a formula gets an apostrophe. */
function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function asJson(rows: readonly Row[]): string {
  const objects = rows.map(
    ({ planString, lists, speedup, tokensPerSecond, stepSeconds, mfu, peakBytes, uncertain, bubbleFraction }) => ({
      planString,
      lists,
      speedup,
      tokensPerSecond,
      stepSeconds,
      mfu,
      peakBytes,
      uncertain,
      bubbleFraction,
    }),
  );
  return `${JSON.stringify(objects, null, 2)}\n`;
}

export function asMarkdown(row: Row): string {
  const lines = COLUMNS.flatMap(([name, read]) => {
    const value = read(row);
    return value === null ? [] : [`| ${name} | ${String(value).replaceAll('|', '\\|')} |`];
  });
  return `${['| | |', '|---|---|', ...lines].join('\n')}\n`;
}
