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
import { pricedContext } from '../estimate/step';
import { invariant } from '../problem';
import { CriticalPaths, longestPath } from './criticalPaths';
import { activationBytes, type Chunking, type StageTable, type States, stageTable } from './layoutTables';
import { BUSY, FORWARD, LayerTimes, WEIGHT } from './layerTimes';
import { boundOfWay, wayOf } from './makespans';
import { closedMakespan } from '../estimate/closedMakespan';
import { excessOf } from './objective';
import type { Rejections } from './rejections';
import type { Results } from './results';
import type { AdmittedSchedule } from './schedules';
import { type MutablePlan, planAt } from './space';
import type { WalkInput } from './choices';

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
  /** Feasible points that are faster than the yardstick, by their bound where they are only bounded. */
  faster = 0;
  private refused = 0;
  private firstRefused = 0;
  private layouts: readonly Chunking[] = [];
  private stateList: States[] = [];
  private groups: States[][] = [];
  private tables: StageTable[] = [];
  private readonly layers: LayerTimes;
  /** Numbers of layers a stage that occur. */
  private slots: readonly number[] = [];
  /** Of the makespans of the chunking at hand, by twice the way (see makespans.ts); −1: not yet. */
  private readonly bounds = new Float64Array(3);
  private readonly paths = new CriticalPaths();
  private slowest = 0;
  private allBusy = 0;
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
  enter(plan: MutablePlan, layouts: readonly Chunking[], states: readonly States[], outside: number): boolean {
    this.layouts = layouts;
    this.slots = [...new Set(layouts.flatMap(({ layout }) => layout.classes.map(view => view.layers)))];
    const all = layouts.map(layout => stageTable(layout, states));
    const fits = states.map(
      (_, state) => !this.input.prune || leastPeak(all, states.length, state) <= this.input.capacityBytes,
    );
    const refused = fits.filter(fit => !fit).length;
    if (refused > 0) this.refuseStates(plan, states[fits.indexOf(false)], layouts[0], refused * outside);
    const byGroup: States[][] = [];
    states.forEach((state, at) => {
      if (fits[at]) (byGroup[state.group] ??= []).push(state);
    });
    this.groups = byGroup.filter(group => group !== undefined);
    this.stateList = this.groups.flat();
    this.tables = layouts.map(layout => stageTable(layout, this.stateList));
    return this.stateList.length > 0;
  }

  private refuseStates(plan: MutablePlan, { context }: States, layout: Chunking, count: number): void {
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
  visit(plan: MutablePlan, block: Block): void {
    let first = 0;
    for (const group of this.groups) {
      const { sharding, shardSize } = group[0].context.plan;
      plan.sharding = sharding;
      plan.shardSize = shardSize;
      plan.vpp = 1;
      plan.stageLayers = null;
      const context = planContext(this.input.tables, plan);
      const priced = pricedContext(context);
      invariant(priced !== null, 'a search without a device');
      const slots = context.setting.rule.fullLayers === null ? ONE_SLOT : this.slots;
      this.layers.fill(priced, slots);
      for (let i = 0; i < this.layouts.length; i++) {
        const schedules = block.schedules[i];
        if (schedules.length === 0) continue;
        this.chunking(i, slots, context);
        for (const schedule of schedules) this.schedule(i, schedule, priced, block, first, first + group.length);
      }
      first += group.length;
    }
  }

  /** What all schedules of a chunking share: the seconds and bytes of its stages. */
  private chunking(i: number, slots: readonly number[], context: PlanContext): void {
    const { stage } = this;
    const { layout, vpp } = this.layouts[i];
    const { classes, classOfStage } = layout;
    this.slowest = 0;
    for (let c = 0; c < classes.length; c++) {
      const slot = slots.length === 1 ? 0 : slots.indexOf(classes[c].layers);
      this.layers.sum(classes[c], slot, vpp, stage, c * STAGE);
      this.activations(context, i, c);
      if (stage[c * STAGE] > stage[this.slowest * STAGE]) this.slowest = c;
    }
    this.allBusy = 0;
    this.bounds.fill(-1);
    const { forward, backwardInput, backwardWeight } = this.passes;
    for (let k = 0; k < classOfStage.length; k++) {
      const at = classOfStage[k] * STAGE;
      forward[k] = stage[at + FORWARD];
      backwardWeight[k] = stage[at + WEIGHT];
      backwardInput[k] = stage[at + BUSY] - forward[k] - backwardWeight[k];
      this.allBusy += stage[at + BUSY];
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

  private schedule(
    i: number,
    schedule: AdmittedSchedule,
    { context: { plan, setting, m }, common, hostFactor }: Priced,
    block: Block,
    from: number,
    to: number,
  ): void {
    const { shape, closed, flights, offset, expressible } = schedule;
    const { stage, results, stateList, held, slowest } = this;
    const { capacityBytes, tables } = this.input;
    const layout = this.layouts[i];
    const { classes, stateBytes, tailSeconds, tailHidden } = this.tables[i];
    const width = stateList.length;
    const p = shape.stages;
    for (let c = 0; c < classes; c++) held[c] = this.once[c] + this.each[c] * flights[c];
    const busy = stage[slowest * STAGE];
    const makespan = closed ? closedMakespan(shape, this.passes) : this.bound(schedule, busy);
    const bubble = p === 1 ? 0 : Math.max(0, 1 - (m * this.allBusy) / (p * makespan));
    const overlap = setting.stack.overlapsGradients ? common.dataParallelOverlap : 0;
    const hidden = overlap * (busy - stage[slowest * STAGE + FORWARD]);
    const main = Math.max(makespan, m * busy) + m * common.microBatchSeconds * hostFactor + common.stepSeconds;
    const perSequence = (this.stragglers * this.excess(plan)) / plan.globalBatch;
    const thrash = setting.stack.oldAllocator ? common.thrash * makespan : 0;
    const base = block.offset + layout.offset + offset;
    const isExpressible = block.isExpressible && layout.expressible && expressible;
    for (let state = from; state < to; state++) {
      let peak = 0;
      for (let c = 0; c < classes; c++) {
        const bytes = stateBytes[c * width + state] + held[c];
        if (bytes > peak) peak = bytes;
      }
      const { offset: more, sharding, expressible: stateExpressible } = stateList[state];
      if (peak > capacityBytes) {
        if (this.refused++ === 0) this.firstRefused = base + more;
        continue;
      }
      const at = slowest * width + state;
      const tail = tailSeconds[at] - Math.min(tailHidden[at], hidden);
      const full = thrash === 0 ? 0 : thrash * fullness(peak / (tables.device?.capacityBytes ?? Infinity));
      const time = (main + tail + full) * perSequence;
      this.feasible++;
      if (time < this.input.yardstick) this.faster++;
      const canBeTaken = isExpressible && stateExpressible;
      if (closed) results.take(base + more, time, peak, bubble, canBeTaken, true);
      else if (!this.input.prune || results.admitsBound(base + more, time, peak, bubble, canBeTaken))
        this.wait(schedule, base + more, time, makespan, perSequence, peak, canBeTaken, m);
      results.cells.offer(block.cell + sharding, time, base + more);
    }
    this.evaluated += to - from;
  }

  /** At least the makespan of a schedule that has no closed form; one for all that go the same way. */
  private bound({ shape, simulated, skipped }: AdmittedSchedule, busy: number): number {
    const way = wayOf(shape.name);
    let bound = this.bounds[2 * way];
    if (bound < 0) {
      bound = boundOfWay(way, simulated.stages, simulated.microBatches, this.passes) + skipped * busy;
      this.bounds[2 * way] = bound;
    }
    return bound;
  }

  /** Puts off a point with the best bound that there is. */
  private wait(
    { shape, simulated, skipped, known }: AdmittedSchedule,
    index: number,
    time: number,
    bound: number,
    perSecond: number,
    peak: number,
    expressible: boolean,
    m: number,
  ): void {
    const p = shape.stages;
    known.paths ??= this.paths.of(simulated, this.passes);
    const path = longestPath(known.paths, p, this.passes) + skipped * this.stage[this.slowest * STAGE];
    const makespan = Math.max(bound, path * (1 - ROUNDING));
    const bubble = Math.max(0, 1 - (m * this.allBusy) / (p * makespan));
    this.results.take(index, time + (makespan - bound) * perSecond, peak, bubble, expressible, false);
  }

  private excess({ globalBatch, seqLen }: ReadyPlan): number {
    return excessOf(this.input.goal, globalBatch * seqLen);
  }

  /** Counts one plan that does not fit. */
  refuse(plan: ReadyPlan): void {
    this.rejections.add('out-of-memory', 1, () => ({ plan, args: this.memoryArgs(plan) }));
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

/** How far old allocators are into their retries: from 80 to 93 % of the capacity, as in estimate/step.ts. */
function fullness(fill: number): number {
  return Math.min(1, Math.max(0, (fill - 0.8) / 0.13)) ** 2;
}

/** A bound must not pass what it bounds by rounding. */
const ROUNDING = 1e-12;

const ONE_SLOT: readonly number[] = [1];

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
