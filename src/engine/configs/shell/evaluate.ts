/**
 * Reads a script the way bash would run it, without running anything: assignments, branches, loops, functions and
 * sourced files change variables; every other command is kept with its words. What cannot be known stays unknown.
 */
import { parse, type Statement } from 'unbash';
import { Branches } from './branches';
import { Commands, type OpenScript, type RanCommand, type WrittenDocument } from './commands';
import { Expander } from './expand';
import { Loops } from './loops';
import { LIMITS, type Outcome, type Runnable, type Runner } from './runner';
import { Scope } from './scope';
import type { Place, ShellText } from './value';
import { Budget } from './words';

export class Evaluator implements Runner {
  readonly errors: { readonly message: string; readonly place: Place }[] = [];
  /** Variables whose value some word used. */
  readonly used = new Set<string>();
  readonly budget = new Budget(LIMITS.pieces);
  scope = new Scope();
  depth = 0;
  private statements = 0;
  private readonly simple: Commands;
  private readonly branches: Branches;
  private readonly loops: Loops;

  constructor(
    public text: ShellText,
    open: OpenScript,
  ) {
    this.simple = new Commands(this, open);
    this.branches = new Branches(this);
    this.loops = new Loops(this);
  }

  get commands(): readonly RanCommand[] {
    return this.simple.commands;
  }

  get documents(): readonly WrittenDocument[] {
    return this.simple.documents;
  }

  get exhausted(): boolean {
    return this.statements > LIMITS.statements || this.budget.exhausted;
  }

  run(): void {
    this.script(this.text);
  }

  script(text: ShellText): Outcome {
    const before = this.text;
    this.text = text;
    const tree = parse(text.text);
    for (const { message, pos } of tree.errors ?? []) this.errors.push({ message, place: this.place(pos, pos + 1) });
    const outcome = this.all(tree.commands);
    this.text = before;
    return outcome;
  }

  all(statements: readonly Statement[]): Outcome {
    for (const { command } of statements) {
      if (++this.statements > LIMITS.statements) return 'exit';
      const outcome = this.node(command);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  node(node: Runnable): Outcome {
    if (this.depth > LIMITS.depth) return 'next';
    this.depth++;
    const outcome = this.dispatch(node);
    this.depth--;
    return outcome;
  }

  private dispatch(node: Runnable): Outcome {
    switch (node.type) {
      case 'Command':
        return this.simple.command(node);
      case 'AndOr':
        return this.branches.andOr(node.commands, node.operators);
      case 'Pipeline':
        for (const part of node.commands) this.node(part);
        return 'next';
      case 'CompoundList':
        return this.all(node.commands);
      case 'BraceGroup':
        return this.all(node.body.commands);
      case 'Subshell':
        this.inBranch(() => this.all(node.body.commands));
        return 'next';
      case 'Redirected':
        this.simple.redirections(node.redirects, '');
        return this.node(node.command);
      case 'If':
        return this.branches.branches(node);
      case 'Case':
        return this.branches.cases(node);
      case 'For':
        return this.loops.forEach(node);
      case 'While':
        return this.loops.loop(node.body, this.loops.isOptionLoop(node.clause, node.body));
      case 'ArithmeticFor':
        return this.loops.counted(node);
      case 'Select':
        return this.loops.loop(node.body, false);
      case 'Function':
        this.simple.functions.set(node.name.text, { body: node.body, text: this.text });
        return 'next';
      case 'Coproc':
      case 'TestCommand':
        return 'next';
      case 'ArithmeticCommand':
        this.simple.arithmeticCommand(node);
        return 'next';
    }
  }

  inBranch(run: () => Outcome): void {
    const outer = this.scope;
    this.scope = outer.branch();
    run();
    this.scope = outer;
  }

  expander(): Expander {
    return new Expander(this.text, this.scope, name => this.used.add(name));
  }

  place(from: number, to: number): Place {
    return { text: this.text, from, to };
  }
}
