/**
 * The small language of the filter: `@tp:8 @mfu:>0.4 @memory:<60 -@schedule:none|1f1b zero1`. Terms are joined by
 * and; each is text that stands somewhere in the layout, or a column with its values. lex → parse → evaluate.
 */

export interface QueryError {
  readonly code: 'unknown-column' | 'no-value' | 'no-number' | 'open-quote';
  readonly text: string;
}

/** What a row answers with for a column: a number, or words of which one must be meant. */
export type Field = number | readonly string[] | null;

export interface Queried {
  readonly text: string;
  field(column: string): Field;
}

type Condition = (field: Field) => boolean;

type Term =
  | { readonly kind: 'text'; readonly not: boolean; readonly text: string }
  | { readonly kind: 'column'; readonly not: boolean; readonly column: string; readonly anyOf: readonly Condition[] };

export type Query = readonly Term[];

/** The query of a text, or what is wrong with it. `columns` are in lower case. */
export function parseQuery(text: string, columns: ReadonlySet<string>): Query | QueryError {
  const words = lex(text);
  if ('code' in words) return words;
  const terms: Term[] = [];
  for (const word of words) {
    const term = parseTerm(word, columns);
    if ('code' in term) return term;
    terms.push(term);
  }
  return terms;
}

export function matches(query: Query, row: Queried): boolean {
  return query.every(term => holds(term, row) !== term.not);
}

function holds(term: Term, row: Queried): boolean {
  if (term.kind === 'text') return row.text.toLowerCase().includes(term.text);
  const field = row.field(term.column);
  return term.anyOf.some(condition => condition(field));
}

/** Words between spaces; quotation marks keep spaces within a word. */
function lex(text: string): readonly string[] | QueryError {
  const words: string[] = [];
  let word = '';
  let quoted = false;
  for (const char of text.toLowerCase()) {
    if (char === '"') quoted = !quoted;
    else if (quoted || char.trim() !== '') word += char;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  if (quoted) return { code: 'open-quote', text };
  return word === '' ? words : [...words, word];
}

function parseTerm(word: string, columns: ReadonlySet<string>): Term | QueryError {
  const not = word.length > 1 && (word[0] === '-' || word[0] === '−');
  const text = not ? word.slice(1) : word;
  if (!text.startsWith('@')) return { kind: 'text', not, text };
  const colon = text.indexOf(':');
  const column = colon < 0 ? text.slice(1) : text.slice(1, colon);
  if (!columns.has(column)) return { code: 'unknown-column', text: column };
  const values = colon < 0 ? '' : text.slice(colon + 1);
  if (values === '') return { code: 'no-value', text: column };
  const anyOf: Condition[] = [];
  for (const value of values.split('|')) {
    const condition = parseCondition(value);
    if ('code' in condition) return condition;
    anyOf.push(condition);
  }
  return { kind: 'column', not, column, anyOf };
}

const COMPARISONS: readonly (readonly [string, (a: number, b: number) => boolean])[] = [
  ['>=', (a, b) => a >= b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['<', (a, b) => a < b],
];

function parseCondition(value: string): Condition | QueryError {
  for (const [sign, compare] of COMPARISONS) {
    if (!value.startsWith(sign)) continue;
    const limit = numberOf(value.slice(sign.length));
    if (limit === null) return { code: 'no-number', text: value.slice(sign.length) };
    return field => typeof field === 'number' && compare(field, limit);
  }
  const range = value.split('..');
  if (range.length === 2) {
    const [from, to] = range.map(numberOf);
    if (from === null || to === null) return { code: 'no-number', text: value };
    return field => typeof field === 'number' && field >= from && field <= to;
  }
  const number = numberOf(value);
  const decimals = value.replace('%', '').split('.')[1]?.length ?? 0;
  const places = Math.min(value.endsWith('%') ? decimals + 2 : decimals, 20);
  return field => {
    if (typeof field !== 'number') return field?.some(word => word.toLowerCase() === value) ?? false;
    // A number means as many digits as it has: 60 is 59.7 too.
    return number !== null && field.toFixed(places) === number.toFixed(places);
  };
}

/** 0.4, 1e6 or 40%. */
function numberOf(text: string): number | null {
  const percent = text.endsWith('%');
  const digits = percent ? text.slice(0, -1) : text;
  const value = digits === '' ? NaN : Number(digits);
  if (!Number.isFinite(value)) return null;
  return percent ? value / 100 : value;
}
