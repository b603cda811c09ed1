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
  private readonly freed = new Map<number, Real[]>();

  constructor(
    readonly rank: number,
    readonly type: RealType,
    private readonly turn: Turn,
    /**
     * Takes freed memory again, which saves the system's work for fresh pages. A view kept of a freed tensor then reads
     * NaN only until its memory is taken: off where a program is to be proved.
     */
    private readonly recycles = false,
  ) {}

  /** A tensor of zeros. */
  allocate(kind: MemoryKind, length: number): Tensor {
    const used = this.recycles ? this.freed.get(length)?.pop()?.fill(0) : undefined;
    const data = used ?? (this.type === 'f32' ? new Float32Array(length) : new Float64Array(length));
    return this.put(new Tensor(this, kind, data, this.recycles));
  }

  /** Takes an array that nobody else holds, such as what a communication gave, into this heap. */
  adopt(kind: MemoryKind, data: Real): Tensor {
    return this.put(new Tensor(this, kind, data, false));
  }

  private put(tensor: Tensor): Tensor {
    this.count(tensor.kind, tensor.byteLength);
    this.scopes.at(-1)?.add(tensor);
    return tensor;
  }

  /** Memory for later tensors of the same length. */
  recycle(data: Real): void {
    const list = this.freed.get(data.length);
    if (list) list.push(data);
    else this.freed.set(data.length, [data]);
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
    private use: MemoryKind,
    private readonly array: Real,
    private readonly isRecycled: boolean,
  ) {}

  get kind(): MemoryKind {
    return this.use;
  }

  get byteLength(): number {
    return this.array.byteLength;
  }

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
    this.heap.count(this.use, -this.byteLength);
    this.use = 'activations';
    this.heap.count(this.use, this.byteLength);
    return this;
  }

  /** Freeing twice is harmless. */
  free(): void {
    if (!this.isLive) return;
    this.isLive = false;
    this.array.fill(NaN);
    this.heap.count(this.use, -this.byteLength);
    if (this.isRecycled) this.heap.recycle(this.array);
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
