/** Applying text edits. */
import type { TextEdit } from '../problem';
import type { TextFile } from './beside';

/** The text after the edits, which do not overlap; edits at one place apply in their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = lineStarts(text);
  const offset = (line: number, column: number) => (starts[line - 1] ?? text.length) + column - 1;
  const placed = edits.map((edit, order) => ({
    order,
    from: offset(edit.line, edit.column),
    to: offset(edit.endLine, edit.endColumn),
    newText: edit.newText,
  }));
  placed.sort((a, b) => b.from - a.from || b.order - a.order);
  return placed.reduce((result, { from, to, newText }) => result.slice(0, from) + newText + result.slice(to), text);
}

/** Files after edits that may stand in any of them. */
export function editedFiles<T extends readonly TextFile[]>(
  files: T,
  edits: readonly TextEdit[],
): { [K in keyof T]: TextFile } {
  return files.map(({ file, text }) => {
    const own = edits.filter(edit => edit.file === file);
    return { file, text: own.length === 0 ? text : applyEdits(text, own) };
  }) as { [K in keyof T]: TextFile };
}

/** The offset of a line and a column, both from 1. */
export function offsetOf(text: string, line: number, column: number): number {
  return (lineStarts(text)[line - 1] ?? text.length) + column - 1;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return starts;
}
