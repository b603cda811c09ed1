/**
 * A simulated order as rows to draw: passes of each stage by time, what is held while they run, and how busy any
 * stretch of time is. All questions cost a binary search, so that a drawing costs what it shows and not what there is.
 *
 * Legend: a slot is the index of a pass, as in Order; the slots of a stage are contiguous and sorted by time.
 */
import { B, BW, F, F_JOINED, W } from '../../src/engine/pipeline/order';
import { chunksPerMicroBatch } from '../../src/engine/pipeline/placement';
import type { Run } from './run';

/** By kind of pass, what it counts as where many are drawn as one: forward, backward, backward for weights. */
export const OCCUPANT_OF: readonly number[] = Object.values({ [F]: 0, [B]: 1, [W]: 2, [BW]: 1, [F_JOINED]: 0 });
export const OCCUPANTS = 3;

export interface Model {
  readonly run: Run;
  readonly makespan: number;
  readonly shortestPass: number;
  /** By slot: micro-batches, each counted as a whole stage, whose activations the stage holds after the pass. */
  readonly heldAfter: Float32Array;
  /** By slot and occupant: seconds of the stage's earlier passes. */
  readonly earlier: Float64Array;
  /** By stage, bin and occupant: seconds until the bin's end; null where there are few passes. */
  readonly overview: Float64Array | null;
}

export function createModel(run: Run): Model {
  const { order, simulation } = run;
  const { firstSlot, pass, stages } = order;
  const { start, end } = simulation;
  const heldAfter = new Float32Array(pass.length);
  const earlier = new Float64Array(pass.length * OCCUPANTS);
  const change = heldByPass(run);
  let shortestPass = Infinity;
  for (let stage = 0; stage < stages; stage++) {
    const busy = [0, 0, 0];
    let held = 0;
    for (let slot = firstSlot[stage]; slot < firstSlot[stage + 1]; slot++) {
      const seconds = end[slot] - start[slot];
      if (seconds > 0 && seconds < shortestPass) shortestPass = seconds;
      for (let k = 0; k < OCCUPANTS; k++) earlier[slot * OCCUPANTS + k] = busy[k];
      busy[OCCUPANT_OF[pass[slot]]] += seconds;
      held += change[pass[slot]];
      heldAfter[slot] = held;
    }
  }
  const model = { run, makespan: simulation.makespan, shortestPass, heldAfter, earlier, overview: null };
  return pass.length > stages * BINS ? { ...model, overview: createOverview(model) } : model;
}

/** By kind of pass: the micro-batches that it adds to the held ones. */
function heldByPass({ order, freedByB }: Run): readonly number[] {
  const whole = 1 / chunksPerMicroBatch(order.place);
  const change = { [F]: whole, [B]: -freedByB * whole, [W]: (freedByB - 1) * whole, [BW]: -whole, [F_JOINED]: whole };
  return Object.values(change);
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

/** Room for what `occupancy` finds, by column. */
export interface Columns {
  readonly count: number;
  /** By column and occupant: seconds. */
  readonly seconds: Float64Array;
  /** The pass that runs, or comes next, at the column's end; SEVERAL where the column sees more than two. */
  readonly slot: Int32Array;
}

export const SEVERAL = -1;

export function createColumns(count: number): Columns {
  return { count, seconds: new Float64Array(count * OCCUPANTS), slot: new Int32Array(count) };
}

/**
 * Seconds that each occupant takes of equal stretches between two times. Exact: the columns add up to the busy time
 * between the two (from afar, up to what lies in the bins at both ends).
 */
export function occupancy(model: Model, stage: number, from: number, to: number, out: Columns): void {
  const isFar = (to - from) / out.count >= model.makespan / BINS;
  if (isFar && model.overview !== null) occupancyFromAfar(model, model.overview, stage, from, to, out);
  else occupancyFromNear(model, stage, from, to, out);
}

function occupancyFromNear(model: Model, stage: number, from: number, to: number, { count, seconds, slot }: Columns) {
  const { firstSlot, pass } = model.run.order;
  const { start, end } = model.run.simulation;
  const { earlier } = model;
  const last = firstSlot[stage + 1] - 1;
  let now = Math.min(firstEndingAfter(model, stage, from), last);
  let [forward, backward, weight] = [0, 0, 0];
  for (let edge = 0; edge <= count; edge++) {
    const time = from + (edge / count) * (to - from);
    const before = now;
    now = advance(end, now, last, time);
    const sum = now * OCCUPANTS;
    const running = Math.min(Math.max(time - start[now], 0), end[now] - start[now]);
    const occupant = OCCUPANT_OF[pass[now]];
    const nextForward = earlier[sum] + (occupant === 0 ? running : 0);
    const nextBackward = earlier[sum + 1] + (occupant === 1 ? running : 0);
    const nextWeight = earlier[sum + 2] + (occupant === 2 ? running : 0);
    if (edge > 0) {
      const column = edge - 1;
      seconds[column * OCCUPANTS] = nextForward - forward;
      seconds[column * OCCUPANTS + 1] = nextBackward - backward;
      seconds[column * OCCUPANTS + 2] = nextWeight - weight;
      slot[column] = now - before > 1 ? SEVERAL : now;
    }
    forward = nextForward;
    backward = nextBackward;
    weight = nextWeight;
  }
}

/**
 * Bins of the whole time by which many passes are summed up beforehand: passes lie far apart in memory, and to touch
 * some of each column takes longer than a frame has.
 */
const BINS = 4096;

function createOverview(model: Model): Float64Array {
  const { stages } = model.run.order;
  const columns = createColumns(BINS);
  const overview = new Float64Array(stages * (BINS + 1) * OCCUPANTS);
  for (let stage = 0; stage < stages; stage++) {
    occupancyFromNear(model, stage, 0, model.makespan, columns);
    const first = stage * (BINS + 1) * OCCUPANTS;
    for (let i = 0; i < BINS * OCCUPANTS; i++)
      overview[first + OCCUPANTS + i] = overview[first + i] + columns.seconds[i];
  }
  return overview;
}

function occupancyFromAfar(
  { makespan }: Model,
  overview: Float64Array,
  stage: number,
  from: number,
  to: number,
  { count, seconds, slot }: Columns,
): void {
  const first = stage * (BINS + 1) * OCCUPANTS;
  const scale = BINS / makespan;
  slot.fill(SEVERAL);
  let [forward, backward, weight] = [0, 0, 0];
  for (let edge = 0; edge <= count; edge++) {
    const at = Math.min(Math.max((from + (edge / count) * (to - from)) * scale, 0), BINS);
    const bin = Math.min(Math.floor(at), BINS - 1);
    const here = first + bin * OCCUPANTS;
    const next = here + OCCUPANTS;
    const share = at - bin;
    const nextForward = overview[here] + (overview[next] - overview[here]) * share;
    const nextBackward = overview[here + 1] + (overview[next + 1] - overview[here + 1]) * share;
    const nextWeight = overview[here + 2] + (overview[next + 2] - overview[here + 2]) * share;
    if (edge > 0) {
      const column = (edge - 1) * OCCUPANTS;
      seconds[column] = nextForward - forward;
      seconds[column + 1] = nextBackward - backward;
      seconds[column + 2] = nextWeight - weight;
    }
    forward = nextForward;
    backward = nextBackward;
    weight = nextWeight;
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
