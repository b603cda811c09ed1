import assert from 'node:assert/strict';
import fc from 'fast-check';
import { attend, join } from './attention';
import { type Gemm, gemm } from './gemm';
import type { Real } from './heap';
import { ADAMW, adamw, clipFactor } from './optimizer';
import { erf, gelu, geluSlope } from './pointwise';
import { normal, uniform } from './random';

const near = (value: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not ${expected}`);

/** 2/√π · exp(−x²) · Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1)) (Abramowitz and Stegun 7.1.6). */
function erfBySeries(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 1; n < 200; n++) sum += term *= (2 * x * x) / (2 * n + 1);
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** Sums over k in rising order, in blocks of 256, each operation rounded to the numbers' own type. */
function plainProduct(out: Real, a: Real, b: Real, { m, n, k, transA, transB, accumulate }: Gemm): Real {
  const result = out.slice();
  const round = out instanceof Float32Array ? Math.fround : (x: number) => x;
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++)
      for (let first = 0; first < Math.max(1, k); first += 256) {
        let sum = 0;
        for (let p = first; p < Math.min(k, first + 256); p++)
          sum = round(sum + round(a[transA ? p * m + i : i * k + p] * b[transB ? j * k + p : p * n + j]));
        const adds = first > 0 || accumulate === true;
        result[i * n + j] = adds ? round(result[i * n + j] + sum) : sum;
      }
  return result;
}

describe('the numbers of the trainer', () => {
  it('has the error function of the tables', () => {
    // NIST Digital Library of Mathematical Functions, table of erf; Abramowitz and Stegun table 7.1.
    near(erf(0.5), 0.5204998778130465, 1e-15);
    near(erf(1), 0.8427007929497149, 1e-15);
    near(erf(2), 0.9953222650189527, 1e-15);
    near(erf(-3), -0.9999779095030014, 1e-15);
    near(gelu(1), 0.8413447460685429, 1e-15); // Φ(1)
    for (let x = -4; x <= 4; x += 1 / 64) near(erf(x), erfBySeries(x), 2e-15);
    near(erf(4.5), 0.9999999998033839, 1e-15);
    near(geluSlope(0.7), (gelu(0.7 + 1e-5) - gelu(0.7 - 1e-5)) / 2e-5, 1e-10);
  });

  it('multiplies with the bits of nested loops, whatever the shape, the type and what is transposed', () => {
    const size = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 60, max: 70 }));
    const depth = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 250, max: 530 }));
    fc.assert(
      fc.property(size, size, depth, fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), (m, n, k, ...flags) => {
        const [transA, transB, accumulate, isSingle] = flags;
        const wave = (length: number, f: number) => Float64Array.from({ length }, (_, i) => Math.sin(f * i + 1));
        const make = (values: Float64Array) => (isSingle ? Float32Array.from(values) : values);
        const [a, b, out] = [make(wave(m * k, 1.1)), make(wave(k * n, 0.7)), make(wave(m * n, 2.3))];
        const expected = plainProduct(out, a, b, { m, n, k, transA, transB, accumulate });
        gemm(out, a, b, { m, n, k, transA, transB, accumulate });
        assert.deepEqual(out, expected);
      }),
      { numRuns: 60 },
    );
  });

  it('gives a slice of the columns the bits of the whole product', () => {
    const [m, n, k] = [6, 10, 33];
    const a = Float64Array.from({ length: m * k }, (_, i) => Math.sin(i + 1));
    const b = Float64Array.from({ length: k * n }, (_, i) => Math.cos(3 * i));
    const whole = new Float64Array(m * n);
    gemm(whole, a, b, { m, n, k });
    const [first, count] = [3, 5];
    const slice = Float64Array.from(
      { length: k * count },
      (_, i) => b[Math.floor(i / count) * n + first + (i % count)],
    );
    const part = new Float64Array(m * count);
    gemm(part, a, slice, { m, n: count, k });
    part.forEach((x, i) => assert.equal(x, whole[Math.floor(i / count) * n + first + (i % count)]));
  });

  it('joins attention over blocks of keys into attention over all', () => {
    const shape = { sq: 6, sk: 6, b: 2, a: 4, g: 2, d: 3, qStart: 0, kStart: 0 };
    const wave = (length: number, f: number) => Float64Array.from({ length }, (_, i) => Math.sin(f * i + f));
    const [q, k, v] = [wave(6 * 2 * 12, 0.7), wave(6 * 2 * 6, 1.3), wave(6 * 2 * 6, 2.1)];
    const [o, lse] = [new Float64Array(q.length), new Float64Array(48)];
    attend(o, lse, q, k, v, shape);
    const [o1, lse1, o2, lse2] = [o.slice().fill(0), lse.slice(), o.slice().fill(0), lse.slice()];
    attend(o1, lse1, q, k.subarray(0, 36), v.subarray(0, 36), { ...shape, sk: 3 });
    attend(o2, lse2, q, k.subarray(36), v.subarray(36), { ...shape, sk: 3, kStart: 3 });
    join(o1, lse1, o2, lse2, 3);
    o.forEach((x, i) => near(o1[i], x, 1e-14));
    lse.forEach((x, i) => near(lse1[i], x, 1e-14));
  });

  it('steps AdamW as its paper says: the first step is −lr·g/(|g|+ε) − lr·wd·w', () => {
    // Lecture fact F14: first step equals −lr·g/(|g|+eps) − lr·wd·w to 1e-12.
    const gradient = Float64Array.of(0.3, -2e-5, 4e-9, 0);
    const start = Float64Array.of(0.5, -0.25, 0.125, 1);
    const weights = start.slice();
    adamw(weights, gradient, [new Float64Array(4), new Float64Array(4)], 1, ADAMW);
    gradient.forEach((g, i) => {
      const step = (-1e-3 * g) / (Math.abs(g) + 1e-8) - 1e-3 * 0.01 * start[i];
      near(weights[i] - start[i], step, 1e-12);
    });
    assert.equal(clipFactor(0.5, 1), 1);
    near(clipFactor(4, 1), 0.25, 1e-6);
  });

  it('makes normal numbers by place', () => {
    const values = Float64Array.from({ length: 20000 }, (_, i) => normal(1, 2, i));
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length;
    near(mean, 0, 0.03);
    near(variance, 1, 0.03);
    assert.equal(normal(1, 2, 77), values[77]);
    assert.notEqual(uniform(1, 2, 3), uniform(2, 2, 3));
  });
});
