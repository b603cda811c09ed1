/**
 * The language of solutions: one statement a line, `name = operation(argument, …)` or `operation(argument, …)`, arguments
 * nested or names or numbers, before it `first:`, `last:`, `not first:` or `not last:` for the ranks that carry it out.
 * `#` begins a comment. It has no loops and no jumps, so every solution ends.
 */
import { type Finding, finding } from './grade';

export type Expression =
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'number'; readonly value: number };

export type Guard = 'first' | 'last' | 'not first' | 'not last';

export interface Statement {
  readonly line: number;
  readonly guard: Guard | null;
  readonly target: string | null;
  readonly value: Expression;
}

/** More than any solution needs. */
const MOST_LINES = 200;
const MOST_LINE = 300;

export function parseStatements(text: string): readonly Statement[] | Finding {
  const lines = text.split(/\r?\n/);
  if (lines.length > MOST_LINES) return finding('too-long', MOST_LINES + 1, { limit: MOST_LINES });
  const statements: Statement[] = [];
  for (const [index, raw] of lines.entries()) {
    const source = raw.replace(/#.*/, '').trim();
    if (source === '') continue;
    const statement = source.length > MOST_LINE ? null : parseLine(source, index + 1);
    if (statement === null) return finding('syntax', index + 1, { text: source.slice(0, 60) });
    statements.push(statement);
  }
  return statements;
}

function parseLine(source: string, line: number): Statement | null {
  const guarded = /^(not\s+)?(first|last)\s*:/.exec(source);
  const guard = guarded === null ? null : (`${guarded[1] === undefined ? '' : 'not '}${guarded[2]}` as Guard);
  const rest = source.slice(guarded?.[0].length ?? 0).trimStart();
  const assigned = /^([a-z_]\w*)\s*=/i.exec(rest);
  const value = parseExpression(tokens(rest.slice(assigned?.[0].length ?? 0)));
  return value === null ? null : { line, guard, target: assigned?.[1] ?? null, value };
}

const tokens = (source: string): string[] => source.match(/[a-z_]\w*|\d[\w.]*(?:e[+-]\d+)?|[(),]|\S/gi) ?? [];

/** Recursive descent over `name`, `number` and `name(…, …)`; null where the tokens are nothing of these. */
function parseExpression(all: string[]): Expression | null {
  let at = 0;
  const parse = (): Expression | null => {
    const token = all[at++];
    if (token === undefined) return null;
    if (/^\d/.test(token)) {
      const value = Number(token.replaceAll('_', ''));
      return Number.isFinite(value) ? { kind: 'number', value } : null;
    }
    if (!/^[a-z_]/i.test(token)) return null;
    if (all[at] !== '(') return { kind: 'name', name: token };
    at++;
    const args: Expression[] = [];
    while (all[at] !== ')') {
      if (args.length > 0 && all[at++] !== ',') return null;
      const argument = parse();
      if (argument === null) return null;
      args.push(argument);
    }
    at++;
    return { kind: 'call', name: token, args };
  };
  const value = parse();
  return at === all.length ? value : null;
}
