/** Smallest edits of a JSON text: a value is replaced in its place; a key that is missing is added to its object. */
import { modify } from 'jsonc-parser';
import type { TextEdit } from '../problem';
import { type ConfigNode, LineIndex, nodeAt, type Scalar } from './tree';

export interface JsonChange {
  readonly path: readonly string[];
  readonly value: Exclude<Scalar, null>;
}

/** Edits that make each path hold its value; changes that are there already give none. */
export function jsonEdits(file: string, text: string, root: ConfigNode, changes: readonly JsonChange[]): TextEdit[] {
  return changes.flatMap(change => jsonEdit(file, text, root, change));
}

function jsonEdit(file: string, text: string, root: ConfigNode, { path, value }: JsonChange): TextEdit[] {
  const node = nodeAt(root, ...path);
  if (node?.kind === 'scalar' && node.value === value) return [];
  if (node !== null) return [{ ...node.source, newText: JSON.stringify(value) }];
  const lines = new LineIndex(file, text);
  const edits = modify(text, [...path], value, { formattingOptions: { insertSpaces: true, tabSize: indentOf(text) } });
  return edits.map(({ offset, length, content }) => ({ ...lines.range(offset, length), newText: content }));
}

/** The indentation of the first key, so that an added one lines up with it. */
function indentOf(text: string): number {
  const firstKey = text.indexOf('\n') + 1;
  let spaces = 0;
  while (text[firstKey + spaces] === ' ') spaces++;
  return spaces === 0 ? 4 : spaces;
}
