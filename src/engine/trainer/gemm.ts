/**
 * Matrix product by the compiled kernels: the matrices are copied into the kernels' memory, of which each thread has its
 * own, and the result is copied back.
 * Every element is a sum over k in rising order, in blocks of 256 that are added up, in the numbers' own precision and
 * whatever the shape of the rest: a slice of the columns of a product has the same bits as the product of the slice.
 *
 * Legend: out (m × n) = a (m × k) · b (k × n), row-major.
 */
import { createMemory, type GrowingMemory, loadKernels, type ProductKernels } from '../kernels/kernels';
import type { Real } from './heap';

export interface Gemm {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  /** a is stored as k × m. */
  readonly transA?: boolean;
  /** b is stored as n × k. */
  readonly transB?: boolean;
  /** Adds to what `out` holds. */
  readonly accumulate?: boolean;
}

export function gemm(out: Real, a: Real, b: Real, shape: Gemm): void {
  const { m, n, k, transA = false, transB = false, accumulate = false } = shape;
  workshop ??= new Workshop();
  workshop.run(out, a, b, [m, n, k], transA, transB, accumulate);
}

let workshop: Workshop | null = null;

const PAGE = 65536;
/** Matrices stand on lines of the cache. */
const aligned = (bytes: number) => Math.ceil(bytes / 64) * 64;

/** The kernels with their memory: first the room that they need, then a, b and out. */
class Workshop {
  private readonly memory: GrowingMemory = createMemory(1, false);
  private readonly kernels: ProductKernels = loadKernels(this.memory);
  private readonly first = aligned(1024 + this.kernels.productRoom());

  run(
    out: Real,
    a: Real,
    b: Real,
    [m, n, k]: readonly [number, number, number],
    transA: boolean,
    transB: boolean,
    adds: boolean,
  ): void {
    const atB = this.first + aligned(m * k * a.BYTES_PER_ELEMENT);
    const atOut = atB + aligned(k * n * b.BYTES_PER_ELEMENT);
    this.reserve(atOut + m * n * out.BYTES_PER_ELEMENT);
    this.view(out, this.first, m * k).set(a);
    this.view(out, atB, k * n).set(b);
    const result = this.view(out, atOut, m * n);
    if (adds) result.set(out);
    else if (k === 0) result.fill(0);
    const { productF32, productF64 } = this.kernels;
    const product = out instanceof Float32Array ? productF32 : productF64;
    product(m, n, k, this.first, atB, atOut, transA, transB, adds, 1024);
    out.set(result);
  }

  /** Views of the type of `like`. */
  private view(like: Real, address: number, length: number): Real {
    const { buffer } = this.memory;
    return like instanceof Float32Array
      ? new Float32Array(buffer, address, length)
      : new Float64Array(buffer, address, length);
  }

  private reserve(bytes: number): void {
    const missing = bytes - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
  }
}
