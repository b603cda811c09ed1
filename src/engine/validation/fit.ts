/**
 * Robust least squares on log(predicted / measured) with a log-normal prior on each parameter: Gauss-Newton with
 * Levenberg's damping and a Jacobian by differences.
 *
 * Objective: Σ w·ρ(r)/σ² + Σ ((x − μ)/s)², ρ(r) = 2c²(√(1 + (r/c)²) − 1); w gives each group the same weight.
 */
import type { Parameter } from './parameters';
import { calibrationOf } from './parameters';
import { type RowModel, rowSeconds } from './rowModel';
import { groupBy } from './statistics';

const SCALE = 0.1;
const SIGMA = 0.06;
const STEP = 1e-4;
const LONGEST_STEP = 0.5;

export interface Problem {
  readonly rows: readonly RowModel[];
  readonly parameters: readonly Parameter[];
  /** By row: 1 / rows of its group. */
  readonly weights: Float64Array;
}

export interface Fit {
  /** Logarithms of the parameters. */
  readonly x: number[];
  readonly objective: number;
}

export function fitProblem(rows: readonly RowModel[], parameters: readonly Parameter[]): Problem {
  const groups = groupBy(rows, row => row.run.group);
  const weights = Float64Array.from(rows, row => 1 / (groups.get(row.run.group)?.length ?? 1));
  return { rows, parameters, weights };
}

export function priorOf(parameters: readonly Parameter[]): number[] {
  return parameters.map(({ prior }) => Math.log(prior));
}

/** log(predicted / measured) of each row. */
export function residuals({ rows, parameters }: Problem, x: readonly number[]): Float64Array {
  const calibration = calibrationOf(parameters, x.map(Math.exp));
  return Float64Array.from(rows, row => Math.log(rowSeconds(row, calibration) / row.measured));
}

/** By parameter: the derivative of each row's residual; rows that a parameter cannot move are skipped. */
export function jacobian(problem: Problem, x: readonly number[], at: Float64Array): Float64Array[] {
  const { rows, parameters } = problem;
  return parameters.map(({ architecture, family }, j) => {
    const moved = x.map((value, i) => Math.exp(i === j ? value + STEP : value));
    const calibration = calibrationOf(parameters, moved);
    return Float64Array.from(rows, (row, i) => {
      if (architecture !== null && row.architecture !== architecture) return 0;
      if (family !== null && row.family !== family) return 0;
      return (Math.log(rowSeconds(row, calibration) / row.measured) - at[i]) / STEP;
    });
  });
}

function objective(problem: Problem, weights: Float64Array, x: readonly number[], r: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < r.length; i++) {
    if (weights[i] > 0) sum += weights[i] * 2 * SCALE ** 2 * (Math.sqrt(1 + (r[i] / SCALE) ** 2) - 1);
  }
  let prior = 0;
  problem.parameters.forEach(({ prior: p, spread }, j) => {
    prior += ((x[j] - Math.log(p)) / spread) ** 2;
  });
  return sum / SIGMA ** 2 + prior;
}

export interface FitOptions {
  /** Weights by row; those of the problem where absent. Rows of weight 0 are left out. */
  readonly weights?: Float64Array;
  /** Jacobians at the start, to be used for the first steps. */
  readonly known?: { readonly x: readonly number[]; readonly j: Float64Array[] };
  /** Fresh Jacobians at most. */
  readonly rounds?: number;
}

/** The fit from a start. Every Jacobian serves for steps as long as they improve much. */
export function fit(problem: Problem, start: readonly number[], options: FitOptions = {}): Fit {
  const weights = options.weights ?? problem.weights;
  let x = [...start];
  let r = residuals(problem, x);
  let f = objective(problem, weights, x, r);
  let damping = 1e-2;
  const rounds = options.rounds ?? 40;
  for (let round = 0; round < rounds; round++) {
    const j = round === 0 && options.known !== undefined ? options.known.j : jacobian(problem, x, r);
    const before = f;
    for (let inner = 0; inner < 4; inner++) {
      const system = normalEquations(problem, weights, x, r, j);
      let improved = false;
      for (let attempt = 0; attempt < 6; attempt++) {
        const next = step(problem, x, system, damping);
        const rn = residuals(problem, next);
        const fn = objective(problem, weights, next, rn);
        if (fn < f) {
          improved = f - fn > 1e-5 * f;
          [x, r, f] = [next, rn, fn];
          damping = Math.max(damping / 4, 1e-6);
          break;
        }
        damping *= 4;
      }
      if (!improved) break;
    }
    if (before - f < 1e-5 * f && round > 0) break;
  }
  return { x, objective: f };
}

interface System {
  readonly h: Float64Array[];
  readonly g: Float64Array;
}

function normalEquations(
  { parameters }: Problem,
  weights: Float64Array,
  x: readonly number[],
  r: Float64Array,
  j: readonly Float64Array[],
): System {
  const n = parameters.length;
  const w = r.map((value, i) => (weights[i] === 0 ? 0 : weights[i] / Math.sqrt(1 + (value / SCALE) ** 2) / SIGMA ** 2));
  const h = Array.from({ length: n }, () => new Float64Array(n));
  const g = new Float64Array(n);
  const scaled = j.map(column => column.map((value, i) => value * w[i]));
  for (let a = 0; a < n; a++) {
    for (let b = a; b < n; b++) {
      let sum = 0;
      for (let i = 0; i < r.length; i++) sum += scaled[a][i] * j[b][i];
      h[a][b] = h[b][a] = sum;
    }
    let sum = 0;
    for (let i = 0; i < r.length; i++) sum += scaled[a][i] * r[i];
    const { prior, spread } = parameters[a];
    g[a] = sum + (x[a] - Math.log(prior)) / spread ** 2;
    h[a][a] += 1 / spread ** 2;
  }
  return { h, g };
}

function step({ parameters }: Problem, x: readonly number[], { h, g }: System, damping: number): number[] {
  const damped = h.map((row, i) => row.map((value, k) => (i === k ? value * (1 + damping) : value)));
  const dx = solve(damped, g);
  return x.map((value, i) => {
    const moved = value - Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, dx[i]));
    return Math.max(Math.log(parameters[i].low), Math.min(Math.log(parameters[i].high), moved));
  });
}

/** Cholesky's method for a symmetric positive definite system. */
export function solve(a: readonly Float64Array[], b: Float64Array): Float64Array {
  const n = b.length;
  const l = a.map(row => row.slice());
  const y = b.slice();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k <= i; k++) {
      let sum = l[i][k];
      for (let q = 0; q < k; q++) sum -= l[i][q] * l[k][q];
      l[i][k] = i === k ? Math.sqrt(Math.max(sum, 1e-12)) : sum / l[k][k];
    }
    for (let k = 0; k < i; k++) y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) y[i] -= l[k][i] * y[k];
    y[i] /= l[i][i];
  }
  return y;
}
