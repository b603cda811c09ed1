/**
 * The innermost loops: all schedules, chunkings, shardings and offloads of one workload on one layout, in arithmetic
 * over what they share. Every quantity is computed by the functions that `evaluate` calls; here they are only called in
 * an order that computes each once, cheapest first: what does not fit is refused before its time is asked for.
 *
 * Legend: m micro-batches, a class is a set of stages that are alike.
 */
import { type PlanContext, planContext } from '../estimate/context';
import { closedMakespan } from '../estimate/closedMakespan';
import { memoryEstimate } from '../estimate/estimate';
import type { Priced } from '../estimate/stageSeconds';
import { StagePasses } from '../estimate/stagePasses';
import { bubbleOf, mainSeconds, pricedContext, setbackSeconds, stragglerShare } from '../estimate/step';
import { hiddenSeconds } from '../estimate/tail';
import type { ReadyPlan } from '../plan/ready';
import { type Args, invariant } from '../problem';
import type { WalkInput } from './choices';
import { longestPath, pathsOf, ROUNDING } from './criticalPaths';
import { type Chunking, type StageTable, type States, stageTable } from './layoutTables';
import { boundOfWay, wayOf } from './makespans';
import { excessOf } from './objective';
import { leastPeak, Peaks } from './peaks';
import type { Rejections } from './rejections';
import type { Results } from './results';
import type { Admission, AdmittedSchedule } from './schedules';
import { type MutablePlan, planAt } from './space';

export interface Block {
  readonly offset: number;
  readonly isExpressible: boolean;
  readonly cell: number;
  /** By chunking. */
  readonly admissions: readonly Admission[];
}

export class Inner {
  /** Points whose time and memory were computed. */
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
  private readonly passes = new StagePasses();
  /** Of the makespans of the chunking at hand, by twice the way (see makespans.ts); −1: not yet. */
  private readonly bounds = new Float64Array(3);
  /** Of the workload at hand: what a second of a step counts for in a sequence. */
  private perSecond = 0;
  /** By state: seconds after the last backward pass on the busiest stage of the layout at hand. */
  private readonly tails: Float64Array;
  private readonly peaks: Peaks;
  /** By state: seconds a sequence under the schedule at hand; Infinity where it does not fit. */
  private readonly times: Float64Array;

  constructor(
    private readonly input: WalkInput,
    private readonly results: Results,
    private readonly rejections: Rejections,
  ) {
    const { space } = input;
    const most = space.axes.sharding.values.length * space.axes.offload.values.length;
    this.tails = new Float64Array(most);
    this.peaks = new Peaks(most, input.capacityBytes);
    this.times = new Float64Array(most);
  }

  /** Values of sharding and offloading that are left. */
  get states(): number {
    return this.stateList.length;
  }

  /** Begins a layout; false where no states fit, with `outside` points refused for each. */
  enter(plan: MutablePlan, layouts: readonly Chunking[], states: readonly States[], outside: number): boolean {
    this.layouts = layouts;
    const tables = layouts.map(layout => stageTable(layout, states));
    const fits = states.map(
      (_, state) => !this.input.prune || leastPeak(tables, states.length, state) <= this.input.capacityBytes,
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
    this.peaks.enter(layouts, this.tables, this.stateList.length);
    return this.stateList.length > 0;
  }

  private refuseStates(plan: MutablePlan, { context }: States, layout: Chunking, count: number): void {
    this.rejections.add('out-of-memory', count, () => {
      const { sharding, shardSize, offload } = context.plan;
      const { vpp, stageLayers } = layout;
      const schedule = plan.pp === 1 ? 'none' : '1f1b';
      const example: ReadyPlan = { ...plan, sharding, shardSize, offload, vpp, stageLayers, schedule };
      return { plan: example, args: memoryArgs(this.input, example) };
    });
  }

  /** Evaluates all points of a workload. */
  visit(plan: MutablePlan, block: Block): void {
    // Groups differ in how weights are shared; what one device keeps of a micro-batch depends on that too.
    plan.vpp = 1;
    plan.stageLayers = null;
    const common = planContext(this.input.tables, plan);
    const isOneDevice = plan.dp * plan.cp * plan.pp === 1;
    let commonPriced: Priced | null = null;
    let first = 0;
    for (const group of this.groups) {
      const { sharding, shardSize, offload } = group[0].context.plan;
      plan.sharding = sharding;
      plan.shardSize = shardSize;
      plan.offload = offload;
      const context: PlanContext = { ...common, shard: group[0].context.shard };
      if (first === 0 || isOneDevice) this.peaks.setActivations(context);
      let priced: Priced | null = null;
      for (let i = 0; i < this.layouts.length; i++) {
        const { admitted } = block.admissions[i];
        if (admitted.length === 0) continue;
        if (this.peaks.exceedAll(i, block.admissions[i], first, first + group.length)) {
          this.refuse(group.length * admitted.length, this.indexOf(block, i, admitted[0], first));
          continue;
        }
        if (priced === null) {
          commonPriced ??= pricedContext(common);
          invariant(commonPriced !== null, 'a search without a device');
          priced = { ...commonPriced, context };
          this.passes.enter(priced);
          this.perSecond = ((1 + stragglerShare(priced)) * this.excess(plan)) / plan.globalBatch;
        }
        this.passes.set(this.layouts[i].layout, this.layouts[i].vpp);
        this.bounds.fill(-1);
        this.setTails(i, priced, first, first + group.length);
        for (const schedule of admitted) this.schedule(i, schedule, priced, block, first, first + group.length);
      }
      first += group.length;
    }
  }

  /** Writes the seconds after the last backward pass of the states of chunking i. */
  private setTails(i: number, priced: Priced, from: number, to: number): void {
    const { reduceSeconds, tailSeconds } = this.tables[i];
    const { busiest, backward } = this.passes;
    for (let state = from; state < to; state++) {
      const at = busiest * this.stateList.length + state;
      this.tails[state] = tailSeconds[at] - hiddenSeconds(priced, reduceSeconds[at], backward);
    }
  }

  private indexOf(block: Block, i: number, schedule: AdmittedSchedule, state: number): number {
    return block.offset + this.layouts[i].offset + schedule.offset + this.stateList[state].offset;
  }

  private refuse(count: number, first: number): void {
    if (this.refused === 0) this.firstRefused = first;
    this.refused += count;
  }

  private schedule(
    i: number,
    schedule: AdmittedSchedule,
    priced: Priced,
    block: Block,
    from: number,
    to: number,
  ): void {
    const fit = this.peaks.write(i, schedule, from, to);
    if (fit < to - from) this.refuseSome(i, schedule, block, from, to, fit);
    if (fit === 0) return;
    const { shape, closed, offset, expressible } = schedule;
    const { stateList, times, passes, results } = this;
    const peaks = this.peaks.bytes;
    const { prune } = this.input;
    const { context } = priced;
    const layout = this.layouts[i];
    const { busy, busiest, allBusy } = passes;
    const makespan = closed ? closedMakespan(shape, passes) : this.bound(schedule, busy);
    const bubble = bubbleOf(context, allBusy, makespan);
    const main = mainSeconds(priced, makespan, busy);
    const { layers } = layout.layout.classes[busiest];
    const base = block.offset + layout.offset + offset;
    const isExpressible = block.isExpressible && layout.expressible && expressible;
    this.setTimes(priced, main, layers, from, to);
    for (let state = from; state < to; state++) {
      if (times[state] === Infinity) continue;
      const { offset: more, sharding, expressible: stateExpressible } = stateList[state];
      results.cells.offer(block.cell + sharding, times[state], base + more);
      if (prune && !results.mayTake(times[state], peaks[state], bubble)) continue;
      const canBeTaken = isExpressible && stateExpressible;
      if (closed) results.take(base + more, times[state], peaks[state], bubble, canBeTaken, true);
      else if (!prune || results.admitsBound(base + more, times[state], peaks[state], bubble, canBeTaken))
        this.wait(schedule, base + more, times[state], makespan, peaks[state], canBeTaken, context);
    }
    this.feasible += fit;
    this.evaluated += fit;
  }

  /** Writes the seconds a sequence of the states that fit under a schedule. */
  private setTimes(priced: Priced, main: number, layers: number, from: number, to: number): void {
    const { tails, times, perSecond } = this;
    const { bytes } = this.peaks;
    const { capacityBytes, tables, yardstick } = this.input;
    const capacity = tables.device?.capacityBytes ?? Infinity;
    for (let state = from; state < to; state++) {
      times[state] = Infinity;
      if (bytes[state] > capacityBytes) continue;
      const setback = setbackSeconds(priced, layers, bytes[state] / capacity);
      times[state] = (main + tails[state] + setback) * perSecond;
      if (times[state] < yardstick) this.faster++;
    }
  }

  private refuseSome(i: number, schedule: AdmittedSchedule, block: Block, from: number, to: number, fit: number): void {
    let state = from;
    while (this.peaks.bytes[state] <= this.input.capacityBytes) state++;
    this.refuse(to - from - fit, this.indexOf(block, i, schedule, state));
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
    peak: number,
    expressible: boolean,
    context: PlanContext,
  ): void {
    const { passes } = this;
    known.paths ??= pathsOf(simulated, known.layers);
    const path = longestPath(known.paths, shape.stages, passes) + skipped * passes.busy;
    const makespan = Math.max(bound, path * (1 - ROUNDING));
    const bubble = bubbleOf(context, passes.allBusy, makespan);
    this.results.take(index, time + (makespan - bound) * this.perSecond, peak, bubble, expressible, false);
  }

  private excess({ globalBatch, seqLen }: ReadyPlan): number {
    return excessOf(this.input.goal, globalBatch * seqLen);
  }

  /** Counts what did not fit. */
  finish(): void {
    this.rejections.add('out-of-memory', this.refused, () => {
      const plan = planAt(this.input.space, this.firstRefused);
      return { plan, args: memoryArgs(this.input, plan) };
    });
    this.refused = 0;
  }
}

/** The numbers of a plan that does not fit. */
export function memoryArgs({ tables, capacityBytes }: WalkInput, plan: ReadyPlan): Args {
  const { peakBytes, peakStage, lowerBytes, upperBytes } = memoryEstimate(tables, plan, capacityBytes);
  return { peakBytes, lowerBytes, upperBytes, capacityBytes, stage: peakStage };
}
