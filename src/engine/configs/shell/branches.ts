/** Conditions and branches: what is known is taken, what may be taken is joined. */
import type { Case, CompoundList, If, Statement } from 'unbash';
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
import type { Outcome, Runner } from './runner';
import type { Scope } from './scope';
import { type Reason, type ShellValue, textOf } from './value';
import { Budget, tokensOf } from './words';

interface Arm {
  readonly verdict: () => Verdict;
  readonly run: () => Outcome;
}

export class Branches {
  constructor(private readonly run: Runner) {}

  private verdict(list: CompoundList): Verdict {
    const last = list.commands.at(-1);
    if (last === undefined) return unknownVerdict('');
    this.run.all(list.commands.slice(0, -1));
    return this.verdictOf(last.command);
  }

  private verdictOf(node: Statement['command']): Verdict {
    const expander = this.run.expander();
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
        this.run.node(node);
        return unknownVerdict(name);
      }
      default:
        return unknownVerdict('');
    }
  }

  branches({ clause, then, elif, else: otherwise }: If): Outcome {
    const arms = [{ clause, then }, ...elif];
    return this.choose(
      arms.map(arm => ({ verdict: () => this.verdict(arm.clause), run: () => this.run.all(arm.then.commands) })),
      otherwise === undefined ? null : () => this.run.all(otherwise.commands),
    );
  }

  cases({ word, items }: Case): Outcome {
    const expander = this.run.expander();
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
        run: () => this.run.all(item.body.commands),
      }),
    );
    return this.choose(arms, null);
  }

  /** Takes the arm that is known to hold; where that is unknown, all that may, and joins what they leave. */
  private choose(arms: readonly Arm[], otherwise: (() => Outcome) | null): Outcome {
    const outer = this.run.scope;
    const live: Scope[] = [];
    let reason: Reason | null = null;
    let outcome: Outcome = 'exit';
    const take = (run: () => Outcome): Outcome => {
      this.run.scope = outer.branch();
      const result = run();
      if (result === 'next') {
        live.push(this.run.scope);
        outcome = 'next';
      } else if (outcome === 'exit') outcome = result;
      this.run.scope = outer;
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

  andOr(commands: readonly Statement['command'][], operators: readonly string[]): Outcome {
    const [first, ...rest] = commands;
    if (first === undefined) return 'next';
    let verdict = this.isTest(first) ? this.verdictOf(first) : null;
    if (verdict === null) {
      const outcome = this.run.node(first);
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
                  run: () => this.run.node(command),
                },
              ],
              () => 'next',
            )
          : this.run.node(command);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  private isTest(node: Statement['command']): boolean {
    return (
      node.type === 'TestCommand' ||
      (node.type === 'Command' && testWords(node) !== null) ||
      (node.type === 'Pipeline' && node.commands.length === 1 && this.isTest(node.commands[0]))
    );
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

function tokenReason(value: ShellValue): string {
  const [token] = tokensOf([value], new Budget(1000));
  if (token?.kind === 'choice') return token.reason.name;
  return token?.leaves.find(({ reason }) => reason !== null)?.reason?.name ?? '';
}
