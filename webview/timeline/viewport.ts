/** The stretch of time that all lanes show, in seconds; it never leaves what there is to see. */

/** The closest look: a pass of the shortest kind over the whole width leaves room for what borders on it. */
const CLOSEST = 2;
/** Some air behind the last pass. */
const MARGIN = 1.01;

export class Viewport {
  from = 0;
  to = 1;
  private limit = 1;
  private least = 1;

  /** New content: keeps the present stretch where the user has zoomed, else shows all. */
  setContent(seconds: number, shortestPass: number): void {
    const isWhole = this.isWhole;
    this.limit = Math.max(seconds, Number.MIN_VALUE) * MARGIN;
    this.least = Math.min(this.limit, Math.max(shortestPass * CLOSEST, this.limit * 1e-7));
    if (isWhole) this.fit();
    else this.set(this.from, this.span);
  }

  get span(): number {
    return this.to - this.from;
  }

  get isWhole(): boolean {
    return this.from === 0 && this.to === this.limit;
  }

  fit(): void {
    this.from = 0;
    this.to = this.limit;
  }

  /** A factor over 1 looks closer; what is at the time `at` stays where it is. */
  zoom(factor: number, at = (this.from + this.to) / 2): void {
    const span = clamp(this.span / factor, this.least, this.limit);
    const share = (at - this.from) / this.span;
    this.set(at - share * span, span);
  }

  pan(seconds: number): void {
    this.set(this.from + seconds, this.span);
  }

  /** Moves as little as needed to show a pass, and looks from farther away where it does not fit in. */
  reveal(start: number, end: number): void {
    const air = this.span * 0.05;
    if (end - start + 2 * air > this.span) this.set(start - air, end - start + 2 * air);
    else if (start - air < this.from) this.pan(start - air - this.from);
    else if (end + air > this.to) this.pan(end + air - this.to);
  }

  private set(from: number, wanted: number): void {
    const span = clamp(wanted, this.least, this.limit);
    this.from = clamp(from, 0, this.limit - span);
    this.to = this.from + span;
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
