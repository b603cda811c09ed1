/** Words of the syntax tree as values: literals with their places, expansions of variables, arithmetic. */
import type { ArrayValue, CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from 'unbash';
import { evaluateArithmetic, integerOf } from './arithmetic';
import type { Scope } from './scope';
import { EMPTY, isUnset, type Place, type Reason, reasonOf, type ShellText, type ShellValue, textOf } from './value';

type Quoting = 'plain' | 'double';

/** Follows expansions inside operands of expansions this deep. */
const DEEPEST = 40;

export class Expander {
  private depth = 0;

  constructor(
    private readonly text: ShellText,
    private readonly scope: Scope,
    private readonly onUse: (name: string) => void,
  ) {}

  word(word: Word): ShellValue {
    return word.parts === undefined
      ? this.literal(word.pos, word.end, 'plain')
      : join(word.parts.map(part => this.part(part, 'plain')));
  }

  array(value: ArrayValue): ShellValue {
    return { kind: 'list', items: value.elements.map(element => this.word(element)) };
  }

  /** A stretch of the text as a plain word. */
  literalText(from: number, to: number): ShellValue {
    return this.literal(from, to, 'plain');
  }

  /** The parts of a here-document's body, or its text. */
  body(parts: readonly WordPart[] | undefined, from: number, to: number): ShellValue {
    return parts === undefined ? this.literal(from, to, 'double') : join(parts.map(part => this.part(part, 'double')));
  }

  /** The value of a variable as `$NAME` gives it, at a place that is blamed where it is unknown. */
  variable(name: string, place: Place): ShellValue {
    this.onUse(name);
    if (/^[1-9]\d*$/.test(name)) return this.argument(Number(name), place);
    const value = this.scope.get(name);
    if (value !== undefined) return value ?? EMPTY;
    const kind = name === '@' || name === '*' || name === '#' ? 'argument' : 'environment';
    // Every machine has it, and the tilde says the same.
    if (name === 'HOME') return { kind: 'text', text: '~', place, exact: false };
    return { kind: 'unknown', reason: { kind, name }, place, unset: kind === 'environment' };
  }

  private argument(index: number, place: Place): ShellValue {
    const { args } = this.scope;
    if (args !== null) return args[index - 1] ?? EMPTY;
    return { kind: 'unknown', reason: { kind: 'argument', name: `$${index}` }, place, unset: true };
  }

  private part(part: WordPart, quoting: Quoting): ShellValue {
    const place = this.place(part.pos, part.end);
    switch (part.type) {
      case 'Literal':
      case 'Glob':
      case 'BraceExpansion':
      case 'ExtendedGlob':
        return this.literal(part.pos, part.end, quoting);
      case 'SingleQuoted':
        return { kind: 'quoted', value: this.exactText(part.pos + 1, part.pos + 1 + part.value.length) };
      case 'DoubleQuoted':
        return { kind: 'quoted', value: join(part.parts.map(inner => this.part(inner, 'double'))) };
      case 'LocaleString':
      case 'AnsiCQuoted':
        return {
          kind: 'quoted',
          value: { kind: 'text', text: 'value' in part ? part.value : part.text, place, exact: false },
        };
      case 'SimpleExpansion':
        return { kind: 'use', place, value: this.firstOf(this.variable(part.text.slice(1), place)) };
      case 'ParameterExpansion':
        return { kind: 'use', place, value: this.parameter(part, place) };
      case 'ArithmeticExpansion': {
        const value = part.expression === undefined ? null : this.arithmetic(part.expression);
        if (value !== null) return { kind: 'text', text: String(value), place, exact: false };
        return unknown(this.arithmeticReason(part.expression, part.text), place);
      }
      case 'CommandExpansion':
        return this.echoed(part) ?? unknown({ kind: 'command', name: part.text }, place);
      case 'ProcessSubstitution':
        return unknown({ kind: 'command', name: part.text }, place);
    }
  }

  /** `$(echo WORD)` is the word; with an IFS before it, that joins the elements of an array. */
  private echoed({ script, pos, end }: CommandExpansionPart): ShellValue | null {
    const commands = script?.source === undefined ? (script?.commands ?? []) : [];
    const last = commands.at(-1)?.command;
    if (last?.type !== 'Command' || last.name?.text !== 'echo' || last.args.length !== 1 || commands.length > 2)
      return null;
    const [word] = last.args;
    if (word?.type !== 'Word') return null;
    const [first] = commands.length === 2 ? commands : [];
    const [set] = first?.command.type === 'Command' ? first.command.prefix : [];
    const separator =
      set?.type === 'Assignment' && set.name === 'IFS' && set.value.type === 'Word' ? this.word(set.value) : null;
    if (commands.length === 2 && separator === null) return null;
    const text = textOf(this.word(word));
    if (text === null) return null;
    const joined = separator === null ? text : text.replaceAll(' ', (textOf(separator) ?? ' ').slice(0, 1));
    return { kind: 'text', text: joined, place: this.place(pos, end), exact: false };
  }

  /** `$ARRAY` is its first element. */
  private firstOf(value: ShellValue): ShellValue {
    return value.kind === 'list' ? (value.items[0] ?? EMPTY) : value;
  }

  private parameter(part: ParameterExpansionPart, place: Place): ShellValue {
    const { parameter, prefix, operation, index } = part;
    const strange = (): ShellValue => unknown({ kind: 'expression', name: part.text }, place);
    if (prefix !== undefined) return strange();
    const value = this.indexed(this.variable(parameter, place), index);
    if (value === null) return strange();
    if (operation === undefined) return value;
    if (operation.type !== 'Default' || this.depth > DEEPEST) return strange();
    const alternative = operation.operator.endsWith('+');
    const empty = isUnset(value) || (operation.operator.startsWith(':') && textOf(value) === '');
    if (operation.operator.endsWith('?') || (empty === alternative && !alternative)) return value;
    if (alternative && empty) return EMPTY;
    this.depth++;
    const operand = this.word(operation.operand);
    this.depth--;
    if (operation.operator.endsWith('=')) this.scope.set(parameter, operand);
    return operand;
  }

  /** `${A[@]}` is all of an array, `${A[2]}` one element; null where the index is not a number. */
  private indexed(value: ShellValue, index: Word | undefined): ShellValue | null {
    if (index === undefined) return this.firstOf(value);
    if (index.text === '@' || index.text === '*') return value;
    const at = integerOf(textOf(this.word(index)));
    if (at === null || at < 0) return null;
    if (value.kind === 'list') return value.items.every(isPlain) ? (value.items[at] ?? EMPTY) : null;
    return at === 0 ? value : null;
  }

  arithmetic(expression: Parameters<typeof evaluateArithmetic>[0]): number | null {
    return evaluateArithmetic(expression, ({ value, parts, pos, end }) => {
      if (parts !== undefined) return integerOf(textOf(join(parts.map(part => this.part(part, 'plain')))));
      return this.numberOf(bareName(value), this.place(pos, end), 0);
    });
  }

  /** A bare word inside arithmetic is a number or the name of a variable that holds one. */
  private numberOf(word: string, place: Place, depth: number): number | null {
    const literal = integerOf(word);
    if (literal !== null || depth > 8 || !/^\w+$/.test(word)) return literal;
    const text = textOf(this.variable(word, place));
    return text === null ? null : this.numberOf(text, place, depth + 1);
  }

  private arithmeticReason(expression: Parameters<typeof evaluateArithmetic>[0] | undefined, text: string): Reason {
    let blamed: Reason | null = null;
    if (expression !== undefined) {
      evaluateArithmetic(expression, ({ value, parts, pos, end }) => {
        const place = this.place(pos, end);
        const word =
          parts === undefined
            ? this.variable(bareName(value), place)
            : join(parts.map(part => this.part(part, 'plain')));
        if (!/^\d+$/.test(value)) blamed ??= reasonOf(word);
        return 1;
      });
    }
    return blamed ?? { kind: 'expression', name: text };
  }

  /** A literal as the shell reads it: escapes and line continuations drop out, the rest keeps its places. */
  private literal(from: number, to: number, quoting: Quoting): ShellValue {
    // The stretch alone: to look for a backslash from here to the end of the file would take long.
    const text = this.text.text.slice(from, to);
    const parts: ShellValue[] = [];
    let start = 0;
    for (let at = text.indexOf('\\'); at !== -1 && at < text.length - 1; at = text.indexOf('\\', at + 2)) {
      const next = text[at + 1] ?? '';
      if (quoting === 'double' && !'$`"\\\n'.includes(next)) continue;
      if (at > start) parts.push(this.exactText(from + start, from + at));
      start = next === '\n' ? at + 2 : at + 1;
    }
    if (start < text.length) parts.push(this.exactText(from + start, to));
    return join(parts);
  }

  private exactText(from: number, to: number): ShellValue {
    return { kind: 'text', text: this.text.text.slice(from, to), place: this.place(from, to), exact: true };
  }

  private place(from: number, to: number): Place {
    return { text: this.text, from, to };
  }
}

function isPlain(value: ShellValue): boolean {
  return value.kind === 'text' || textOf(value) !== null;
}

function join(parts: readonly ShellValue[]): ShellValue {
  return parts.length === 1 ? parts[0] : { kind: 'join', parts };
}

function unknown(reason: Reason, place: Place): ShellValue {
  return { kind: 'unknown', reason, place, unset: false };
}

/** `$A` inside arithmetic is A. */
function bareName(word: string): string {
  return word.startsWith('$') ? word.slice(1) : word;
}
