/**
 * What a rank has between and during its steps: its heap, its units, and the helpers that layers are written with.
 *
 * Legend: T rows (tokens) of a micro-batch on this rank's part of the sequence, T = b·s/c; with sequence parallelism
 * the activations between the parallel parts hold T/t rows.
 */
import type { Program, Rank } from '../collectives/communicator';
import { invariant } from '../problem';
import { gemm } from './gemm';
import { Buckets } from './gradients';
import { Heap, type Real, type RealType, type Tensor } from './heap';
import { contributions, divideSeat, type Layout, type Place, type Seat, stagesOfUnit } from './layout';
import { MOMENTS } from './optimizer';
import { sliceOf, type UnitSpec } from './parameters';
import type { Turn } from './turn';
import { type Entry, Unit } from './unit';
import type { DecoderNetwork } from './network';

/** Tokens by sequence and position: what the data give. */
export interface Batch {
  /** Token at position 0 … s of sequence 0 … globalBatch − 1; position s is the last target. */
  readonly token: (sequence: number, position: number) => number;
}

/** One micro-batch as a rank sees it. */
export interface MicroBatch {
  /** First of its b sequences. */
  readonly firstSequence: number;
  readonly batch: Batch;
  /** Share of one element (token or output) in the mean loss of a data-parallel rank. */
  readonly share: number;
}

export class RankState {
  readonly heap: Heap;
  readonly units: readonly Unit[];
  readonly buckets: Buckets;
  readonly place: Place;
  /** Floating-point operations since the trainer last looked. */
  flops = 0;
  /** What a forward pass keeps counts as buffers: it is thrown away, or repeated in the backward pass. */
  isTransient = false;
  /** Experts chosen by token, of each MoE layer that this rank ran; filled where the trainer asks for it. */
  routing: RoutingLog | null = null;
  private readonly byParameter = new Map<string, Unit>();

  constructor(
    readonly layout: Layout,
    index: number,
    type: RealType,
    turn: Turn,
    recycles = false,
  ) {
    const place = layout.places[index];
    this.place = place;
    this.heap = new Heap(index, type, turn, recycles);
    this.buckets = new Buckets(this.heap, layout.plan.bucketBytes);
    this.units = layout.units
      .filter(spec => stagesOfUnit(layout, spec.name).includes(place.stage))
      .map(spec => new Unit(unitOptions(layout, place, spec), this.heap));
    for (const unit of this.units) for (const { spec } of unit.entries) this.byParameter.set(spec.name, unit);
  }

  /** Rows of a micro-batch on this rank's part of the sequence. */
  get rows(): number {
    const { microBatch, seqLen, cp } = this.layout.plan;
    return (microBatch * seqLen) / cp;
  }

  get decoder(): DecoderNetwork {
    const { network } = this.layout;
    invariant(network.kind === 'decoder', 'a decoder layer in another network');
    return network;
  }

  unit(name: string): Unit {
    const unit = this.units.find(u => u.spec.name === name);
    invariant(unit !== undefined, `stage ${this.place.stage} does not hold ${name}`);
    return unit;
  }

  has(parameter: string): boolean {
    return this.byParameter.has(parameter);
  }

  weight(name: string): Real {
    return this.of(name).weight(name);
  }

  gradient(name: string): Real {
    return this.of(name).gradientOf(name);
  }

  shape(name: string): { rows: number; cols: number } {
    return this.of(name).entry(name).slice;
  }

  private of(name: string): Unit {
    const unit = this.byParameter.get(name);
    invariant(unit !== undefined, `rank ${this.place.rank} does not hold ${name}`);
    return unit;
  }

  /** x·W */
  multiply(x: Tensor, name: string): Tensor {
    const { rows: k, cols: n } = this.shape(name);
    const m = x.length / k;
    const y = this.heap.buffer(m * n);
    gemm(y.data, x.data, this.weight(name), { m, n, k });
    this.flops += 2 * m * n * k;
    return y;
  }

  /** dy·Wᵀ, added to `into` where that is given. */
  multiplyBack(dy: Tensor, name: string, into?: Tensor): Tensor {
    const { rows: n, cols: k } = this.shape(name);
    const m = dy.length / k;
    const dx = into ?? this.heap.buffer(m * n);
    gemm(dx.data, dy.data, this.weight(name), { m, n, k, transB: true, accumulate: into !== undefined });
    this.flops += 2 * m * n * k;
    return dx;
  }

  /** Adds xᵀ·dy to the gradient of W. */
  addGradient(x: Tensor, dy: Tensor, name: string): void {
    const { rows: m, cols: n } = this.shape(name);
    const k = x.length / m;
    gemm(this.gradient(name), x.data, dy.data, { m, n, k, transA: true, accumulate: true });
    this.flops += 2 * m * n * k;
  }

  /** Marks tensors as kept for the backward pass. */
  keep<T extends Tensor>(tensor: T): T {
    return this.isTransient ? tensor : tensor.keep();
  }

  /** Before a step: empty gradients, and how many passes will add to each. */
  begin(): void {
    this.heap.resetPeaks();
    for (const unit of this.units) {
      unit.gradient.data.fill(0);
      unit.remaining = contributions(this.layout, unit.spec.name, this.place.stage);
    }
  }

  /** A pass has added to these units: passes gradients on that are complete, or that are not kept whole. */
  *contributed(rank: Rank, units: readonly string[]): Program<void> {
    for (const name of units) {
      const unit = this.unit(name);
      yield* unit.flush(rank);
      unit.remaining--;
      if (unit.remaining === 0 && unit.options.zero === 0) yield* this.buckets.add(rank, unit);
    }
  }
}

/** By layer: the experts of each token that a rank routed, topK a token. */
export type RoutingLog = Map<string, Int32Array[]>;

export const ZERO = { none: 0, zero1: 1, zero2: 2, zero3: 3, hsdp: 3 } as const;

function unitOptions(layout: Layout, place: Place, spec: UnitSpec) {
  const { plan } = layout;
  const zero = ZERO[plan.sharding];
  const data = spec.isExpert ? place.expertData : place.data;
  const size = shardSizeOf(plan.shardSize, data.size, zero);
  const { inner, outer } = divideSeat(data, size);
  return {
    spec,
    entries: entriesOf(layout, place, spec),
    zero,
    shard: inner,
    replicas: outer,
    stages: stageSeat(layout, place, spec.name),
    factor: data.size / (plan.dp * plan.cp),
    moments: MOMENTS[plan.optimizer],
  } as const;
}

/** Unsharded state, and state sharded over all, have one part. */
export function shardSizeOf(asked: number | null, group: number, zero: number): number {
  return zero === 0 || asked === null || group % asked !== 0 ? group : asked;
}

/** The slices of a unit that a rank holds, one after the other. */
export function entriesOf(layout: Layout, place: Place, { parameters }: UnitSpec): Entry[] {
  const { network } = layout;
  const experts = network.kind === 'decoder' ? network.experts / place.ep.size : 0;
  let offset = 0;
  return parameters.flatMap(spec => {
    if (spec.expert !== null && Math.floor(spec.expert / experts) !== place.ep.index) return [];
    const slice = sliceOf(spec, place.tp.index, place.tp.size);
    const entry = { spec, slice, offset, length: slice.rows * slice.cols };
    offset += entry.length;
    return [entry];
  });
}

function stageSeat(layout: Layout, place: Place, unit: string): Seat | null {
  const stages = stagesOfUnit(layout, unit);
  if (stages.length === 1) return null;
  const ranks = stages.map(place.rankAtStage);
  return { group: { axis: 'pp', ranks }, size: ranks.length, index: stages.indexOf(place.stage) };
}
