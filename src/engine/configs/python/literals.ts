/**
 * Changes of a Python module's config as edits: each value that a literal determines is replaced there, in the manner of
 * the present one. A value that is computed or not written at all is left, and whoever reads the result again sees it.
 */
import type { SourceRange, TextEdit } from '../../problem';
import type { TextFile } from '../beside';
import type { Change } from '../treeEdits';
import { type ConfigNode, nodeAt, type Scalar } from '../tree';

export function literalEdits(files: readonly TextFile[], root: ConfigNode, changes: readonly Change[]): TextEdit[] {
  const edits = new Map<string, TextEdit>();
  for (const { path, value } of changes) {
    const node = nodeAt(root, ...path);
    if (node?.kind !== 'scalar' || Array.isArray(value) || value === node.value) continue;
    const present = textAt(files, node.source);
    if (present === null || !stands(present, node.value)) continue;
    const newText = pythonText(value as Scalar, present);
    const { file, line, column } = node.source;
    if (newText !== null) edits.set(`${file}:${line}:${column}`, { ...node.source, newText });
  }
  return [...edits.values()];
}

/** Whether a text is the literal of a value. */
function stands(text: string, value: Scalar): boolean {
  if (typeof value === 'number') return Number(text.replaceAll('_', '')) === value;
  if (typeof value === 'boolean') return text === (value ? 'True' : 'False');
  return value !== null && (text === `"${value}"` || text === `'${value}'`);
}

function pythonText(value: Scalar, present: string): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? null : `${present[0]}${value}${present[0]}`;
}

/** The text at a place in one line, or null. */
function textAt(files: readonly TextFile[], { file, line, column, endLine, endColumn }: SourceRange): string | null {
  const text = files.find(each => each.file === file)?.text;
  if (text === undefined || line !== endLine) return null;
  return text.split('\n')[line - 1]?.slice(column - 1, endColumn - 1) ?? null;
}
