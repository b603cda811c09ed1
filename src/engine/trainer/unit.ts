/**
 * A unit of weights on one rank, with its gradient and the optimizer's state, whole or sharded over the data-parallel
 * ranks as ZeRO says (Rajbhandari et al., arXiv 1910.02054, section 5): stage 1 shards the optimizer's state, stage 2
 * the gradients too, stage 3 the weights too.
 *
 * Legend: Ψ elements of the rank's slices, n ranks of the shard group, P = ⌈Ψ/n⌉ elements of a shard.
 */
import type { Program, Rank } from '../collectives/communicator';
import { invariant } from '../problem';
import type { Heap, Real, Tensor } from './heap';
import type { Seat } from './layout';
import { globalIndex, type Initial, type ParameterSpec, type Slice, type UnitSpec } from './parameters';
import { addInto, scale } from './pointwise';

export interface Entry {
  readonly spec: ParameterSpec;
  readonly slice: Slice;
  /** Where the slice begins in the unit's flat buffer. */
  readonly offset: number;
  readonly length: number;
}

/** A stretch of one parameter's slice in a buffer: elements `from` … `to` of it, `localStart` … of the slice. */
export interface Part {
  readonly entry: Entry;
  readonly from: number;
  readonly to: number;
  readonly localStart: number;
}

export interface UnitOptions {
  readonly spec: UnitSpec;
  readonly entries: readonly Entry[];
  readonly zero: 0 | 1 | 2 | 3;
  /** Ranks that share one copy of the sharded state. */
  readonly shard: Seat;
  /** Ranks with other copies of the same shard. */
  readonly replicas: Seat;
  /** The same unit on other stages of the pipeline; null where it has one stage. */
  readonly stages: Seat | null;
  /** From the average over shard and replicas to the gradient of the mean loss. */
  readonly factor: number;
  /** Tensors of optimizer state as large as the weights. */
  readonly moments: number;
}

export class Unit {
  readonly spec: UnitSpec;
  readonly entries: readonly Entry[];
  readonly length: number;
  /** Elements of the whole buffer, padded to a multiple of the ranks that share it. */
  readonly padded: number;
  /** What this rank steps: elements start … start + owned − 1 of the flat buffer. */
  readonly start: number;
  readonly owned: number;
  readonly weights: Tensor;
  readonly gradient: Tensor;
  readonly moments: readonly Tensor[];
  /** Backward passes that will still add to the gradient in this step. */
  remaining = 0;
  private gathered: Tensor | null = null;
  private whole: Tensor | null = null;

  constructor(
    readonly options: UnitOptions,
    private readonly heap: Heap,
  ) {
    const { spec, entries, zero, shard, moments } = options;
    this.spec = spec;
    this.entries = entries;
    this.length = entries.reduce((sum, entry) => sum + entry.length, 0);
    const n = zero === 0 ? 1 : shard.size;
    this.owned = Math.ceil(this.length / n);
    this.padded = this.owned * n;
    this.start = zero === 0 ? 0 : shard.index * this.owned;
    this.weights = heap.allocate('weights', zero === 3 ? this.owned : this.padded);
    this.gradient = heap.allocate('gradients', zero >= 2 ? this.owned : this.padded);
    this.moments = Array.from({ length: moments }, () => heap.allocate('optimizer', this.owned));
  }

  /** Fills the weights that this rank holds. */
  initialise(initial: Initial, seed: number): void {
    const { data } = this.weights;
    const first = this.options.zero === 3 ? this.start : 0;
    for (const { spec, slice, offset, length } of this.entries)
      for (let i = Math.max(0, first - offset); i < Math.min(length, first + data.length - offset); i++)
        data[offset + i - first] = initial(spec, seed, globalIndex(spec, slice, i), i);
  }

  /** Makes the whole weights readable: gathers them where they are sharded. */
  *open(rank: Rank): Program<void> {
    if (this.options.zero < 3 || this.gathered) return;
    const { shard } = this.options;
    const data = this.weights.data;
    const whole = shard.size > 1 ? yield* rank.allGather(data, { group: shard.group }) : data.slice();
    this.gathered = this.heap.adopt('weights', whole as Real);
  }

  close(): void {
    this.gathered?.free();
    this.gathered = null;
  }

  /** A parameter's slice of the open weights. */
  weight(name: string): Real {
    const { offset, length } = this.entry(name);
    const whole = this.options.zero === 3 ? this.gathered : this.weights;
    invariant(whole !== null, `the weights of ${name} are not gathered`);
    return whole.data.subarray(offset, offset + length);
  }

  /** A parameter's slice of the buffer that backward passes add to. */
  gradientOf(name: string): Real {
    const { offset, length } = this.entry(name);
    if (this.options.zero >= 2) this.whole ??= this.heap.allocate('gradients', this.padded);
    return (this.whole ?? this.gradient).data.subarray(offset, offset + length);
  }

  entry(name: string): Entry {
    const entry = this.entries.find(({ spec }) => spec.name === name);
    invariant(entry !== undefined, `${this.spec.name} has no ${name} here`);
    return entry;
  }

  /** Stages 2 and 3: sends the gradient of one pass to its owners and frees it. */
  *flush(rank: Rank): Program<void> {
    if (this.options.zero < 2 || !this.whole) return;
    const { shard } = this.options;
    const { data } = this.whole;
    const part = shard.size > 1 ? yield* this.scatter(rank, data) : data;
    addInto(this.gradient.data, part);
    this.whole.free();
    this.whole = null;
  }

  *scatter(rank: Rank, data: Real): Program<Real> {
    return (yield* rank.reduceScatter(data, { group: this.options.shard.group, reduction: 'average' })) as Real;
  }

  /** What this rank steps. */
  get ownedGradient(): Real {
    const { data } = this.gradient;
    return this.options.zero === 1 ? data.subarray(this.start, this.start + this.owned) : data;
  }

  get ownedWeights(): Real {
    const { data } = this.weights;
    return this.options.zero === 3 ? data : data.subarray(this.start, this.start + this.owned);
  }

  /** Parts of the entries inside what this rank steps. */
  ownedParts(): Generator<Part> {
    return this.parts(this.start, this.owned);
  }

  /** The weights that this rank holds between steps, and where they begin in the flat buffer. */
  get held(): { data: Real; start: number } {
    return { data: this.weights.data, start: this.options.zero === 3 ? this.start : 0 };
  }

  /** Parts of the entries inside `length` elements from `start` of the flat buffer. */
  *parts(start: number, length: number): Generator<Part> {
    for (const entry of this.entries) {
      const from = Math.max(0, entry.offset - start);
      const to = Math.min(length, entry.offset + entry.length - start);
      if (to > from) yield { entry, from, to, localStart: start + from - entry.offset };
    }
  }

  /** After the step: the shards of the new weights go to all that hold the whole. */
  *share(rank: Rank): Program<void> {
    const { zero, shard } = this.options;
    if (zero === 0 || zero === 3 || shard.size === 1) return;
    const whole = yield* rank.allGather(this.ownedWeights.slice(), { group: shard.group });
    const temporary = this.heap.adopt('buffers', whole as Real);
    this.weights.data.set(temporary.data);
    temporary.free();
  }

  /** Gradients of the mean loss from the averages. */
  rescale(): void {
    if (this.options.factor !== 1) scale(this.ownedGradient, this.options.factor);
  }
}
