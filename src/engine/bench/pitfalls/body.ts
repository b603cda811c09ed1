/** A function of a Python script as the pitfalls see it: its calls and assignments in the order of the text. */
import type { SyntaxNode } from '@lezer/common';
import { children, type PythonModule } from '../../configs/python/module';
import type { Problem } from '../../problem';

export interface Call {
  readonly node: SyntaxNode;
  /** `dist.all_reduce`, `time.time`. */
  readonly name: string;
  /** Texts of its arguments, a keyword's with its name and `=`. */
  readonly args: readonly string[];
  readonly inLoop: boolean;
}

export interface Assignment {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly value: string;
}

export interface Body {
  readonly name: string;
  /** Names of its parameters in their order. */
  readonly parameters: readonly string[];
  readonly calls: readonly Call[];
  readonly assignments: readonly Assignment[];
}

export type Warn = (node: SyntaxNode, what: string, args?: Readonly<Record<string, string | number>>) => Problem;

export function bodyOf(module: PythonModule, name: string, root: SyntaxNode): Body {
  const calls: Call[] = [];
  const assignments: Assignment[] = [];
  const visit = (node: SyntaxNode, inLoop: boolean): void => {
    if (node !== root && (node.name === 'FunctionDefinition' || node.name === 'ClassDefinition')) return;
    if (node.name === 'CallExpression') {
      const [callee] = children(node);
      const list = node.getChild('ArgList');
      const args = list === null ? [] : argumentsOf(module.slice(list));
      if (callee !== undefined) calls.push({ node, name: module.slice(callee), args, inLoop });
    } else if (node.name === 'AssignStatement') {
      const [target, ...rest] = module.slice(node).split('=');
      assignments.push({ node, name: (target ?? '').trim(), value: rest.join('=').trim() });
    }
    const loops =
      inLoop || node.name === 'ForStatement' || node.name === 'WhileStatement' || node.name.includes('Comprehension');
    for (const child of children(node)) visit(child, loops);
  };
  visit(root, false);
  const list = root.getChild('ParamList');
  const parameters = (list === null ? [] : argumentsOf(module.slice(list))).map(text => /^\w*/.exec(text)?.[0] ?? '');
  return { name, parameters, calls, assignments };
}

/** The arguments between the parentheses, split at commas that no bracket holds. */
function argumentsOf(list: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 1];
  for (let i = 0; i < list.length; i++) {
    const c = list[i] ?? '';
    if ('([{'.includes(c)) depth++;
    else if (')]}'.includes(c)) depth--;
    if ((c === ',' && depth === 1) || (c === ')' && depth === 0)) {
      parts.push(list.slice(start, i).trim());
      start = i + 1;
    }
  }
  return parts.filter(part => part !== '');
}

/** The text of an argument, by its keyword or its place; null where it is not given. */
export function argument(call: Call, keyword: string, at: number): string | null {
  const named = call.args.find(arg => arg.startsWith(`${keyword}=`));
  const plain = call.args[at];
  return named?.slice(keyword.length + 1).trim() ?? (plain === undefined || plain.includes('=') ? null : plain);
}
