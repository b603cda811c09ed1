/**
 * Peak memory of the points of one layout: bytes of states, which depend on sharding and offloading, and bytes of
 * activations, which depend on the workload and on how many micro-batches a schedule holds.
 */
import type { PlanContext } from '../estimate/context';
import { copiesOf } from '../estimate/stageMemory';
import { activationBytes, type Chunking, type StageTable } from './layoutTables';
import type { Admission, AdmittedSchedule } from './schedules';

export class Peaks {
  /** By state: peaks under the schedule at hand. */
  readonly bytes: Float64Array;
  private tables: readonly StageTable[] = [];
  private layouts: readonly Chunking[] = [];
  /** States of the tables. */
  private width = 0;
  /** By chunking: the place of its first class among the classes of all. */
  private firstClass: readonly number[] = [];
  /** By class of all chunkings: bytes that a micro-batch in flight adds, and bytes that are there once. */
  private each = new Float64Array(0);
  private once = new Float64Array(0);

  constructor(
    mostStates: number,
    private readonly capacityBytes: number,
  ) {
    this.bytes = new Float64Array(mostStates);
  }

  /** Begins a layout. */
  enter(layouts: readonly Chunking[], tables: readonly StageTable[], width: number): void {
    this.layouts = layouts;
    this.tables = tables;
    this.width = width;
    let all = 0;
    this.firstClass = tables.map(({ classes }) => (all += classes) - classes);
    if (this.each.length >= all) return;
    this.each = new Float64Array(2 * all);
    this.once = new Float64Array(2 * all);
  }

  /** Sets the workload. */
  setActivations(context: PlanContext): void {
    let at = 0;
    for (const { layout } of this.layouts) {
      for (const view of layout.classes) {
        const { each, once } = activationBytes(context, view);
        this.each[at] = each;
        this.once[at] = once;
        at++;
      }
    }
  }

  /** Whether no schedule of chunking i fits with any of the states. */
  exceedAll(i: number, { leastFlights }: Admission, from: number, to: number): boolean {
    for (let state = from; state < to; state++) {
      if (this.peak(i, this.tables[i].stateBytes, leastFlights, state) <= this.capacityBytes) return false;
    }
    return true;
  }

  /** Writes the peaks of the states under a schedule; how many fit. */
  write(i: number, { flights, shape }: AdmittedSchedule, from: number, to: number): number {
    const { stateBytes, doubledBytes } = this.tables[i];
    const states = copiesOf(shape.name) === 2 ? doubledBytes : stateBytes;
    let fit = 0;
    for (let state = from; state < to; state++) {
      this.bytes[state] = this.peak(i, states, flights, state);
      if (this.bytes[state] <= this.capacityBytes) fit++;
    }
    return fit;
  }

  private peak(i: number, states: Float64Array, flights: Float64Array, state: number): number {
    const { each, once, width } = this;
    const { classes } = this.tables[i];
    const first = this.firstClass[i];
    let peak = 0;
    for (let c = 0; c < classes; c++) {
      const bytes = states[c * width + state] + (once[first + c] + each[first + c] * flights[c]);
      if (bytes > peak) peak = bytes;
    }
    return peak;
  }
}

/** The least peak of the states alone over the chunkings. */
export function leastPeak(tables: readonly StageTable[], width: number, state: number): number {
  let least = Infinity;
  for (const { classes, stateBytes } of tables) {
    let peak = 0;
    for (let c = 0; c < classes; c++) peak = Math.max(peak, stateBytes[c * width + state]);
    least = Math.min(least, peak);
  }
  return least;
}
