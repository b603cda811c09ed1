/** Tests of `if`, `[[ … ]]`, `[ … ]` and `(( … ))`: known, assumed for a plain run, or unknown with what they ask. */
import type { ArithmeticExpression, Command, TestExpression, Word } from 'unbash';
import { integerOf } from './arithmetic';
import type { Expander } from './expand';
import { isUnset, type Reason, reasonOf, type ShellValue, textOf } from './value';

export interface Verdict {
  /** null: unknown. */
  readonly holds: boolean | null;
  /** It holds because a plain run gives no such variable or argument. */
  readonly assumed: boolean;
  readonly reason: Reason;
}

const sure = (holds: boolean): Verdict => ({ holds, assumed: false, reason: { kind: 'branch', name: '' } });

export function unknownVerdict(name: string): Verdict {
  return { holds: null, assumed: false, reason: { kind: 'branch', name } };
}

/** A value that differs by branch is blamed on what the test asks for. */
function undecided(...values: readonly ShellValue[]): Verdict {
  const reason = values.map(reasonOf).find(found => found !== null);
  return unknownVerdict(reason?.name ?? '');
}

export function negate(verdict: Verdict): Verdict {
  return { ...verdict, holds: verdict.holds === null ? null : !verdict.holds };
}

export function both(a: Verdict, b: Verdict): Verdict {
  if (a.holds === false) return a;
  if (b.holds === false) return b;
  return a.holds === null || (b.holds === true && a.assumed) ? a : b;
}

export function either(a: Verdict, b: Verdict): Verdict {
  return negate(both(negate(a), negate(b)));
}

/** `[[ … ]]` */
export function testVerdict(expression: TestExpression, expander: Expander): Verdict {
  switch (expression.type) {
    case 'TestGroup':
      return testVerdict(expression.expression, expander);
    case 'TestNot': {
      const inner = testVerdict(expression.operand, expander);
      return expression.negations.length % 2 === 0 ? inner : negate(inner);
    }
    case 'TestLogical':
      return expression.operands
        .map(operand => testVerdict(operand, expander))
        .reduce(expression.operator === '&&' ? both : either);
    case 'TestUnary':
      return unary(expression.operator, expander.word(expression.operand));
    case 'TestBinary':
      return binary(expression.operator, expander.word(expression.left), expander.word(expression.right));
  }
}

/** `[ … ]` and `test …`: the words between, without their closing bracket. */
export function bracketVerdict(words: readonly Word[], expander: Expander): Verdict {
  const or = words.findIndex(({ text }) => text === '-o');
  if (or > 0)
    return either(bracketVerdict(words.slice(0, or), expander), bracketVerdict(words.slice(or + 1), expander));
  const and = words.findIndex(({ text }) => text === '-a');
  if (and > 0)
    return both(bracketVerdict(words.slice(0, and), expander), bracketVerdict(words.slice(and + 1), expander));
  if (words[0]?.text === '!') return negate(bracketVerdict(words.slice(1), expander));
  const [first, second, third] = words;
  if (first === undefined) return sure(false);
  if (third !== undefined && second !== undefined) {
    return binary(second.text, expander.word(first), expander.word(third));
  }
  if (second !== undefined) return unary(first.text, expander.word(second));
  // `[ -z $X ]` with X unset is `[ -z ]`, which holds like `[ -z "" ]`.
  return first.text.startsWith('-') ? sure(true) : negate(unary('-z', expander.word(first)));
}

/** `(( … ))` */
export function arithmeticVerdict(expression: ArithmeticExpression | undefined, expander: Expander): Verdict {
  const value = expression === undefined ? null : expander.arithmetic(expression);
  return value === null ? unknownVerdict('(( ))') : sure(value !== 0);
}

/** The words of a test command, or null where the command is none. */
export function testWords(command: Command): Word[] | null {
  const name = command.name?.text;
  if (name !== '[' && name !== 'test') return null;
  const words = command.args.filter((arg): arg is Word => arg.type === 'Word');
  return name === '[' && words.at(-1)?.text === ']' ? words.slice(0, -1) : words;
}

function unary(operator: string, value: ShellValue): Verdict {
  if (operator !== '-z' && operator !== '-n') return undecided(value);
  const text = textOf(value);
  if (text !== null) return sure((text === '') === (operator === '-z'));
  if (isUnset(value)) return { ...undecided(value), holds: operator === '-z', assumed: true };
  return undecided(value);
}

const NUMERIC: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-gt': (a, b) => a > b,
  '-lt': (a, b) => a < b,
  '-ge': (a, b) => a >= b,
  '-le': (a, b) => a <= b,
};

function binary(operator: string, left: ShellValue, right: ShellValue): Verdict {
  const [a, b] = [textOf(left), textOf(right)];
  if (a === null || b === null) return undecided(left, right);
  if (Object.hasOwn(NUMERIC, operator)) {
    const [m, n] = [integerOf(a), integerOf(b)];
    return m === null || n === null ? undecided(left, right) : sure(NUMERIC[operator]?.(m, n) ?? false);
  }
  if (operator === '=' || operator === '==') return sure(matches(b, a));
  if (operator === '!=') return sure(!matches(b, a));
  return undecided(left, right);
}

/** Whether a text matches a pattern of `case` or `[[ == ]]`, in which * stands for anything. */
export function matches(pattern: string, text: string): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === text;
  if (pattern === '*') return true;
  // Greedy matching with one backtracking point is linear enough and cannot explode.
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (p < pattern.length && (pattern[p] === '?' || (pattern[p] === text[t] && pattern[p] !== '*'))) {
      p++;
      t++;
    } else if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (star !== -1) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
