/**
 * What the search keeps of millions of points: the best K, the Pareto front, the best of each layout. All in arrays of
 * numbers; plans are made from indices at the end.
 */

/** One point in numbers; `time` is seconds a sequence, so that batches compare. */
export interface Offer {
  index: number;
  time: number;
  peak: number;
  bubble: number;
}

/** The K first by value, then by tie, then by index; of points with equal time and memory only the first. */
export class Best {
  readonly offers: Offer[] = [];
  /** What a further point must beat. */
  private bar = Infinity;

  constructor(
    private readonly size: number,
    /** Memory decides instead of time. */
    private readonly byMemory: boolean,
  ) {}

  /** Whether a point with these values would be kept, at the best. */
  admits(time: number, peak: number): boolean {
    return !isMore(this.byMemory ? peak : time, this.bar);
  }

  add({ index, time, peak, bubble }: Offer): void {
    const { offers } = this;
    const same = offers.findIndex(other => isNear(other.time, time) && isNear(other.peak, peak));
    if (same >= 0) {
      if (index < offers[same].index) offers[same] = { index, time, peak, bubble };
      return;
    }
    offers.push({ index, time, peak, bubble });
    offers.sort((a, b) => this.compare(a, b));
    if (offers.length > this.size) offers.pop();
    const last = offers[offers.length - 1];
    if (offers.length === this.size) this.bar = this.byMemory ? last.peak : last.time;
  }

  private compare(a: Offer, b: Offer): number {
    const byTime = isNear(a.time, b.time) ? 0 : a.time - b.time;
    const byPeak = isNear(a.peak, b.peak) ? 0 : a.peak - b.peak;
    return (this.byMemory ? byPeak || byTime : byTime || byPeak) || a.index - b.index;
  }
}

/** More by more than rounding. */
function isMore(a: number, b: number): boolean {
  return a > b * (1 + 1e-12);
}

/** Equal but for rounding. */
function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * b;
}

const MEMORY_STEPS = 256;
const BUBBLE_STEPS = 64;
const COLUMNS = BUBBLE_STEPS + 2;

/**
 * Points that no other beats in time, memory and bubble at once. A grid over memory and bubble tells for most points in
 * one look that they are beaten: a cell holds the least time of all points in cells with less memory and bubble.
 */
export class Pareto {
  offers: Offer[] = [];
  private readonly least = new Float64Array((MEMORY_STEPS + 1) * COLUMNS).fill(Infinity);

  constructor(private readonly capacity: number) {}

  /** Whether the grid leaves a point open. */
  mayAdmit(time: number, peak: number, bubble: number): boolean {
    const row = this.row(peak) - 1;
    return row < 0 || this.least[row * COLUMNS + Math.max(0, this.column(bubble) - 1)] > time;
  }

  admits({ index, time, peak, bubble }: Offer): boolean {
    if (!this.mayAdmit(time, peak, bubble)) return false;
    // The front is sorted by time.
    for (const other of this.offers) {
      if (isMore(other.time, time)) break;
      if (isMore(other.peak, peak) || other.bubble > bubble) continue;
      const isSame = isNear(other.time, time) && isNear(other.peak, peak) && other.bubble === bubble;
      if (!isSame || other.index <= index) return false;
    }
    return true;
  }

  /** Adds a point that `admits` admits; equal points keep the smaller index. */
  add({ index, time, peak, bubble }: Offer): void {
    this.offers = this.offers.filter(
      other => isMore(time, other.time) || isMore(peak, other.peak) || bubble > other.bubble,
    );
    const place = this.offers.findIndex(other => other.time > time);
    this.offers.splice(place < 0 ? this.offers.length : place, 0, { index, time, peak, bubble });
    this.lower(this.row(peak), this.column(bubble), time);
  }

  /** Lowers all cells with more memory and bubble; where one is low enough, so are those behind it. */
  private lower(firstRow: number, firstColumn: number, time: number): void {
    const { least } = this;
    for (let row = firstRow; row <= MEMORY_STEPS; row++) {
      const start = row * COLUMNS;
      if (least[start + firstColumn] <= time) return;
      for (let at = start + firstColumn; at < start + COLUMNS && least[at] > time; at++) least[at] = time;
    }
  }

  private row(peak: number): number {
    return Math.min(MEMORY_STEPS, Math.max(0, Math.ceil((peak / this.capacity) * MEMORY_STEPS)));
  }

  /** No bubble is a column of its own. */
  private column(bubble: number): number {
    return bubble === 0 ? 0 : 1 + Math.min(BUBBLE_STEPS, Math.floor(bubble * BUBBLE_STEPS));
  }
}

/** The best point of each cell of the grid of layouts. */
export class Cells {
  readonly value: Float64Array;
  readonly index: Float64Array;

  constructor(length: number) {
    this.value = new Float64Array(length).fill(Infinity);
    this.index = new Float64Array(length).fill(-1);
  }

  offer(cell: number, value: number, index: number): void {
    if (value > this.value[cell] || (value === this.value[cell] && index > this.index[cell])) return;
    this.value[cell] = value;
    this.index[cell] = index;
  }
}

/** Index, bound of the time, peak, bubble and whether the framework can express it. */
const COLUMNS_PENDING = 5;

/** Points whose time is bounded below and not yet computed, in rows of numbers. */
export class Pending {
  length = 0;
  private rows = new Float64Array(64 * COLUMNS_PENDING);

  push({ index, time, peak, bubble }: Offer, expressible: boolean): void {
    const at = this.length * COLUMNS_PENDING;
    if (at === this.rows.length) this.grow(2 * at);
    const { rows } = this;
    rows[at] = index;
    rows[at + 1] = time;
    rows[at + 2] = peak;
    rows[at + 3] = bubble;
    rows[at + 4] = expressible ? 1 : 0;
    this.length++;
  }

  /** The rows that are there, one after the other. */
  all(): Float64Array {
    return this.rows.slice(0, this.length * COLUMNS_PENDING);
  }

  append(rows: Float64Array): void {
    const end = this.length * COLUMNS_PENDING;
    if (end + rows.length > this.rows.length) this.grow(2 * (end + rows.length));
    this.rows.set(rows, end);
    this.length += rows.length / COLUMNS_PENDING;
  }

  at(row: number): { readonly offer: Offer; readonly expressible: boolean } {
    const [index, time, peak, bubble, expressible] = this.rows.subarray(
      row * COLUMNS_PENDING,
      (row + 1) * COLUMNS_PENDING,
    );
    return { offer: { index, time, peak, bubble }, expressible: expressible === 1 };
  }

  /** Rows by rising bound, then index. */
  order(): Uint32Array {
    const { rows } = this;
    return Uint32Array.from({ length: this.length }, (_, i) => i).sort((a, b) => {
      const [i, j] = [a * COLUMNS_PENDING, b * COLUMNS_PENDING];
      return rows[i + 1] - rows[j + 1] || rows[i] - rows[j];
    });
  }

  private grow(length: number): void {
    const next = new Float64Array(length);
    next.set(this.rows);
    this.rows = next;
  }
}
