/** Points that a rule refuses, counted by rule, each with its first example. */
import type { Plan } from '../plan/keys';
import type { Args, ProblemCode } from '../problem';

/**
 * Rules of the search itself: a point that is another one under a different name, shards that do not divide, a schedule
 * that is tried on the best layouts alone, numbers that the device does not multiply.
 */
export type RejectionCode = ProblemCode | 'same-plan' | 'shard-size' | 'tried-late';

export interface Rejection {
  readonly code: RejectionCode;
  count: number;
  /** The first plan that the rule refused, with the rule's numbers. */
  readonly example: { readonly plan: Plan; readonly args: Args };
}

export class Rejections {
  private readonly byCode = new Map<RejectionCode, Rejection>();

  /** `example` is asked for once a code. */
  add(code: RejectionCode, count: number, example: () => Rejection['example']): void {
    if (count === 0) return;
    const known = this.byCode.get(code);
    if (known !== undefined) known.count += count;
    else this.byCode.set(code, { code, count, example: example() });
  }

  /** A point that was refused is looked at after all. */
  takeBack(code: RejectionCode): void {
    const known = this.byCode.get(code);
    if (known !== undefined) known.count--;
  }

  /** The most frequent first. */
  list(): Rejection[] {
    return [...this.byCode.values()]
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
  }
}
