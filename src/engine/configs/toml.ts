/** TOML with positions. A damaged line is set aside and reported, so that the rest of the file can still be read. */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { type Problem, problem, type SourceRange } from '../problem';
import { bracketBomb, DEEPEST, type ParsedText } from './json';
import { type ConfigNode, type Entry, LineIndex, type Scalar } from './tree';

/** Damaged lines that are set aside before the file is given up. */
const MOST_DAMAGED = 5;

export function parseToml(file: string, text: string): ParsedText {
  const lines = new LineIndex(file, text);
  const bomb = bracketBomb(text, lines) ?? dotBomb(text, lines);
  if (bomb !== null) return { root: null, problems: [bomb] };
  const problems: Problem[] = [];
  let rest = text;
  for (let attempt = 0; attempt <= MOST_DAMAGED; attempt++) {
    try {
      const root = toTree(parseTOML(rest, { tomlVersion: '1.1' }), lines);
      if (root !== null) return { root, problems };
      return { root, problems: [problem('too-deep', { limit: DEEPEST }, { source: lines.range(0, 1) })] };
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      const at = damagedLine(rest, lineStart(rest, error.lineNumber));
      const length = lineEnd(rest, at) - at;
      if (attempt === 0) {
        problems.push(
          problem(
            'syntax',
            { format: 'TOML', reason: error.message },
            { source: lines.range(at + Math.min(error.column, length), 1) },
          ),
        );
      }
      rest = withoutLine(rest, at);
    }
  }
  return { root: null, problems };
}

/** The problem of a row of bare keys and dots that opens more tables in each other than any config. */
function dotBomb(text: string, lines: LineIndex): Problem | null {
  let row = 0;
  let inKey = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isBare(code)) inKey = true;
    else if (code === 46 && inKey) {
      inKey = false;
      if (++row > DEEPEST) return problem('too-deep', { limit: DEEPEST }, { source: lines.range(i, 1) });
    } else if (code !== 32 && code !== 9) {
      row = 0;
      inKey = false;
    }
  }
  return null;
}

/** Letters, digits, `_` and `-`. */
function isBare(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

/** The text with a line blanked, so that all other places stay. */
function withoutLine(text: string, start: number): string {
  const end = lineEnd(text, start);
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

/** A key without a value is found on the next line that holds something: the damage is where it began. */
function damagedLine(text: string, start: number): number {
  const before = text.slice(0, start).trimEnd();
  return before.endsWith('=') ? before.lastIndexOf('\n') + 1 : start;
}

function lineStart(text: string, line: number): number {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const next = text.indexOf('\n', start);
    if (next === -1) break;
    start = next + 1;
  }
  return start;
}

function lineEnd(text: string, start: number): number {
  const next = text.indexOf('\n', start);
  return next === -1 ? text.length : next;
}

type Table = { kind: 'map'; entries: Map<string, Entry>; source: SourceRange };

/** null where the text nests deeper than any config. */
function toTree(program: AST.TOMLProgram, lines: LineIndex): ConfigNode | null {
  const root: Table = { kind: 'map', entries: new Map(), source: rangeOf(program, lines) };
  let tooDeep = false;

  const content = (node: AST.TOMLContentNode, depth: number): ConfigNode => {
    const source = rangeOf(node, lines);
    if (depth > DEEPEST) tooDeep = true;
    if (node.type === 'TOMLValue' || depth > DEEPEST) return { kind: 'scalar', value: scalarOf(node), source };
    if (node.type === 'TOMLArray')
      return { kind: 'list', items: node.elements.map(element => content(element, depth + 1)), source };
    const table: Table = { kind: 'map', entries: new Map(), source };
    for (const pair of node.body) assign(table, pair, depth + 1);
    return table;
  };

  const assign = (table: Table, { key, value }: AST.TOMLKeyValue, depth: number): void => {
    const last = key.keys.at(-1);
    if (last === undefined) return;
    const parent = descend(table, key.keys.slice(0, -1), depth);
    parent?.entries.set(nameOf(last), { key: rangeOf(last, lines), node: content(value, depth + key.keys.length) });
  };

  /** The table at a dotted key, made where it is not there; the last one of an array of tables. */
  const descend = (table: Table, keys: readonly Key[], depth: number): Table | null => {
    let at = table;
    if (depth + keys.length > DEEPEST) {
      tooDeep = true;
      return null;
    }
    for (const key of keys) {
      const there = at.entries.get(nameOf(key))?.node;
      const found = there?.kind === 'list' ? there.items.at(-1) : there;
      if (found !== undefined && found.kind !== 'map') return null;
      const next = (found as Table | undefined) ?? newTable(rangeOf(key, lines));
      if (found === undefined) at.entries.set(nameOf(key), { key: rangeOf(key, lines), node: next });
      at = next;
    }
    return at;
  };

  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') assign(root, node, 0);
    else openTable(root, node);
  }
  return tooDeep ? null : root;

  function openTable(from: Table, node: AST.TOMLTable): void {
    const table = node.kind === 'array' ? appended(from, node) : descend(from, node.key.keys, 0);
    if (table === null) return;
    table.source = rangeOf(node, lines);
    for (const pair of node.body) assign(table, pair, node.key.keys.length);
  }

  function appended(from: Table, { key }: AST.TOMLTable): Table | null {
    const last = key.keys.at(-1);
    const parent = descend(from, key.keys.slice(0, -1), 0);
    if (last === undefined || parent === null) return null;
    const table = newTable(rangeOf(last, lines));
    const there = parent.entries.get(nameOf(last))?.node;
    if (there?.kind === 'list') (there.items as ConfigNode[]).push(table);
    else {
      const list: ConfigNode = { kind: 'list', items: [table], source: table.source };
      parent.entries.set(nameOf(last), { key: rangeOf(last, lines), node: list });
    }
    return table;
  }
}

type Key = AST.TOMLBare | AST.TOMLQuoted;

const newTable = (source: SourceRange): Table => ({ kind: 'map', entries: new Map(), source });

function nameOf(key: Key): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

function scalarOf(node: AST.TOMLContentNode): Scalar {
  if (node.type !== 'TOMLValue') return null;
  if (node.kind === 'integer') return Number(node.bigint);
  return node.value instanceof Date ? String(node.value) : node.value;
}

function rangeOf({ range: [start, end] }: { range: [number, number] }, lines: LineIndex): SourceRange {
  return lines.range(start, end - start);
}
