/**
 * Gradients across ranks: reduced over data-parallel ranks (each tensor alone, in buckets while the backward pass goes
 * on, or all at once), over tensor-parallel ranks that saw other tokens, and over stages that hold the same weights.
 *
 * Buckets are filled in the order in which gradients become ready, as PyTorch's DistributedDataParallel does
 * (Li et al., arXiv 2006.15704, section 3.2.3).
 */
import type { Group, Handle, Program, Rank } from '../collectives/communicator';
import type { Heap, Real, Tensor } from './heap';
import type { Seat } from './layout';
import type { Entry, Unit } from './unit';

interface Piece {
  readonly unit: Unit;
  readonly entry: Entry;
}

interface Bucket {
  readonly group: Group;
  readonly pieces: Piece[];
  bytes: number;
  data: Tensor | null;
  handle: Handle | null;
}

/** Reduces the gradients of unsharded units, started as soon as a bucket is full. */
export class Buckets {
  private readonly open = new Map<Group, Bucket>();
  private started: Bucket[] = [];

  constructor(
    private readonly heap: Heap,
    private readonly bucketBytes: number,
  ) {}

  /** A unit whose gradient is complete; its tensors follow in the reverse order of the model. */
  *add(rank: Rank, unit: Unit): Program<void> {
    const { shard } = unit.options;
    if (shard.size === 1) return;
    for (const entry of [...unit.entries].reverse()) {
      const bucket = this.open.get(shard.group) ?? {
        group: shard.group,
        pieces: [],
        bytes: 0,
        data: null,
        handle: null,
      };
      this.open.set(shard.group, bucket);
      bucket.pieces.push({ unit, entry });
      bucket.bytes += entry.length * unit.gradient.data.BYTES_PER_ELEMENT;
      if (bucket.bytes >= this.bucketBytes) yield* this.start(rank, bucket);
    }
  }

  private *start(rank: Rank, bucket: Bucket): Program<void> {
    this.open.delete(bucket.group);
    const length = bucket.pieces.reduce((sum, { entry }) => sum + entry.length, 0);
    bucket.data = this.heap.buffer(length);
    let at = 0;
    for (const { unit, entry } of bucket.pieces) {
      bucket.data.data.set(sliceOf(unit, entry), at);
      at += entry.length;
    }
    const options = { group: bucket.group, reduction: 'average' } as const;
    bucket.handle = yield* rank.start(rank.request('all-reduce', bucket.data.data, options));
    this.started.push(bucket);
  }

  /** Starts what is left, waits for all, and puts the averages back. */
  *finish(rank: Rank): Program<void> {
    for (const bucket of [...this.open.values()]) yield* this.start(rank, bucket);
    for (const { handle, pieces, data } of this.started) {
      if (!handle) continue;
      const average = (yield* rank.wait(handle)) as Real;
      let at = 0;
      for (const { unit, entry } of pieces) {
        sliceOf(unit, entry).set(average.subarray(at, at + entry.length));
        at += entry.length;
      }
      data?.free();
    }
    this.started = [];
  }
}

const sliceOf = (unit: Unit, { offset, length }: Entry) => unit.gradient.data.subarray(offset, offset + length);

/** What is left of a unit's reduction once every backward pass has added to it. */
export function* settle(rank: Rank, unit: Unit, tp: Seat, isSequenceParallel: boolean): Program<void> {
  const { zero, shard, replicas, stages } = unit.options;
  if (zero === 1 && shard.size > 1) unit.ownedGradient.set(yield* unit.scatter(rank, unit.gradient.data));
  const owned = unit.ownedGradient;
  if (zero > 0 && replicas.size > 1)
    owned.set(yield* rank.allReduce(owned.slice(), { group: replicas.group, reduction: 'average' }));
  unit.rescale();
  yield* sumOverTokens(rank, unit, tp, isSequenceParallel);
  if (stages) owned.set(yield* rank.allReduce(owned.slice(), { group: stages.group }));
}

/** Sums the gradients of weights that each tensor-parallel rank used on its own tokens alone. */
function* sumOverTokens(rank: Rank, unit: Unit, tp: Seat, isSequenceParallel: boolean): Program<void> {
  if (tp.size === 1) return;
  const parts = [...unit.ownedParts()].filter(({ entry }) => seesOwnTokens(entry, isSequenceParallel));
  const length = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  if (length === 0) return;
  const owned = unit.ownedGradient;
  const joined = owned.slice(0, length);
  let at = 0;
  for (const { from, to } of parts) {
    joined.set(owned.subarray(from, to), at);
    at += to - from;
  }
  const sum = (yield* rank.allReduce(joined, { group: tp.group })) as Real;
  at = 0;
  for (const { from, to } of parts) {
    owned.set(sum.subarray(at, at + to - from), from);
    at += to - from;
  }
}

export const seesOwnTokens = ({ spec }: Entry, isSequenceParallel: boolean) =>
  spec.tokens === 'always' || (spec.tokens === 'sp' && isSequenceParallel);

/** Σ g² of what this rank alone counts: of replicas the first, of stages that share the unit the first. */
export function ownSquares(unit: Unit, tp: Seat): number {
  const { zero, shard, replicas, stages } = unit.options;
  if ((stages && stages.index > 0) || replicas.index > 0 || (zero === 0 && shard.index > 0)) return 0;
  const owned = unit.ownedGradient;
  let sum = 0;
  for (const { entry, from, to } of unit.ownedParts()) {
    if (entry.spec.split === 'none' && entry.spec.expert === null && tp.index > 0) continue;
    for (let i = from; i < to; i++) sum += owned[i] * owned[i];
  }
  return sum;
}
