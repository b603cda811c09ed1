/**
 * The bookkeeping of the greedy schedulers: it places one pass after another, keeps every stage's clock, memory and
 * idle time, and fills gaps with the backwards for weights that are due (Qi et al. 2023, arXiv 2401.10241, 3.1).
 *
 * Legend: F forward, B backward for inputs, W backward for weights; memory in units of a micro-batch on a whole stage.
 */
import { invariant } from '../../problem';
import type { CostTable } from '../costs';
import { B, F, OrderWriter, W } from '../order';
import { chunksPerMicroBatch, type Placement } from '../placement';

/** What a greedy scheduler takes for the memory of one micro-batch on a whole stage (1 in all), and how much fits. */
export interface MemoryBudget {
  /** Share that B frees; W frees the rest. */
  readonly freedByB: number;
  readonly limit: number;
}

/** Passes placed so far, by the stage and in the order of the calls; times follow from the cost table. */
export class Greedy {
  readonly writer: OrderWriter;
  readonly clock: Float64Array;
  /** Idle time of each stage since its first pass. */
  readonly idle: Float64Array;
  longestIdle = 0;
  /** Passes placed, by pass · positions + position. */
  private readonly placed: Int32Array;
  private readonly firstStart: Float64Array;
  private readonly held: Float64Array;
  private readonly end: Float64Array;
  /** By stage: the B's whose W is due, oldest first, and how many have had it. */
  private readonly due: { microBatch: number; chunk: number }[][];
  private readonly paid: Int32Array;
  private readonly positions: number;

  constructor(
    readonly place: Placement,
    readonly microBatches: number,
    private readonly table: CostTable,
    private readonly memory: MemoryBudget,
  ) {
    const { stages, chunks } = place;
    this.positions = stages * chunks;
    this.writer = new OrderWriter(place, microBatches, 3);
    this.clock = new Float64Array(stages);
    this.idle = new Float64Array(stages);
    this.held = new Float64Array(stages);
    this.firstStart = new Float64Array(stages).fill(-1);
    this.placed = new Int32Array(3 * this.positions);
    this.end = new Float64Array(2 * this.positions * microBatches).fill(-1);
    this.due = Array.from({ length: stages }, () => []);
    this.paid = new Int32Array(stages);
  }

  /** Passes of a kind placed on a stage's chunk. */
  count(pass: typeof F | typeof B, stage: number, chunk = 0): number {
    return this.placed[this.key(pass, stage, chunk)];
  }

  isComplete(pass: typeof F | typeof B, stage: number, chunk = 0): boolean {
    return this.count(pass, stage, chunk) === this.microBatches;
  }

  seconds(pass: typeof F | typeof B | typeof W, stage: number, chunk = 0): number {
    return this.table.seconds[this.key(pass, stage, chunk)];
  }

  /** Seconds that the inputs of a pass take from the stage before. */
  delay(pass: typeof F | typeof B, stage: number, chunk = 0): number {
    return this.table.delay[this.key(pass, stage, chunk)];
  }

  /** When the inputs of the next such pass are there: 0 without inputs, Infinity where they are not yet placed. */
  ready(pass: typeof F | typeof B, stage: number, chunk = 0): number {
    const position = this.place.positionOf[stage * this.place.chunks + chunk];
    const n = this.placed[pass * this.positions + position];
    const isLast = position === this.positions - 1;
    if (pass === F && position === 0) return 0;
    const before =
      pass === F
        ? this.endOf(F, position - 1, n)
        : isLast
          ? this.endOf(F, position, n)
          : this.endOf(B, position + 1, n);
    return before < 0 ? Infinity : before + this.table.delay[pass * this.positions + position];
  }

  /** Places the next pass of a kind on a stage's chunk, as early as its inputs and the stage allow. */
  put(pass: typeof F | typeof B, stage: number, chunk = 0): void {
    const position = this.place.positionOf[stage * this.place.chunks + chunk];
    const n = this.count(pass, stage, chunk);
    const ready = this.ready(pass, stage, chunk);
    invariant(ready < Infinity, 'a greedy scheduler ran ahead of its inputs');
    const start = Math.max(this.clock[stage], ready);
    if (this.firstStart[stage] < 0) this.firstStart[stage] = start;
    else this.idle[stage] += start - this.clock[stage];
    this.longestIdle = Math.max(this.longestIdle, this.idle[stage]);
    this.clock[stage] = start + this.seconds(pass, stage, chunk);
    this.end[(pass * this.positions + position) * this.microBatches + n] = this.clock[stage];
    this.placed[pass * this.positions + position]++;
    this.hold(stage, pass === F ? 1 : -this.memory.freedByB);
    if (pass === B) this.due[stage].push({ microBatch: n, chunk });
    this.writer.put(stage, pass, n, chunk);
  }

  hasWeight(stage: number): boolean {
    return this.paid[stage] < this.due[stage].length;
  }

  /** Places the oldest W that is due. */
  putWeight(stage: number): void {
    const { microBatch, chunk } = this.due[stage][this.paid[stage]++];
    this.clock[stage] += this.seconds(W, stage, chunk);
    this.hold(stage, this.memory.freedByB - 1);
    this.writer.put(stage, W, microBatch, chunk);
  }

  putWeights(stage: number): void {
    while (this.hasWeight(stage)) this.putWeight(stage);
  }

  /** Whether so many more forwards of a chunk fit at once. */
  fits(stage: number, forwards: number): boolean {
    return this.held[stage] + forwards / chunksPerMicroBatch(this.place) <= this.memory.limit + 1e-9;
  }

  /** Makes room for one more forward; false where no W is left to do so. */
  makeRoom(stage: number): boolean {
    while (!this.fits(stage, 1)) {
      if (!this.hasWeight(stage)) return false;
      this.putWeight(stage);
    }
    return true;
  }

  /** Places the W's that fit before `ready`; the seconds left that one more W, which there is, would overrun, or 0. */
  fillGap(stage: number, ready: number): number {
    while (this.hasWeight(stage) && this.clock[stage] + this.nextWeightSeconds(stage) <= ready) this.putWeight(stage);
    return this.hasWeight(stage) ? Math.max(0, ready - this.clock[stage]) : 0;
  }

  /** How much longer a stage may idle without becoming the idlest of all. */
  spareIdle(stage: number): number {
    return this.longestIdle - this.idle[stage];
  }

  longestSpan(): number {
    return this.clock.reduce((longest, end, stage) => Math.max(longest, end - this.firstStart[stage]), 0);
  }

  private nextWeightSeconds(stage: number): number {
    return this.seconds(W, stage, this.due[stage][this.paid[stage]].chunk);
  }

  private hold(stage: number, microBatches: number): void {
    this.held[stage] += microBatches / chunksPerMicroBatch(this.place);
  }

  private endOf(pass: typeof F | typeof B, position: number, n: number): number {
    return this.end[(pass * this.positions + position) * this.microBatches + n];
  }

  private key(pass: number, stage: number, chunk: number): number {
    return pass * this.positions + this.place.positionOf[stage * this.place.chunks + chunk];
  }
}
