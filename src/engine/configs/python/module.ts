/** A Python file as a syntax tree: its functions and constants by name. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import type { SourceRange } from '../../problem';
import { LineIndex } from '../tree';

export interface PythonFunction {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly source: SourceRange;
}

export interface PythonImport {
  /** With its leading dots, where it is relative. */
  readonly module: string;
  readonly name: string;
}

export class PythonModule {
  readonly tree: Tree;
  readonly functions = new Map<string, PythonFunction>();
  /** Statements of the module outside functions and classes. */
  readonly statements: SyntaxNode[] = [];
  /** What `from module import name as alias` binds, by the alias. */
  readonly imports = new Map<string, PythonImport>();
  private readonly lines: LineIndex;

  constructor(
    readonly file: string,
    readonly text: string,
  ) {
    this.lines = new LineIndex(file, text);
    this.tree = parser.parse(text);
    for (let node = this.tree.topNode.firstChild; node !== null; node = node.nextSibling) this.add(node);
  }

  private add(node: SyntaxNode): void {
    switch (node.name) {
      case 'DecoratedStatement': {
        const inner = node.lastChild;
        if (inner !== null) this.add(inner);
        break;
      }
      case 'FunctionDefinition': {
        const name = node.getChild('VariableName');
        if (name !== null) {
          this.functions.set(this.slice(name), { name: this.slice(name), node, source: this.range(name) });
        }
        break;
      }
      case 'ClassDefinition':
        break;
      case 'ImportStatement':
        this.addImport(node);
        break;
      default:
        this.statements.push(node);
    }
  }

  private addImport(node: SyntaxNode): void {
    const text = this.slice(node).replaceAll(/[()\\\s]+/g, ' ');
    const [, from = '', names = ''] = /^from (\S+) import (.*)$/.exec(text) ?? [];
    for (const part of names.split(',')) {
      const words = part.trim().split(' ');
      const [name = '', alias = ''] = [words[0], words.at(-1)];
      if (alias !== '') this.imports.set(alias, { module: from, name });
    }
  }

  slice(node: { readonly from: number; readonly to: number }): string {
    return this.text.slice(node.from, node.to);
  }

  range(node: { readonly from: number; readonly to: number }): SourceRange {
    return this.lines.range(node.from, node.to - node.from);
  }

  /** The first place that does not parse, or null. */
  firstError(): SourceRange | null {
    let found: SourceRange | null = null;
    this.tree.iterate({
      enter: node => {
        if (node.type.isError) found ??= this.range(node);
        return found === null;
      },
    });
    return found;
  }
}

export function isName(kind: string): boolean {
  return kind === 'VariableName' || kind === 'MemberExpression';
}

export function children(node: SyntaxNode | null): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling) found.push(child);
  return found;
}
