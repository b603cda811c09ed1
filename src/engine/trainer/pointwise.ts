/** Functions of one element and their slopes, forward and backward over whole arrays. */
import type { Real } from './heap';

/**
 * Coefficients of rational approximations to erf and erfc in three ranges (Cody, "Rational Chebyshev approximations for
 * the error function", Mathematics of Computation 23, 1969), from the constant term up; 1e-16 relative.
 */
const NEAR = {
  over: [3209.377589138469, 377.485237685302, 113.8641541510502, 3.161123743870566, 0.1857777061846032],
  under: [2844.236833439171, 1282.616526077372, 244.0246379344442, 23.60129095234412, 1],
};
const MIDDLE = {
  over: [
    1230.339354797997, 2051.078377826071, 1712.047612634071, 881.9522212417691, 298.6351381974001, 66.11919063714163,
    8.883149794388376, 0.5641884969886701, 2.153115354744038e-8,
  ],
  under: [
    1230.339354803749, 3439.367674143722, 4362.619090143247, 3290.79923573346, 1621.38957456669, 537.1811018620099,
    117.6939508913125, 15.74492611070983, 1,
  ],
};
const FAR = {
  over: [
    6.587491615298378e-4, 0.01608378514874228, 0.1257817261112293, 0.3603448999498044, 0.3053266349612323,
    0.0163153871373021,
  ],
  under: [0.002335204976268692, 0.06051834131244132, 0.5279051029514284, 1.87295284992346, 2.568520192289822, 1],
};

function rational({ over, under }: { over: readonly number[]; under: readonly number[] }, x: number): number {
  let p = 0;
  let q = 0;
  for (let i = over.length - 1; i >= 0; i--) p = p * x + over[i];
  for (let i = under.length - 1; i >= 0; i--) q = q * x + under[i];
  return p / q;
}

/** The error function, given e = exp(−x²). */
function erfWith(x: number, e: number): number {
  const a = Math.abs(x);
  if (a <= 0.46875) return x * rational(NEAR, x * x);
  const rest = a <= 4 ? rational(MIDDLE, a) : (1 / Math.sqrt(Math.PI) - rational(FAR, 1 / (a * a)) / (a * a)) / a;
  return x < 0 ? e * rest - 1 : 1 - e * rest;
}

export const erf = (x: number) => erfWith(x, Math.exp(-x * x));

const ROOT = Math.sqrt(0.5);
const DENSITY = 1 / Math.sqrt(2 * Math.PI);

/** GELU in its exact form, x·Φ(x) (Hendrycks and Gimpel, arXiv 1606.08415, section 2). */
export const gelu = (x: number) => x * 0.5 * (1 + erf(x * ROOT));

/** Φ(x) + x·φ(x) */
export function geluSlope(x: number): number {
  const e = Math.exp(-0.5 * x * x);
  return 0.5 * (1 + erfWith(x * ROOT, e)) + x * DENSITY * e;
}

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
