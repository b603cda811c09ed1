/**
 * Normalisation of rows of width h.
 * RMSNorm: y = x / √(mean x² + ε) · w (Zhang and Sennrich, arXiv 1910.07467, equation 4).
 * LayerNorm: y = (x − mean) / √(var + ε) · w + c (Ba et al., arXiv 1607.06450, equation 4).
 */
import type { Real } from './heap';

export const NORM_EPSILON = 1e-5;

/** `shift` is null for RMSNorm, c for LayerNorm. */
export interface NormWeights {
  readonly weight: Real;
  readonly shift: Real | null;
}

/** Mean (0 for RMSNorm) and 1 / √(… + ε) of row r. */
function moments(x: Real, r: number, h: number, centred: boolean): [number, number] {
  let mean = 0;
  if (centred) {
    for (let i = r * h; i < (r + 1) * h; i++) mean += x[i];
    mean /= h;
  }
  let squares = 0;
  for (let i = r * h; i < (r + 1) * h; i++) squares += (x[i] - mean) * (x[i] - mean);
  return [mean, 1 / Math.sqrt(squares / h + NORM_EPSILON)];
}

export function normForward(y: Real, x: Real, { weight, shift }: NormWeights): void {
  const h = weight.length;
  for (let r = 0; r < x.length / h; r++) {
    const [mean, inverse] = moments(x, r, h, shift !== null);
    for (let i = 0, at = r * h; i < h; i++, at++) y[at] = (x[at] - mean) * inverse * weight[i] + (shift ? shift[i] : 0);
  }
}

/** dx, from the derivative of x̂ = (x − mean) · inverse: inverse · (g − mean(g) − x̂ · mean(g · x̂)), g = dy · w. */
export function normBackward(dx: Real, dy: Real, x: Real, { weight, shift }: NormWeights): void {
  const h = weight.length;
  for (let r = 0; r < x.length / h; r++) {
    const [mean, inverse] = moments(x, r, h, shift !== null);
    let sum = 0;
    let product = 0;
    for (let i = 0, at = r * h; i < h; i++, at++) {
      const g = dy[at] * weight[i];
      sum += g;
      product += g * (x[at] - mean) * inverse;
    }
    if (!shift) sum = 0;
    for (let i = 0, at = r * h; i < h; i++, at++)
      dx[at] = inverse * (dy[at] * weight[i] - sum / h - ((x[at] - mean) * inverse * product) / h);
  }
}

/** Adds the gradients of weight and shift. */
export function normWeightGradient(gradient: NormWeights, dy: Real, x: Real): void {
  const { weight, shift } = gradient;
  const h = weight.length;
  for (let r = 0; r < x.length / h; r++) {
    const [mean, inverse] = moments(x, r, h, shift !== null);
    for (let i = 0, at = r * h; i < h; i++, at++) {
      weight[i] += dy[at] * (x[at] - mean) * inverse;
      if (shift) shift[i] += dy[at];
    }
  }
}
