/**
 * When each pass of an order starts and ends: each stage does its passes in order, each as soon as the stage is free
 * and what it waits for has arrived. That is the longest path through the passes, taken in a sequence that the order
 * brings along, so that it costs one step a pass.
 *
 * Legend: busy is the time in passes, idle = makespan − busy, span runs from a stage's first start to its last end.
 */
import { costTable, type CostTable, type PipelineCosts } from './costs';
import { F_JOINED, type Order } from './order';

export interface Simulation {
  /** Seconds from the first start to the last end. */
  makespan: number;
  /** 1 − busy / (stages · makespan): what counts where a global barrier, such as a gradient norm, ends the step. */
  bubbleFraction: number;
  /** 1 − busy / (stages · longest span): what is left where each stage may step on when it is done. */
  spanBubbleFraction: number;
  /** By stage, seconds. */
  readonly busy: Float64Array;
  readonly idle: Float64Array;
  readonly span: Float64Array;
  /** By slot, seconds. */
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/** The timeline of an order at the given costs. */
export function simulate(order: Order, costs: PipelineCosts): Simulation {
  return simulateInto(order, costTable(order.place, costs), createSimulation(order));
}

/** Room for the results of simulateInto, to be used again for orders of no more stages and passes. */
export function createSimulation({ stages, pass }: { stages: number; pass: { length: number } }): Simulation {
  const byStage = () => new Float64Array(stages);
  const bySlot = () => new Float64Array(pass.length);
  return {
    makespan: 0,
    bubbleFraction: 0,
    spanBubbleFraction: 0,
    busy: byStage(),
    idle: byStage(),
    span: byStage(),
    start: bySlot(),
    end: bySlot(),
  };
}

/** As simulate, without allocating: fills and returns `out`. */
export function simulateInto(order: Order, table: CostTable, out: Simulation): Simulation {
  runPasses(order, table, out.span, out.start, out.end);
  const { stages, firstSlot, count, stageOfKey } = order;
  out.busy.fill(0);
  for (let key = 0; key < count.length; key++) out.busy[stageOfKey[key]] += count[key] * table.seconds[key];
  let makespan = 0;
  let longestSpan = 0;
  let allBusy = 0;
  for (let stage = 0; stage < stages; stage++) {
    const last = out.span[stage];
    out.span[stage] = last - out.start[firstSlot[stage]];
    allBusy += out.busy[stage];
    makespan = Math.max(makespan, last);
    longestSpan = Math.max(longestSpan, out.span[stage]);
  }
  for (let stage = 0; stage < stages; stage++) out.idle[stage] = Math.max(0, makespan - out.busy[stage]);
  out.makespan = makespan;
  out.bubbleFraction = bubble(allBusy, stages * makespan);
  out.spanBubbleFraction = bubble(allBusy, stages * longestSpan);
  return out;
}

/** The simulation proper; `clock` is set to the end of each stage's last pass. */
function runPasses(order: Order, table: CostTable, clock: Float64Array, start: Float64Array, end: Float64Array): void {
  const { sequence, after, key, stageOfKey } = order;
  const { seconds, delay } = table;
  const firstJoined = F_JOINED * order.stages * order.chunks;
  clock.fill(0);
  for (let i = 0; i < sequence.length; i++) {
    const slot = sequence[i];
    const cost = key[slot];
    const stage = stageOfKey[cost];
    const needed = after[slot];
    let time = clock[stage];
    if (needed >= 0) {
      const ready = end[needed] + delay[cost];
      if (ready > time) time = ready;
    }
    if (cost >= firstJoined) {
      const ready = end[after[slot + 1]] + delay[key[slot + 1]];
      if (ready > time) time = ready;
    }
    start[slot] = time;
    time += seconds[cost];
    end[slot] = time;
    clock[stage] = time;
  }
}

/** Rounding must not make a full pipeline's bubble negative. */
function bubble(busy: number, whole: number): number {
  return whole > 0 ? Math.max(0, 1 - busy / whole) : 0;
}
