/** What the parts of the evaluator need of it and of each other. */
import type { CompoundList, Statement } from 'unbash';
import type { Expander } from './expand';
import type { Scope } from './scope';
import type { Place, ShellText } from './value';
import type { Budget } from './words';

/** How a statement ends: the next one follows, or the script, function or loop ends here. */
export type Outcome = 'next' | 'exit' | 'return' | 'break';

export type Runnable = Statement['command'] | CompoundList;

/** Limits that no real script reaches: statements read, nesting of calls, pieces of words, rounds of a loop. */
export const LIMITS = { statements: 40_000, depth: 60, pieces: 200_000, rounds: 300 } as const;

/** Calls and sourced files weigh more than a nested block. */
export const CALL_DEPTH = 6;

export interface Runner {
  scope: Scope;
  text: ShellText;
  readonly budget: Budget;
  depth: number;
  script(text: ShellText): Outcome;
  all(statements: readonly Statement[]): Outcome;
  node(node: Runnable): Outcome;
  inBranch(run: () => Outcome): void;
  expander(): Expander;
  place(from: number, to: number): Place;
}
