/**
 * A V-shaped schedule in unit time: one row a stage, one cell a time unit, at most one pass in a cell.
 *
 * Legend: kinds F0, F1, B1, B0 in the order in which a micro-batch takes them on a stage; W is not told apart by chunk.
 * Of one kind, the n-th pass on a stage is on micro-batch n; W's n-th belongs to the n-th of the stage's B1 and B0.
 */
export const F0 = 0;
export const F1 = 1;
export const B1 = 2;
export const B0 = 3;
export const W = 4;
export type Kind = typeof F0 | typeof F1 | typeof B1 | typeof B0 | typeof W;

const EMPTY = 255;

export class Grid {
  private readonly cells: Uint8Array;
  /** By kind: the time of the n-th pass on each stage. */
  private readonly times: Int32Array[];

  constructor(
    readonly stages: number,
    readonly microBatches: number,
    /** Cells in a row. */
    readonly length: number,
  ) {
    this.cells = new Uint8Array(stages * length).fill(EMPTY);
    this.times = [1, 1, 1, 1, 2].map(passes => new Int32Array(passes * stages * microBatches));
  }

  kindAt(stage: number, time: number): Kind | null {
    const kind = this.cells[stage * this.length + time];
    return kind === EMPTY ? null : (kind as Kind);
  }

  timeOf(kind: Kind, stage: number, n: number): number {
    return this.times[kind][this.index(kind, stage, n)];
  }

  put(kind: Kind, stage: number, n: number, time: number): void {
    this.times[kind][this.index(kind, stage, n)] = time;
    this.cells[stage * this.length + time] = kind;
  }

  move(kind: Kind, stage: number, n: number, time: number): void {
    this.cells[stage * this.length + this.timeOf(kind, stage, n)] = EMPTY;
    this.put(kind, stage, n, time);
  }

  private index(kind: Kind, stage: number, n: number): number {
    return (kind === W ? 2 : 1) * stage * this.microBatches + n;
  }

  /** Puts a W into each free cell that follows a B without one. */
  fillWeights(): void {
    for (let stage = 0; stage < this.stages; stage++) {
      let backwards = 0;
      let weights = 0;
      for (let time = 0; time < this.length; time++) {
        const kind = this.kindAt(stage, time);
        if (kind === B1 || kind === B0) backwards++;
        else if (kind === null && weights < backwards) this.put(W, stage, weights++, time);
      }
    }
  }

  clearWeights(): void {
    for (let cell = 0; cell < this.cells.length; cell++) if (this.cells[cell] === W) this.cells[cell] = EMPTY;
  }

  /** The first time at which the other stages let a pass run: after the same micro-batch's pass before. */
  earliest(kind: Kind, stage: number, n: number): number {
    let before = n > 0 ? this.timeOf(kind, stage, n - 1) : -1;
    if (kind === W) return Math.max(before, this.nthBackward(stage, n)) + 1;
    if (kind !== F0) before = Math.max(before, this.timeOf((kind - 1) as Kind, stage, n));
    const from = kind === F0 || kind === B1 ? stage - 1 : stage + 1;
    if (from >= 0 && from < this.stages) before = Math.max(before, this.timeOf(kind, from, n));
    return before + 1;
  }

  /** Merges the sorted times of B1 and B0; a binary search for how many of the first n + 1 are B1. */
  private nthBackward(stage: number, n: number): number {
    const { microBatches } = this;
    let low = Math.max(0, n + 1 - microBatches);
    let high = Math.min(n + 1, microBatches);
    while (low < high) {
      const ones = (low + high) >> 1;
      const zeros = n - ones;
      if (zeros >= 0 && this.timeOf(B1, stage, ones) < this.timeOf(B0, stage, zeros)) low = ones + 1;
      else high = ones;
    }
    const lastOne = low > 0 ? this.timeOf(B1, stage, low - 1) : -1;
    const lastZero = n + 1 - low > 0 ? this.timeOf(B0, stage, n - low) : -1;
    return Math.max(lastOne, lastZero);
  }

  /** Keeps the order of each row and starts each pass as early as the row and its inputs allow. */
  runEagerly(): void {
    const clock = new Int32Array(this.stages);
    this.visit((kind, stage, n) => {
      const time = Math.max(clock[stage], this.earliest(kind, stage, n));
      clock[stage] = time + 1;
      this.move(kind, stage, n, time);
    });
  }

  /** Visits the passes by time, then stage; a pass may be moved to an earlier free cell when visited. */
  visit(see: (kind: Kind, stage: number, n: number, time: number) => void): void {
    const next = new Int32Array(this.stages * (W + 1));
    for (let time = 0; time < this.length; time++) {
      for (let stage = 0; stage < this.stages; stage++) {
        const kind = this.kindAt(stage, time);
        if (kind !== null) see(kind, stage, next[stage * (W + 1) + kind]++, time);
      }
    }
  }
}
