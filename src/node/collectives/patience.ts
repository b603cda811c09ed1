/**
 * How often to look at a flag before sleeping. Looking is fast while all threads run; where more want to run than there
 * are cores, each look wastes the time of the one that is waited for. So: count how often the last barriers slept, and
 * if many did, sleep at once for a while that doubles, then try again.
 */
const LOOKS = 20_000;
const WINDOW = 32;
const MOST_SLEEPS = 6;
const FIRST_PAUSE = 512;
const LONGEST_PAUSE = 32_768;

export class Patience {
  looks = LOOKS;
  private barriers = 0;
  private sleepsAtStart = 0;
  private pause = FIRST_PAUSE;
  private paused = 0;

  /** Called after each barrier with the number of times that this thread has slept since it began. */
  passed(sleeps: number): void {
    if (++this.barriers < WINDOW) return;
    const slept = sleeps - this.sleepsAtStart;
    this.barriers = 0;
    this.sleepsAtStart = sleeps;
    if (this.looks > 0 && slept > MOST_SLEEPS) {
      this.looks = 0;
      this.paused = this.pause;
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    } else if (this.looks === 0) {
      this.paused -= WINDOW;
      if (this.paused <= 0) this.looks = LOOKS;
    } else this.pause = FIRST_PAUSE;
  }
}
