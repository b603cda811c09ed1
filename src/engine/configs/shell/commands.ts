/** Simple commands: assignments and builtins change variables, the others are kept with their words. */
import type { ArithmeticCommand, Assignment, Command, CommandNode, CompoundList, Redirection, Word } from 'unbash';
import { readAgain } from './again';
import { testWords } from './conditions';
import type { Expander } from './expand';
import { CALL_DEPTH, LIMITS, type Outcome, type Runner } from './runner';
import { EMPTY, type Place, type Reason, type ShellText, type ShellValue, textOf } from './value';
import { knownEnd, leavesText, type Token, tokensOf } from './words';

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

const DECLARATIONS = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);

/** Commands that start no training, whose words need no look. */
const IDLE = new Set(
  'echo printf read mkdir cd rm cp mv ls cat touch chmod pip pip3 wget tar git sleep kill wait trap ulimit module conda set shopt grep sed awk tee sort nvidia-smi'.split(
    ' ',
  ),
);

const SHELLS = /(^|\/)(ba|z|da)?sh$/;

/** Commands that run a here-document as a script. */
const SCRIPT_READERS = /(^|\/)((ba)?sh|sbatch|qsub|bsub|ssh|srun)$/;

/** More commands than this are no launch script. */
const MOST_COMMANDS = 1000;

interface ShellFunction {
  readonly body: CommandNode | CompoundList;
  readonly text: ShellText;
}

/** The text of a script that a command names. */
export type OpenScript = (name: string) => ShellText | undefined;

export class Commands {
  readonly commands: RanCommand[] = [];
  readonly documents: WrittenDocument[] = [];
  readonly functions = new Map<string, ShellFunction>();

  constructor(
    private readonly run: Runner,
    private readonly open: OpenScript,
  ) {}

  command(command: Command): Outcome {
    const expander = this.run.expander();
    const assignments = command.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    if (command.name === undefined) {
      for (const assignment of assignments) this.assign(assignment, expander);
      return 'next';
    }
    const name = command.name.parts === undefined ? command.name.text : '';
    const last = command.args.at(-1);
    this.redirections(command.redirects, name, name === 'read' && last?.type === 'Word' ? last.text : null);
    if (DECLARATIONS.has(name)) {
      for (const arg of command.args) if (arg.type === 'Assignment') this.assign(arg, expander);
      return 'next';
    }
    const words = command.args.filter((arg): arg is Word => arg.type === 'Word');
    if (name === 'exit') return 'exit';
    if (name === 'return') return 'return';
    if (name === 'break' || name === 'continue') return 'break';
    if (name === 'printf' && words[0]?.text === '-v') this.printInto(words.slice(1), expander);
    if (name === 'unset') for (const { text } of words) this.run.scope.set(text, null);
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
    this.record(tokensOf([expander.word(command.name), ...values], this.run.budget), command, environment);
    return 'next';
  }

  /** `printf -v NAME "[%s]" VALUE` with one value. */
  private printInto([name, format, value]: readonly Word[], expander: Expander): void {
    if (name === undefined || format === undefined || value === undefined) return;
    const [before, after, ...more] = (textOf(expander.word(format)) ?? '').split('%s');
    const given = textOf(expander.word(value));
    const place = this.run.place(format.pos, value.end);
    const reason: Reason = { kind: 'expression', name: 'printf' };
    const known = given !== null && after !== undefined && more.length === 0;
    const printed: ShellValue = known
      ? { kind: 'text', text: `${before}${given}${after}`, place, exact: false }
      : { kind: 'unknown', reason, place, unset: false };
    this.run.scope.set(textOf(expander.word(name)) ?? '', printed);
  }

  private record(words: Token[], command: Command, environment: RanCommand['environment'], around: Token[] = []): void {
    if (this.commands.length > MOST_COMMANDS) return;
    const first = wordText(words[0]);
    const shell = words.findIndex(word => SHELLS.test(wordText(word) ?? ''));
    const option =
      shell === -1 ? -1 : words.findIndex((word, at) => at > shell && /^-\w*c$/.test(wordText(word) ?? ''));
    const inner = first === 'eval' ? words.slice(1) : option === -1 ? null : words.slice(option + 1);
    if (inner !== null) {
      const outside = first === 'eval' ? around : [...around, ...words.slice(0, shell)];
      this.deeper(() => {
        for (const again of this.again(inner)) this.record(again, command, environment, outside);
      });
      return;
    }
    if (shell !== -1 && this.runScript(words.slice(shell + 1), environment)) return;
    // A line that a comment cut off from its command starts with an option and runs nothing.
    if (first !== null && (IDLE.has(first) || first.startsWith('-'))) return;
    this.commands.push({ words, around, environment, place: this.run.place(command.pos, command.end) });
  }

  /** Strings that are read again, calls and sourced files nest only so deep. */
  private deeper(inner: () => void): void {
    if (this.run.depth > LIMITS.depth / 2) return;
    this.run.depth += CALL_DEPTH;
    inner();
    this.run.depth -= CALL_DEPTH;
  }

  private again(words: readonly Token[]): Token[][] {
    return readAgain(words, (name, { place, outer }) =>
      tokensOf([{ kind: 'use', place, value: this.run.expander().variable(name, place) }], this.run.budget, outer),
    );
  }

  /** `TP=2 bash train.sh 8 16`, where train.sh is given: its variables and arguments are what stands here. */
  private runScript(words: readonly Token[], environment: RanCommand['environment']): boolean {
    const at = words.findIndex(word => word.kind === 'word' && !knownEnd(word.leaves).startsWith('-'));
    const script = words[at];
    const text = script?.kind === 'word' ? this.open(knownEnd(script.leaves)) : undefined;
    if (text === undefined || this.run.depth > LIMITS.depth / 2) return false;
    const args = words.slice(at + 1).map(tokenValue);
    this.run.depth += CALL_DEPTH;
    this.run.inBranch(() => {
      for (const [name, value] of environment) this.run.scope.set(name, value);
      this.run.scope = this.run.scope.branch(args);
      return this.run.script(text);
    });
    this.run.depth -= CALL_DEPTH;
    return true;
  }

  private assign(assignment: Assignment, expander: Expander): void {
    this.run.scope.set(assignment.name, this.assigned(assignment, expander));
  }

  private assigned({ name, value, append, index, pos, end }: Assignment, expander: Expander): ShellValue {
    if (index !== undefined) {
      return {
        kind: 'unknown',
        reason: { kind: 'expression', name: `${name}[]` },
        place: this.run.place(pos, end),
        unset: false,
      };
    }
    const added = value.type === 'ArrayValue' ? expander.array(value) : expander.word(value);
    if (append !== true) return added;
    const before = this.run.scope.get(name) ?? EMPTY;
    if (added.kind === 'list' && before.kind === 'list' && before.items.length === 0) return added;
    return added.kind === 'list'
      ? { kind: 'list', items: [before, ...added.items] }
      : { kind: 'join', parts: [before, added] };
  }

  /** `into`: the variable that `read` fills. */
  redirections(redirects: readonly Redirection[], name: string, into: string | null = null): void {
    for (const redirect of redirects) {
      if (redirect.type !== 'HereDoc') continue;
      const { body, delimiter } = redirect;
      const parts = delimiter?.quoted === true ? undefined : body.parts;
      const value: ShellValue = { kind: 'quoted', value: this.run.expander().body(parts, body.pos, body.end) };
      if (into !== null) {
        this.run.scope.set(into, value);
        continue;
      }
      if (!SCRIPT_READERS.test(name)) {
        this.documents.push({ body: value, place: this.run.place(body.pos, body.end) });
        continue;
      }
      const command = { pos: redirect.pos, end: redirect.end } as Command;
      for (const again of this.again(tokensOf([value], this.run.budget))) this.record(again, command, new Map());
    }
  }

  private source(word: Word | undefined, expander: Expander): Outcome {
    if (word === undefined || this.run.depth > LIMITS.depth / 2) return 'next';
    const [token] = tokensOf([expander.word(word)], this.run.budget);
    const text = token?.kind === 'word' ? this.open(knownEnd(token.leaves)) : undefined;
    if (text === undefined) return 'next';
    this.run.depth += CALL_DEPTH;
    const outcome = this.run.script(text);
    this.run.depth -= CALL_DEPTH;
    return outcome === 'return' ? 'next' : outcome;
  }

  private call(called: ShellFunction, args: readonly ShellValue[]): Outcome {
    if (this.run.depth > LIMITS.depth / 2) return 'next';
    const { text, scope } = this.run;
    this.run.text = called.text;
    this.run.scope = scope.branch(args);
    this.run.depth += CALL_DEPTH;
    const outcome = this.run.node(called.body);
    this.run.depth -= CALL_DEPTH;
    for (const [name, value] of this.run.scope.assigned()) scope.set(name, value);
    this.run.scope = scope;
    this.run.text = text;
    return outcome === 'exit' ? 'exit' : 'next';
  }

  arithmeticCommand({ body }: ArithmeticCommand): void {
    const changed = /^\s*(\w+)\s*(\+\+|--|[-+*/%]?=(?!=))/.exec(body)?.[1];
    if (changed === undefined) return;
    const reason: Reason = { kind: 'expression', name: `((${body}))` };
    this.run.scope.set(changed, { kind: 'unknown', reason, place: this.run.place(0, 0), unset: false });
  }
}

function wordText(token: Token | undefined): string | null {
  return token?.kind === 'word' ? leavesText(token.leaves) : null;
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
  return parts.length === 1 ? parts[0] : { kind: 'join', parts };
}
