/**
 * The bytes that each rank sends in one step, from the plan alone (and the routing, where there are experts): how often
 * each part of the model talks on which axis, with how many elements. The counters of a run must show the same.
 *
 * Legend: b micro-batch, s sequence, c cp, t tp, h hidden, a heads, g kv heads, d head width, T = b·s/c rows,
 * V vocabulary, Ψ a unit's elements on a rank, n ranks of a group.
 */
import type { CollectiveOp } from '../collectives/schedule';
import { BW, W } from '../pipeline/order';
import { invariant } from '../problem';
import { seesOwnTokens } from './gradients';
import { type BlockSpec, divideSeat, type Layout, type Place, type Seat, stagesOfUnit } from './layout';
import type { UnitSpec } from './parameters';
import type { Rows } from './routes';
import { entriesOf, shardSizeOf, ZERO } from './state';
import { dealtElements, type PredictedTraffic, Tally } from './tally';
import type { Entry } from './unit';

/** Traffic of one step. `rows` is needed where experts are on more than one rank. */
export function predictTraffic(
  layout: Layout,
  elementBytes: number,
  clips: boolean,
  rows: Rows | null,
): PredictedTraffic[] {
  const tally = new Tally(layout.world);
  for (const place of layout.places) {
    const say = new Sayings(layout, place, elementBytes, tally, rows);
    say.passes();
    say.stepEnd();
    if (clips) {
      const { ranks } = place.world;
      const everyone = { group: place.world, size: ranks.length, index: ranks.indexOf(place.rank) };
      tally.add('all-reduce', everyone, place.rank, 1, 8);
    }
  }
  return tally.list();
}

/** All that one rank says in a step. */
class Sayings {
  private readonly T: number;
  private readonly h: number;
  private readonly zero: 0 | 1 | 2 | 3;

  constructor(
    private readonly layout: Layout,
    private readonly place: Place,
    private readonly bytes: number,
    private readonly tally: Tally,
    private readonly rows: Rows | null,
  ) {
    const { microBatch, seqLen, cp, sharding } = layout.plan;
    this.T = (microBatch * seqLen) / cp;
    this.h = layout.network.hidden;
    this.zero = ZERO[sharding];
  }

  private say(op: CollectiveOp, seat: Seat, elements: number, times = 1): void {
    this.tally.add(op, seat, this.place.rank, elements, this.bytes, times);
  }

  passes(): void {
    const { order, blocks, plan } = this.layout;
    const { stage } = this.place;
    for (let slot = order.firstSlot[stage]; slot < order.firstSlot[stage + 1]; slot++) {
      const position = order.place.positionOf[stage * order.chunks + order.chunk[slot]];
      const kind = order.pass[slot];
      if (kind === W) continue;
      const isBackward = kind !== 0 && kind !== 4;
      this.pipeline(position, isBackward ? -1 : 1);
      for (const block of blocks[position]) {
        this.gathers(block);
        if (!isBackward) this.forward(block, order.microBatch[slot]);
        else {
          if (plan.recompute === 'full' && block.kind === 'layer') this.forward(block, order.microBatch[slot]);
          this.backward(block, order.microBatch[slot]);
        }
        // Whether now or in a later W, each backward is flushed once.
        if (isBackward) this.flushes(block);
      }
    }
  }

  /** b·(s/c)·h elements to the next stage, a t-th of them with sequence parallelism. */
  private pipeline(position: number, direction: 1 | -1): void {
    const { place } = this.layout.order;
    const target = position + direction;
    if (target < 0 || Math.floor(target / place.depth) !== Math.floor(position / place.depth)) return;
    if (place.stageOf[target] === this.place.stage) return;
    const { sp, tp } = this.layout.plan;
    const bytes = (this.T * this.h * this.bytes) / (sp ? tp : 1);
    this.tally.put('pp', 'send-recv', this.place.rank, bytes, 1);
  }

  private forward(block: BlockSpec, microBatch: number): void {
    const { T, h, layout } = this;
    const { sp } = layout.plan;
    const { tp } = this.place;
    switch (block.kind) {
      case 'rows':
      case 'square':
        return;
      case 'embedding':
        return this.say(sp ? 'reduce-scatter' : 'all-reduce', tp, T * h);
      case 'head':
        if (sp) this.say('all-gather', tp, T * h);
        this.say('all-reduce', tp, T);
        return this.say('all-reduce', tp, 2 * T);
      case 'layer':
        if (layout.network.kind === 'mlp') return this.say('all-gather', tp, T * h);
        this.region(1);
        this.context(false);
        if (layout.network.experts > 0) this.experts(block.name, microBatch, 1);
        else this.region(1);
    }
  }

  private backward(block: BlockSpec, microBatch: number): void {
    const { T, h, layout } = this;
    const { sp } = layout.plan;
    const { tp } = this.place;
    switch (block.kind) {
      case 'rows':
      case 'square':
        return;
      case 'embedding':
        if (sp) this.say('all-gather', tp, T * h);
        return;
      case 'head':
        if (sp) this.say('all-gather', tp, T * h);
        return this.say(sp ? 'reduce-scatter' : 'all-reduce', tp, T * h);
      case 'layer':
        if (layout.network.kind === 'mlp') return this.say('all-reduce', tp, T * h);
        this.region(2);
        this.context(true);
        if (layout.network.experts > 0) this.experts(block.name, microBatch, 0);
        else this.region(2);
    }
  }

  /** A tensor-parallel region: one all-reduce, or one reduce-scatter with `gathers` all-gathers. */
  private region(gathers: number): void {
    const { tp } = this.place;
    const { sp } = this.layout.plan;
    this.say(sp ? 'reduce-scatter' : 'all-reduce', tp, this.T * this.h);
    if (sp) this.say('all-gather', tp, this.T * this.h, gathers);
  }

  private context(isBackward: boolean): void {
    const { network, plan } = this.layout;
    const { cp } = this.place;
    if (network.kind === 'mlp' || cp.size === 1) return;
    const keys = (this.T * network.kvHeads * network.headDim) / plan.tp;
    const queries = (this.T * network.heads * network.headDim) / plan.tp;
    if (plan.cpKind === 'all-to-all') {
      this.say('all-to-all', cp, queries, 2);
      this.say('all-to-all', cp, keys, 2);
    } else if (plan.cpKind === 'all-gather') {
      this.say('all-gather', cp, cp.size * keys, 2);
      if (isBackward) this.say('reduce-scatter', cp, cp.size * keys, 2);
    } else {
      // K and V c − 1 times; on the way back their gradients c times as well.
      this.say('send-recv', cp, 2 * keys, isBackward ? 2 * (cp.size - 1) + 1 : cp.size - 1);
    }
  }

  /** Rows to the experts and back, after `counts` exchanges of their numbers. */
  private experts(layer: string, microBatch: number, counts: number): void {
    const { network, plan } = this.layout;
    if (network.kind === 'mlp') return;
    const { ep, tp, rank } = this.place;
    if (!plan.sp) this.say('all-gather', tp, this.T * this.h);
    if (ep.size === 1) return;
    this.tally.add('all-to-all', ep, rank, network.experts, 4, counts);
    invariant(this.rows !== null, 'traffic of experts needs the routing');
    const matrix: number[] = [];
    for (const member of ep.group.ranks) {
      const dealt = this.rows(layer, this.layout.places[member], microBatch);
      const each = dealt.length / ep.size;
      for (let i = 0; i < ep.size; i++)
        matrix.push(dealt.subarray(i * each, (i + 1) * each).reduce((a, b) => a + b, 0) * this.h);
    }
    const back = matrix.map((_, i) => matrix[(i % ep.size) * ep.size + Math.floor(i / ep.size)]);
    for (const lengths of [matrix, back]) {
      const sent = dealtElements(lengths, ep.size)[ep.index];
      this.tally.put(ep.group.axis, 'all-to-all', rank, sent * this.bytes, 1 / ep.size);
    }
  }

  /** Stage 3: the whole weights of a block before each pass. */
  private gathers({ units }: BlockSpec): void {
    if (this.zero < 3) return;
    for (const unit of this.unitsNamed(units)) this.say('all-gather', unit.shard, unit.padded);
  }

  private flushes({ units }: BlockSpec): void {
    if (this.zero < 2) return;
    for (const unit of this.unitsNamed(units)) this.say('reduce-scatter', unit.shard, unit.padded);
  }

  private unitsNamed(names: readonly string[]) {
    return names.map(name => this.unitOf(this.layout.units.find(({ name: n }) => n === name) as UnitSpec));
  }

  private unitOf(spec: UnitSpec) {
    const entries = entriesOf(this.layout, this.place, spec);
    const length = entries.reduce((sum, entry) => sum + entry.length, 0);
    const data = spec.isExpert ? this.place.expertData : this.place.data;
    const { inner, outer } = divideSeat(data, shardSizeOf(this.layout.plan.shardSize, data.size, this.zero));
    const n = this.zero === 0 ? 1 : inner.size;
    const owned = Math.ceil(length / n);
    return {
      entries,
      shard: inner,
      replicas: outer,
      owned,
      padded: owned * n,
      start: n === 1 ? 0 : inner.index * owned,
    };
  }

  stepEnd(): void {
    const { layout, place, zero } = this;
    const mine = layout.units.filter(({ name }) => stagesOfUnit(layout, name).includes(place.stage));
    if (zero === 0) this.buckets();
    for (const spec of mine) {
      const { entries, shard, replicas, owned, padded, start } = this.unitOf(spec);
      if (zero === 1) this.say('reduce-scatter', shard, padded);
      if (zero > 0) this.say('all-reduce', replicas, owned);
      const own = ({ offset, length }: Entry) =>
        Math.max(0, Math.min(start + owned, offset + length) - Math.max(start, offset));
      const partial = entries.reduce((sum, e) => sum + (seesOwnTokens(e, layout.plan.sp) ? own(e) : 0), 0);
      if (partial > 0) this.say('all-reduce', place.tp, partial);
      const stages = stagesOfUnit(layout, spec.name);
      const ranks = stages.map(place.rankAtStage);
      const seat = { group: { axis: 'pp', ranks }, size: ranks.length, index: stages.indexOf(place.stage) };
      this.say('all-reduce', seat, owned);
      if (zero === 1 || zero === 2) this.say('all-gather', shard, padded);
    }
  }

  /** Stage 0: whole tensors in buckets, in the order in which the schedule completes their gradients. */
  private buckets(): void {
    const open = new Map<Seat['group'], { shard: Seat; filled: number }>();
    for (const spec of this.completed()) {
      const { entries, shard } = this.unitOf(spec);
      for (const { length } of entries.reverse()) {
        const filled = (open.get(shard.group)?.filled ?? 0) + length;
        const isFull = filled * this.bytes >= this.layout.plan.bucketBytes;
        if (isFull) this.say('all-reduce', shard, filled);
        open.set(shard.group, { shard, filled: isFull ? 0 : filled });
      }
    }
    for (const { shard, filled } of open.values()) if (filled > 0) this.say('all-reduce', shard, filled);
  }

  private completed(): UnitSpec[] {
    const { order, blocks, units } = this.layout;
    const { stage } = this.place;
    const last: string[] = [];
    for (let slot = order.firstSlot[stage]; slot < order.firstSlot[stage + 1]; slot++) {
      if (order.pass[slot] !== BW && order.pass[slot] !== W) continue;
      const list = blocks[order.place.positionOf[stage * order.chunks + order.chunk[slot]]];
      for (const block of [...list].reverse()) last.push(...block.units);
    }
    return [...new Set(last.reverse())].reverse().map(name => units.find(u => u.name === name) as UnitSpec);
  }
}
