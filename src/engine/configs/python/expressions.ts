/** Evaluates expressions to literals, lists and objects; whatever would have to be run is unknown with its text. */
import type { SyntaxNode } from '@lezer/common';
import { children, type PythonModule } from './module';
import { isTrue, operate, parseNumber, parseString } from './operators';
import { truthOf } from './truth';
import type { ListValue, Literal, LiteralValue, ObjectValue, PythonValue, SymbolValue, UnknownValue } from './value';

/** Lists longer than this are data, not configuration. */
const LONGEST_LIST = 20_000;
/** Expressions and calls nest no deeper than this. */
export const DEEPEST = 120;

export interface Argument {
  /** null: by position. */
  readonly name: string | null;
  readonly value: PythonValue;
}

/** What expressions need from their surroundings. */
export interface Surroundings {
  readonly module: PythonModule;
  /** The value of a name, or null where the module does not define it. */
  lookup(name: string): PythonValue | null;
  /** The result of a call that is followed, or null. */
  call(name: string, args: readonly Argument[], node: SyntaxNode): PythonValue | null;
}

export class Expressions {
  private depth = 0;

  constructor(private readonly around: Surroundings) {}

  value(node: SyntaxNode | null, fallback: SyntaxNode): PythonValue {
    if (node === null) return this.unknown(fallback);
    if (this.depth > DEEPEST) return this.unknown(node);
    this.depth++;
    const result = this.dispatch(node);
    this.depth--;
    return result;
  }

  private dispatch(node: SyntaxNode): PythonValue {
    const { module } = this.around;
    switch (node.name) {
      case 'Number':
        return this.literal(parseNumber(module.slice(node)), node);
      case 'String':
        return this.literal(parseString(module.slice(node)), node);
      case 'FormatString':
        return node.getChild('FormatReplacement') === null
          ? this.literal(parseString(module.slice(node).replace(/^([^"']*)[fF]/, '$1')), node)
          : this.unknown(node);
      case 'ContinuedString':
        return this.joined(node);
      case 'Boolean':
        return this.literal(module.slice(node) === 'True', node);
      case 'None':
        return this.literal(null, node);
      case 'ParenthesizedExpression':
        return this.value(node.firstChild?.nextSibling ?? null, node);
      case 'VariableName': {
        const name = module.slice(node);
        return this.around.lookup(name) ?? { kind: 'symbol', name, source: module.range(node) };
      }
      case 'MemberExpression':
        return this.member(node);
      case 'UnaryExpression':
        return this.unary(node);
      case 'BinaryExpression':
        return this.binary(node);
      case 'ConditionalExpression':
        return this.conditional(node);
      case 'ArrayExpression':
      case 'TupleExpression':
        return this.list(node);
      case 'DictionaryExpression':
        return this.dictionary(node);
      case 'CallExpression':
        return this.call(node);
      default:
        return this.unknown(node);
    }
  }

  literal(value: Literal | undefined, node: SyntaxNode): LiteralValue | UnknownValue {
    return value === undefined
      ? this.unknown(node)
      : { kind: 'literal', value, source: this.around.module.range(node) };
  }

  unknown(node: SyntaxNode): UnknownValue {
    const { module } = this.around;
    const reason = module.text.slice(node.from, Math.min(node.to, node.from + 60));
    return { kind: 'unknown', reason, source: module.range(node) };
  }

  private joined(node: SyntaxNode): PythonValue {
    const parts = children(node).map(part => this.value(part, node));
    let text = '';
    for (const part of parts) {
      if (part.kind !== 'literal' || typeof part.value !== 'string') return this.unknown(node);
      text += part.value;
    }
    return this.literal(text, node);
  }

  private member(node: SyntaxNode): PythonValue {
    const object = this.value(node.firstChild, node);
    const property = node.getChild('PropertyName');
    if (property !== null) return this.attribute(object, this.around.module.slice(property), node);
    const index = node.getChild('[')?.nextSibling ?? null;
    return this.item(object, this.value(index, node), node);
  }

  private attribute(object: PythonValue, name: string, node: SyntaxNode): PythonValue {
    const source = this.around.module.range(node);
    if (object.kind === 'symbol')
      return { kind: 'symbol', name: `${object.name}.${name}`, source } satisfies SymbolValue;
    if (object.kind === 'object') {
      return (
        object.fields.get(name) ?? { kind: 'unknown', reason: this.around.module.slice(node).slice(0, 60), source }
      );
    }
    return this.unknown(node);
  }

  private item(object: PythonValue, index: PythonValue, node: SyntaxNode): PythonValue {
    if (index.kind !== 'literal') return this.unknown(node);
    if (object.kind === 'object') return object.fields.get(String(index.value)) ?? this.unknown(node);
    if (object.kind !== 'list' || typeof index.value !== 'number') return this.unknown(node);
    return object.items.at(index.value) ?? this.unknown(node);
  }

  private unary(node: SyntaxNode): PythonValue {
    const operator = this.around.module.slice(node.firstChild ?? node);
    const operand = this.value(node.lastChild, node);
    if (operand.kind !== 'literal') return this.unknown(node);
    if (operator === 'not') return this.literal(!isTrue(operand.value), node);
    if (typeof operand.value !== 'number') return this.unknown(node);
    if (operator === '-') return this.literal(-operand.value, node);
    return operator === '+' ? operand : this.unknown(node);
  }

  private binary(node: SyntaxNode): PythonValue {
    const { module } = this.around;
    const { firstChild: leftNode, lastChild: rightNode } = node;
    if (leftNode === null || rightNode === null) return this.unknown(node);
    const operator = module.text.slice(leftNode.to, rightNode.from).trim().replaceAll(/\s+/g, ' ');
    const left = this.value(leftNode, node);
    if (operator === 'and' || operator === 'or') return this.shortCircuit(operator, left, rightNode, node);
    const right = this.value(rightNode, node);
    if (left.kind === 'list' || right.kind === 'list') return this.onLists(operator, left, right, node);
    if (left.kind !== 'literal' || right.kind !== 'literal') return this.identity(operator, left, right, node);
    return this.literal(operate(operator, left.value, right.value), node);
  }

  private shortCircuit(operator: string, left: PythonValue, rightNode: SyntaxNode, node: SyntaxNode): PythonValue {
    const truth = truthOf(left);
    if (truth === null) {
      // `unknown and False` is false whatever the unknown is.
      const right = truthOf(this.value(rightNode, node));
      return right !== null && right === (operator === 'or') ? this.literal(right, node) : this.unknown(node);
    }
    return truth === (operator === 'or') ? left : this.value(rightNode, node);
  }

  /** An object is never None. */
  private identity(operator: string, left: PythonValue, right: PythonValue, node: SyntaxNode): PythonValue {
    const none = right.kind === 'literal' && right.value === null;
    if (none && (left.kind === 'object' || left.kind === 'symbol')) {
      if (operator === 'is' || operator === '==') return this.literal(false, node);
      if (operator === 'is not' || operator === '!=') return this.literal(true, node);
    }
    return this.unknown(node);
  }

  private onLists(operator: string, left: PythonValue, right: PythonValue, node: SyntaxNode): PythonValue {
    const source = this.around.module.range(node);
    if (operator === '+' && left.kind === 'list' && right.kind === 'list') {
      const items = [...left.items, ...right.items];
      return items.length > LONGEST_LIST ? this.unknown(node) : ({ kind: 'list', items, source } satisfies ListValue);
    }
    if (operator === '*') {
      const [list, times] = left.kind === 'list' ? [left, right] : [right, left];
      if (list.kind !== 'list' || times.kind !== 'literal' || typeof times.value !== 'number')
        return this.unknown(node);
      const count = Math.max(0, times.value);
      if (!Number.isInteger(count) || count * list.items.length > LONGEST_LIST) return this.unknown(node);
      const items = Array.from({ length: count }, () => list.items).flat();
      return { kind: 'list', items, source };
    }
    if ((operator === 'in' || operator === 'not in') && right.kind === 'list' && left.kind === 'literal') {
      if (right.items.some(item => item.kind !== 'literal')) return this.unknown(node);
      const found = right.items.some(item => item.kind === 'literal' && item.value === left.value);
      return this.literal(found === (operator === 'in'), node);
    }
    return this.unknown(node);
  }

  private conditional(node: SyntaxNode): PythonValue {
    const parts = children(node).filter(({ name }) => name !== 'if' && name !== 'else');
    const [then, test, otherwise] = parts;
    const truth = truthOf(this.value(test ?? null, node));
    if (truth === null) return this.unknown(node);
    return this.value((truth ? then : otherwise) ?? null, node);
  }

  private list(node: SyntaxNode): PythonValue {
    const items = children(node).filter(({ name }) => !'[](),'.includes(name));
    if (items.length > LONGEST_LIST) return this.unknown(node);
    return { kind: 'list', items: items.map(item => this.value(item, node)), source: this.around.module.range(node) };
  }

  private dictionary(node: SyntaxNode): PythonValue {
    const fields = new Map<string, PythonValue>();
    for (let at = node.firstChild; at !== null; at = at.nextSibling) {
      if (at.name === '**') {
        const spread = this.value(at.nextSibling, node);
        if (spread.kind === 'object') for (const [key, value] of spread.fields) fields.set(key, value);
      }
      if (at.name !== ':') continue;
      const key = at.prevSibling === null ? null : this.value(at.prevSibling, node);
      if (key?.kind === 'literal') fields.set(String(key.value), this.value(at.nextSibling, node));
    }
    return { kind: 'object', callee: 'dict', args: [], fields, source: this.around.module.range(node) };
  }

  private call(node: SyntaxNode): PythonValue {
    const { module } = this.around;
    const callee = node.firstChild;
    if (callee === null) return this.unknown(node);
    const args = this.args(node.getChild('ArgList'));
    const name = module.slice(callee).replaceAll(/\s+/g, '');
    const followed = this.converted(name, args, node) ?? this.around.call(name, args, node);
    if (followed !== null) return followed;
    const method = callee.name === 'MemberExpression' ? this.method(callee, node) : null;
    if (method !== null) return method;
    const positional = args.flatMap(({ name: key, value }) => (key === null ? [value] : []));
    const fields = new Map(args.flatMap(({ name: key, value }) => (key === null ? [] : [[key, value] as const])));
    const object: ObjectValue = { kind: 'object', callee: name, args: positional, fields, source: module.range(node) };
    const on = callee.name === 'MemberExpression' ? callee.firstChild : null;
    return on?.name === 'CallExpression' ? { ...object, receiver: this.value(on, callee) } : object;
  }

  private args(list: SyntaxNode | null): Argument[] {
    const found: Argument[] = [];
    const parts = children(list);
    for (const [at, part] of parts.entries()) {
      if ('(),='.includes(part.name) || part.name === 'AssignOp' || part.name === '*' || part.name === '**') continue;
      if (parts[at + 1]?.name === 'AssignOp') continue;
      const before = parts[at - 1];
      if (before?.name === '*') continue;
      if (before?.name === '**') {
        const spread = this.value(part, part);
        if (spread.kind === 'object') found.push(...[...spread.fields].map(([name, value]) => ({ name, value })));
        continue;
      }
      const keyword = before?.name === 'AssignOp' ? parts[at - 2] : undefined;
      const name = keyword === undefined ? null : this.around.module.slice(keyword);
      found.push({ name, value: this.value(part, part) });
    }
    return found;
  }

  /** `int(x)` and `float(x)` of a known number keep its place. */
  private converted(name: string, args: readonly Argument[], node: SyntaxNode): PythonValue | null {
    const [only] = args;
    if (args.length !== 1 || only?.value.kind !== 'literal') return null;
    const { value } = only.value;
    if (name === 'float' && typeof value === 'number') return only.value;
    if (name === 'int' && typeof value === 'number') {
      return Number.isInteger(value) ? only.value : this.literal(Math.trunc(value), node);
    }
    return null;
  }

  /** `"X".lower()` is followed; other methods of literals are not. */
  private method(callee: SyntaxNode, node: SyntaxNode): PythonValue | null {
    const object = this.value(callee.firstChild, callee);
    const name = this.around.module.slice(callee.lastChild ?? callee);
    if (object.kind === 'literal') {
      return typeof object.value === 'string' && name === 'lower'
        ? this.literal(object.value.toLowerCase(), node)
        : this.unknown(node);
    }
    return null;
  }
}
