/**
 * Lower bounds of a makespan from critical paths that simulations found: a chain of passes that wait for one another
 * takes its sum of seconds under any times, so the longest of the chains known for an order bounds its makespan, and
 * tightly where the times are like those that they were found under.
 *
 * Legend: p stages; f, b, w seconds of a micro-batch's passes on a whole stage.
 */
import type { ScheduleShape, StageSeconds } from '../estimate/closedMakespan';
import { type Makespan, type ScheduleMemo, shortened, simulateShape } from '../estimate/schedule';
import { buildOrder } from '../pipeline/buildOrder';
import { B, BW, F, F_JOINED, type Order, W } from '../pipeline/order';
import { chunksPerMicroBatch } from '../pipeline/placement';
import { type Simulation, simulate } from '../pipeline/simulate';

/** By stage and kind (f, b, w): passes of the path, in whole stages. */
type Path = Float64Array;

/** Seconds of f, b and w of a layer under which paths are looked for; the head counts for HEAD layers. */
const BALANCES = [
  [1, 1, 1],
  [1, 1.5, 0.7],
] as const;
const HEAD = 0.5;

/** Orders that are remembered for the next search, and passes of them: some tens of megabytes. */
const MOST_PASSES = 2 ** 20;
const orders = new Map<string, Order | null>();
let passes = 0;

function orderOf(key: string, { name, stages, microBatches, virtual }: ScheduleShape): Order | null {
  let order = orders.get(key);
  if (order === undefined) {
    const built = buildOrder(name, { stages, microBatches, virtual });
    order = 'code' in built ? null : built;
    passes += order?.pass.length ?? 0;
    if (passes > MOST_PASSES) {
      orders.clear();
      passes = order?.pass.length ?? 0;
    }
    orders.set(key, order);
  }
  return order;
}

const known = new Map<string, readonly Path[]>();
const MOST_KNOWN = 2 ** 12;

/** Paths of a shape whose stages hold so many layers; they do not depend on any times, so that every search finds the same. */
export function pathsOf(shape: ScheduleShape, layers: readonly number[]): readonly Path[] {
  const orderKey = keyOf(shape);
  const key = `${orderKey}|${layers.join()}`;
  let paths = known.get(key);
  if (paths === undefined) {
    const order = orderOf(orderKey, shape);
    paths = order === null ? [] : findPaths(order, layers);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, paths);
  }
  return paths;
}

/** The longest of the paths under these times. */
export function longestPath(
  paths: readonly Path[],
  p: number,
  { forward, backwardInput, backwardWeight }: StageSeconds,
): number {
  let longest = 0;
  for (const path of paths) {
    let seconds = 0;
    for (let k = 0, at = 0; k < p; k++, at += 3) {
      seconds += path[at] * forward[k] + path[at + 1] * backwardInput[k] + path[at + 2] * backwardWeight[k];
    }
    if (seconds > longest) longest = seconds;
  }
  return longest;
}

/** Paths that simulations came upon: each bounds the makespan of its shape under other times. */
export class LearnedPaths {
  private readonly byShape = new Map<string, Path[]>();

  /** At least the makespan of a shape. */
  readonly bound = (_memo: unknown, shape: ScheduleShape, seconds: StageSeconds): Makespan => {
    const { shape: short, skipped } = shortened(shape);
    let busy = 0;
    for (let k = 0; k < shape.stages; k++)
      busy = Math.max(busy, seconds.forward[k] + seconds.backwardInput[k] + seconds.backwardWeight[k]);
    const path = longestPath(this.byShape.get(keyOf(short)) ?? [], shape.stages, seconds);
    const makespan = (path + skipped * busy) * (1 - ROUNDING);
    return { makespan, longestSpan: makespan };
  };

  /** The makespan of a shape, simulated for its critical path. */
  readonly simulated = (memo: ScheduleMemo, shape: ScheduleShape, seconds: StageSeconds): Makespan => {
    const { makespan, order, simulation } = simulateShape(memo, shape, seconds);
    const key = keyOf(shortened(shape).shape);
    const paths = this.byShape.get(key);
    const path = criticalPath(order, simulation);
    if (paths === undefined) this.byShape.set(key, [path]);
    else if (paths.length < MOST_LEARNED) paths.push(path);
    return makespan;
  };
}

const MOST_LEARNED = 64;

/** A bound must not pass what it bounds by rounding. */
export const ROUNDING = 1e-12;

function keyOf({ name, stages, microBatches, virtual }: ScheduleShape): string {
  return `${name}|${stages}|${microBatches}|${virtual}`;
}

function findPaths(order: Order, layers: readonly number[]): Path[] {
  const found = new Map<string, Path>();
  const weights = layers.map((count, stage) => count + (stage === layers.length - 1 ? HEAD : 0));
  const times = (each: number) => weights.map(weight => each * weight);
  for (const [f, b, w] of BALANCES) {
    const path = criticalPath(
      order,
      simulate(order, { forward: times(f), backwardInput: times(b), backwardWeight: times(w) }),
    );
    found.set(path.join(), path);
  }
  return [...found.values()];
}

/** The chain of passes that ends last, each starting when the one before it ends. */
export function criticalPath(order: Order, { start, end }: Pick<Simulation, 'start' | 'end'>): Path {
  const { stages, firstSlot, pass, key, stageOfKey } = order;
  const path = new Float64Array(3 * stages);
  const share = 1 / chunksPerMicroBatch(order.place);
  let slot = 0;
  for (let i = 1; i < key.length; i++) if (end[i] > end[slot]) slot = i;
  while (slot >= 0) {
    const stage = stageOfKey[key[slot]];
    const kind = pass[slot];
    if (kind === F || kind === F_JOINED) path[3 * stage] += share;
    if (kind === B || kind === BW) path[3 * stage + 1] += share;
    if (kind === W || kind === BW) path[3 * stage + 2] += share;
    slot = before(order, slot, firstSlot[stage], start[slot], end);
  }
  return path;
}

/** The pass that ended when this one started; −1 where it started at once. */
function before({ after, pass }: Order, slot: number, first: number, time: number, end: Float64Array): number {
  if (slot > first && end[slot - 1] === time) return slot - 1;
  if (after[slot] >= 0 && end[after[slot]] === time) return after[slot];
  if (pass[slot] === F_JOINED && after[slot + 1] >= 0 && end[after[slot + 1]] === time) return after[slot + 1];
  return -1;
}
