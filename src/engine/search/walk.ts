/**
 * The walk through a part of the space: axes from the outside to the inside over one plan that is changed in place. A rule broken
 * outside refuses all points inside at once, with their exact number.
 */
import { layoutEntry, planContext } from '../estimate/context';
import { multiplies } from '../hardware/accelerators';
import { offloadsWeights } from '../estimate/hostMemory';
import type { Plan } from '../plan/keys';
import { microBatches } from '../plan/ready';
import { violations } from '../plan/rules';
import { type Args, invariant } from '../problem';
import { Inner } from './inner';
import { type Choice, choicesOf, NOTHING, size, type WalkInput } from './choices';
import type { AxisName } from './points';
import type { Chunking, States } from './layoutTables';
import { layersByStage, type Layout } from '../estimate/stages';
import { pricedContext } from '../estimate/step';
import { type RejectionCode, Rejections } from './rejections';
import type { Results } from './results';
import { type Admission, admissionOf, type ScheduleChoice } from './schedules';
import { assignPoint, halfOfStage, type MutablePlan, type Space } from './space';
import { balancedFor } from './split';

/** The axes whose values make the parts of the space. */
const OUTER = ['others', 'globalBatch', 'tp', 'cp'] as const;

export function partsOf({ axes }: Space): number {
  return OUTER.reduce((product, name) => product * axes[name].values.length, 1);
}

export class Walk {
  readonly rejections = new Rejections();
  private readonly plan: MutablePlan;
  private readonly choices: Readonly<Record<AxisName, readonly Choice[]>>;
  private readonly scheduleChoices: readonly ScheduleChoice[];
  private readonly admissions = new Map<Layout, Map<number, Admission>>();
  private readonly inner: Inner;

  constructor(
    private readonly input: WalkInput,
    results: Results,
  ) {
    this.plan = { ...input.space.present };
    this.choices = choicesOf(input);
    this.scheduleChoices = this.choices.schedule.map(({ point, offset, expressible }) => ({
      name: point.schedule ?? 'none',
      offset,
      expressible,
      late: point.late === true,
    }));
    this.inner = new Inner(input, results, this.rejections);
  }

  get evaluated(): number {
    return this.inner.evaluated;
  }

  get feasible(): number {
    return this.inner.feasible;
  }

  get faster(): number {
    return this.inner.faster;
  }

  /** Visits the points of a part; pauses after each block of some milliseconds' work at most. */
  *run(part: number): Generator<void, void> {
    const { choices } = this;
    let rest = part;
    const outer = [...OUTER].reverse().map(name => {
      const choice = choices[name][rest % choices[name].length];
      rest = Math.floor(rest / choices[name].length);
      return choice;
    });
    yield* this.sequences(outer.reverse());
    if (this.input.tables.workMemo.size > MOST_WORK) this.input.tables.workMemo.clear();
    this.inner.finish();
  }

  /** Rules of the sequence and of tensor parallelism. */
  private *sequences(outer: readonly Choice[]): Generator<void, void> {
    const { plan, choices } = this;
    const inside = size(choices, 'pp', 'ep', 'microBatch', 'chunks', 'schedule', 'recompute', 'sharding', 'offload');
    for (const { point } of outer) assignPoint(plan, point);
    const { device } = this.input.tables;
    if (device !== null && !multiplies(device.accelerator, plan)) {
      this.refuse('dtype-device', inside * choices.sp.length, { dtype: plan.dtype, gpu: device.id });
      return;
    }
    if (this.breaks({ tp: plan.tp, cp: plan.cp }, inside * choices.sp.length)) return;
    const sp = choices.sp.filter(choice => {
      assignPoint(plan, choice.point);
      const isSame = plan.tp === 1 && plan.sp;
      if (isSame) return this.refuse('same-plan', inside, { key: 'sp', other: 'tp=1' });
      return !this.breaks({ sp: plan.sp, tp: plan.tp, cp: plan.cp }, inside);
    });
    for (const stages of choices.pp) yield* this.stages([...outer, stages], sp);
  }

  /** The world's size, and what depends on the stages: chunks, sharding, recomputation by layers. */
  private *stages(outer: readonly Choice[], sp: readonly Choice[]): Generator<void, void> {
    const { plan, choices, input } = this;
    assignPoint(plan, outer[outer.length - 1].point);
    const { tp, cp, pp } = plan;
    const inside = sp.length * size(choices, 'ep', 'microBatch', 'schedule', 'offload');
    const all = inside * size(choices, 'chunks', 'recompute', 'sharding');
    plan.dp = input.space.gpus / (tp * cp * pp);
    if (this.breaks({ tp, cp, pp, dp: Number.isInteger(plan.dp) ? plan.dp : null }, all)) return;
    if (input.space.dp !== null && !input.space.dp.includes(plan.dp)) {
      this.refuse('world-size', all, { dp: null, tp, cp, pp, product: tp * cp * pp, gpus: input.space.gpus });
      return;
    }
    const chunks = this.chunkings(inside * size(choices, 'recompute', 'sharding'));
    const sharding = this.shardings(inside * chunks.length * choices.recompute.length);
    const recompute = this.recomputations(inside * chunks.length * sharding.length);
    if (chunks.length * sharding.length * recompute.length * sp.length === 0) return;
    for (const experts of choices.ep) yield* this.experts([...outer, experts], { sp, chunks, sharding, recompute });
  }

  private chunkings(inside: number): Choice[] {
    const { plan, choices, input } = this;
    const { layers } = input.space;
    return choices.chunks.filter(({ point }) => {
      const { pp } = plan;
      plan.vpp = point.vpp ?? 1;
      plan.stageLayers = point.balanced === true ? balancedFor(layers, pp * plan.vpp) : (point.stageLayers ?? null);
      if (pp === 1 && (plan.vpp > 1 || point.balanced === true))
        return this.refuse('same-plan', inside, { key: 'vpp', other: 'pp=1' });
      if (point.balanced === true && plan.stageLayers === null)
        return this.refuse('same-plan', inside, { key: 'stageLayers', other: 'layers' });
      if (this.breaks({ pp, vpp: plan.vpp, stageLayers: plan.stageLayers }, inside)) return false;
      if (point.balanced !== true || plan.vpp > 1) return true;
      const usual = layersByStage(layers, { ...plan, stageLayers: null });
      if (plan.stageLayers?.join() !== usual.join()) return true;
      return this.refuse('same-plan', inside, { key: 'stageLayers', other: 'default' });
    });
  }

  private shardings(inside: number): Choice[] {
    const { plan, choices } = this;
    const ranks = plan.dp * plan.cp;
    return choices.sharding.filter(({ point }) => {
      assignPoint(plan, point);
      if (plan.sharding !== 'none' && ranks === 1)
        return this.refuse('same-plan', inside, { key: 'sharding', other: 'dp=1' });
      if (plan.shardSize === null) return true;
      if (plan.shardSize >= ranks) return this.refuse('same-plan', inside, { key: 'shardSize', other: 'dp' });
      if (ranks % plan.shardSize !== 0) return this.refuse('shard-size', inside, { ranks, shardSize: plan.shardSize });
      return true;
    });
  }

  private recomputations(inside: number): Choice[] {
    const { plan, choices, input } = this;
    return choices.recompute.filter(({ point }) => {
      assignPoint(plan, point);
      if (point.half !== true || input.space.layers / plan.pp >= 2) return true;
      return this.refuse('same-plan', inside, { key: 'recomputeLayers', other: 'full' });
    });
  }

  /** Rules of experts, then the states alone: what does not fit without any activations. */
  private *experts(
    outer: readonly Choice[],
    inside: Record<'sp' | 'chunks' | 'sharding' | 'recompute', readonly Choice[]>,
  ): Generator<void, void> {
    const { plan, choices } = this;
    const { sp, chunks, sharding, recompute } = inside;
    assignPoint(plan, outer[outer.length - 1].point);
    const outside = sp.length * chunks.length * recompute.length * size(choices, 'microBatch', 'schedule');
    const { dp, cp, tp, pp, ep, etp } = plan;
    if (this.breaks({ dp, cp, tp, pp, ep, etp }, outside * sharding.length * choices.offload.length)) return;
    plan.microBatch = choices.microBatch[0].point.microBatch ?? 1;
    assignPoint(plan, recompute[0].point);
    assignPoint(plan, sp[0].point);
    const layouts = this.layouts(chunks);
    const states = this.states(sharding, layouts[0]);
    const alive = this.inner.enter(plan, layouts, states, outside);
    if (!alive) {
      yield;
      return;
    }
    const offset = outer.reduce((sum, choice) => sum + choice.offset, 0);
    const isExpressible = outer.every(choice => choice.expressible);
    const cell = this.cellOf(outer);
    for (const micro of choices.microBatch) {
      plan.microBatch = micro.point.microBatch ?? 1;
      this.microBatch(offset + micro.offset, isExpressible && micro.expressible, cell, { sp, recompute, layouts });
      yield;
    }
  }

  private microBatch(
    offset: number,
    isExpressible: boolean,
    cell: number,
    { sp, recompute, layouts }: Record<'sp' | 'recompute', readonly Choice[]> & { layouts: readonly Chunking[] },
  ): void {
    const { plan, choices, inner } = this;
    const { dp, cp, tp, pp, globalBatch, microBatch } = plan;
    const inside = sp.length * recompute.length * inner.states;
    const all = inside * layouts.length * choices.schedule.length;
    if (this.breaks({ dp, cp, tp, pp, globalBatch, microBatch }, all)) return;
    const admissions = layouts.map(layout => this.admission(layout, inside));
    if (admissions.every(({ admitted }) => admitted.length === 0)) return;
    for (const again of recompute) {
      assignPoint(plan, again.point);
      if (again.point.half === true) plan.recomputeLayers = halfOfStage(this.input.space.layers, plan.pp);
      for (const sequence of sp) {
        assignPoint(plan, sequence.point);
        inner.visit(plan, {
          offset: offset + again.offset + sequence.offset,
          isExpressible: isExpressible && again.expressible && sequence.expressible,
          cell,
          admissions,
        });
      }
    }
  }

  private layouts(chunks: readonly Choice[]): Chunking[] {
    const { plan, input } = this;
    return chunks.map(({ point, offset, expressible }) => {
      plan.vpp = point.vpp ?? 1;
      const { layers } = input.space;
      plan.stageLayers =
        point.balanced === true ? balancedFor(layers, plan.pp * plan.vpp) : (point.stageLayers ?? null);
      const layout = layoutEntry(input.tables, plan);
      return { offset, vpp: plan.vpp, stageLayers: plan.stageLayers, expressible, layout };
    });
  }

  private states(sharding: readonly Choice[], layout: Chunking): States[] {
    const { plan, choices, input } = this;
    plan.vpp = layout.vpp;
    plan.stageLayers = layout.stageLayers;
    const groups: string[] = [];
    return sharding.flatMap(shard =>
      choices.offload.map(offload => {
        assignPoint(plan, shard.point);
        assignPoint(plan, offload.point);
        const context = planContext(input.tables, { ...plan });
        const gathers = plan.sharding === 'zero3' || plan.sharding === 'hsdp';
        const fetches = offloadsWeights(plan) ? `${plan.offload} ` : '';
        const key = fetches + (gathers ? `${context.shard.ranks}` : '');
        const priced = pricedContext(context);
        invariant(priced !== null, 'a search without a device');
        if (!groups.includes(key)) groups.push(key);
        return {
          offset: shard.offset + offload.offset,
          sharding: shard.at,
          expressible: shard.expressible && offload.expressible,
          group: groups.indexOf(key),
          context,
          priced,
        };
      }),
    );
  }

  private admission({ layout, vpp }: Chunking, inside: number): Admission {
    const { plan, input } = this;
    let known = this.admissions.get(layout);
    if (known === undefined) this.admissions.set(layout, (known = new Map<number, Admission>()));
    const m = microBatches(plan);
    let admission = known.get(m);
    if (admission === undefined) {
      admission = admissionOf(input.tables, this.scheduleChoices, layout, m, vpp);
      known.set(m, admission);
    }
    for (const { name, code, args } of admission.refused) {
      plan.schedule = name;
      this.refuse(code, inside, args);
    }
    return admission;
  }

  /** Of the part's own cells the first one of a layout. */
  private cellOf(outer: readonly Choice[]): number {
    const { choices } = this;
    const [pp, ep] = outer.slice(OUTER.length).map(({ at }) => at);
    return (pp * choices.ep.length + ep) * choices.sharding.length;
  }

  /** Whether the keys break a rule whatever the others are; then `count` points are refused. */
  private breaks(keys: Partial<Plan>, count: number): boolean {
    const { input } = this;
    const partial = { ...NOTHING, seqLen: this.plan.seqLen, ...keys };
    const [broken] = violations(partial, input.sizes, input.space.gpus, input.framework);
    if (broken === undefined) return false;
    this.refuse(broken.code, count, broken.args);
    return true;
  }

  /** Always false, so that a filter can return it. */
  private refuse(code: RejectionCode, count: number, args: Args): false {
    this.rejections.add(code, count, () => ({ plan: { ...this.plan }, args }));
    return false;
  }
}

/** Workloads that stay priced for the next search: some tens of megabytes. */
const MOST_WORK = 2 ** 15;
