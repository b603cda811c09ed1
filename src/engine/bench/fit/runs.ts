/**
 * The cost model's constants fitted to a user's own runs, with the shipped calibration as prior: what the published
 * runs say holds until the own ones say otherwise. The bias and the host time of the user's stack move most easily.
 */
import { biasOn } from '../../hardware/calibration';
import type { Calibration } from '../../hardware/constants';
import { CALIBRATION } from '../../hardware/calibration.generated';
import { calibrationOf, type Parameter, parametersFor } from '../../validation/parameters';
import { fit, residuals } from '../../validation/fit';
import type { RowModel } from '../../validation/rowModel';

/**
 * How far constants that are not the stack's may move, as a share of their prior's spread; null: nothing moves. The one
 * is taken that predicts runs best that it has not seen, of the user's own.
 */
const FREEDOMS = [null, 0.02, 0.15, 0.5] as const;
type Freedom = (typeof FREEDOMS)[number];

/** So many runs of one user count fully; more count as so many, as they share what the model leaves out. */
const MOST_WEIGHT = 24;
const FOLDS = 5;
/** Fewer runs cannot be split: the stack's bias and host time alone move. */
const FEWEST_SPLIT = 4;
/** More freedom must be better by so much. */
const GAIN = 0.93;

export interface RunFit {
  readonly calibration: Calibration;
  /** null: own runs are predicted no better by any fit to the others, so nothing was changed. */
  readonly freedom: number | null;
  readonly parameters: readonly { readonly name: string; readonly prior: number; readonly value: number }[];
  /** log(predicted / measured) by row, before and after. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The parameters of these rows with priors from `base`. */
export function ownParameters(rows: readonly RowModel[], base: Calibration, freedom = 0.5): Parameter[] {
  const architectures = [...new Set(rows.map(row => row.architecture))].sort();
  const families = [...new Set(rows.map(row => row.family))].sort();
  return parametersFor(architectures, families).map(parameter => {
    const prior = ownBias(rows, base, parameter.name) ?? valueOf(base, parameter.name) ?? parameter.prior;
    return { ...parameter, prior, spread: parameter.family === null ? freedom * parameter.spread : parameter.spread };
  });
}

export function fitRuns(rows: readonly RowModel[], base: Calibration = CALIBRATION): RunFit {
  const freedom = rows.length < FEWEST_SPLIT ? 0.02 : bestFreedom(rows, base);
  const parameters = ownParameters(rows, base, freedom ?? 0);
  const start = parameters.map(({ prior }) => Math.log(prior));
  const problem = problemOf(rows, parameters);
  const x = freedom === null ? start : fit(problem, start, { rounds: 12 }).x;
  return {
    calibration: calibrationOf(parameters, x.map(Math.exp)),
    freedom,
    parameters: parameters.map(({ name, prior }, i) => ({ name, prior, value: Math.exp(x[i]) })),
    before: Array.from(residuals(problem, start)),
    after: Array.from(residuals(problem, x)),
  };
}

function problemOf(rows: readonly RowModel[], parameters: readonly Parameter[]) {
  return { rows, parameters, weights: new Float64Array(rows.length).fill(Math.min(1, MOST_WEIGHT / rows.length)) };
}

/** By the mean |error| on own runs that the fit has not seen. */
function bestFreedom(rows: readonly RowModel[], base: Calibration): Freedom {
  const folds = Math.min(FOLDS, rows.length);
  let best: Freedom = null;
  let least = Infinity;
  for (const freedom of FREEDOMS) {
    let sum = 0;
    for (let fold = 0; fold < folds; fold++) {
      const parameters = ownParameters(rows, base, freedom ?? 0);
      const start = parameters.map(({ prior }) => Math.log(prior));
      const seen = problemOf(
        rows.filter((_, i) => i % folds !== fold),
        parameters,
      );
      const unseen = problemOf(
        rows.filter((_, i) => i % folds === fold),
        parameters,
      );
      const x = freedom === null ? start : fit(seen, start, { rounds: 6 }).x;
      for (const r of residuals(unseen, x)) sum += Math.abs(r);
    }
    if (sum < GAIN * least) [best, least] = [freedom, sum];
  }
  return best;
}

/** What the base takes for the bias of a stack where these rows ran; null for another parameter. */
function ownBias(rows: readonly RowModel[], base: Calibration, name: string): number | null {
  const row = rows.find(({ family }) => name === `stack.${family}.bias`);
  if (row === undefined || !Object.hasOwn(base.stacks, row.family)) return null;
  return biasOn(base.stacks[row.family], row.architecture);
}

/** `device.hopper.halfK`, `common.launchSeconds`, `stack.nemo.bias`; undefined where the calibration has none. */
function valueOf(calibration: Calibration, name: string): number | undefined {
  const [kind = '', second = '', third = ''] = name.split('.');
  const tables = calibration as unknown as Record<string, Record<string, unknown>>;
  if (kind === 'common') return tables.common[second] as number | undefined;
  const table = (kind === 'device' ? tables.devices : tables.stacks)[second] as Record<string, number> | undefined;
  return table?.[third];
}
