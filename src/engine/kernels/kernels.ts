/** Loads the compiled kernels over a memory that the caller owns. */
import type { Dtype, Reduction } from '../collectives/numbers';
import { SHARED_KERNELS, UNSHARED_KERNELS } from './generated/kernels';

/** What the engine needs of the platform's WebAssembly and text decoding, which every host has; its own library has no DOM. */
interface Platform {
  readonly WebAssembly: {
    readonly Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => GrowingMemory;
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  };
  readonly atob: (base64: string) => string;
}

/** A WebAssembly.Memory. */
export interface KernelMemory {
  readonly buffer: ArrayBufferLike;
}

/** One that can be made larger, which takes the views of an unshared one. */
export interface GrowingMemory extends KernelMemory {
  grow(pages: number): number;
}

/** Addresses and lengths are bytes of the memory; see assembly/slices.ts for the table of a group. */
export interface SliceKernels {
  combine(kind: number, a: number, b: number, to: number, bytes: number): void;
  copy(to: number, from: number, bytes: number): void;
  allReduceSlice(table: number, r: number, n: number, bytes: number, unit: number, kind: number): void;
  reduceScatterSlice(table: number, r: number, n: number, bytes: number, unit: number, kind: number): void;
  reduceSlice(table: number, r: number, n: number, bytes: number, unit: number, kind: number, root: number): void;
  allGatherSlice(table: number, r: number, n: number, bytes: number): void;
  allToAllSlice(table: number, r: number, n: number, bytes: number, unit: number): void;
  broadcastSlice(table: number, r: number, n: number, bytes: number, root: number): void;
}

/** Matrix products; see assembly/product.ts. */
export interface ProductKernels {
  /** Bytes of the room that a product needs beside its matrices. */
  productRoom(): number;
  readonly productF32: Product;
  readonly productF64: Product;
}

/** out (m × n) = a (m × k) · b (k × n); a as k × m where `transA`, b as n × k where `transB`; added to `out` where `adds`. */
type Product = (
  m: number,
  n: number,
  k: number,
  a: number,
  b: number,
  out: number,
  transA: boolean,
  transB: boolean,
  adds: boolean,
  room: number,
) => void;

/** Those that wait for other threads; see assembly/shared.ts. */
export interface SharedKernels extends SliceKernels {
  readonly sleeps: { readonly value: number };
  post(flag: number, epoch: number): void;
  waitFor(flag: number, epoch: number, patience: number): void;
  barrier(flags: number, r: number, n: number, epoch: number, patience: number): void;
  allReduce(
    table: number,
    flags: number,
    mail: number,
    r: number,
    n: number,
    bytes: number,
    unit: number,
    kind: number,
    epoch: number,
    patience: number,
  ): number;
  reduceScatter(
    table: number,
    flags: number,
    mail: number,
    r: number,
    n: number,
    bytes: number,
    unit: number,
    kind: number,
    epoch: number,
    patience: number,
  ): number;
  allGather(
    table: number,
    flags: number,
    mail: number,
    r: number,
    n: number,
    bytes: number,
    epoch: number,
    patience: number,
  ): number;
  allToAll(
    table: number,
    flags: number,
    mail: number,
    r: number,
    n: number,
    bytes: number,
    unit: number,
    epoch: number,
    patience: number,
  ): number;
  broadcast(
    table: number,
    flags: number,
    mail: number,
    r: number,
    n: number,
    bytes: number,
    root: number,
    epoch: number,
    patience: number,
  ): number;
}

function load(base64: string, memory: KernelMemory): unknown {
  const { WebAssembly, atob } = globalThis as unknown as Platform;
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
}

/** Kernels over a memory made with `shared: true` and maximum 65536 pages. */
export function loadSharedKernels(memory: KernelMemory): SharedKernels {
  return load(SHARED_KERNELS, memory) as SharedKernels;
}

/** Kernels over a memory of one thread. */
export function loadKernels(memory: KernelMemory): SliceKernels & ProductKernels {
  return load(UNSHARED_KERNELS, memory) as SliceKernels & ProductKernels;
}

/** A memory that kernels can use, in pages of 65536 bytes. A shared one can be sent to worker threads. */
export function createMemory(pages: number, shared: boolean): GrowingMemory {
  const { WebAssembly } = globalThis as unknown as Platform;
  return new WebAssembly.Memory({ initial: pages, maximum: 65536, shared });
}

const TYPES: readonly Dtype[] = ['f32', 'f64', 'i32', 'bf16'];
const FOLDS: Record<Reduction, number> = { sum: 0, average: 0, min: 1, max: 2, product: 3 };

/** The number by which the kernels know a type and a reduction; an average is summed. */
export const kindOf = (dtype: Dtype, reduction: Reduction): number => TYPES.indexOf(dtype) * 4 + FOLDS[reduction];
