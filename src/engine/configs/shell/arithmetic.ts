/** Integer arithmetic of bash: `$((A*B))`, `((A > B))`. */
import type { ArithmeticExpression } from 'unbash';

/** What a word inside an expression stands for: a number, or null where it is unknown. */
export type Lookup = (word: Extract<ArithmeticExpression, { type: 'ArithmeticWord' }>) => number | null;

/** Expressions nest no deeper than this in any script that people write. */
const DEEPEST = 60;

/** The value of an expression, or null where it is unknown, assigns something or leaves the exact integers. */
export function evaluateArithmetic(expression: ArithmeticExpression, lookup: Lookup, depth = 0): number | null {
  if (depth > DEEPEST) return null;
  const inner = (part: ArithmeticExpression) => evaluateArithmetic(part, lookup, depth + 1);
  switch (expression.type) {
    case 'ArithmeticWord':
      return lookup(expression);
    case 'ArithmeticGroup':
      return inner(expression.expression);
    case 'ArithmeticUnary':
      return unary(expression.operator, inner(expression.operand));
    case 'ArithmeticBinary':
      return binary(expression.operator, inner(expression.left), inner(expression.right));
    case 'ArithmeticTernary': {
      const test = inner(expression.test);
      return test === null ? null : inner(test !== 0 ? expression.consequent : expression.alternate);
    }
    case 'ArithmeticCommandExpansion':
      return null;
  }
}

function unary(operator: string, a: number | null): number | null {
  if (a === null) return null;
  if (operator === '-') return -a;
  if (operator === '+') return a;
  if (operator === '!') return a === 0 ? 1 : 0;
  return null;
}

const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => Math.trunc(a / b),
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '<': (a, b) => Number(a < b),
  '>': (a, b) => Number(a > b),
  '<=': (a, b) => Number(a <= b),
  '>=': (a, b) => Number(a >= b),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  '&&': (a, b) => Number(a !== 0 && b !== 0),
  '||': (a, b) => Number(a !== 0 || b !== 0),
};

function binary(operator: string, a: number | null, b: number | null): number | null {
  const operation = Object.hasOwn(OPERATIONS, operator) ? OPERATIONS[operator] : undefined;
  if (a === null || b === null || operation === undefined) return null;
  const result = operation(a, b);
  return Number.isSafeInteger(result) ? result : null;
}

/** The integer that a text writes, or null. */
export function integerOf(text: string | null): number | null {
  if (text === null || !/^\s*[+-]?\d{1,15}\s*$/.test(text)) return null;
  const value = text.trim();
  // A leading zero means octal in bash.
  if (/^[+-]?0\d/.test(value)) return null;
  return Number(value);
}
