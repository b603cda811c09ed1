/**
 * Reads a script the way bash would run it, without running anything: assignments, branches, loops, functions and
 * sourced files change variables; every other command is kept with its words. What cannot be known stays unknown.
 */
import {
  type ArithmeticCommand,
  type ArithmeticFor,
  type Assignment,
  type Case,
  type Command,
  type CommandNode,
  type CompoundList,
  type For,
  type If,
  parse,
  type ParsedScript,
  type Redirection,
  type Statement,
  type Word,
} from 'unbash';
import { readAgain } from './again';
import {
  arithmeticVerdict,
  both,
  bracketVerdict,
  either,
  matches,
  negate,
  testVerdict,
  testWords,
  unknownVerdict,
  type Verdict,
} from './conditions';
import { Expander } from './expand';
import { Scope } from './scope';
import { EMPTY, type Place, type Reason, ShellText, type ShellValue, textOf } from './value';
import { Budget, knownEnd, leavesText, type Token, tokensOf } from './words';

/** A command that a script runs. */
export interface RanCommand {
  readonly words: readonly Token[];
  /** Words of the command that starts this one: `srun … bash -c "…"`. */
  readonly around: readonly Token[];
  /** Assignments before the command. */
  readonly environment: ReadonlyMap<string, ShellValue>;
  readonly place: Place;
}

/** A here-document that goes into a file. */
export interface WrittenDocument {
  readonly body: ShellValue;
  readonly place: Place;
}

interface Arm {
  readonly verdict: () => Verdict;
  readonly run: () => Outcome;
}

type Outcome = 'next' | 'exit' | 'return' | 'break';

const DECLARATIONS = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);

/** Commands that start no training, whose words need no look. */
const IDLE = new Set(
  'echo printf mkdir cd rm cp mv ls cat touch chmod pip pip3 wget tar git sleep kill wait trap ulimit module conda set shopt grep sed awk tee sort nvidia-smi'.split(
    ' ',
  ),
);

const SHELLS = /(^|\/)(ba|z|da)?sh$/;

/** Commands that run a here-document as a script. */
const SCRIPT_READERS = /(^|\/)((ba)?sh|sbatch|qsub|bsub|ssh|srun)$/;

/** Limits that no real script reaches: statements read, nesting of calls, pieces of words. */
const MOST_STATEMENTS = 40_000;
const DEEPEST = 60;
const MOST_ROUNDS = 300;
const MOST_PIECES = 400_000;

export class Evaluator {
  readonly commands: RanCommand[] = [];
  readonly documents: WrittenDocument[] = [];
  readonly errors: { readonly message: string; readonly place: Place }[] = [];
  /** Variables whose value some word used. */
  readonly used = new Set<string>();
  readonly budget = new Budget(MOST_PIECES);
  scope: Scope;
  private text: ShellText;
  private readonly functions = new Map<string, { body: CommandNode | CompoundList; text: ShellText }>();
  private statements = 0;
  private depth = 0;

  constructor(
    text: ShellText,
    private readonly beside: ReadonlyMap<string, ShellText>,
  ) {
    this.text = text;
    this.scope = new Scope();
  }

  get exhausted(): boolean {
    return this.statements > MOST_STATEMENTS || this.budget.exhausted;
  }

  run(): void {
    this.script(this.text);
  }

  private script(text: ShellText): Outcome {
    const before = this.text;
    this.text = text;
    const tree: ParsedScript = parse(text.text);
    for (const { message, pos } of tree.errors ?? []) this.errors.push({ message, place: this.place(pos, pos + 1) });
    const outcome = this.all(tree.commands);
    this.text = before;
    return outcome;
  }

  private all(statements: readonly Statement[]): Outcome {
    for (const { command } of statements) {
      if (++this.statements > MOST_STATEMENTS) return 'exit';
      const outcome = this.node(command);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  private node(node: Statement['command'] | CompoundList): Outcome {
    if (this.depth > DEEPEST) return 'next';
    this.depth++;
    const outcome = this.dispatch(node);
    this.depth--;
    return outcome;
  }

  private dispatch(node: Statement['command'] | CompoundList): Outcome {
    switch (node.type) {
      case 'Command':
        return this.command(node);
      case 'AndOr':
        return this.andOr(node.commands, node.operators);
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
        this.redirections(node.redirects, '');
        return this.node(node.command);
      case 'If':
        return this.branches(node);
      case 'Case':
        return this.cases(node);
      case 'For':
        return this.forEach(node);
      case 'While':
        return this.loop(node.body, this.isOptionLoop(node.clause, node.body));
      case 'ArithmeticFor':
        return this.counted(node);
      case 'Select':
        return this.loop(node.body, false);
      case 'Function':
        this.functions.set(node.name.text, { body: node.body, text: this.text });
        return 'next';
      case 'Coproc':
      case 'TestCommand':
        return 'next';
      case 'ArithmeticCommand':
        this.arithmeticCommand(node);
        return 'next';
    }
  }

  // --- simple commands -------------------------------------------------------------------------------------------

  private command(command: Command): Outcome {
    const expander = this.expander();
    const assignments = command.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    if (command.name === undefined) {
      for (const assignment of assignments) this.assign(assignment, expander);
      return 'next';
    }
    const name = command.name.parts === undefined ? command.name.text : '';
    this.redirections(command.redirects, name);
    if (DECLARATIONS.has(name)) {
      for (const arg of command.args) if (arg.type === 'Assignment') this.assign(arg, expander);
      return 'next';
    }
    const words = command.args.filter((arg): arg is Word => arg.type === 'Word');
    if (name === 'exit') return 'exit';
    if (name === 'return') return 'return';
    if (name === 'break' || name === 'continue') return 'break';
    if (name === 'printf' && words[0]?.text === '-v') this.printInto(words.slice(1), expander);
    if (name === 'unset') for (const { text } of words) this.scope.set(text, null);
    if (name === 'source' || name === '.') return this.source(words[0], expander);
    const called = this.functions.get(name);
    if (called !== undefined)
      return this.call(
        called,
        words.map(word => expander.word(word)),
      );
    if (IDLE.has(name) || name === 'unset' || testWords(command) !== null) return 'next';
    const values = command.args.map(arg =>
      arg.type === 'Word' ? expander.word(arg) : expander.literalText(arg.pos, arg.end),
    );
    const environment = new Map(assignments.map(part => [part.name, this.assigned(part, expander)]));
    this.record(tokensOf([expander.word(command.name), ...values], this.budget), command, environment);
    return 'next';
  }

  /** `printf -v NAME "[%s]" VALUE` with one value. */
  private printInto([name, format, value]: readonly Word[], expander: Expander): void {
    if (name === undefined || format === undefined || value === undefined) return;
    const [before, after, ...more] = (textOf(expander.word(format)) ?? '').split('%s');
    const given = textOf(expander.word(value));
    const place = this.place(format.pos, value.end);
    const reason: Reason = { kind: 'expression', name: 'printf' };
    const known = given !== null && after !== undefined && more.length === 0;
    const printed: ShellValue = known
      ? { kind: 'text', text: `${before}${given}${after}`, place, exact: false }
      : { kind: 'unknown', reason, place, unset: false };
    this.scope.set(textOf(expander.word(name)) ?? '', printed);
  }

  private record(words: Token[], command: Command, environment: RanCommand['environment'], around: Token[] = []): void {
    if (this.commands.length > 1000 || around.length > 10_000) return;
    const place = this.place(command.pos, command.end);
    const first = wordText(words[0]);
    if (first === 'eval') {
      for (const again of this.again(words.slice(1))) this.record(again, command, environment, around);
      return;
    }
    const shell = words.findIndex(word => SHELLS.test(wordText(word) ?? ''));
    const option =
      shell === -1 ? -1 : words.findIndex((word, at) => at > shell && /^-\w*c$/.test(wordText(word) ?? ''));
    if (option !== -1) {
      const outside = [...around, ...words.slice(0, shell)];
      for (const again of this.again(words.slice(option + 1))) this.record(again, command, environment, outside);
      return;
    }
    if (shell !== -1 && this.runScript(words.slice(shell + 1), environment)) return;
    if (first !== null && IDLE.has(first)) return;
    this.commands.push({ words, around, environment, place });
  }

  private again(words: readonly Token[]): Token[][] {
    return readAgain(words, (name, { place, outer }) =>
      tokensOf([{ kind: 'use', place, value: this.expander().variable(name, place) }], this.budget, outer),
    );
  }

  /** `TP=2 bash train.sh 8 16`, where train.sh is given: its variables and arguments are what stands here. */
  private runScript(words: readonly Token[], environment: RanCommand['environment']): boolean {
    const at = words.findIndex(word => word.kind === 'word' && !knownEnd(word.leaves).startsWith('-'));
    const script = words[at];
    const text = script?.kind === 'word' ? this.fileNamed(knownEnd(script.leaves)) : undefined;
    if (text === undefined || this.depth > DEEPEST / 2) return false;
    const args = words.slice(at + 1).map(tokenValue);
    this.depth += 10;
    this.inBranch(() => {
      for (const [name, value] of environment) this.scope.set(name, value);
      this.scope = this.scope.branch(args);
      return this.script(text);
    });
    this.depth -= 10;
    return true;
  }

  private assign(assignment: Assignment, expander: Expander): void {
    this.scope.set(assignment.name, this.assigned(assignment, expander));
  }

  private assigned({ name, value, append, index, pos, end }: Assignment, expander: Expander): ShellValue {
    if (index !== undefined) {
      return {
        kind: 'unknown',
        reason: { kind: 'expression', name: `${name}[]` },
        place: this.place(pos, end),
        unset: false,
      };
    }
    const added = value.type === 'ArrayValue' ? expander.array(value) : expander.word(value);
    if (append !== true) return added;
    const before = this.scope.get(name) ?? EMPTY;
    if (added.kind === 'list' && before.kind === 'list' && before.items.length === 0) return added;
    return added.kind === 'list'
      ? { kind: 'list', items: [before, ...added.items] }
      : { kind: 'join', parts: [before, added] };
  }

  private redirections(redirects: readonly Redirection[], name: string): void {
    for (const redirect of redirects) {
      if (redirect.type !== 'HereDoc') continue;
      const { body, delimiter } = redirect;
      const parts = delimiter?.quoted === true ? undefined : body.parts;
      const value: ShellValue = { kind: 'quoted', value: this.expander().body(parts, body.pos, body.end) };
      if (!SCRIPT_READERS.test(name)) {
        this.documents.push({ body: value, place: this.place(body.pos, body.end) });
        continue;
      }
      const command = { pos: redirect.pos, end: redirect.end } as Command;
      for (const again of this.again(tokensOf([value], this.budget))) this.record(again, command, new Map());
    }
  }

  private source(word: Word | undefined, expander: Expander): Outcome {
    if (word === undefined || this.depth > DEEPEST / 2) return 'next';
    const [token] = tokensOf([expander.word(word)], this.budget);
    const text = token?.kind === 'word' ? this.fileNamed(knownEnd(token.leaves)) : undefined;
    if (text === undefined) return 'next';
    this.depth += 10;
    const outcome = this.script(text);
    this.depth -= 10;
    return outcome === 'return' ? 'next' : outcome;
  }

  private fileNamed(path: string): ShellText | undefined {
    return this.beside.get(path.slice(path.lastIndexOf('/') + 1));
  }

  private call(called: { body: CommandNode | CompoundList; text: ShellText }, args: readonly ShellValue[]): Outcome {
    if (this.depth > DEEPEST / 2) return 'next';
    const { text, scope } = this;
    this.text = called.text;
    this.scope = scope.branch(args);
    this.depth += 10;
    const outcome = this.node(called.body);
    this.depth -= 10;
    for (const [name, value] of this.scope.assigned()) scope.set(name, value);
    this.scope = scope;
    this.text = text;
    return outcome === 'exit' ? 'exit' : 'next';
  }

  private arithmeticCommand({ body }: ArithmeticCommand): void {
    const changed = /^\s*(\w+)\s*(\+\+|--|[-+*/%]?=(?!=))/.exec(body)?.[1];
    if (changed === undefined) return;
    const reason: Reason = { kind: 'expression', name: `((${body}))` };
    this.scope.set(changed, { kind: 'unknown', reason, place: this.place(0, 0), unset: false });
  }

  // --- conditions and branches -----------------------------------------------------------------------------------

  private verdict(list: CompoundList): Verdict {
    const last = list.commands.at(-1);
    if (last === undefined) return unknownVerdict('');
    this.all(list.commands.slice(0, -1));
    return this.verdictOf(last.command);
  }

  private verdictOf(node: Statement['command']): Verdict {
    const expander = this.expander();
    switch (node.type) {
      case 'TestCommand':
        return testVerdict(node.expression, expander);
      case 'ArithmeticCommand':
        return arithmeticVerdict(node.expression, expander);
      case 'Pipeline': {
        const negated = node.prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1;
        const [only] = node.commands;
        if (node.commands.length !== 1 || only === undefined) return unknownVerdict('command');
        const inner = this.verdictOf(only);
        return negated ? negate(inner) : inner;
      }
      case 'AndOr': {
        const [first, ...rest] = node.commands.map(command => this.verdictOf(command));
        return rest.reduce(
          (left, right, at) => (node.operators[at] === '&&' ? both : either)(left, right),
          first ?? unknownVerdict(''),
        );
      }
      case 'Command': {
        const words = testWords(node);
        if (words !== null) return bracketVerdict(words, expander);
        const name = node.name?.text ?? '';
        if (name === 'true' || name === ':') return { ...unknownVerdict(''), holds: true };
        if (name === 'false') return { ...unknownVerdict(''), holds: false };
        this.command(node);
        return unknownVerdict(name);
      }
      default:
        return unknownVerdict('');
    }
  }

  private branches({ clause, then, elif, else: otherwise }: If): Outcome {
    const arms = [{ clause, then }, ...elif];
    return this.choose(
      arms.map(arm => ({ verdict: () => this.verdict(arm.clause), run: () => this.all(arm.then.commands) })),
      otherwise === undefined ? null : () => this.all(otherwise.commands),
    );
  }

  private cases({ word, items }: Case): Outcome {
    const expander = this.expander();
    const value = expander.word(word);
    const text = textOf(value);
    const arms = items.map(
      (item): Arm => ({
        verdict: () => {
          const patterns = item.pattern.map(pattern => textOf(expander.word(pattern)));
          if (patterns.includes('*')) return { ...unknownVerdict(''), holds: true };
          if (text === null) return unknownVerdict(tokenReason(value));
          return { ...unknownVerdict(''), holds: patterns.some(pattern => pattern !== null && matches(pattern, text)) };
        },
        run: () => this.all(item.body.commands),
      }),
    );
    return this.choose(arms, null);
  }

  /** Takes the arm that is known to hold; where that is unknown, all that may, and joins what they leave. */
  private choose(arms: readonly Arm[], otherwise: (() => Outcome) | null): Outcome {
    const outer = this.scope;
    const live: Scope[] = [];
    let reason: Reason | null = null;
    let outcome: Outcome = 'exit';
    const take = (run: () => Outcome): Outcome => {
      this.scope = outer.branch();
      const result = run();
      if (result === 'next') {
        live.push(this.scope);
        outcome = 'next';
      } else if (outcome === 'exit') outcome = result;
      this.scope = outer;
      return result;
    };
    let closed = false;
    for (const { verdict, run } of arms) {
      const { holds, assumed, reason: asked } = verdict();
      if (holds === false) continue;
      const result = take(run);
      // What a plain run does not give would end the script there: so somebody gives it.
      if (holds === true && !(assumed && result === 'exit')) {
        closed = true;
        break;
      }
      if (holds === null) reason ??= asked;
    }
    const needed = otherwise === null && live.some(branch => setsNeeded(branch, outer));
    if (!closed && !needed) take(otherwise ?? (() => 'next'));
    outer.join(live, reason ?? { kind: 'branch', name: '' });
    return outcome;
  }

  private andOr(commands: readonly Statement['command'][], operators: readonly string[]): Outcome {
    const [first, ...rest] = commands;
    if (first === undefined) return 'next';
    let verdict = this.isTest(first) ? this.verdictOf(first) : null;
    if (verdict === null) {
      const outcome = this.node(first);
      if (outcome !== 'next') return outcome;
    }
    for (const [at, command] of rest.entries()) {
      const wanted = operators[at] === '&&';
      // A command that is no test is taken to succeed.
      const holds = verdict === null ? true : verdict.holds;
      if (holds !== null && holds !== wanted) continue;
      if (this.isTest(command)) {
        const next = this.verdictOf(command);
        verdict = verdict === null ? next : wanted ? both(verdict, next) : either(verdict, next);
        continue;
      }
      const asked = verdict;
      const outcome =
        holds === null || asked?.assumed === true
          ? this.choose(
              [
                {
                  verdict: () => (wanted ? asked : asked && negate(asked)) ?? unknownVerdict(''),
                  run: () => this.node(command),
                },
              ],
              () => 'next',
            )
          : this.node(command);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  private isTest(node: Statement['command']): boolean {
    return (
      node.type === 'TestCommand' ||
      (node.type === 'Command' && testWords(node) !== null) ||
      (node.type === 'Pipeline' && node.commands.length === 1 && this.isTest(node.commands[0] as CommandNode))
    );
  }

  // --- loops -----------------------------------------------------------------------------------------------------

  private forEach({ name, wordlist, body }: For): Outcome {
    const expander = this.expander();
    const values = (wordlist ?? []).map(word => expander.word(word));
    if (wordlist === undefined || values.length === 0) return this.loop(body, false);
    const reason: Reason = { kind: 'loop', name: name.text };
    this.scope.set(
      name.text,
      values.length === 1 ? (values[0] as ShellValue) : { kind: 'choice', reason, variants: values },
    );
    if (values.length === 1) return ended(this.all(body.commands));
    return this.loop(body, false);
  }

  /** `for ((i = 0; i < N; i++))` with a known N runs as often. */
  private counted({ initialize, test, update, body }: ArithmeticFor): Outcome {
    const start = initialize?.type === 'ArithmeticBinary' && initialize.operator === '=' ? initialize : null;
    const step = update?.type === 'ArithmeticUnary' && update.operator === '++' ? update.operand : null;
    const name = start?.left.type === 'ArithmeticWord' ? start.left.value : null;
    const first = start === null ? null : this.expander().arithmetic(start.right);
    const sameName = step?.type === 'ArithmeticWord' && step.value === name;
    if (name === null || first === null || !sameName || test === undefined) return this.loop(body, false);
    const place = this.place(body.pos, body.pos);
    for (let i = first; i < first + MOST_ROUNDS; i++) {
      this.scope.set(name, { kind: 'text', text: String(i), place, exact: false });
      const goes = this.expander().arithmetic(test);
      if (goes === null) break;
      if (goes === 0) return 'next';
      const outcome = this.all(body.commands);
      if (outcome !== 'next') return ended(outcome);
    }
    return this.loop(body, false);
  }

  /** A body that runs an unknown number of times: what it assigns is unknown after it. */
  private loop(body: CompoundList, skipped: boolean): Outcome {
    if (skipped) return 'next';
    const outer = this.scope;
    this.scope = outer.branch();
    this.all(body.commands);
    const assigned = [...this.scope.assigned()];
    this.scope = outer;
    for (const [name] of assigned) {
      const reason: Reason = { kind: 'loop', name };
      outer.set(name, { kind: 'unknown', reason, place: this.place(body.pos, body.end), unset: false });
    }
    return 'next';
  }

  /** `while [ $# -gt 0 ]; do case $1 in … shift`: without arguments it does nothing, and the defaults stand. */
  private isOptionLoop(clause: CompoundList, body: CompoundList): boolean {
    const text = this.text.text.slice(clause.pos, clause.end);
    if (text.includes('$#') || text.includes('$1') || text.includes('${1') || text.includes('getopts')) return true;
    return this.text.text.slice(body.pos, Math.min(body.end, body.pos + 20_000)).includes('shift');
  }

  // --- helpers ---------------------------------------------------------------------------------------------------

  private inBranch(run: () => Outcome): void {
    const outer = this.scope;
    this.scope = outer.branch();
    run();
    this.scope = outer;
  }

  private expander(): Expander {
    return new Expander(this.text, this.scope, name => this.used.add(name));
  }

  private place(from: number, to: number): Place {
    return { text: this.text, from, to };
  }
}

/**
 * Whether a branch gives several variables a first plain value: sizes of a model by its name. A run that takes no such
 * branch lacks them, so it is none that works. Optional groups of flags are not such values.
 */
function setsNeeded(branch: Scope, outer: Scope): boolean {
  let count = 0;
  for (const [name, value] of branch.assigned()) {
    const text = value === null ? null : textOf(value);
    if (text !== null && text !== '' && !text.includes('--') && outer.get(name) === undefined) count++;
  }
  return count >= 2;
}

function ended(outcome: Outcome): Outcome {
  return outcome === 'break' ? 'next' : outcome;
}

function wordText(token: Token | undefined): string | null {
  return token?.kind === 'word' ? leavesText(token.leaves) : null;
}

function tokenReason(value: ShellValue): string {
  const [token] = tokensOf([value], new Budget(1000));
  if (token?.kind === 'choice') return token.reason.name;
  return token?.leaves.find(({ reason }) => reason !== null)?.reason?.name ?? '';
}

/** A word that was split already, as a value again. */
function tokenValue(token: Token): ShellValue {
  if (token.kind === 'choice') {
    return {
      kind: 'choice',
      reason: token.reason,
      variants: token.variants.map(variant => ({ kind: 'list', items: variant.map(tokenValue) })),
    };
  }
  const parts = token.leaves.map(
    ({ text, reason, place, exact }): ShellValue =>
      text === null
        ? { kind: 'unknown', reason: reason ?? { kind: 'expression', name: '' }, place, unset: false }
        : { kind: 'text', text, place, exact },
  );
  return parts.length === 1 ? (parts[0] as ShellValue) : { kind: 'join', parts };
}
