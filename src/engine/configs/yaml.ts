/**
 * YAML with positions, as PyYAML reads it (version 1.1). Aliases share their anchor's node, so that nothing multiplies;
 * merge keys fill a map from behind. A damaged text gives its first problem and whatever could still be read.
 */
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Parser,
  type Scalar as YamlScalar,
  type YAMLMap,
} from 'yaml';
import { type Problem, problem, type SourceRange } from '../problem';
import { bracketBomb, DEEPEST, type ParsedText } from './json';
import { type ConfigNode, type Entry, LineIndex, type Scalar } from './tree';

/** Values that aliases may make of a text; more is an attack. */
const MOST_VALUES = 5_000_000;

export function parseYaml(file: string, text: string): ParsedText {
  const lines = new LineIndex(file, text);
  const bomb = bracketBomb(text, lines) ?? dashBomb(text, lines);
  if (bomb !== null) return { root: null, problems: [bomb] };
  const tokens = [...new Parser().parse(text)];
  const deep = firstTooDeep(tokens);
  if (deep !== null) {
    return { root: null, problems: [problem('too-deep', { limit: DEEPEST }, { source: lines.range(deep, 1) })] };
  }
  const documents = [
    ...new Composer({ version: '1.1', uniqueKeys: false, prettyErrors: false }).compose(tokens, true, text.length),
  ];
  const filled = documents.filter(({ contents, errors }) => contents !== null || errors.length > 0);
  const [first, second] = filled;
  if (first === undefined) return { root: null, problems: [] };
  const reader = new TreeBuilder(first, lines);
  const root = reader.build();
  const problems = [...syntaxProblems(first, lines), ...reader.problems];
  if (second !== undefined && problems.length === 0) {
    const source = lines.range(second.range[0], 1);
    const args = { format: 'YAML', reason: 'a second document begins here and is not read' };
    problems.push(problem('syntax', args, { source, severity: 'warning' }));
  }
  return { root, problems };
}

/** The problem of a line that opens one block in another more often than any config: `- - - …` or `? ? ? …`. */
function dashBomb(text: string, lines: LineIndex): Problem | null {
  let row = 0;
  for (let i = 0; i < text.length; i++) {
    if (!opensBlock(text, i)) {
      if (!isBlank(text.charCodeAt(i))) row = 0;
    } else if (++row > DEEPEST) return problem('too-deep', { limit: DEEPEST }, { source: lines.range(i, 1) });
  }
  return null;
}

const isBlank = (code: number): boolean => code === 32 || code === 9;

/** `- ` or `? ` */
function opensBlock(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 45 || code === 63) && isBlank(text.charCodeAt(at + 1));
}

/** One mistake often makes a row of follow-up errors: the first names the place. */
function syntaxProblems({ errors }: Document.Parsed, lines: LineIndex): Problem[] {
  return errors.slice(0, 1).map(({ message, pos }) => {
    const source = lines.range(pos[0], Math.max(1, pos[1] - pos[0]));
    return problem('syntax', { format: 'YAML', reason: message }, { source });
  });
}

/** Offset of the first node past the deepest allowed level, found without recursion. */
function firstTooDeep(tokens: readonly CST.Token[]): number | null {
  const open: { token: CST.Token; depth: number }[] = tokens.map(token => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > DEEPEST) return token.offset;
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items) {
      if (key !== undefined && key !== null) open.push({ token: key, depth: depth + 1 });
      if (value !== undefined) open.push({ token: value, depth: depth + 1 });
    }
  }
  return null;
}

class TreeBuilder {
  readonly problems: Problem[] = [];
  private readonly anchors = new Map<string, ConfigNode | null>();
  private readonly sizes = new Map<ConfigNode, number>();

  constructor(
    private readonly document: Document.Parsed,
    private readonly lines: LineIndex,
  ) {}

  build(): ConfigNode | null {
    const { contents } = this.document;
    return contents === null ? null : this.node(contents);
  }

  private node(node: Node): ConfigNode {
    if (isAlias(node)) return this.alias(node);
    const { anchor } = node as YamlScalar;
    // Unfinished while its children are built: an alias to an ancestor finds null.
    if (anchor !== undefined) this.anchors.set(anchor, null);
    const built = this.content(node);
    if (anchor !== undefined) this.anchors.set(anchor, built);
    return built;
  }

  private content(node: Node): ConfigNode {
    const source = this.range(node);
    if (isMap(node)) return this.sized(this.map(node, source));
    if (isSeq(node)) {
      const items = node.items.map(item => (item === null ? this.empty(source) : this.node(item as Node)));
      return this.sized({ kind: 'list', items, source });
    }
    return { kind: 'scalar', value: isScalar(node) ? scalarOf(node) : null, source };
  }

  private alias(alias: Alias): ConfigNode {
    const source = this.range(alias);
    const node = this.anchors.get(alias.source);
    if (node === undefined || node === null) return this.broken(source, `*${alias.source.slice(0, 60)} has no anchor`);
    if (node.kind === 'scalar') return { ...node, source };
    return node;
  }

  private map(map: YAMLMap, source: SourceRange): ConfigNode {
    const entries = new Map<string, Entry>();
    const merged: ConfigNode[] = [];
    for (const { key, value } of map.items as { key: Node | null; value: Node | null }[]) {
      if (key === null) continue;
      const place = this.range(key);
      const node = value === null ? this.empty(place) : this.node(value);
      const name = isScalar(key) ? key.value : null;
      if (typeof name === 'symbol' || name === '<<') merged.push(...(node.kind === 'list' ? node.items : [node]));
      else if (isScalar(key)) this.add(entries, key.source ?? String(key.value), { key: place, node });
    }
    for (const node of merged) {
      if (node.kind !== 'map') continue;
      for (const [name, entry] of node.entries)
        if (!entries.has(name)) entries.set(name, { ...entry, inherited: true });
    }
    return { kind: 'map', entries, source };
  }

  /** Of keys that are written twice the last counts, as in PyYAML. */
  private add(entries: Map<string, Entry>, name: string, entry: Entry): void {
    if (entries.has(name)) this.problems.push(problem('duplicate-key', { key: name }, { source: entry.key }));
    entries.set(name, entry);
  }

  private broken(source: SourceRange, reason: string): ConfigNode {
    this.problems.push(problem('syntax', { format: 'YAML', reason }, { source }));
    return { kind: 'scalar', value: null, source };
  }

  private empty(source: SourceRange): ConfigNode {
    const { endLine, endColumn } = source;
    return { kind: 'scalar', value: null, source: { ...source, line: endLine, column: endColumn } };
  }

  /** Values below a node, aliases counted each time that they are used. */
  private size(node: ConfigNode): number {
    return this.sizes.get(node) ?? 1;
  }

  private sized(node: ConfigNode): ConfigNode {
    let size = 1;
    if (node.kind === 'list') for (const item of node.items) size += this.size(item);
    if (node.kind === 'map') for (const { node: value } of node.entries.values()) size += this.size(value);
    if (size > MOST_VALUES) return this.broken(node.source, 'its aliases stand for too many values');
    this.sizes.set(node, size);
    return node;
  }

  private range(node: Node): SourceRange {
    const [start, end] = node.range ?? [0, 0];
    return this.lines.range(start, end - start);
  }
}

/** What is no number stays as it is written: `.nan`, and a lone point, which the library takes for a number. */
function scalarOf({ value, source }: YamlScalar): Scalar {
  if (Number.isNaN(value)) return source ?? '';
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return typeof value === 'bigint' ? Number(value) : (source ?? '');
}
