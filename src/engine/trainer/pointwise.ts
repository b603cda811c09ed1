/** Functions of one element and their slopes, forward and backward over whole arrays. */
import type { Real } from './heap';

/**
 * erf(x) / x for small x and exp(x²)·erfc(x) for larger x as rational functions in three ranges (Cody, "Rational
 * Chebyshev approximations for the error function", Mathematics of Computation 23, 1969), 1e-16 relative. Written out,
 * since GELU spends its time here.
 */
function erfNear(t: number): number {
  const over =
    (((0.1857777061846032 * t + 3.161123743870566) * t + 113.8641541510502) * t + 377.485237685302) * t +
    3209.377589138469;
  const under = (((t + 23.60129095234412) * t + 244.0246379344442) * t + 1282.616526077372) * t + 2844.236833439171;
  return over / under;
}

function erfcMiddle(a: number): number {
  const over =
    (((((((2.153115354744038e-8 * a + 0.5641884969886701) * a + 8.883149794388376) * a + 66.11919063714163) * a +
      298.6351381974001) *
      a +
      881.9522212417691) *
      a +
      1712.047612634071) *
      a +
      2051.078377826071) *
      a +
    1230.339354797997;
  const under =
    (((((((a + 15.74492611070983) * a + 117.6939508913125) * a + 537.1811018620099) * a + 1621.38957456669) * a +
      3290.79923573346) *
      a +
      4362.619090143247) *
      a +
      3439.367674143722) *
      a +
    1230.339354803749;
  return over / under;
}

function erfcFar(a: number): number {
  const t = 1 / (a * a);
  const over =
    ((((0.0163153871373021 * t + 0.3053266349612323) * t + 0.3603448999498044) * t + 0.1257817261112293) * t +
      0.01608378514874228) *
      t +
    6.587491615298378e-4;
  const under =
    ((((t + 2.568520192289822) * t + 1.87295284992346) * t + 0.5279051029514284) * t + 0.06051834131244132) * t +
    0.002335204976268692;
  return (1 / Math.sqrt(Math.PI) - (t * over) / under) / a;
}

/** The error function, given e = exp(−x²). */
function erfWith(x: number, e: number): number {
  const a = Math.abs(x);
  if (a <= 0.46875) return x * erfNear(x * x);
  const rest = a <= 4 ? erfcMiddle(a) : erfcFar(a);
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
