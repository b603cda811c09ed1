/**
 * A rank's memory: every tensor is allocated here, counted in bytes by what it is for, and poisoned when it is freed.
 * A rank that reads a freed tensor or another rank's fails at once; a view kept of freed memory reads NaN.
 */
import { invariant } from '../problem';
import type { Turn } from './turn';

export type Real = Float32Array | Float64Array;
export type RealType = 'f32' | 'f64';

/** What memory is for. `activations` are kept from forward to backward; `buffers` are temporary. */
export const MEMORY_KINDS = ['weights', 'gradients', 'optimizer', 'activations', 'buffers'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];
export type BytesByKind = Record<MemoryKind, number>;

const none = (): BytesByKind => ({ weights: 0, gradients: 0, optimizer: 0, activations: 0, buffers: 0 });

export class Heap {
  readonly live: BytesByKind = none();
  /** The most that each kind held at once, and the most of all together. */
  readonly peak: BytesByKind = none();
  peakBytes = 0;
  private readonly scopes: Scope[] = [];

  constructor(
    readonly rank: number,
    readonly type: RealType,
    private readonly turn: Turn,
  ) {}

  /** A tensor of zeros. */
  allocate(kind: MemoryKind, length: number): Tensor {
    return this.adopt(kind, this.type === 'f32' ? new Float32Array(length) : new Float64Array(length));
  }

  /** Takes an array that nobody else holds, such as what a communication gave, into this heap. */
  adopt(kind: MemoryKind, data: Real): Tensor {
    const tensor = new Tensor(this, kind, data);
    this.count(kind, data.byteLength);
    this.scopes.at(-1)?.add(tensor);
    return tensor;
  }

  /** Temporary memory. */
  buffer(length: number): Tensor {
    return this.allocate('buffers', length);
  }

  /** Gathers all that is allocated until `end`, so that it can be freed together. */
  open(): Scope {
    const scope = new Scope(() => void this.scopes.splice(this.scopes.indexOf(scope), 1));
    this.scopes.push(scope);
    return scope;
  }

  count(kind: MemoryKind, bytes: number): void {
    this.live[kind] += bytes;
    this.peak[kind] = Math.max(this.peak[kind], this.live[kind]);
    let total = 0;
    for (const k of MEMORY_KINDS) total += this.live[k];
    this.peakBytes = Math.max(this.peakBytes, total);
  }

  /** Forgets the peaks, so that they can be taken of one step alone. */
  resetPeaks(): void {
    Object.assign(this.peak, this.live);
    this.peakBytes = 0;
    this.count('buffers', 0);
  }

  check(isLive: boolean): void {
    invariant(isLive, `rank ${this.rank} reads a tensor that it has freed`);
    const { rank } = this.turn;
    invariant(rank === null || rank === this.rank, `rank ${rank} reads a tensor of rank ${this.rank}`);
  }
}

export class Tensor {
  private isLive = true;

  constructor(
    private readonly heap: Heap,
    private kind: MemoryKind,
    private readonly array: Real,
  ) {}

  /** The numbers. To be asked for at each use, so that misuse is found. */
  get data(): Real {
    this.heap.check(this.isLive);
    return this.array;
  }

  get length(): number {
    return this.array.length;
  }

  /** Counts the tensor as kept for the backward pass from now on. */
  keep(): this {
    this.heap.count(this.kind, -this.array.byteLength);
    this.kind = 'activations';
    this.heap.count(this.kind, this.array.byteLength);
    return this;
  }

  /** Freeing twice is harmless. */
  free(): void {
    if (!this.isLive) return;
    this.isLive = false;
    this.array.fill(NaN);
    this.heap.count(this.kind, -this.array.byteLength);
  }
}

export class Scope {
  private readonly tensors = new Set<Tensor>();

  constructor(private readonly leave: () => void) {}

  add(tensor: Tensor): void {
    this.tensors.add(tensor);
  }

  /** No more tensors from now on, and these are not the scope's to free. */
  end(...kept: readonly (Tensor | null)[]): void {
    this.leave();
    for (const tensor of kept) if (tensor) this.tensors.delete(tensor);
  }

  free(): void {
    for (const tensor of this.tensors) tensor.free();
    this.tensors.clear();
  }
}
