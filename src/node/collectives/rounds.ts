/**
 * How the workers of a world of threads go from round to round: where they meet, and what they tell each other there.
 * The words stand in each worker's line of the heap: + 0 how many of its calls go on; then two announcements, used by
 * turns, since a fast worker may be a round ahead of one that still reads.
 */
import type { SharedKernels } from '../../engine/kernels/kernels';
import type { HeapLayout } from './heap';
import { Patience } from './patience';

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

  /** Tells the others what all of this worker's ranks wait for (lockstep.ts), or 0: their requests are posted as calls. */
  announce(code: number, elements: number): void {
    const at = this.announcement(this.worker);
    this.words[at] = code;
    this.words[at + 1] = elements;
  }

  /** What the announcements say, to every worker alike: all wait for the same; or some thought so; or all have posted. */
  verdict(): 'together' | 'not-posted' | 'posted' {
    const { words, layout } = this;
    const first = this.announcement(0);
    let [alike, some] = [words[first] !== 0, false];
    for (let w = 0; w < layout.workers; w++) {
      const other = this.announcement(w);
      alike &&= words[other] === words[first] && words[other + 1] === words[first + 1];
      some ||= words[other] !== 0;
    }
    this.round++;
    return alike ? 'together' : some ? 'not-posted' : 'posted';
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
