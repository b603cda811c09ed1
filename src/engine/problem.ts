/**
 * What a user's input can have wrong. A problem is a value, never an exception: readers, rules and estimates
 * return lists of them. The engine gives a code and arguments; words are made at the edge (src/words).
 */

export type Severity = 'error' | 'warning' | 'information';

/** A range in a text file: lines and columns from 1, columns in UTF-16 units, end exclusive. */
export interface SourceRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** One replacement in a text file. */
export interface TextEdit extends SourceRange {
  readonly newText: string;
}

export type Args = Readonly<Record<string, string | number | boolean | null>>;

/** Every code with the severity that it has unless the place that raises it knows better. */
export const PROBLEM_CODES = {
  syntax: 'error',
  'too-deep': 'error',
  'too-large': 'warning',
  'duplicate-key': 'warning',
  'value-invalid': 'error',
  'missing-key': 'warning',
  'value-unknown': 'information',
  'environment-default': 'information',
  'cluster-unknown': 'information',
  'world-size': 'error',
  'heads-tp': 'error',
  'kv-heads-tp': 'error',
  'heads-cp': 'error',
  'heads-kv-heads': 'error',
  'hidden-tp': 'error',
  'hidden-heads': 'error',
  'vocab-tp': 'error',
  'layers-pp': 'error',
  'layers-vpp': 'error',
  'sequence-cp': 'error',
  'sequence-sp': 'error',
  'experts-ep': 'error',
  'expert-ranks': 'error',
  'batch-identity': 'error',
  'not-divisible': 'error',
  'schedule-shape': 'error',
  'options-incompatible': 'error',
  'option-ignored': 'warning',
  'option-deprecated': 'warning',
  'dtype-device': 'error',
  'out-of-memory': 'error',
  'memory-uncertain': 'information',
  contradiction: 'warning',
  'not-expressible': 'information',
  'not-modelled': 'information',
  pitfall: 'warning',
} as const satisfies Record<string, Severity>;

export type ProblemCode = keyof typeof PROBLEM_CODES;

/** What a fix does; `src/words` makes its title. */
export type FixCode = 'set-value';

export interface Fix {
  readonly code: FixCode;
  readonly args: Args;
  readonly edits: readonly TextEdit[];
}

export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly args: Args;
  readonly source: SourceRange | null;
  readonly fix: Fix | null;
  /** Where the framework enforces what is broken: repository@commit file:line, or a paper. */
  readonly rule: string | null;
}

/** A problem with the severity of its code; `severity` in `more` overrides it. */
export function problem(
  code: ProblemCode,
  args: Args,
  more: { source?: SourceRange | null; severity?: Severity; fix?: Fix | null; rule?: string | null } = {},
): Problem {
  return {
    code,
    severity: more.severity ?? PROBLEM_CODES[code],
    args,
    source: more.source ?? null,
    fix: more.fix ?? null,
    rule: more.rule ?? null,
  };
}

/** Thrown where our own code is wrong, never for a user's input. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`MeshLens bug: ${message}`);
}
