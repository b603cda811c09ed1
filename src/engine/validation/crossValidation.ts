/** What the fit predicts for runs that it has not seen: each group, or each source, left out in turn. */
import { fit, type Fit, jacobian, type Problem, residuals } from './fit';
import type { RowModel } from './rowModel';
import { groupBy, mean, median, quantile } from './statistics';

/** log(predicted / measured) of every row by the fit that left its part out. */
export function leftOut(problem: Problem, full: Fit, part: (row: RowModel) => string, rounds: number): Float64Array {
  const { rows, weights } = problem;
  const known = { x: full.x, j: jacobian(problem, full.x, residuals(problem, full.x)) };
  const result = new Float64Array(rows.length);
  const names = rows.map(part);
  for (const name of new Set(names)) {
    const kept = weights.map((weight, i) => (names[i] === name ? 0 : weight));
    const { x } = fit(problem, full.x, { weights: kept, known, rounds });
    const all = residuals(problem, x);
    names.forEach((other, i) => {
      if (other === name) result[i] = all[i];
    });
  }
  return result;
}

export interface TimeErrors {
  readonly rows: number;
  readonly groups: number;
  /** Over groups of the mean |error| of their rows, as fractions. */
  readonly mean: number;
  readonly median: number;
  /** Share of the groups whose error is 20 % or less. */
  readonly within20: number;
  readonly bySource: Readonly<Record<string, number>>;
}

/** The scores of residuals as validation counts them. */
export function timeErrors(rows: readonly RowModel[], residual: Float64Array): TimeErrors {
  const errors = rows.map((row, i) => ({ run: row.run, error: Math.abs(Math.exp(residual[i]) - 1) }));
  const ofGroup = (list: typeof errors) =>
    [...groupBy(list, ({ run }) => run.group).values()].map(part => mean(part.map(({ error }) => error)));
  const groups = ofGroup(errors);
  const sources = [...groupBy(errors, ({ run }) => run.source)].map(
    ([source, list]) => [source, mean(ofGroup(list))] as const,
  );
  return {
    rows: rows.length,
    groups: groups.length,
    mean: mean(groups),
    median: median(groups),
    within20: mean(groups.map(error => (error <= 0.2 ? 1 : 0))),
    bySource: Object.fromEntries(sources),
  };
}

/** Half-width on the logarithm that holds this share of the left-out rows. */
export function halfWidth(residual: Float64Array, coverage: number): number {
  return quantile(Array.from(residual, Math.abs), coverage);
}
