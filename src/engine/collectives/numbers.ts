/** The number types of a collective and how two buffers are reduced. bfloat16 travels as its 16 bits in a Uint16Array. */

export const DTYPES = ['f32', 'f64', 'bf16', 'i32'] as const;
export type Dtype = (typeof DTYPES)[number];

export const REDUCTIONS = ['sum', 'min', 'max', 'product', 'average'] as const;
export type Reduction = (typeof REDUCTIONS)[number];

export type Buffer = Float32Array | Float64Array | Uint16Array | Int32Array;

export const BYTES_PER_ELEMENT: Record<Dtype, number> = { f32: 4, f64: 8, bf16: 2, i32: 4 };

export function allocate(dtype: Dtype, length: number): Buffer {
  switch (dtype) {
    case 'f32':
      return new Float32Array(length);
    case 'f64':
      return new Float64Array(length);
    case 'bf16':
      return new Uint16Array(length);
    case 'i32':
      return new Int32Array(length);
  }
}

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** Rounds to the nearest bfloat16, ties to even; NaN stays NaN. */
export function toBf16(value: number): number {
  float[0] = value;
  const bits = word[0];
  if (Number.isNaN(value)) return ((bits >>> 16) | 0x40) & 0xffff;
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** The value of 16 bits of bfloat16. */
export function fromBf16(bits: number): number {
  word[0] = bits << 16;
  return float[0];
}

const combine: Record<Reduction, (a: number, b: number) => number> = {
  sum: (a, b) => a + b,
  average: (a, b) => a + b,
  product: (a, b) => a * b,
  min: Math.min,
  max: Math.max,
};

/** target[i] ← target[i] ⊕ source[i], rounded to the type at every step; an average is summed here. */
export function reduceInto(target: Buffer, source: Buffer, dtype: Dtype, reduction: Reduction): void {
  const length = target.length;
  if (dtype !== 'bf16' && (reduction === 'sum' || reduction === 'average')) {
    for (let i = 0; i < length; i++) target[i] = target[i] + source[i];
    return;
  }
  const f = reduction === 'product' && dtype === 'i32' ? Math.imul : combine[reduction];
  if (dtype === 'bf16')
    for (let i = 0; i < length; i++) target[i] = toBf16(f(fromBf16(target[i]), fromBf16(source[i])));
  else for (let i = 0; i < length; i++) target[i] = f(target[i], source[i]);
}

/** Turns sums over n ranks into averages; integers are cut towards zero, as NCCL does. */
export function divide(target: Buffer, dtype: Dtype, n: number): void {
  for (let i = 0; i < target.length; i++) {
    const value = target[i];
    target[i] = dtype === 'bf16' ? toBf16(fromBf16(value) / n) : dtype === 'i32' ? Math.trunc(value / n) : value / n;
  }
}
