/**
 * Calibrating on own runs: for each published source with ten rows or more, a prior fitted without that source, then
 * the user's fit on a random half of its rows (five seeds), judged on the other half.
 *
 *   npx tsx bench/own/halves.bench.ts [--rounds R]
 */
import { CALIBRATION } from '../../src/engine/hardware/calibration.generated';
import { ownParameters, fitRuns } from '../../src/engine/bench/fit/runs';
import { fit, fitProblem, jacobian, residuals } from '../../src/engine/validation/fit';
import { calibrationOf, parametersFor } from '../../src/engine/validation/parameters';
import { publishedRuns } from '../../src/engine/validation/nearest';
import { type RowModel, rowModel } from '../../src/engine/validation/rowModel';
import { groupBy, median } from '../../src/engine/validation/statistics';
import { goal, option } from '../peers';

const SEEDS = [1, 2, 3, 4, 5];
const FEWEST_ROWS = 10;

const rows = publishedRuns()
  .filter(({ tier, scores }) => tier === 'core' && scores.includes('time'))
  .map(rowModel)
  .filter((row): row is RowModel => row !== null);
const unique = (names: readonly string[]) => [...new Set(names)].sort();
const parameters = parametersFor(unique(rows.map(row => row.architecture)), unique(rows.map(row => row.family)));
const problem = fitProblem(rows, parameters);
const shipped = ownParameters(rows, CALIBRATION).map(({ prior }) => Math.log(prior));
const known = { x: shipped, j: jacobian(problem, shipped, residuals(problem, shipped)) };

/** A generator with a seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const errorOf = (list: readonly number[]) => median(list.map(r => Math.abs(Math.exp(r) - 1)));

let third = 0;
let raised = 0;
for (const [source, own] of groupBy(rows, row => row.run.source)) {
  if (own.length < FEWEST_ROWS) continue;
  const weights = problem.weights.map((weight, i) => (rows[i].run.source === source ? 0 : weight));
  // From the priors for what only this source informs, so that nothing of it is left in the start.
  const others = new Set(rows.filter(row => row.run.source !== source).flatMap(row => [row.family, row.architecture]));
  const start = parameters.map(({ prior, family, architecture }, j) => {
    const owner = family ?? architecture;
    return owner !== null && !others.has(owner) ? Math.log(prior) : shipped[j];
  });
  const { x } = fit(problem, start, { weights, known, rounds: option('--rounds', 2) });
  const base = calibrationOf(parameters, x.map(Math.exp));
  const before: number[] = [];
  const after: number[] = [];
  const freedoms: string[] = [];
  for (const seed of SEEDS) {
    const random = randomOf(seed);
    const shuffled = own
      .map(row => ({ row, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ row }) => row);
    const half = shuffled.slice(0, Math.ceil(own.length / 2));
    const rest = shuffled.slice(half.length);
    const { calibration, freedom } = fitRuns(half, base);
    freedoms.push(String(freedom));
    const list = parametersFor(unique(rest.map(row => row.architecture)), unique(rest.map(row => row.family)));
    const of = (c: typeof base) =>
      errorOf(Array.from(residuals({ rows: rest, parameters: list, weights: new Float64Array() }, valuesOf(c, list))));
    before.push(of(base));
    after.push(of(calibration));
  }
  const [b, a] = [median(before), median(after)];
  if (a <= (2 / 3) * b) third++;
  if (a > b + 0.01) raised++;
  console.log(
    `${source}: ${own.length} rows, other half ${(100 * b).toFixed(1)} % -> ${(100 * a).toFixed(1)} % (freedom ${freedoms.join(', ')})`,
  );
}
goal(third >= 8, `a third or more lower on ${third} sources (at least 8)`);
goal(raised === 0, `more than a point higher on ${raised} sources (none)`);

function valuesOf(calibration: typeof CALIBRATION, list: ReturnType<typeof parametersFor>): number[] {
  return list.map(({ name, prior }) => {
    const [kind = '', second = '', key = ''] = name.split('.');
    const tables = calibration as unknown as Record<string, Record<string, unknown>>;
    const found =
      kind === 'common'
        ? tables.common[second]
        : ((kind === 'device' ? tables.devices : tables.stacks)[second] as Record<string, number> | undefined)?.[key];
    return Math.log((found as number | undefined) ?? prior);
  });
}
