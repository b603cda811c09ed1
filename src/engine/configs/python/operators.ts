/** Python's operators on literals. */
import type { Literal } from './value';

/** Strings longer than this are not sizes or names. */
const LONGEST_TEXT = 10_000;

/** The result, or undefined where Python raises or we do not follow. */
export function operate(operator: string, a: Literal, b: Literal): Literal | undefined {
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case 'is':
      return a === b;
    case 'is not':
      return a !== b;
  }
  if (typeof a === 'string' && typeof b === 'string') return onStrings(operator, a, b);
  const [m, n] = [numberOf(a), numberOf(b)];
  return m === null || n === null ? undefined : onNumbers(operator, m, n);
}

/** True and False count as 1 and 0. */
function numberOf(value: Literal): number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? value : null;
}

function onStrings(operator: string, a: string, b: string): Literal | undefined {
  if (operator === '+') return a.length + b.length > LONGEST_TEXT ? undefined : a + b;
  if (operator === 'in') return b.includes(a);
  if (operator === 'not in') return !b.includes(a);
  return undefined;
}

function onNumbers(operator: string, a: number, b: number): Literal | undefined {
  switch (operator) {
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
  }
  const result = arithmetic(operator, a, b);
  return result === undefined || !Number.isFinite(result) ? undefined : result;
}

function arithmetic(operator: string, a: number, b: number): number | undefined {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? undefined : a / b;
    case '//':
      return b === 0 ? undefined : Math.floor(a / b);
    case '%':
      return b === 0 ? undefined : a - b * Math.floor(a / b);
    case '**':
      return a ** b;
    case '<<':
      return b >= 0 && b < 50 ? a * 2 ** b : undefined;
    default:
      return undefined;
  }
}

/** Python's truth of a literal. */
export function isTrue(value: Literal): boolean {
  return value !== null && value !== false && value !== 0 && value !== '';
}

/** The number that a literal writes: `1_000`, `3e-4`, `0x10`; undefined for complex numbers. */
export function parseNumber(text: string): number | undefined {
  const digits = text.replaceAll('_', '');
  const value = /^0[xob]/i.test(digits) || /^[\d.]/.test(digits) ? Number(digits) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

/** The text of a string literal; undefined for formatted and byte strings. */
export function parseString(text: string): string | undefined {
  const match = /^([A-Za-z]*)("""|'''|"|')/.exec(text);
  const [, prefix = '', quote = ''] = match ?? [];
  if (match === null || /[bf]/i.test(prefix) || !text.endsWith(quote)) return undefined;
  const body = text.slice(prefix.length + quote.length, text.length - quote.length);
  if (/r/i.test(prefix)) return body;
  return body.replaceAll(/\\([\s\S])/g, (whole, char: string) => (char === '\n' ? '' : (ESCAPES[char] ?? whole)));
}
