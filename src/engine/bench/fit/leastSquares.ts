/**
 * Robust least squares of a few positive constants: Gauss-Newton with Levenberg's damping on their logarithms, with a
 * log-normal prior on each.
 *
 * Objective: Σ w·ρ(r/σ) + Σ ((x − μ)/s)², ρ(r) = 2(√(1 + r²) − 1) (soft L1). The covariance is the inverse of the
 * objective's curvature, scaled up where the residuals are larger than σ says.
 */
import { solve } from '../../validation/fit';

export interface Constant {
  readonly name: string;
  readonly prior: number;
  /** Standard deviation of the logarithm; Infinity: nothing is known before. */
  readonly spread: number;
}

export interface FittedConstant extends Constant {
  readonly value: number;
  /** Standard deviation of the logarithm, after the fit. */
  readonly uncertainty: number;
}

export interface LeastSquares {
  readonly constants: readonly FittedConstant[];
  /** log(predicted / measured) at the fit. */
  readonly residuals: readonly number[];
}

const STEP = 1e-5;
const ROUNDS = 60;

/** @param residualsOf log(predicted / measured) of each measurement under constants in their order */
export function leastSquares(
  constants: readonly Constant[],
  residualsOf: (values: readonly number[]) => readonly number[],
  sigma: number,
): LeastSquares {
  const mu = constants.map(({ prior }) => Math.log(prior));
  const precision = constants.map(({ spread }) => 1 / spread ** 2);
  const at = (x: readonly number[]) => residualsOf(x.map(Math.exp)).map(r => r / sigma);
  const objective = (x: readonly number[], r: readonly number[]) =>
    r.reduce((sum, value) => sum + 2 * (Math.sqrt(1 + value * value) - 1), 0) +
    x.reduce((sum, value, j) => sum + precision[j] * (value - mu[j]) ** 2, 0);
  let x = [...mu];
  let r = at(x);
  let f = objective(x, r);
  let damping = 1e-3;
  let system = curvature(x, r);
  for (let round = 0; round < ROUNDS && damping < 1e9; round++) {
    const damped = system.h.map((row, i) => row.map((value, k) => (i === k ? value * (1 + damping) + 1e-12 : value)));
    const dx = solve(damped, system.g);
    const next = x.map((value, j) => value - Math.max(-1, Math.min(1, dx[j])));
    const rn = at(next);
    const fn = objective(next, rn);
    if (!(fn < f)) {
      damping *= 4;
      continue;
    }
    const gain = f - fn;
    [x, r, f] = [next, rn, fn];
    system = curvature(x, r);
    damping = Math.max(damping / 4, 1e-9);
    if (gain < 1e-12 * (1 + f)) break;
  }
  const excess = Math.max(1, Math.sqrt(r.reduce((sum, value) => sum + value * value, 0) / Math.max(1, r.length)));
  return {
    constants: constants.map((constant, j) => ({
      ...constant,
      value: Math.exp(x[j]),
      uncertainty: excess * Math.sqrt(inverseDiagonal(system.h, j)),
    })),
    residuals: r.map(value => value * sigma),
  };

  function curvature(point: readonly number[], residuals: readonly number[]) {
    const columns = point.map((_, j) => {
      const moved = at(point.map((value, i) => (i === j ? value + STEP : value)));
      return moved.map((value, i) => (value - residuals[i]) / STEP);
    });
    const n = point.length;
    const h = Array.from({ length: n }, () => new Float64Array(n));
    const g = new Float64Array(n);
    const weights = residuals.map(value => 1 / Math.sqrt(1 + value * value));
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < n; b++)
        h[a][b] = columns[a].reduce((sum, value, i) => sum + weights[i] * value * columns[b][i], 0);
      h[a][a] += precision[a];
      g[a] =
        columns[a].reduce((sum, value, i) => sum + weights[i] * value * residuals[i], 0) +
        precision[a] * (point[a] - mu[a]);
    }
    return { h, g };
  }
}

function inverseDiagonal(h: readonly Float64Array[], j: number): number {
  const unit = new Float64Array(h.length);
  unit[j] = 1;
  return Math.max(0, solve(h, unit)[j]);
}
