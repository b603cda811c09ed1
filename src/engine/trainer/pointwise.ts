/** Functions of one element and their slopes, forward and backward over whole arrays. */
import type { Real } from './heap';

/**
 * The error function, to the last bits of f64: the series 2/√π Σ (−1)^k x^(2k+1) / (k! (2k+1)) in its all-positive form
 * for small x (Abramowitz and Stegun 7.1.6), the continued fraction of erfc for large x (7.1.14).
 */
export function erf(x: number): number {
  const a = Math.abs(x);
  if (a > 6) return Math.sign(x);
  const value = a < 2.5 ? erfSeries(a) : 1 - erfcFraction(a);
  return x < 0 ? -value : value;
}

function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17 && n < 200; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

function erfcFraction(x: number): number {
  let fraction = x;
  for (let n = 60; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}

const normalCdf = (x: number) => 0.5 * (1 + erf(x / Math.SQRT2));
const normalDensity = (x: number) => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);

/** GELU in its exact form, x·Φ(x) (Hendrycks and Gimpel, arXiv 1606.08415, section 2). */
export const gelu = (x: number) => x * normalCdf(x);
export const geluSlope = (x: number) => normalCdf(x) + x * normalDensity(x);

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** SiLU, x·σ(x), the gate of Llama's feed-forward (Shazeer, arXiv 2002.05202, equation 5). */
export const silu = (x: number) => x * sigmoid(x);
export function siluSlope(x: number): number {
  const s = sigmoid(x);
  return s * (1 + x * (1 - s));
}

export function addInto(target: Real, source: Real): void {
  for (let i = 0; i < target.length; i++) target[i] += source[i];
}

export function scale(target: Real, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i] *= factor;
}

export function geluForward(out: Real, x: Real): void {
  for (let i = 0; i < x.length; i++) out[i] = gelu(x[i]);
}

/** dx = dy · gelu′(x). */
export function geluBackward(dx: Real, dy: Real, x: Real): void {
  for (let i = 0; i < x.length; i++) dx[i] = dy[i] * geluSlope(x[i]);
}

/** out = silu(gate) · up. */
export function gatedForward(out: Real, gate: Real, up: Real): void {
  for (let i = 0; i < out.length; i++) out[i] = silu(gate[i]) * up[i];
}

export function gatedBackward(dGate: Real, dUp: Real, dOut: Real, gate: Real, up: Real): void {
  for (let i = 0; i < dOut.length; i++) {
    dGate[i] = dOut[i] * up[i] * siluSlope(gate[i]);
    dUp[i] = dOut[i] * silu(gate[i]);
  }
}
