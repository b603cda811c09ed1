/**
 * `meshlens pipeline`: a schedule's timeline and what it costs, as JSON.
 */
import { buildOrder, defaultVirtual } from '../engine/pipeline/buildOrder';
import { peakInFlight } from '../engine/pipeline/memory';
import { B, BW, F, F_JOINED, W, type Order, type Pass } from '../engine/pipeline/order';
import { simulate, type Simulation } from '../engine/pipeline/simulate';
import type { ScheduleName } from '../engine/plan/keys';
import { problem, type Problem } from '../engine/problem';

/** Seconds are per stage and pass, split over the stage's chunks. */
export interface PipelineOptions {
  readonly schedule: ScheduleName;
  readonly stages: number;
  readonly microBatches: number;
  readonly virtual?: number;
  readonly forward?: number;
  readonly backwardInput?: number;
  readonly backwardWeight?: number;
  readonly p2p?: number;
}

interface TimelineEntry {
  readonly stage: number;
  /** B is the whole backward where it is not split. */
  readonly op: 'F' | 'B' | 'W';
  readonly microBatch: number;
  readonly chunk: number;
  readonly start: number;
  readonly end: number;
}

interface Costs {
  readonly forward: number;
  readonly backwardInput: number;
  readonly backwardWeight: number;
  readonly p2p: number;
}

/** All null but the costs where the schedule does not admit the options. */
export interface ScheduleDocument {
  /** Seconds of a micro-batch on a whole stage, and those of them that nobody stated. */
  readonly costs: Costs;
  readonly assumedCosts: readonly (keyof Costs)[];
  readonly makespan: number | null;
  readonly bubbleFraction: number | null;
  readonly spanBubbleFraction: number | null;
  readonly idlePerStage: readonly number[] | null;
  readonly peakInFlight: readonly number[] | null;
  readonly timeline: readonly TimelineEntry[] | null;
}

/** One each, as papers draw schedules, and messages that take no time. */
const UNIT_COSTS: Costs = { forward: 1, backwardInput: 1, backwardWeight: 1, p2p: 0 };
const COST_KEYS = ['forward', 'backwardInput', 'backwardWeight', 'p2p'] as const;

const UNKNOWN = {
  makespan: null,
  bubbleFraction: null,
  spanBubbleFraction: null,
  idlePerStage: null,
  peakInFlight: null,
  timeline: null,
};

/** The document without `schema` and `command`, and what is wrong with the options. */
export function pipelineCommand(options: PipelineOptions): { document: ScheduleDocument; problems: Problem[] } {
  const { schedule, stages, microBatches, virtual = defaultVirtual(schedule) } = options;
  const { forward, backwardInput, backwardWeight, p2p } = { ...UNIT_COSTS, ...options };
  const costs = { forward, backwardInput, backwardWeight, p2p };
  const said = { costs, assumedCosts: COST_KEYS.filter(key => options[key] === undefined) };
  const problems = Object.entries(costs).flatMap(([key, value]) =>
    Number.isFinite(value) && value >= 0
      ? []
      : [problem('value-invalid', { key, expected: 'seconds, 0 or more', value: String(value) })],
  );
  if (problems.length > 0) return { document: { ...said, ...UNKNOWN }, problems };
  const order = buildOrder(schedule, { stages, microBatches, virtual, costs });
  if ('code' in order) return { document: { ...said, ...UNKNOWN }, problems: [order] };
  const simulation = simulate(order, costs);
  const document = {
    ...said,
    makespan: simulation.makespan,
    bubbleFraction: simulation.bubbleFraction,
    spanBubbleFraction: simulation.spanBubbleFraction,
    idlePerStage: [...simulation.idle],
    // Whole micro-batches: one counts until its last backward pass has ended.
    peakInFlight: [...peakInFlight(order, 0)],
    timeline: timeline(order, simulation),
  };
  return { document, problems: [] };
}

const LETTERS: Readonly<Record<Pass, TimelineEntry['op']>> = {
  [F]: 'F',
  [F_JOINED]: 'F',
  [B]: 'B',
  [BW]: 'B',
  [W]: 'W',
};

/** By stage, then by time. */
function timeline(order: Order, { start, end }: Simulation): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  for (let stage = 0; stage < order.stages; stage++) {
    for (let slot = order.firstSlot[stage]; slot < order.firstSlot[stage + 1]; slot++) {
      entries.push({
        stage,
        op: LETTERS[order.pass[slot] as Pass],
        microBatch: order.microBatch[slot],
        chunk: order.chunk[slot],
        start: start[slot],
        end: end[slot],
      });
    }
  }
  return entries;
}
