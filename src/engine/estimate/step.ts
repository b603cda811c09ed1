/**
 * One step of a plan: `evaluate` is arithmetic over prepared tables into a Float64Array, for the search as for the
 * estimate that a user reads, so both agree by construction.
 *
 * Legend: p stages, m micro-batches. The parts are those of the stage that is busy longest; they add up to the step.
 */
import type { ReadyPlan } from '../plan/ready';
import { biasOn } from '../hardware/calibration';
import type { FittedStack } from '../hardware/constants';
import { type PlanContext, planContext, pricingOf, scheduleShape } from './context';
import type { ScheduleShape, StageSeconds } from './closedMakespan';
import { emptyStageMemory } from './memory';
import { placeGroup } from './network';
import { OUT } from './output';
import type { Tables } from './prepare';
import { type Makespan, makespanOf, type ScheduleMemo } from './schedule';
import { memoryOf } from './stageMemory';
import { emptyStageSeconds, type Priced, stageSeconds } from './stageSeconds';
import { StagePasses } from './stagePasses';
import { emptyTail, hiddenSeconds, tailSeconds } from './tail';

/** How long a pipeline takes whose stages take so many seconds. */
export type Timing = (memo: ScheduleMemo, shape: ScheduleShape, seconds: StageSeconds) => Makespan;

/** Computes a plan's time and memory into `out` (see OUT). The tables must have a device. `timing`: exact, or a bound. */
export function evaluate(tables: Tables, plan: ReadyPlan, out: Float64Array, timing: Timing = makespanOf): void {
  const context = planContext(tables, plan);
  writePeak(context, out);
  const priced = pricedContext(context);
  if (priced !== null) writeTime(priced, out[OUT.peakBytes] / (tables.device?.capacityBytes ?? Infinity), out, timing);
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
  const { family } = setting.stack;
  const stack: FittedStack = Object.hasOwn(tables.stacks, family)
    ? tables.stacks[family]
    : { bias: setting.stack.bias, hostFactor: setting.stack.hostFactor };
  return {
    context,
    common: tables.common,
    rates: tables.rates,
    bias: biasOn(stack, price.rates.architecture),
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

const passes = new StagePasses();
const stage = emptyStageSeconds();
const tail = emptyTail();

/** Writes the time of a step. `fill`: share of the device's memory that the plan takes. */
export function writeTime(priced: Priced, fill: number, out: Float64Array, timing: Timing = makespanOf): void {
  const { context } = priced;
  const { m, layout, plan, tables } = context;
  passes.enter(priced);
  passes.set(layout, plan.vpp);
  const { busy, backward, busiest, allBusy } = passes;
  const { makespan, longestSpan } = timing(tables.scheduleMemo, scheduleShape(plan), passes);
  stageSeconds(priced, layout.classes[busiest], stage);
  tailSeconds(priced, layout.classes[busiest], tail);
  const hiddenTail = hiddenSeconds(priced, tail.reduce, backward);
  const setback = setbackSeconds(priced, layout.classes[busiest].layers, fill);
  const parts = OUT.parts;
  out[parts] = m * stage.forward;
  out[parts + 1] = m * (stage.backwardInput + stage.backwardWeight);
  out[parts + 2] = m * stage.recompute;
  out[parts + 3] = m * stage.launch;
  out[parts + 4] = m * stage.tp;
  out[parts + 5] = m * stage.cp;
  out[parts + 6] = m * stage.ep;
  out[parts + 7] = m * stage.pp;
  out[parts + 8] = m * stage.dp + tail.reduce - hiddenTail + tail.tied;
  out[parts + 9] = Math.max(0, makespan - m * busy);
  out[parts + 10] = tail.optimizer;
  out[parts + 11] = tail.gradNorm;
  out[parts + 12] = hostSeconds(priced) + setback;
  const after = tail.reduce + tail.tied + tail.optimizer + tail.gradNorm - hiddenTail;
  const main = mainSeconds(priced, makespan, busy) + after + setback;
  out[parts + 13] = main * stragglerShare(priced);
  out[OUT.stepSeconds] = main + out[parts + 13];
  const hidden = OUT.hidden;
  out[hidden] = m * stage.tpHidden;
  out[hidden + 1] = m * stage.cpHidden;
  out[hidden + 2] = m * stage.epHidden;
  out[hidden + 3] = 0;
  out[hidden + 4] = m * stage.dpHidden + hiddenTail;
  out[OUT.bubbleFraction] = bubbleOf(context, allBusy, makespan);
  out[OUT.spanBubbleFraction] = bubbleOf(context, allBusy, longestSpan);
}

/** All of a step but its tail and stragglers: the pipeline, and the host. */
export function mainSeconds(priced: Priced, makespan: number, busy: number): number {
  return Math.max(makespan, priced.context.m * busy) + hostSeconds(priced);
}

function hostSeconds({ context, common, hostFactor }: Priced): number {
  const loop = context.setting.stack.heavyLoop ? common.stepSeconds : 0;
  return context.m * common.microBatchSeconds * hostFactor + loop;
}

/** What the wait for the slowest of the nodes adds to a step, as a share of it. */
export function stragglerShare({ context: { plan, tables }, common }: Priced): number {
  const gpus = plan.dp * plan.tp * plan.cp * plan.pp;
  const nodes = gpus / Math.max(tables.gpusPerNode, tables.topology.domainSize);
  return common.stragglerPerDoubling * Math.log2(Math.max(1, nodes));
}

/**
 * Old allocators free everything and ask again when memory is nearly full: seconds of a step with this many layers a
 * stage. Allocations fail from 80 % of the capacity on, ever more often.
 */
export function setbackSeconds({ context, common }: Priced, layers: number, fill: number): number {
  if (!context.setting.stack.oldAllocator) return 0;
  const failures = Math.min(1.5, Math.max(0, (fill - 0.8) / 0.13)) ** 3;
  return context.m * layers * common.retrySeconds * failures;
}

/** Idle share of the stages over a makespan or span; m micro-batches on p stages. */
export function bubbleOf({ plan, m }: PlanContext, allBusy: number, seconds: number): number {
  return plan.pp === 1 ? 0 : Math.max(0, 1 - (m * allBusy) / (plan.pp * seconds));
}
