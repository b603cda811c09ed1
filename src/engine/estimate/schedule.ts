/**
 * Makespan and micro-batches in flight of a plan's schedule, from the simulator, remembered by what they depend on.
 *
 * Legend: p stages, m micro-batches, v chunks a stage.
 */
import { buildOrder } from '../pipeline/buildOrder';
import { peakInFlight } from '../pipeline/memory';
import type { Order } from '../pipeline/order';
import { simulate } from '../pipeline/simulate';
import type { ScheduleName } from '../plan/keys';
import { invariant } from '../problem';

export interface StageSeconds {
  readonly forward: readonly number[];
  readonly backwardInput: readonly number[];
  readonly backwardWeight: readonly number[];
}

export interface ScheduleShape {
  readonly name: ScheduleName;
  readonly stages: number;
  readonly microBatches: number;
  readonly virtual: number;
}

export interface ScheduleMemo {
  readonly orders: Map<string, Order>;
  readonly makespans: Map<string, { makespan: number; spanBubbleFraction: number }>;
  readonly flights: Map<string, readonly number[]>;
}

export function createScheduleMemo(): ScheduleMemo {
  return { orders: new Map(), makespans: new Map(), flights: new Map() };
}

/**
 * Micro-batches past which a schedule only repeats its steady state: each further round of p adds p times the slowest
 * stage. What lies beyond is added in closed form, so that no input makes the simulation long.
 */
const STEADY_ROUNDS = 16;

function shortened({ name, stages, microBatches, virtual }: ScheduleShape): { shape: ScheduleShape; skipped: number } {
  const limit = STEADY_ROUNDS * stages;
  if (microBatches <= limit || stages === 1) return { shape: { name, stages, microBatches, virtual }, skipped: 0 };
  const kept = limit + ((microBatches - limit) % stages);
  return { shape: { name, stages, microBatches: kept, virtual }, skipped: microBatches - kept };
}

/** Whether the schedule admits this shape; null, or the problem that names the rule. */
export function scheduleProblem(shape: ScheduleShape) {
  if (shape.stages === 1) return null;
  const order = buildOrder(shape.name, shortened(shape).shape);
  return 'code' in order ? order : null;
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

/** Seconds from the first pass to the last, without the messages between stages. */
export function makespanOf(
  memo: ScheduleMemo,
  shape: ScheduleShape,
  seconds: StageSeconds,
): { makespan: number; spanBubbleFraction: number } {
  const { forward, backwardInput, backwardWeight } = seconds;
  const busy = forward.map((f, stage) => f + (backwardInput[stage] ?? 0) + (backwardWeight[stage] ?? 0));
  const slowest = Math.max(...busy);
  if (shape.stages === 1) return { makespan: shape.microBatches * slowest, spanBubbleFraction: 0 };
  const key = `${shape.name}|${shape.microBatches}|${shape.virtual}|${forward.join()}|${backwardInput.join()}|${backwardWeight.join()}`;
  const known = memo.makespans.get(key);
  if (known !== undefined) return known;
  const { shape: short, skipped } = shortened(shape);
  const simulation = simulate(orderOf(memo, short), seconds);
  const total = busy.reduce((a, b) => a + b, 0) * shape.microBatches;
  const longest = Math.max(...simulation.span) + skipped * slowest;
  const result = {
    makespan: simulation.makespan + skipped * slowest,
    spanBubbleFraction: Math.max(0, 1 - total / (shape.stages * longest)),
  };
  memo.makespans.set(key, result);
  return result;
}

/** Peak of whole-stage micro-batches whose activations a stage holds. */
export function inFlight(memo: ScheduleMemo, shape: ScheduleShape): readonly number[] {
  if (shape.stages === 1) return [1];
  const { shape: short, skipped } = shortened(shape);
  const key = `${short.name}|${short.stages}|${short.microBatches}|${short.virtual}`;
  let peaks = memo.flights.get(key);
  if (peaks === undefined) {
    peaks = [...peakInFlight(orderOf(memo, short))];
    memo.flights.set(key, peaks);
  }
  // Schedules that run all forwards first hold every micro-batch.
  const all = short.name === 'gpipe' || short.name === 'breadth-first';
  return all ? peaks.map(peak => peak + skipped) : peaks;
}
