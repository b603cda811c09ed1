/** What the graders say of a solution. A solution is data: a short list of statements that the simulated mesh carries out. */
import type { Args } from '../problem';

export type FindingCode =
  | 'syntax'
  | 'too-long'
  | 'unknown-operation'
  | 'unknown-name'
  | 'arguments'
  | 'shapes'
  | 'missing-result'
  | 'no-neighbour'
  | 'deadlock'
  | 'differs'
  | 'activation-skipped'
  | 'input-gradient-partial'
  | 'input-gradient-averaged'
  | 'weight-gradient-reduced'
  | 'last-micro-batch-only'
  | 'not-averaged'
  | 'earlier-stage'
  | 'contribution-missing'
  | 'contribution-repeated'
  | 'own-again'
  | 'sum-forwarded'
  | 'sum-replaced'
  | 'too-much-traffic'
  | 'count-not-bytes'
  | 'megabytes'
  | 'one-bucket'
  | 'bucket-small'
  | 'bucket-large';

/** The first thing that is wrong. */
export interface Finding {
  readonly code: FindingCode;
  /** From 1; null where it is no line's fault alone. */
  readonly line: number | null;
  readonly args: Args;
}

/** null: the solution is right. */
export type Grade = Finding | null;

export const finding = (code: FindingCode, line: number | null, args: Args = {}): Finding => ({ code, line, args });

/** Thrown while a solution runs, caught by its grader: the finding that ends the run. */
export class WrongSolution extends Error {
  constructor(readonly found: Finding) {
    super(found.code);
  }
}
