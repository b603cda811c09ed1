/**
 * One step of a plan: `evaluate` is arithmetic over prepared tables into a Float64Array, for the search as for the
 * estimate that a user reads, so both agree by construction.
 *
 * Legend: p stages, m micro-batches. The parts are those of the stage that is busy longest; they add up to the step.
 */
import type { ReadyPlan } from '../plan/ready';
import { type PlanContext, planContext, pricingOf, scheduleShape } from './context';
import { emptyStageMemory } from './memory';
import { placeGroup } from './network';
import { HIDDEN_PARTS, OUT, TIME_PARTS } from './output';
import type { Tables } from './prepare';
import { makespanOf } from './schedule';
import { memoryOf } from './stageMemory';
import { emptyStageSeconds, type Priced, type StageSeconds, stageSeconds } from './stageSeconds';
import { emptyTail, tailSeconds } from './tail';

/** Computes a plan's time and memory into `out` (see OUT). The tables must have a device. */
export function evaluate(tables: Tables, plan: ReadyPlan, out: Float64Array): void {
  const context = planContext(tables, plan);
  writePeak(context, out);
  const priced = pricedContext(context);
  if (priced !== null) writeTime(priced, out[OUT.peakBytes] / (tables.device?.capacityBytes ?? Infinity), out);
}

const memory = emptyStageMemory();

/** Peak bytes over the stages. Of stages that are alike the first holds the most micro-batches, except where V-shaped. */
function writePeak(context: PlanContext, out: Float64Array): void {
  const { classes, classOfStage } = context.layout;
  out[OUT.peakBytes] = -1;
  for (let stage = 0; stage < classOfStage.length; stage++) {
    const view = classes[classOfStage[stage]];
    if (stage > view.firstStage && FIRST_HOLDS_MOST.has(context.plan.schedule)) continue;
    const { total } = memoryOf(context, view, stage, memory);
    if (total > out[OUT.peakBytes]) {
      out[OUT.peakBytes] = total;
      out[OUT.peakStage] = stage;
    }
  }
}

const FIRST_HOLDS_MOST: ReadonlySet<string> = new Set([
  'none',
  'naive',
  'gpipe',
  '1f1b',
  'eager-1f1b',
  'interleaved-1f1b',
  'breadth-first',
  'zb-h1',
  'zb-h2',
]);

/** null where the device is unknown. */
export function pricedContext(context: PlanContext): Priced | null {
  const { tables, setting, work } = context;
  const price = pricingOf(tables, setting);
  if (price === null || work.costs === null || work.endCosts === null) return null;
  const { stack } = setting;
  return {
    context,
    common: tables.common,
    rates: tables.rates,
    bias: stack.bias,
    hostFactor: stack.hostFactor,
    memoryBytesPerSecond: price.memoryBytesPerSecond,
    costs: work.costs,
    ends: work.endCosts,
    ...groupsOf(context),
  };
}

export function groupsOf({ plan, tables }: PlanContext): Pick<Priced, 'tensorGroup' | 'contextGroup' | 'expertGroup'> {
  const { domainSize } = tables.topology;
  return {
    tensorGroup: placeGroup(domainSize, plan.tp, 1),
    contextGroup: placeGroup(domainSize, plan.cp, plan.tp),
    expertGroup: placeGroup(domainSize, plan.ep, plan.etp),
  };
}

const byClass: StageSeconds[] = [];
const passes = {
  forward: new Float64Array(8),
  backwardInput: new Float64Array(8),
  backwardWeight: new Float64Array(8),
};
const tail = emptyTail();

/** Writes the time of a step. `fill`: share of the device's memory that the plan takes. */
export function writeTime(priced: Priced, fill: number, out: Float64Array): void {
  const { context, common, hostFactor } = priced;
  const { m, layout, plan, tables } = context;
  const { classes, classOfStage } = layout;
  let slowest = 0;
  for (let i = 0; i < classes.length; i++) {
    stageSeconds(priced, classes[i], (byClass[i] ??= emptyStageSeconds()));
    if (byClass[i].busy > byClass[slowest].busy) slowest = i;
  }
  const stage = byClass[slowest];
  const p = classOfStage.length;
  let allBusy = 0;
  if (passes.forward.length < p) growPasses(p);
  for (let i = 0; i < p; i++) {
    const { forwardTotal, backwardWeight, busy } = byClass[classOfStage[i]];
    passes.forward[i] = forwardTotal;
    passes.backwardWeight[i] = backwardWeight;
    passes.backwardInput[i] = busy - forwardTotal - backwardWeight;
    allBusy += busy;
  }
  const { makespan, longestSpan } = makespanOf(tables.scheduleMemo, scheduleShape(plan), passes);
  tailSeconds(priced, classes[slowest], stage.busy - stage.forwardTotal, tail);
  const parts = OUT.parts;
  out[parts] = m * stage.forward;
  out[parts + 1] = m * (stage.backwardInput + stage.backwardWeight);
  out[parts + 2] = m * stage.recompute;
  out[parts + 3] = m * stage.launch;
  out[parts + 4] = m * stage.tp;
  out[parts + 5] = m * stage.cp;
  out[parts + 6] = m * stage.ep;
  out[parts + 7] = m * stage.pp;
  out[parts + 8] = m * stage.dp + tail.dpExposed;
  out[parts + 9] = Math.max(0, makespan - m * stage.busy);
  out[parts + 10] = tail.optimizer;
  out[parts + 11] = tail.gradNorm;
  const full = setback(priced, fill);
  out[parts + 12] = m * common.microBatchSeconds * hostFactor + common.stepSeconds + full * makespan;
  let sum = 0;
  for (let i = 0; i < TIME_PARTS.length - 1; i++) sum += out[parts + i];
  const nodes = Math.max(
    1,
    (plan.dp * plan.tp * plan.cp * p) / Math.max(tables.gpusPerNode, tables.topology.domainSize),
  );
  out[parts + 13] = sum * common.stragglerPerDoubling * Math.log2(nodes);
  out[OUT.stepSeconds] = sum + out[parts + 13];
  const hidden = OUT.hidden;
  out[hidden] = m * stage.tpHidden;
  out[hidden + 1] = m * stage.cpHidden;
  out[hidden + 2] = m * stage.epHidden;
  out[hidden + 3] = 0;
  out[hidden + HIDDEN_PARTS.length - 1] = m * stage.dpHidden + tail.dpHidden;
  out[OUT.bubbleFraction] = p === 1 ? 0 : Math.max(0, 1 - (m * allBusy) / (p * makespan));
  out[OUT.spanBubbleFraction] = p === 1 ? 0 : Math.max(0, 1 - (m * allBusy) / (p * longestSpan));
}

/** Old allocators free and ask again when memory is nearly full: a ramp from 80 to 93 % of the capacity. */
function setback({ context, common }: Priced, fill: number): number {
  if (!context.setting.stack.oldAllocator) return 0;
  return common.thrash * Math.min(1, Math.max(0, (fill - 0.8) / 0.13)) ** 2;
}

function growPasses(p: number): void {
  passes.forward = new Float64Array(p);
  passes.backwardInput = new Float64Array(p);
  passes.backwardWeight = new Float64Array(p);
}
