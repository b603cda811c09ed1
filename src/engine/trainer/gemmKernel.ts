/** The compiled inner part of the matrix product over a memory of its own, or null where the host has no WebAssembly SIMD. */
import { GEMM_KERNEL } from './generated/gemm';

/** What is needed of the platform, which every host has; the engine's own library has no DOM. */
interface Platform {
  readonly WebAssembly?: {
    readonly Memory: new (limits: { initial: number }) => GrowingMemory;
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  };
  readonly atob: (base64: string) => string;
}

interface GrowingMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): void;
}

/** Addresses are bytes: a panel of four rows (k × 4), panels of four columns, and room for a 4 × 4 tile a panel. */
type TileRow = (a: number, b: number, out: number, k: number, panels: number) => void;

const PAGE = 65536;

/** One f64 array in the kernel's memory: `left`, then `right`, then `tiles`. */
export class GemmKernel {
  private f64: Float64Array;

  constructor(
    private readonly memory: GrowingMemory,
    readonly tileRow: TileRow,
  ) {
    this.f64 = new Float64Array(memory.buffer);
  }

  /** The array, with at least this many elements. */
  room(elements: number): Float64Array {
    const missing = elements * 8 - this.f64.byteLength;
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE));
      this.f64 = new Float64Array(this.memory.buffer);
    }
    return this.f64;
  }
}

export function loadGemmKernel(): GemmKernel | null {
  const { WebAssembly, atob } = globalThis as unknown as Platform;
  if (!WebAssembly) return null;
  try {
    const bytes = Uint8Array.from(atob(GEMM_KERNEL), character => character.charCodeAt(0));
    const memory = new WebAssembly.Memory({ initial: 16 });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    return new GemmKernel(memory, (exports as { tileRow: TileRow }).tileRow);
  } catch {
    return null; // no SIMD
  }
}
