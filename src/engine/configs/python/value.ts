/** What a Python expression stands for when nothing is run: literals with their places, objects with fields, unknowns. */
import type { SourceRange } from '../../problem';

export type Literal = number | string | boolean | null;

export interface LiteralValue {
  readonly kind: 'literal';
  readonly value: Literal;
  /** The text that determines it. */
  readonly source: SourceRange;
}

export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly PythonValue[];
  readonly source: SourceRange;
}

/** The result of a call that is not followed, or of an import: its name and what is set on it. */
export interface ObjectValue {
  readonly kind: 'object';
  /** The dotted name of what was called: `TrainingConfig`, `run.Partial`. */
  readonly callee: string;
  readonly args: readonly PythonValue[];
  /** What a method was called on, where that is a call itself: `AutoBridge.from_hf_pretrained(id).to_provider()`. */
  readonly receiver?: PythonValue;
  /** Keyword arguments and attributes that were assigned. */
  readonly fields: Map<string, PythonValue>;
  readonly source: SourceRange;
}

/** A name from another module: a class, a dtype, a function. */
export interface SymbolValue {
  readonly kind: 'symbol';
  readonly name: string;
  readonly source: SourceRange;
}

export interface UnknownValue {
  readonly kind: 'unknown';
  /** The name or expression to blame. */
  readonly reason: string;
  readonly source: SourceRange;
}

export type PythonValue = LiteralValue | ListValue | ObjectValue | SymbolValue | UnknownValue;

/** The value under a path of fields, or null. */
export function fieldAt(value: PythonValue | null, ...path: readonly string[]): PythonValue | null {
  let at = value;
  for (const name of path) {
    if (at?.kind !== 'object') return null;
    at = at.fields.get(name) ?? null;
  }
  return at;
}

/** The plain JavaScript value of literals and lists of them; undefined for the rest. */
export function plainPython(value: PythonValue | null): unknown {
  if (value === null) return undefined;
  if (value.kind === 'literal') return value.value;
  if (value.kind === 'list') return value.items.map(plainPython);
  return undefined;
}
