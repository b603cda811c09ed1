/**
 * Follows the functions of a module with their literal arguments: assignments, known branches, calls of functions of
 * the same file. A branch that cannot be decided leaves what it would assign unknown.
 */
import type { SyntaxNode } from '@lezer/common';
import { Beside } from '../beside';
import { type Argument, Expressions, type Surroundings } from './expressions';
import { children, isName, PythonModule } from './module';
import { truthOf } from './truth';
import type { ObjectValue, PythonValue } from './value';

const MOST_STATEMENTS = 20_000;
const DEEPEST_CALLS = 24;

/** The modules that one reading looks into. */
export class PythonProgram {
  readonly modules = new Map<string, PythonEvaluator>();
  statements = 0;
  depth = 0;

  /** `kept`: imported functions that are not followed, because a reader knows them by name. */
  constructor(
    private readonly beside = new Beside([]),
    readonly kept: ReadonlySet<string> = new Set(),
  ) {}

  /** The evaluator of a module that a file imports, where its text is given. */
  evaluator(from: string, name: string): PythonEvaluator | null {
    const found = this.beside.findModule(from, name);
    if (found === undefined) return null;
    return this.modules.get(found.file) ?? new PythonEvaluator(new PythonModule(found.file, found.text), this);
  }
}

export class PythonEvaluator {
  readonly module: PythonModule;
  /** Constants of the module. */
  private readonly globals = new Map<string, PythonValue>();

  /** `program` is shared with the modules that this one imports. */
  constructor(
    module: PythonModule,
    private readonly program = new PythonProgram(),
  ) {
    this.module = module;
    program.modules.set(module.file, this);
    const frame = new Frame(this, this.globals);
    for (const statement of module.statements) frame.run(statement);
  }

  global(name: string): PythonValue | null {
    return this.globals.get(name) ?? null;
  }

  /** The value that a function returns with its defaults, or null where it returns none that is known. */
  result(name: string, args: readonly Argument[] = []): PythonValue | null {
    const found = this.module.functions.get(name);
    const { program } = this;
    if (found === undefined || program.depth >= DEEPEST_CALLS) return null;
    program.depth++;
    const locals = this.parameters(found.node, args);
    const frame = new Frame(this, locals);
    for (const statement of children(found.node.getChild('Body'))) {
      frame.run(statement);
      if (frame.returned !== null) break;
    }
    program.depth--;
    return frame.returned;
  }

  /** A function's parameters: what is passed, else the default. */
  parameters(node: SyntaxNode, args: readonly Argument[]): Map<string, PythonValue> {
    const locals = new Map<string, PythonValue>();
    const expressions = new Frame(this, new Map()).expressions;
    const parts = children(node.getChild('ParamList'));
    let position = 0;
    for (const [at, part] of parts.entries()) {
      if (part.name !== 'VariableName' || parts[at - 1]?.name === 'AssignOp') continue;
      const name = this.module.slice(part);
      const operator = parts.slice(at + 1, at + 3).find(({ name: kind }) => kind === 'AssignOp');
      const passed = args.find(argument => argument.name === name) ?? positional(args, position);
      position++;
      if (passed !== undefined) locals.set(name, passed.value);
      else if (operator?.nextSibling !== null && operator !== undefined) {
        locals.set(name, expressions.value(operator.nextSibling, part));
      } else locals.set(name, { kind: 'unknown', reason: name, source: this.module.range(part) });
    }
    return locals;
  }

  spend(): boolean {
    return ++this.program.statements <= MOST_STATEMENTS;
  }

  /** The value of a constant of this module, or of one that it imports. */
  constant(name: string): PythonValue | null {
    const own = this.globals.get(name);
    if (own !== undefined) return own;
    const imported = this.module.imports.get(name);
    return imported === undefined ? null : (this.imported(imported.module)?.global(imported.name) ?? null);
  }

  /** The result of a function that this module imports: `recipe(…)`, or `module.recipe(…)`. */
  importedResult(called: string, args: readonly Argument[]): PythonValue | null {
    const [first = '', second, ...more] = called.split('.');
    const imported = this.module.imports.get(first);
    if (imported === undefined || more.length > 0 || this.program.kept.has(imported.name)) return null;
    if (second === undefined) return this.imported(imported.module)?.result(imported.name, args) ?? null;
    const dot = imported.module.endsWith('.') ? '' : '.';
    return this.imported(`${imported.module}${dot}${imported.name}`)?.result(second, args) ?? null;
  }

  private imported(module: string): PythonEvaluator | null {
    return this.program.evaluator(this.module.file, module);
  }
}

function positional(args: readonly Argument[], position: number): Argument | undefined {
  return args.filter(({ name }) => name === null)[position];
}

/** The variables of one function while it is followed. */
class Frame implements Surroundings {
  returned: PythonValue | null = null;
  readonly expressions: Expressions;

  constructor(
    private readonly evaluator: PythonEvaluator,
    private readonly locals: Map<string, PythonValue>,
  ) {
    this.expressions = new Expressions(this);
  }

  get module(): PythonModule {
    return this.evaluator.module;
  }

  lookup(name: string): PythonValue | null {
    return this.locals.get(name) ?? this.evaluator.constant(name);
  }

  /** Functions of the module are followed; `run.Config(Class, …)` and `Class(…)` stay objects. */
  call(name: string, args: readonly Argument[], node: SyntaxNode): PythonValue | null {
    if (!this.module.functions.has(name)) {
      const imported = this.evaluator.importedResult(name, args);
      return imported?.kind === 'unknown' ? null : imported;
    }
    return this.evaluator.result(name, args) ?? this.expressions.unknown(node);
  }

  run(statement: SyntaxNode): void {
    if (!this.evaluator.spend() || this.returned !== null) return;
    switch (statement.name) {
      case 'AssignStatement':
        this.assign(statement);
        break;
      case 'UpdateStatement':
        this.forget(statement, 'update');
        break;
      case 'ReturnStatement': {
        const value = statement.firstChild?.nextSibling ?? null;
        this.returned = this.expressions.value(value, statement);
        break;
      }
      case 'ExpressionStatement':
        this.applied(this.expressions.value(statement.firstChild, statement));
        break;
      case 'IfStatement':
        this.branch(statement);
        break;
      case 'WithStatement':
        this.block(statement.getChild('Body'));
        break;
      case 'ForStatement':
      case 'WhileStatement':
      case 'TryStatement':
      case 'MatchStatement':
        this.forget(statement, statement.name);
        break;
    }
  }

  /** A function of elsewhere that is given an object may change it: the call is kept under its name. */
  private applied(call: PythonValue): void {
    const [first] = call.kind === 'object' ? call.args : [];
    if (call.kind === 'object' && first?.kind === 'object' && first !== call) first.fields.set(call.callee, call);
  }

  private block(body: SyntaxNode | null): void {
    for (const inner of children(body)) this.run(inner);
  }

  private branch(node: SyntaxNode): void {
    const parts = children(node);
    for (const [at, part] of parts.entries()) {
      if (part.name === 'else') {
        this.block(parts[at + 1] ?? null);
        return;
      }
      if (part.name !== 'if' && part.name !== 'elif') continue;
      const test = parts[at + 1] ?? null;
      const truth = truthOf(this.expressions.value(test, node));
      if (truth === null) {
        for (const body of parts.slice(at).filter(({ name }) => name === 'Body')) {
          this.forget(body, test === null ? '' : this.module.slice(test).slice(0, 60));
        }
        return;
      }
      if (!truth) continue;
      this.block(parts[at + 2] ?? null);
      return;
    }
  }

  /** `a = b = 1`, `x: int = 8`, `cfg.model.tp = 4`; targets of a tuple are unknown. */
  private assign(node: SyntaxNode): void {
    const parts = children(node);
    const last = parts.findLastIndex(({ name }) => name === 'AssignOp');
    if (last === -1) return;
    const targets = parts.slice(0, last).filter(({ name }) => name !== 'AssignOp' && name !== 'TypeDef');
    if (targets.some(({ name }) => name === ',') || parts.slice(last + 1).some(({ name }) => name === ',')) {
      this.forget(node, 'tuple');
      return;
    }
    const value = this.expressions.value(parts[last + 1] ?? null, node);
    for (const target of targets) this.set(target, value);
  }

  private set(target: SyntaxNode, value: PythonValue): void {
    if (target.name === 'VariableName') {
      this.locals.set(this.module.slice(target), value);
      return;
    }
    if (target.name !== 'MemberExpression') return;
    const path = this.path(target);
    const [root, ...names] = path;
    const last = names.pop();
    if (root === undefined || last === undefined) return;
    let object = this.objectNamed(root, target);
    for (const name of names) object = this.objectIn(object, name, target);
    object.fields.set(last, value);
  }

  /** `cfg.model.tp` as its names; empty where an index or a call stands in it. */
  private path(node: SyntaxNode): string[] {
    const text = this.module.slice(node).replaceAll(/\s+/g, '');
    return /^\w+(\.\w+)+$/.test(text) ? text.split('.') : [];
  }

  private objectNamed(name: string, node: SyntaxNode): ObjectValue {
    const value = this.lookup(name);
    if (value?.kind === 'object') return value;
    const created = this.opaque(name, node);
    this.locals.set(name, created);
    return created;
  }

  private objectIn(object: ObjectValue, name: string, node: SyntaxNode): ObjectValue {
    const value = object.fields.get(name);
    if (value?.kind === 'object') return value;
    const created = this.opaque(name, node);
    object.fields.set(name, created);
    return created;
  }

  private opaque(callee: string, node: SyntaxNode): ObjectValue {
    return { kind: 'object', callee, args: [], fields: new Map(), source: this.module.range(node) };
  }

  /** What the statements in a node would assign becomes unknown. */
  private forget(node: SyntaxNode, reason: string): void {
    const cursor = node.cursor();
    const end = node.to;
    do {
      if (cursor.from >= end) break;
      if (!this.evaluator.spend()) return;
      if (cursor.name !== 'AssignStatement' && cursor.name !== 'UpdateStatement') continue;
      const target = cursor.node.firstChild;
      if (target === null || !isName(target.name)) continue;
      this.set(target, { kind: 'unknown', reason, source: this.module.range(target) });
    } while (cursor.next());
  }
}

/** The value of an expression by itself: `[0]*3+[1]*58`. */
export function evaluatePython(text: string): PythonValue | null {
  const module = new PythonModule('', `value = (${text})`);
  return module.firstError() === null ? new PythonEvaluator(module).global('value') : null;
}
