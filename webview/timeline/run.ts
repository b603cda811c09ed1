/**
 * One schedule run on the page: its order, its times and what it holds, or the problem that names the rule by which
 * the shape forbids it.
 *
 * Legend: p stages, m micro-batches, F forward, B backward for inputs, W backward for weights.
 */
import { buildOrder, defaultVirtual } from '../../src/engine/pipeline/buildOrder';
import type { PipelineCosts } from '../../src/engine/pipeline/costs';
import { FREED_BY_B, peakBytes, peakInFlight } from '../../src/engine/pipeline/memory';
import type { Order } from '../../src/engine/pipeline/order';
import { simulate, type Simulation } from '../../src/engine/pipeline/simulate';
import { SCHEDULES, type ScheduleName } from '../../src/engine/plan/keys';
import type { Problem } from '../../src/engine/problem';

export interface TimelineInput {
  readonly schedule: ScheduleName;
  readonly stages: number;
  readonly microBatches: number;
  /** Chunks a stage. */
  readonly virtual: number;
  /** Seconds of a micro-batch's pass on each whole stage. */
  readonly stageSeconds: {
    readonly forward: readonly number[];
    readonly backwardInput: readonly number[];
    readonly backwardWeight: readonly number[];
  };
  readonly p2pSeconds: number;
  /** Activations of one micro-batch on each whole stage. */
  readonly activationBytesByStage: readonly number[] | null;
  /** What a device has for activations: its capacity less what the schedule does not change. */
  readonly capacityBytes: number | null;
  /** Share of the activations that B frees where W comes later; by default that of FlashAttention. */
  readonly freedByB?: number;
}

export interface Run {
  readonly input: TimelineInput;
  readonly costs: PipelineCosts;
  readonly freedByB: number;
  readonly order: Order;
  readonly simulation: Simulation;
  /** By stage: the most micro-batches, and the most bytes of activations, that are held at once. */
  readonly inFlight: Float64Array;
  readonly bytes: Float64Array | null;
}

export function runSchedule(input: TimelineInput): Run | Problem {
  const { schedule, freedByB = FREED_BY_B.flash } = input;
  const costs: PipelineCosts = { ...input.stageSeconds, p2p: input.p2pSeconds };
  const order = buildOrder(schedule, { ...shapeOf(input), costs, memory: { freedByB } });
  if ('code' in order) return order;
  return {
    input,
    costs,
    freedByB,
    order,
    simulation: simulate(order, costs),
    inFlight: peakInFlight(order, freedByB),
    bytes: activationPeaks(order, input, freedByB),
  };
}

/** Passes if every backward were split: the most that an order of this shape may have. */
export function mostPasses({ stages, microBatches, virtual }: TimelineInput): number {
  return 3 * stages * microBatches * virtual;
}

export function shapeOf({ stages, microBatches, virtual }: TimelineInput) {
  return { stages, microBatches, virtual };
}

/** Peak bytes of activations by stage where a micro-batch's are known. */
export function activationPeaks(order: Order, input: TimelineInput, freedByB: number): Float64Array | null {
  const { activationBytesByStage: bytes } = input;
  if (bytes === null) return null;
  return peakBytes(order, {
    freedByB: bytes.map(value => value * freedByB),
    freedByW: bytes.map(value => value * (1 - freedByB)),
  });
}

/** The stage with the highest peak, in bytes where they are known. */
export function fullestStage({ inFlight, bytes }: Run): number {
  const peaks = bytes ?? inFlight;
  return peaks.indexOf(Math.max(...peaks));
}

/** The same pipeline under another schedule: its chunks where the schedule takes them, else what it needs. */
export function withSchedule(input: TimelineInput, schedule: ScheduleName): TimelineInput {
  const keeps = brokenRule({ ...input, schedule }) === null;
  return { ...input, schedule, virtual: keeps ? input.virtual : defaultVirtual(schedule) };
}

export interface Choice {
  readonly schedule: ScheduleName;
  /** The rule that forbids it; null where the shape admits it. */
  readonly rule: string | null;
}

export function choices(input: TimelineInput): Choice[] {
  return SCHEDULES.map(schedule => ({ schedule, rule: brokenRule(withSchedule(input, schedule)) }));
}

/**
 * The rules look at p and m by their parity and by whether m reaches 2p, so that the smallest pipeline of that kind
 * answers for a large one whose order takes long. What is too large by itself shows when it is run.
 */
function brokenRule({ schedule, stages, microBatches, virtual }: TimelineInput): string | null {
  const p = stages === 1 ? 1 : 2 + (stages % 2);
  const m = microBatches >= 2 * stages ? 2 * p + (microBatches % 2) : 2 - (microBatches % 2);
  const order = buildOrder(schedule, { stages: p, microBatches: m, virtual });
  return 'code' in order ? String(order.args['rule']) : null;
}
