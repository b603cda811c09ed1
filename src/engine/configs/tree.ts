/**
 * What every parser of a config format gives: a tree of maps, lists and scalars in which each key and value knows its
 * range in the file. Readers work on this tree alone, so that one reader serves JSON, YAML and TOML alike.
 */
import type { SourceRange } from '../problem';

export type Scalar = string | number | boolean | null;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly value: Scalar;
  readonly source: SourceRange;
  /** What is missing where the value cannot be known from the file: a variable of the environment, another file. */
  readonly missing?: string;
}

export interface MapNode {
  readonly kind: 'map';
  /** In file order; of keys that are written twice, the last. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly source: SourceRange;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly ConfigNode[];
  readonly source: SourceRange;
}

export interface Entry {
  readonly key: SourceRange;
  readonly node: ConfigNode;
  /** It stands in another map and comes from there by a merge key. */
  readonly inherited?: boolean;
}

export type ConfigNode = ScalarNode | MapNode | ListNode;

/** The entry at a path of keys, or undefined where the path ends early. */
export function entryAt(node: ConfigNode | null, ...path: string[]): Entry | undefined {
  let entry: Entry | undefined;
  let at: ConfigNode | null = node;
  for (const key of path) {
    if (at?.kind !== 'map') return undefined;
    entry = at.entries.get(key);
    if (entry === undefined) return undefined;
    at = entry.node;
  }
  return entry;
}

/** The node at a path of keys, or null. */
export function nodeAt(node: ConfigNode | null, ...path: string[]): ConfigNode | null {
  return path.length === 0 ? node : (entryAt(node, ...path)?.node ?? null);
}

/** The value without ranges, for places that only look at it. Lists and maps become plain ones. */
export function plainValue(node: ConfigNode | null): unknown {
  if (node === null) return undefined;
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(plainValue);
    case 'map':
      return Object.fromEntries([...node.entries].map(([key, entry]) => [key, plainValue(entry.node)]));
  }
}

/** Offsets of line starts, to turn an offset into a line and a column. */
export class LineIndex {
  private readonly starts: number[] = [0];
  private last = 0;

  constructor(
    private readonly file: string,
    text: string,
  ) {
    for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) this.starts.push(i + 1);
  }

  range(offset: number, length: number): SourceRange {
    const end = offset + length;
    const line = this.lineOf(offset);
    const endLine = end < (this.starts[line] ?? Infinity) ? line : this.lineOf(end);
    const column = offset - (this.starts[line - 1] ?? 0) + 1;
    return { file: this.file, line, column, endLine, endColumn: end - (this.starts[endLine - 1] ?? 0) + 1 };
  }

  /** The line from 1. Places are asked for in the order of the text more often than not: the last line is tried first. */
  private lineOf(offset: number): number {
    const { starts, last } = this;
    if ((starts[last] ?? 0) <= offset && offset < (starts[last + 1] ?? Infinity)) return last + 1;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.last = low;
    return low + 1;
  }
}
