/**
 * Whole tensors, put together outside the ranks from the slices that each one owns: what a run is compared by. Two ranks
 * that own the same element must have the same bits; the first that has not is remembered.
 */
import { invariant } from '../problem';
import type { Real } from './heap';
import { globalIndex } from './parameters';
import type { RankState } from './state';
import type { Part, Unit } from './unit';

/** Numbers of a unit with their place in its flat buffer. */
export interface Held {
  readonly data: Real;
  readonly start: number;
}

export interface ReplicaDifference {
  readonly tensor: string;
  readonly index: number;
  readonly rank: number;
  readonly value: number;
  readonly other: number;
}

export class Recorder {
  readonly tensors = new Map<string, Float64Array>();
  replicaDifference: ReplicaDifference | null = null;
  private readonly seen = new Map<string, Uint8Array>();

  /** Takes what a rank holds of each unit, from `start` of its flat buffer on. */
  add({ units, place }: RankState, pick: (unit: Unit) => Held): void {
    for (const unit of units) this.addUnit(place.rank, unit, pick(unit));
  }

  addUnit(rank: number, unit: Unit, { data, start }: Held): void {
    for (const part of unit.parts(start, data.length)) this.put(rank, part, data);
  }

  private put(rank: number, { entry, from, to, localStart }: Part, data: Real): void {
    const { spec, slice } = entry;
    const { values, seen } = this.room(spec.name, spec.rows * spec.cols);
    // A row of the slice at a time: its elements follow each other in the whole tensor.
    for (let i = from; i < to; ) {
      const local = localStart + i - from;
      const end = Math.min(to, i + slice.cols - (local % slice.cols));
      for (let index = globalIndex(spec, slice, local); i < end; i++, index++) {
        if (seen[index] === 1 && !Object.is(values[index], data[i]))
          this.replicaDifference ??= { tensor: spec.name, index, rank, value: data[i], other: values[index] };
        seen[index] = 1;
        values[index] = data[i];
      }
    }
  }

  private room(tensor: string, length: number): { values: Float64Array; seen: Uint8Array } {
    let values = this.tensors.get(tensor);
    let seen = this.seen.get(tensor);
    if (!values || !seen) {
      this.tensors.set(tensor, (values = new Float64Array(length)));
      this.seen.set(tensor, (seen = new Uint8Array(length)));
    }
    return { values, seen };
  }

  /** Every element of every tensor has been given. */
  checkComplete(): void {
    for (const [name, seen] of this.seen) invariant(!seen.includes(0), `nobody owns a part of ${name}`);
  }
}
