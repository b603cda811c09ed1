/**
 * How the workers of a world of threads go from round to round: where they meet, and what they tell each other there.
 * The words stand in each worker's line of the heap: + 0 how many of its calls go on; then two announcements, used by
 * turns, since a fast worker may be a round ahead of one that still reads.
 */
import type { SharedKernels } from '../../engine/kernels/kernels';
import type { HeapLayout } from './heap';
import { Patience } from './patience';
import type { Pending } from './slots';

export class Rounds {
  private readonly patience = new Patience();
  private epoch = 0;
  private round = 0;

  constructor(
    private readonly kernels: SharedKernels,
    private readonly words: Int32Array,
    private readonly layout: HeapLayout,
    private readonly worker: number,
  ) {}

  /** Waits for all workers. */
  meet(): void {
    const { kernels, patience } = this;
    kernels.barrier(this.layout.flags, this.worker, this.layout.workers, ++this.epoch, patience.looks);
    patience.passed(kernels.sleeps.value);
  }

  /** Word index of a worker's announcement: by turns one of two, since a fast worker may be a round ahead. */
  private announcement(worker: number): number {
    return ((this.layout.ready + worker * 128) >> 2) + 4 + 4 * (this.round & 1);
  }

  /** Tells the others whether all of this worker's ranks wait at one barrier: its group, its sequence, how many. Says so too. */
  announce(pending: readonly Pending[]): boolean {
    const { words } = this;
    const at = this.announcement(this.worker);
    const first = pending[0];
    let together = pending.length > 0;
    for (const { request, key, sequence } of pending)
      together &&=
        request.kind === 'collective' && request.op === 'barrier' && key === first.key && sequence === first.sequence;
    words[at] = together ? first.key : 0;
    words[at + 1] = first?.sequence ?? 0;
    words[at + 2] = pending.length;
    return together;
  }

  /**
   * What the announcements say, to every worker alike: all that anybody waits for is one barrier whose members are all
   * there (nobody needs to meet again); or some worker thought so, and has not posted its calls yet; or all are posted.
   */
  verdict(members: number): 'one-barrier' | 'not-posted' | 'posted' {
    const { words, layout } = this;
    const first = this.announcement(0);
    let [present, alike, someTogether] = [0, words[first] !== 0, false];
    for (let w = 0; w < layout.workers; w++) {
      const other = this.announcement(w);
      alike &&= words[other] === words[first] && words[other + 1] === words[first + 1];
      someTogether ||= words[other] !== 0;
      present += words[other + 2];
    }
    this.round++;
    return alike && present === members ? 'one-barrier' : someTogether ? 'not-posted' : 'posted';
  }

  /** Says how many of this worker's calls go on; read after the next meeting. */
  report(goingOn: number): void {
    Atomics.store(this.words, (this.layout.ready + this.worker * 128) >> 2, goingOn);
  }

  someoneGoesOn(): boolean {
    for (let w = 0; w < this.layout.workers; w++)
      if (Atomics.load(this.words, (this.layout.ready + w * 128) >> 2) > 0) return true;
    return false;
  }
}
