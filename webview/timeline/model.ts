/**
 * A simulated order as rows to draw: passes of each stage by time, what is held while they run, and how busy any
 * stretch of time is. All questions cost a binary search, so that a drawing costs what it shows and not what there is.
 *
 * Legend: a slot is the index of a pass, as in Order; the slots of a stage are contiguous and sorted by time.
 */
import { costTable } from '../../src/engine/pipeline/costs';
import { B, BW, F, F_JOINED, PASS_KINDS } from '../../src/engine/pipeline/order';
import { chunksPerMicroBatch } from '../../src/engine/pipeline/placement';
import type { Run } from './run';

/** Occupancy tells forwards, backwards for inputs and backwards for weights apart; a whole backward is both. */
export const OCCUPANTS = 3;

export interface Model {
  readonly run: Run;
  readonly makespan: number;
  readonly shortestPass: number;
  /** By slot: micro-batches, each counted as a whole stage, whose activations the stage holds after the pass. */
  readonly heldAfter: Float32Array;
  /** By slot and occupant: seconds of the stage's earlier passes. */
  readonly earlier: Float64Array;
  /** By pass key: the share of its seconds that each occupant takes. */
  readonly shares: Float64Array;
}

export function createModel(run: Run): Model {
  const { order, simulation } = run;
  const shares = occupantShares(run);
  const { earlier, shortestPass } = earlierSeconds(run, shares);
  return { run, makespan: simulation.makespan, shortestPass, heldAfter: heldAfter(run), earlier, shares };

  function heldAfter({ freedByB }: Run): Float32Array {
    const perPass = 1 / chunksPerMicroBatch(order.place);
    // What a pass adds to the held activations, by its kind: F, B, W, BW, F joined.
    const change = [1, -freedByB, freedByB - 1, -1, 1].map(share => share * perPass);
    const held = new Float32Array(order.pass.length);
    for (let stage = 0; stage < order.stages; stage++) {
      let now = 0;
      for (let slot = order.firstSlot[stage]; slot < order.firstSlot[stage + 1]; slot++) {
        now += change[order.pass[slot]];
        held[slot] = now;
      }
    }
    return held;
  }
}

function occupantShares({ order, costs }: Run): Float64Array {
  const { seconds } = costTable(order.place, costs);
  const positions = seconds.length / PASS_KINDS;
  const shares = new Float64Array(seconds.length * OCCUPANTS);
  for (let key = 0; key < seconds.length; key++) {
    const kind = Math.floor(key / positions);
    if (kind === BW) {
      const input = seconds[key] > 0 ? seconds[B * positions + (key % positions)] / seconds[key] : 1;
      shares[key * OCCUPANTS + 1] = input;
      shares[key * OCCUPANTS + 2] = 1 - input;
    } else {
      shares[key * OCCUPANTS + (kind === F_JOINED ? F : kind)] = 1;
    }
  }
  return shares;
}

function earlierSeconds({ order, simulation }: Run, shares: Float64Array) {
  const { firstSlot, key, stages } = order;
  const { start, end } = simulation;
  const earlier = new Float64Array(key.length * OCCUPANTS);
  let shortestPass = Infinity;
  for (let stage = 0; stage < stages; stage++) {
    const sum = [0, 0, 0];
    for (let slot = firstSlot[stage]; slot < firstSlot[stage + 1]; slot++) {
      const seconds = end[slot] - start[slot];
      if (seconds > 0 && seconds < shortestPass) shortestPass = seconds;
      for (let k = 0; k < OCCUPANTS; k++) {
        earlier[slot * OCCUPANTS + k] = sum[k];
        sum[k] += seconds * shares[key[slot] * OCCUPANTS + k];
      }
    }
  }
  return { earlier, shortestPass };
}

/** The first slot of a stage that ends after the time; the stage's last slot + 1 where none does. */
export function firstEndingAfter({ run }: Model, stage: number, time: number): number {
  const { end } = run.simulation;
  let low = run.order.firstSlot[stage];
  let high = run.order.firstSlot[stage + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (end[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Slots of a stage that are seen between two times: from the first one up to, and without, the second. */
export function visibleSlots(model: Model, stage: number, from: number, to: number): readonly [number, number] {
  const { start } = model.run.simulation;
  const first = firstEndingAfter(model, stage, from);
  let low = first;
  let high = model.run.order.firstSlot[stage + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (start[middle] >= to) high = middle;
    else low = middle + 1;
  }
  return [first, low];
}

/** The pass that runs on a stage at a time, or −1 where it idles. */
export function slotAt(model: Model, stage: number, time: number): number {
  const slot = firstEndingAfter(model, stage, time);
  const isRunning = slot < model.run.order.firstSlot[stage + 1] && model.run.simulation.start[slot] <= time;
  return isRunning ? slot : -1;
}

/** The pass of a stage that is nearest to a time. */
export function nearestSlot(model: Model, stage: number, time: number): number {
  const { firstSlot } = model.run.order;
  const { start, end } = model.run.simulation;
  const next = Math.min(firstEndingAfter(model, stage, time), firstSlot[stage + 1] - 1);
  const before = next - 1;
  return before >= firstSlot[stage] && time - end[before] < start[next] - time ? before : next;
}

export function stageOfSlot({ run: { order } }: Model, slot: number): number {
  return order.stageOfKey[order.key[slot]];
}

/** Micro-batches held while a pass runs: a forward stores from its start, a backward frees at its end. */
export function heldDuring({ run: { order }, heldAfter }: Model, stage: number, slot: number): number {
  const isForward = order.pass[slot] === F || order.pass[slot] === F_JOINED;
  if (isForward) return heldAfter[slot];
  return slot > order.firstSlot[stage] ? heldAfter[slot - 1] : 0;
}

/**
 * Seconds that each occupant takes of each of `columns` equal stretches between two times, into `out` by column and
 * occupant. Exact: the columns add up to the busy time between the two.
 */
export function occupancy(model: Model, stage: number, from: number, to: number, columns: number, out: Float64Array) {
  const { firstSlot, key } = model.run.order;
  const { start, end } = model.run.simulation;
  const { earlier, shares } = model;
  const last = firstSlot[stage + 1] - 1;
  let slot = Math.min(firstEndingAfter(model, stage, from), last);
  let before0 = 0;
  let before1 = 0;
  let before2 = 0;
  for (let column = -1; column < columns; column++) {
    const time = from + ((column + 1) / columns) * (to - from);
    slot = advance(end, slot, last, time);
    const running = Math.min(Math.max(time - start[slot], 0), end[slot] - start[slot]);
    const share = key[slot] * OCCUPANTS;
    const sum = slot * OCCUPANTS;
    const until0 = earlier[sum] + running * shares[share];
    const until1 = earlier[sum + 1] + running * shares[share + 1];
    const until2 = earlier[sum + 2] + running * shares[share + 2];
    if (column >= 0) {
      out[column * OCCUPANTS] = until0 - before0;
      out[column * OCCUPANTS + 1] = until1 - before1;
      out[column * OCCUPANTS + 2] = until2 - before2;
    }
    before0 = until0;
    before1 = until1;
    before2 = until2;
  }
}

/** The first slot from `slot` on that ends after the time, by doubling steps: the next column is near. */
function advance(end: Float64Array, slot: number, last: number, time: number): number {
  if (end[slot] > time || slot === last) return slot;
  let step = 1;
  let low = slot;
  while (low + step < last && end[low + step] <= time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, last);
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (end[middle] <= time) low = middle;
    else high = middle;
  }
  return high;
}
