/**
 * The innermost loops: all schedules, chunkings, shardings and offloads of one workload on one layout, in arithmetic
 * over what they share.
 *
 * Legend: m micro-batches, a class is a set of stages that are alike. The parts of a step are those of `writeTime` in
 * estimate/step.ts: m times the busiest stage, the bubble, the tail, the host, the stragglers.
 */
import { type PlanContext, planContext } from '../estimate/context';
import { type Priced, fullShareOf } from '../estimate/stageSeconds';
import type { ReadyPlan } from '../plan/ready';
import { memoryEstimate } from '../estimate/estimate';
import { activationBytes, type Chunking, type StageTable, type States, stageTable } from './layoutTables';
import { BUSY, FORWARD, LayerTimes, slotsOf, WEIGHT } from './layerTimes';
import { closedMakespan, makespanBound } from './makespans';
import { excessOf } from './objective';
import { pricedOf } from './priced';
import type { Rejections } from './rejections';
import type { Results } from './results';
import type { AdmittedSchedule } from './schedules';
import { planAt } from './space';
import type { WalkInput } from './walk';

type Mutable = { -readonly [K in keyof ReadyPlan]: ReadyPlan[K] };

export interface Block {
  readonly offset: number;
  readonly isExpressible: boolean;
  readonly cell: number;
  /** By chunking. */
  readonly schedules: readonly (readonly AdmittedSchedule[])[];
}

const MOST_CLASSES = 1024;
const STAGE = 3;

export class Inner {
  evaluated = 0;
  feasible = 0;
  private refused = 0;
  private firstRefused = 0;
  private layouts: readonly Chunking[] = [];
  private stateList: States[] = [];
  private groups: States[][] = [];
  private tables: StageTable[] = [];
  private layers: LayerTimes;
  /** By class and field (see layerTimes.ts). */
  private readonly stage = new Float64Array(MOST_CLASSES * STAGE);
  private readonly each = new Float64Array(MOST_CLASSES);
  private readonly once = new Float64Array(MOST_CLASSES);
  private readonly held = new Float64Array(MOST_CLASSES);
  private readonly passes;
  private readonly stragglers: number;

  constructor(
    private readonly input: WalkInput,
    private readonly results: Results,
    private readonly rejections: Rejections,
  ) {
    const { tables, space } = input;
    const stages = Math.max(MOST_CLASSES, space.layers);
    this.passes = {
      forward: new Float64Array(stages),
      backwardInput: new Float64Array(stages),
      backwardWeight: new Float64Array(stages),
    };
    this.layers = new LayerTimes(tables.kinds.length, space.layers + 1);
    const nodes = Math.max(1, space.gpus / Math.max(tables.gpusPerNode, tables.topology.domainSize));
    this.stragglers = 1 + tables.common.stragglerPerDoubling * Math.log2(nodes);
  }

  /** Values of sharding and offloading that are left. */
  get states(): number {
    return this.stateList.length;
  }

  /** Begins a layout; false where no states fit, with `outside` points refused for each. */
  enter(plan: Mutable, layouts: readonly Chunking[], states: readonly States[], outside: number): boolean {
    this.layouts = layouts;
    const all = layouts.map(layout => stageTable(layout, states));
    const fits = states.map(
      (_, state) => !this.input.prune || leastPeak(all, states.length, state) <= this.input.capacityBytes,
    );
    const refused = fits.filter(fit => !fit).length;
    if (refused > 0) this.refuseStates(plan, states[fits.indexOf(false)], layouts[0], refused * outside);
    this.stateList = states.filter((_, state) => fits[state]);
    this.groups = [];
    for (const state of this.stateList) (this.groups[state.group] ??= []).push(state);
    this.stateList = this.groups.flat();
    this.tables =
      refused === 0 && this.groups.length === 1 ? all : layouts.map(layout => stageTable(layout, this.stateList));
    return this.stateList.length > 0;
  }

  private refuseStates(plan: Mutable, { context }: States, layout: Chunking, count: number): void {
    this.rejections.add('out-of-memory', count, () => {
      const { sharding, shardSize, offload } = context.plan;
      const { vpp, stageLayers } = layout;
      const schedule = plan.pp === 1 ? 'none' : '1f1b';
      const example: ReadyPlan = { ...plan, sharding, shardSize, offload, vpp, stageLayers, schedule };
      return { plan: example, args: this.memoryArgs(example) };
    });
  }

  private memoryArgs(plan: ReadyPlan) {
    const { tables, capacityBytes } = this.input;
    const { peakBytes, peakStage, lowerBytes, upperBytes } = memoryEstimate(tables, plan, capacityBytes);
    return { peakBytes, lowerBytes, upperBytes, capacityBytes, stage: peakStage };
  }

  /** Evaluates all points of a workload. */
  visit(plan: Mutable, block: Block): void {
    let first = 0;
    for (const group of this.groups) {
      if (group === undefined) continue;
      const { sharding, shardSize } = group[0].context.plan;
      plan.sharding = sharding;
      plan.shardSize = shardSize;
      plan.vpp = 1;
      plan.stageLayers = null;
      const context = planContext(this.input.tables, plan);
      const priced = pricedOf(context);
      const slots = slotsOf(
        context,
        this.layouts.flatMap(({ layout }) => layout.classes.map(view => view.layers)),
      );
      this.layers.fill(priced, slots);
      for (let i = 0; i < this.layouts.length; i++) {
        if (block.schedules[i].length > 0) this.chunking(i, slots, context, priced, block, first, first + group.length);
      }
      first += group.length;
    }
  }

  private chunking(
    i: number,
    slots: readonly number[],
    context: PlanContext,
    priced: Priced,
    block: Block,
    from: number,
    to: number,
  ): void {
    const { layout, vpp, offset, expressible } = this.layouts[i];
    const { classes } = layout;
    for (let c = 0; c < classes.length; c++) {
      const slot = slots.length === 1 ? 0 : slots.indexOf(classes[c].layers);
      this.layers.sum(classes[c], slot, vpp, this.stage, c * STAGE);
      this.activations(context, i, c);
    }
    this.spread(i);
    for (const schedule of block.schedules[i]) {
      this.schedule(i, schedule, context, priced, block, {
        from,
        to,
        offset: block.offset + offset + schedule.offset,
        expressible: block.isExpressible && expressible && schedule.expressible,
      });
    }
  }

  private activations({ setting, work, plan }: PlanContext, i: number, c: number): void {
    const view = this.layouts[i].layout.classes[c];
    const full = fullShareOf(setting.rule, view.layers);
    let [activations, working] = [0, 0];
    for (let kind = 0; kind < view.kinds.length; kind++) {
      if (view.kinds[kind] === 0) continue;
      const layer = work.layers[kind];
      activations += view.kinds[kind] * (full * layer.inputBytes + (1 - full) * layer.keptBytes);
      const repeated = layer.savedBytes - (full > 0 ? layer.inputBytes : layer.keptBytes);
      working = Math.max(working, repeated + 0.3 * layer.savedBytes);
    }
    if (view.isLast) working += work.ends.headBytes;
    const bytes = activationBytes(setting.stack, plan.tp, activations, working, view.isLast ? work.ends.logits : 0);
    this.each[c] = bytes.each;
    this.once[c] = bytes.once;
  }

  /** Seconds by stage, for the makespans. */
  private spread(i: number): void {
    const { classOfStage } = this.layouts[i].layout;
    const { forward, backwardInput, backwardWeight } = this.passes;
    for (let k = 0; k < classOfStage.length; k++) {
      const at = classOfStage[k] * STAGE;
      forward[k] = this.stage[at + FORWARD];
      backwardWeight[k] = this.stage[at + WEIGHT];
      backwardInput[k] = this.stage[at + BUSY] - forward[k] - backwardWeight[k];
    }
  }

  private schedule(
    i: number,
    { shape, closed, flights }: AdmittedSchedule,
    { plan, setting, m }: PlanContext,
    { common, hostFactor }: Priced,
    block: Block,
    { from, to, offset, expressible }: { from: number; to: number; offset: number; expressible: boolean },
  ): void {
    const { stage, results, stateList, held } = this;
    const { capacityBytes, tables } = this.input;
    const { classOfStage } = this.layouts[i].layout;
    const { classes, stateBytes, tailSeconds, tailHidden } = this.tables[i];
    const width = stateList.length;
    let [slowest, all] = [0, 0];
    for (let c = 0; c < classes; c++) {
      held[c] = this.once[c] + this.each[c] * flights[c];
      if (stage[c * STAGE] > stage[slowest * STAGE]) slowest = c;
    }
    const p = classOfStage.length;
    for (let k = 0; k < p; k++) all += stage[classOfStage[k] * STAGE];
    const busy = stage[slowest * STAGE];
    const makespan = closed ? closedMakespan(shape, this.passes) : makespanBound(shape, this.passes);
    const bubble = p === 1 ? 0 : Math.max(0, 1 - (m * all) / (p * makespan));
    const overlap = setting.stack.overlapsGradients ? common.dataParallelOverlap : 0;
    const hidden = overlap * (busy - stage[slowest * STAGE + FORWARD]);
    const host = (m * common.microBatchSeconds + common.stepSeconds) * hostFactor;
    const main = Math.max(makespan, m * busy) + host;
    const perSequence = (this.stragglers * this.excess(plan)) / plan.globalBatch;
    const isOld = setting.stack.oldAllocator;
    for (let state = from; state < to; state++) {
      let peak = 0;
      for (let c = 0; c < classes; c++) peak = Math.max(peak, stateBytes[c * width + state] + held[c]);
      const index = offset + stateList[state].offset;
      if (peak > capacityBytes) {
        if (this.refused++ === 0) this.firstRefused = index;
        continue;
      }
      const at = slowest * width + state;
      const tail = tailSeconds[at] - Math.min(tailHidden[at], hidden);
      const full = isOld
        ? common.thrash * Math.min(1, Math.max(0, (peak / tables.device!.capacityBytes - 0.8) / 0.13)) ** 2
        : 0;
      const time = (main + tail + full * makespan) * perSequence;
      this.feasible++;
      results.take(index, time, peak, bubble, expressible && stateList[state].expressible, closed);
      results.cells.offer(block.cell + stateList[state].sharding, time, index);
    }
    this.evaluated += to - from;
  }

  private excess({ globalBatch, seqLen }: ReadyPlan): number {
    return excessOf(this.input.goal, globalBatch * seqLen);
  }

  /** Counts what did not fit. */
  finish(): void {
    this.rejections.add('out-of-memory', this.refused, () => {
      const plan = planAt(this.input.space, this.firstRefused);
      return { plan, args: this.memoryArgs(plan) };
    });
    this.refused = 0;
  }
}

/** The least peak of the states alone over the chunkings. */
function leastPeak(tables: readonly StageTable[], width: number, state: number): number {
  let least = Infinity;
  for (const { classes, stateBytes } of tables) {
    let peak = 0;
    for (let c = 0; c < classes; c++) peak = Math.max(peak, stateBytes[c * width + state]);
    least = Math.min(least, peak);
  }
  return least;
}
