/** Loops: with a known number of rounds they run as often, else what they assign is unknown. */
import type { ArithmeticFor, CompoundList, For } from 'unbash';
import { LIMITS, type Outcome, type Runner } from './runner';
import type { Reason } from './value';

export class Loops {
  constructor(private readonly run: Runner) {}

  forEach({ name, wordlist, body }: For): Outcome {
    const expander = this.run.expander();
    const values = (wordlist ?? []).map(word => expander.word(word));
    if (wordlist === undefined || values.length === 0) return this.loop(body, false);
    const reason: Reason = { kind: 'loop', name: name.text };
    this.run.scope.set(name.text, values.length === 1 ? values[0] : { kind: 'choice', reason, variants: values });
    if (values.length === 1) return ended(this.run.all(body.commands));
    return this.loop(body, false);
  }

  /** `for ((i = 0; i < N; i++))` with a known N runs as often. */
  counted({ initialize, test, update, body }: ArithmeticFor): Outcome {
    const start = initialize?.type === 'ArithmeticBinary' && initialize.operator === '=' ? initialize : null;
    const step = update?.type === 'ArithmeticUnary' && update.operator === '++' ? update.operand : null;
    const name = start?.left.type === 'ArithmeticWord' ? start.left.value : null;
    const first = start === null ? null : this.run.expander().arithmetic(start.right);
    const sameName = step?.type === 'ArithmeticWord' && step.value === name;
    if (name === null || first === null || !sameName || test === undefined) return this.loop(body, false);
    const place = this.run.place(body.pos, body.pos);
    for (let i = first; i < first + LIMITS.rounds; i++) {
      this.run.scope.set(name, { kind: 'text', text: String(i), place, exact: false });
      const goes = this.run.expander().arithmetic(test);
      if (goes === null) break;
      if (goes === 0) return 'next';
      const outcome = this.run.all(body.commands);
      if (outcome !== 'next') return ended(outcome);
    }
    return this.loop(body, false);
  }

  /** A body that runs an unknown number of times: what it assigns is unknown after it. */
  loop(body: CompoundList, skipped: boolean): Outcome {
    if (skipped) return 'next';
    const outer = this.run.scope;
    this.run.scope = outer.branch();
    this.run.all(body.commands);
    const assigned = [...this.run.scope.assigned()];
    this.run.scope = outer;
    for (const [name] of assigned) {
      const reason: Reason = { kind: 'loop', name };
      outer.set(name, { kind: 'unknown', reason, place: this.run.place(body.pos, body.end), unset: false });
    }
    return 'next';
  }

  /** `while [ $# -gt 0 ]; do case $1 in … shift`: without arguments it does nothing, and the defaults stand. */
  isOptionLoop(clause: CompoundList, body: CompoundList): boolean {
    const text = this.run.text.text.slice(clause.pos, clause.end);
    if (text.includes('$#') || text.includes('$1') || text.includes('${1') || text.includes('getopts')) return true;
    return this.run.text.text.slice(body.pos, Math.min(body.end, body.pos + 20_000)).includes('shift');
  }
}

function ended(outcome: Outcome): Outcome {
  return outcome === 'break' ? 'next' : outcome;
}
