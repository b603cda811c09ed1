/**
 * Makespan and micro-batches in flight of a plan's schedule: in closed form where there is one, else from the
 * simulator, remembered by what they depend on.
 *
 * Legend: p stages, m micro-batches, v chunks a stage; f, b seconds of a whole stage's forward and backward pass.
 */
import { buildOrder } from '../pipeline/buildOrder';
import { costTable } from '../pipeline/costs';
import { closedFormInFlight } from '../pipeline/inFlight';
import { peakInFlight } from '../pipeline/memory';
import type { Order } from '../pipeline/order';
import { createSimulation, type Simulation, simulateInto } from '../pipeline/simulate';
import { invariant, type Problem } from '../problem';
import { closedMakespan, isClosed, type ScheduleShape, type StageSeconds } from './closedMakespan';

export interface Makespan {
  /** Seconds from the first pass to the last. */
  readonly makespan: number;
  /** Seconds of the longest span of a stage, from its first pass to its last. */
  readonly longestSpan: number;
}

export interface ScheduleMemo {
  readonly orders: Map<string, Order>;
  readonly makespans: Map<string, Makespan>;
  readonly flights: Map<string, readonly number[]>;
}

export function createScheduleMemo(): ScheduleMemo {
  return { orders: new Map(), makespans: new Map(), flights: new Map() };
}

/** What is simulated of a shape, and the micro-batches of the steady state that are added to it. */
export interface Shortened {
  readonly shape: ScheduleShape;
  readonly skipped: number;
}

/**
 * Micro-batches past which a schedule only repeats its steady state: each further round of p adds p times the slowest
 * stage. What lies beyond is added in closed form, so that no input makes the simulation long.
 */
const STEADY_ROUNDS = 6;

export function shortened({ name, stages, microBatches, virtual }: ScheduleShape): Shortened {
  const limit = STEADY_ROUNDS * stages;
  if (microBatches <= limit || stages === 1) return { shape: { name, stages, microBatches, virtual }, skipped: 0 };
  const kept = limit + ((microBatches - limit) % stages);
  return { shape: { name, stages, microBatches: kept, virtual }, skipped: microBatches - kept };
}

const admitted = new Map<string, Problem | null>();

/** Whether the schedule admits this shape; null, or the problem that names the rule. */
export function scheduleProblem(shape: ScheduleShape): Problem | null {
  if (shape.stages === 1) return null;
  const { name, stages, microBatches, virtual } = shortened(shape).shape;
  const key = `${name}|${stages}|${microBatches}|${virtual}`;
  let found = admitted.get(key);
  if (found === undefined) {
    const order = buildOrder(name, { stages, microBatches, virtual });
    found = 'code' in order ? order : null;
    if (admitted.size >= MOST_REMEMBERED) admitted.clear();
    admitted.set(key, found);
  }
  return found;
}

function orderOf(memo: ScheduleMemo, shape: ScheduleShape): Order {
  const key = `${shape.name}|${shape.stages}|${shape.microBatches}|${shape.virtual}`;
  const known = memo.orders.get(key);
  if (known !== undefined) return known;
  const order = buildOrder(shape.name, shape);
  invariant(!('code' in order), `schedule ${key} was not checked`);
  memo.orders.set(key, order);
  return order;
}

/** Messages between stages count as busy time of the stages. */
export function makespanOf(memo: ScheduleMemo, shape: ScheduleShape, seconds: StageSeconds): Makespan {
  const { name, stages, microBatches, virtual } = shape;
  if (stages === 1 || isClosed(name, stages, microBatches, virtual)) return whole(closedMakespan(shape, seconds));
  return simulatedMakespan(memo, shape, seconds);
}

/** The first stage starts first and ends last. */
function whole(makespan: number): Makespan {
  return { makespan, longestSpan: makespan };
}

function simulatedMakespan(memo: ScheduleMemo, shape: ScheduleShape, seconds: StageSeconds): Makespan {
  return memo.makespans.get(keyOf(shape, seconds)) ?? simulateShape(memo, shape, seconds).makespan;
}

/** Simulates a shape whether or not its makespan is known. The simulation is good until the next one. */
export function simulateShape(
  memo: ScheduleMemo,
  shape: ScheduleShape,
  seconds: StageSeconds,
): { readonly makespan: Makespan; readonly order: Order; readonly simulation: Simulation } {
  const { stages } = shape;
  const { shape: short, skipped } = shortened(shape);
  const forward = Array.from(seconds.forward.subarray(0, stages));
  const backwardInput = Array.from(seconds.backwardInput.subarray(0, stages));
  const backwardWeight = Array.from(seconds.backwardWeight.subarray(0, stages));
  const slowest = Math.max(...forward.map((f, i) => f + backwardInput[i] + backwardWeight[i]));
  const order = orderOf(memo, short);
  const table = costTable(order.place, { forward, backwardInput, backwardWeight });
  const simulation = simulateInto(order, table, roomFor(order));
  const later = skipped * slowest;
  const longestSpan = simulation.span.subarray(0, stages).reduce((longest, one) => Math.max(longest, one), 0);
  const makespan = { makespan: simulation.makespan + later, longestSpan: longestSpan + later };
  if (memo.makespans.size >= MOST_REMEMBERED) memo.makespans.clear();
  memo.makespans.set(keyOf(shape, seconds), makespan);
  return { makespan, order, simulation };
}

function keyOf({ name, stages, microBatches, virtual }: ScheduleShape, seconds: StageSeconds): string {
  return `${name}|${microBatches}|${virtual}|${runsOf(seconds, stages)}`;
}

/** The seconds of all stages as a text, neighbours that are alike once. */
function runsOf({ forward, backwardInput, backwardWeight }: StageSeconds, stages: number): string {
  let text = '';
  for (let first = 0; first < stages; ) {
    const f = forward[first];
    const b = backwardInput[first];
    const w = backwardWeight[first];
    let end = first + 1;
    while (end < stages && forward[end] === f && backwardInput[end] === b && backwardWeight[end] === w) end++;
    text += `${end - first}×${f},${b},${w};`;
    first = end;
  }
  return text;
}

let room = createSimulation({ stages: 64, pass: { length: 2 ** 14 } });

/** Room for a simulation, the same for all. */
function roomFor({ stages, pass }: Order): Simulation {
  const [mostStages, mostPasses] = [room.span.length, room.start.length];
  if (stages > mostStages || pass.length > mostPasses)
    room = createSimulation({
      stages: Math.max(stages, mostStages),
      pass: { length: Math.max(pass.length, mostPasses) },
    });
  return room;
}

const MOST_REMEMBERED = 20_000;

/** Peak of whole-stage micro-batches whose activations a stage holds. */
export function inFlight(memo: ScheduleMemo, shape: ScheduleShape, stage: number): number {
  if (shape.stages === 1) return 1;
  const { name, stages, microBatches: m } = shape;
  // A last round that is not full holds no more than full ones.
  const full = name === 'interleaved-1f1b' ? { ...shape, microBatches: Math.ceil(m / stages) * stages } : shape;
  const closed = closedFormInFlight(name, full, stage);
  if (closed !== null) return closed;
  const { shape: short, skipped } = shortened(shape);
  const key = `${name}|${stages}|${short.microBatches}|${short.virtual}`;
  let peaks = memo.flights.get(key);
  if (peaks === undefined) {
    peaks = [...peakInFlight(orderOf(memo, short))];
    memo.flights.set(key, peaks);
  }
  return Math.min(m, peaks[stage]) + (name === 'gpipe' ? skipped : 0);
}
