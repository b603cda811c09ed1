/**
 * A pipeline schedule as data: per stage an ordered list of passes on a micro-batch and chunk. The simulator times it,
 * the trainer executes it, the dashboard draws it.
 *
 * Legend: a pass is F (forward), B (backward for inputs), W (backward for weights) or BW (the whole backward at once).
 * A slot is the index of a pass in the arrays; the slots of a stage are contiguous and in the order of execution.
 */
import { invariant } from '../problem';
import type { ScheduleName } from '../plan/keys';
import type { Placement } from './placement';

export const F = 0;
export const B = 1;
export const W = 2;
export const BW = 3;
/** A forward that runs together with the BW after it: both wait for both inputs, both outputs come at the end. */
export const F_JOINED = 4;
export const PASS_KINDS = 5;
export type Pass = typeof F | typeof B | typeof W | typeof BW | typeof F_JOINED;

export interface Order {
  readonly schedule: ScheduleName;
  readonly stages: number;
  readonly microBatches: number;
  /** Chunks that a stage holds. */
  readonly chunks: number;
  readonly place: Placement;
  /** The slots of stage s are firstSlot[s] … firstSlot[s + 1] − 1. */
  readonly firstSlot: Int32Array;
  /** By slot: F, B, W, BW or F_JOINED. */
  readonly pass: Uint8Array;
  /** By slot. */
  readonly microBatch: Int32Array;
  /** By slot: the chunk of the stage. */
  readonly chunk: Uint16Array;
  /** By slot: pass · positions + position, the key of its cost. */
  readonly key: Int32Array;
  /** By key: the stage, and the number of such passes. */
  readonly stageOfKey: Int32Array;
  readonly count: Int32Array;
  /** By slot: the slot that must have ended before, on another stage or chunk; −1 where there is none. */
  readonly after: Int32Array;
  /** All slots so that each comes after the one before it on its stage and after its `after`. */
  readonly sequence: Int32Array;
}

/** Takes the passes of each stage in order; stages may be written in turn or mixed. */
export class OrderWriter {
  private readonly capacity: number;
  private readonly length: Int32Array;
  private readonly pass: Uint8Array;
  private readonly microBatch: Int32Array;
  private readonly chunk: Uint16Array;

  /** `passesPerChunk`: 2 where the backward is never split, 3 where it may be. */
  constructor(
    readonly place: Placement,
    readonly microBatches: number,
    passesPerChunk: 2 | 3,
  ) {
    this.capacity = (passesPerChunk * microBatches * place.chunks) / place.routes;
    this.length = new Int32Array(place.stages);
    this.pass = new Uint8Array(this.capacity * place.stages);
    this.microBatch = new Int32Array(this.capacity * place.stages);
    this.chunk = new Uint16Array(this.capacity * place.stages);
  }

  /** The next pass of a stage. */
  put(stage: number, pass: Pass, microBatch: number, chunk: number): void {
    const slot = stage * this.capacity + this.length[stage]++;
    this.pass[slot] = pass;
    this.microBatch[slot] = microBatch;
    this.chunk[slot] = chunk;
  }

  /** The order, with what each pass waits for. Throws (our bug) where stages would wait for one another in a circle. */
  finish(schedule: ScheduleName): Order {
    const { place, microBatches, length } = this;
    const firstSlot = new Int32Array(place.stages + 1);
    for (let stage = 0; stage < place.stages; stage++) {
      const from = stage * this.capacity;
      const to = firstSlot[stage];
      firstSlot[stage + 1] = to + length[stage];
      if (from === to) continue;
      for (const list of [this.pass, this.microBatch, this.chunk]) list.copyWithin(to, from, from + length[stage]);
    }
    const slots = firstSlot[place.stages];
    const lists = {
      firstSlot,
      pass: this.pass.subarray(0, slots),
      microBatch: this.microBatch.subarray(0, slots),
      chunk: this.chunk.subarray(0, slots),
    };
    const { key, after } = link(place, microBatches, lists);
    const positions = place.stages * place.chunks;
    const stageOfKey = Int32Array.from({ length: PASS_KINDS * positions }, (_, i) => place.stageOf[i % positions]);
    const count = new Int32Array(stageOfKey.length);
    for (let slot = 0; slot < slots; slot++) count[key[slot]]++;
    const sequence = sortByDependency(firstSlot, lists.pass, after);
    const { stages, chunks } = place;
    return { schedule, stages, microBatches, chunks, place, ...lists, key, stageOfKey, count, after, sequence };
  }
}

/** The key of each slot and the slot for which it waits. */
function link(
  place: Placement,
  microBatches: number,
  { firstSlot, pass, chunk, microBatch }: Pick<Order, 'firstSlot' | 'pass' | 'chunk' | 'microBatch'>,
) {
  const { stages, chunks, positionOf } = place;
  const positions = stages * chunks;
  const { own, needed } = rowsByKey(place);
  const key = new Int32Array(pass.length);
  const after = new Int32Array(pass.length);
  /** By row and micro-batch: the slot whose end is that of the pass, so that a joined forward counts as its partner. */
  const slotOf = new Int32Array(PASS_ROWS * positions * microBatches);
  for (let stage = 0; stage < stages; stage++) {
    for (let slot = firstSlot[stage]; slot < firstSlot[stage + 1]; slot++) {
      const cost = pass[slot] * positions + positionOf[stage * chunks + chunk[slot]];
      key[slot] = cost;
      slotOf[own[cost] * microBatches + microBatch[slot]] = pass[slot] === F_JOINED ? slot + 1 : slot;
    }
  }
  for (let slot = 0; slot < key.length; slot++) {
    const row = needed[key[slot]];
    after[slot] = row < 0 ? -1 : slotOf[row * microBatches + microBatch[slot]];
  }
  return { key, after };
}

/** Rows by kind and position: forwards, backwards (B and BW alike), W. */
const PASS_ROWS = 3;

/** F waits for F one position before, B for B one position after, the last position's B for its own F, W for none. */
function rowsByKey({ stages, chunks, depth }: Placement) {
  const positions = stages * chunks;
  const own = new Int32Array(PASS_KINDS * positions);
  const needed = new Int32Array(PASS_KINDS * positions).fill(-1);
  for (let position = 0; position < positions; position++) {
    const isFirst = position % depth === 0;
    const isLast = position % depth === depth - 1;
    for (const kind of [F, F_JOINED]) {
      own[kind * positions + position] = position;
      needed[kind * positions + position] = isFirst ? -1 : position - 1;
    }
    for (const kind of [B, BW]) {
      own[kind * positions + position] = positions + position;
      needed[kind * positions + position] = isLast ? position : positions + position + 1;
    }
    own[W * positions + position] = 2 * positions + position;
  }
  return { own, needed };
}

/**
 * Runs each stage until it has to wait, and again when that for which it waits is done: linear in the slots. For one
 * slot no more than one stage waits: the outputs of a joined pair go to the same stage.
 * Throws where stages wait for one another in a circle: then the schedule is wrong.
 */
function sortByDependency(firstSlot: Int32Array, pass: Uint8Array, after: Int32Array): Int32Array {
  const stages = firstSlot.length - 1;
  const next = firstSlot.slice(0, stages);
  const done = new Uint8Array(after.length);
  const waiter = new Int32Array(after.length).fill(-1);
  const runnable = Int32Array.from({ length: stages }, (_, i) => stages - 1 - i);
  const sequence = new Int32Array(after.length);
  let count = 0;
  let top = stages;
  while (top > 0) {
    const stage = runnable[--top];
    const end = firstSlot[stage + 1];
    let slot = next[stage];
    for (; slot < end; slot++) {
      let needed = after[slot];
      if (pass[slot] === F_JOINED && (needed < 0 || done[needed] === 1)) needed = after[slot + 1];
      if (needed >= 0 && done[needed] === 0) {
        waiter[needed] = stage;
        break;
      }
      done[slot] = 1;
      sequence[count++] = slot;
      if (waiter[slot] >= 0) runnable[top++] = waiter[slot];
    }
    next[stage] = slot;
  }
  invariant(count === after.length, 'a pipeline schedule waits for itself');
  return sequence;
}
