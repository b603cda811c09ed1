/**
 * Smallest edits of a JSON, YAML or TOML text: a value is replaced in its place, a key that is missing is added to its
 * map in the style of its neighbours, a map that is missing is added to its parent.
 */
import type { SourceRange, TextEdit } from '../problem';
import type { Path } from './places';
import { type ConfigNode, type Entry, type MapNode, plainValue, type Scalar } from './tree';

export interface Change {
  readonly path: Path;
  readonly value: Written;
}

/** What can be written: a scalar or a list of words. */
export type Written = Scalar | readonly string[];

export type Format = 'json' | 'yaml' | 'toml';

export interface Source {
  readonly format: Format;
  readonly file: string;
  readonly text: string;
  readonly root: ConfigNode;
}

/** Edits that make each path hold its value; changes that are there already give none. */
export function treeEdits(source: Source, changes: readonly Change[]): TextEdit[] {
  const editor = new Editor(source);
  const missing: Change[] = [];
  const edits: TextEdit[] = [];
  for (const change of changes) {
    const node = ownNode(source.root, change.path);
    if (node === null) missing.push(change);
    else edits.push(...editor.replace(node, change.value));
  }
  return [...edits, ...editor.insertAll(missing)];
}

/** The node at a path that stands there itself, not by a merge key. */
function ownNode(root: ConfigNode, path: Path): ConfigNode | null {
  let at: ConfigNode | null = root;
  for (const key of path) {
    const entry: Entry | undefined = at?.kind === 'map' ? at.entries.get(key) : undefined;
    if (entry === undefined || entry.inherited === true) return null;
    at = entry.node;
  }
  return at;
}

/** Values to add, as a tree: maps of maps and scalars. */
type Added = Map<string, Added | Written>;

class Editor {
  private readonly lines: readonly string[];
  private readonly eol: string;

  constructor(private readonly source: Source) {
    this.lines = source.text.split('\n');
    this.eol = source.text.includes('\r\n') ? '\r\n' : '\n';
  }

  replace(node: ConfigNode, value: Written): TextEdit[] {
    const isMissing = node.kind === 'scalar' && node.missing !== undefined;
    if (!isMissing && JSON.stringify(plainValue(node)) === JSON.stringify(value)) return [];
    const { source } = node;
    const isEmpty = source.line === source.endLine && source.column === source.endColumn;
    const old = this.charAt(source);
    const quote = typeof value === 'string' && (old === '"' || old === "'") ? old : null;
    return [{ ...source, newText: `${isEmpty ? ' ' : ''}${this.scalar(value, quote)}` }];
  }

  /** Adds what is missing, all that goes into one map at once. */
  insertAll(changes: readonly Change[]): TextEdit[] {
    const groups = new Map<string, { map: MapNode; path: Path; added: Added }>();
    for (const { path, value } of changes) {
      const [map, depth] = this.deepestMap(path);
      if (map === null) continue;
      const key = path.slice(0, depth).join('\n');
      const group = groups.get(key) ?? { map, path: path.slice(0, depth), added: new Map() as Added };
      groups.set(key, group);
      put(group.added, path.slice(depth), value);
    }
    return [...groups.values()].flatMap(({ map, path, added }) => this.insert(map, path, added));
  }

  private deepestMap(path: Path): [MapNode | null, number] {
    for (let depth = path.length - 1; depth >= 0; depth--) {
      const node = depth === 0 ? this.source.root : ownNode(this.source.root, path.slice(0, depth));
      if (node?.kind === 'map') return [node, depth];
    }
    return [null, 0];
  }

  private insert(map: MapNode, path: Path, added: Added): TextEdit[] {
    if (this.source.format === 'toml') return this.insertToml(map, path, added);
    return this.charAt(map.source) === '{' ? this.insertFlow(map, added) : this.insertBlock(map, added);
  }

  /** Before the first key, on a line of its own where that one has. */
  private insertFlow(map: MapNode, added: Added): TextEdit[] {
    const [first] = map.entries.values();
    const quote = this.source.format === 'json' || first === undefined || '"\''.includes(this.charAt(first.key));
    const members = [...added].map(([key, value]) => this.flowMember(key, value, quote));
    if (first === undefined) {
      const { line, column } = map.source;
      return [this.at(line, column + 1, members.join(', '))];
    }
    const { line, column } = first.key;
    const before = (this.lines[line - 1] ?? '').slice(0, column - 1);
    const between = before.trim() === '' ? `,${this.eol}${before}` : ', ';
    return [this.at(line, column, members.map(member => member + between).join(''))];
  }

  private flowMember(key: string, value: Added | Written, quote: boolean): string {
    const name = quote ? JSON.stringify(key) : key;
    if (!(value instanceof Map)) return `${name}: ${this.scalar(value, quote ? '"' : null)}`;
    return `${name}: {${[...value].map(([inner, item]) => this.flowMember(inner, item, quote)).join(', ')}}`;
  }

  /** After the last key that holds a scalar on one line, else before the first. */
  private insertBlock(map: MapNode, added: Added): TextEdit[] {
    const own = [...map.entries.values()].filter(({ inherited }) => inherited !== true);
    const neighbour = own.findLast(({ key, node }) => node.kind === 'scalar' && node.source.endLine === key.line);
    const [first] = own;
    if (neighbour !== undefined) {
      const { line, column } = neighbour.key;
      const indent = ' '.repeat(column - 1);
      const text = this.blockLines(added, indent).map(each => this.eol + each);
      return [this.at(line, this.lineEnd(line), text.join(''))];
    }
    if (first === undefined) return [];
    const { line, column } = first.key;
    const indent = ' '.repeat(column - 1);
    const text = this.blockLines(added, indent)
      .join(this.eol)
      .slice(column - 1);
    return [this.at(line, column, text + this.eol + indent)];
  }

  private blockLines(added: Added, indent: string): string[] {
    return [...added].flatMap(([key, value]) =>
      value instanceof Map
        ? [`${indent}${key}:`, ...this.blockLines(value, `${indent}  `)]
        : [`${indent}${key}: ${this.scalar(value, null)}`],
    );
  }

  /** After the last line of its table, or as a table at the end of the file. */
  private insertToml(map: MapNode, path: Path, added: Added): TextEdit[] {
    const scalars = [...added].filter(([, value]) => !(value instanceof Map));
    const tables = [...added].flatMap(([key, value]) => (value instanceof Map ? [{ key, value }] : []));
    const edits: TextEdit[] = [];
    const lines = scalars.map(([key, value]) => `${key} = ${this.scalar(value as Written, '"')}`);
    const place = this.tomlPlace(map);
    if (lines.length > 0 && place !== null) {
      edits.push(
        this.at(place.line, this.lineEnd(place.line), lines.map(line => this.eol + place.indent + line).join('')),
      );
    } else if (lines.length > 0) edits.push(this.newTable(path, lines));
    for (const { key, value } of tables) {
      const inner = [...value].map(([name, item]) => `${name} = ${this.scalar(item as Written, '"')}`);
      edits.push(this.newTable([...path, key], inner));
    }
    return edits;
  }

  private tomlPlace(map: MapNode): { line: number; indent: string } | null {
    const own = [...map.entries.values()];
    const last = own.findLast(({ key, node }) => node.kind === 'scalar' && node.source.endLine === key.line);
    if (last !== undefined) return { line: last.key.line, indent: ' '.repeat(last.key.column - 1) };
    const hasHeader = map !== this.source.root && this.charAt(map.source) === '[';
    return hasHeader ? { line: map.source.line, indent: '' } : null;
  }

  private newTable(path: Path, lines: readonly string[]): TextEdit {
    const line = this.lines.length;
    const end = this.lineEnd(line);
    const start = end === 1 ? '' : this.eol;
    return this.at(line, end, `${start}${this.eol}[${path.join('.')}]${this.eol}${lines.join(this.eol)}${this.eol}`);
  }

  private scalar(value: Written, quote: string | null): string {
    if (Array.isArray(value)) return `[${value.map(word => JSON.stringify(word)).join(', ')}]`;
    if (value === null) return 'null';
    if (typeof value !== 'string') return String(value);
    if (this.source.format !== 'yaml') return JSON.stringify(value);
    if (quote !== null) return `${quote}${value}${quote}`;
    return /^[A-Za-z0-9][\w./-]*$/.test(value) ? value : JSON.stringify(value);
  }

  /** The column behind the last character of a line. */
  private lineEnd(line: number): number {
    return (this.lines[line - 1] ?? '').replace(/\r$/, '').length + 1;
  }

  private charAt({ line, column }: SourceRange): string {
    return this.lines[line - 1]?.[column - 1] ?? '';
  }

  private at(line: number, column: number, newText: string): TextEdit {
    return { file: this.source.file, line, column, endLine: line, endColumn: column, newText };
  }
}

function put(added: Added, path: Path, value: Written): void {
  const [first, ...rest] = path;
  if (first === undefined) return;
  if (rest.length === 0) {
    added.set(first, value);
    return;
  }
  const there = added.get(first);
  const inner: Added = there instanceof Map ? there : new Map<string, Added | Written>();
  added.set(first, inner);
  put(inner, rest, value);
}
