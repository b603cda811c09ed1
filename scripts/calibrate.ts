/**
 * npm run calibrate -- FOLDER: fits the constants of the cost model to FOLDER/runs.csv and writes
 * src/engine/hardware/calibration.generated.ts with the report of the fit beside it (and of gemm.csv). The same input gives the same
 * output.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stackOf } from '../src/engine/hardware/calibration';
import type { Calibration, FittedStack } from '../src/engine/hardware/constants';
import { stackFacts } from '../src/engine/hardware/stacks';
import { halfWidth, leftOut, timeErrors } from '../src/engine/validation/crossValidation';
import { fit, fitProblem, priorOf, residuals } from '../src/engine/validation/fit';
import { calibrationOf, type Parameter, parametersFor } from '../src/engine/validation/parameters';
import { type RowModel, rowModel } from '../src/engine/validation/rowModel';
import { readRuns } from '../src/engine/validation/runs';
import { scoreProducts } from '../src/engine/validation/kernels';
import { parseCsv } from '../src/engine/validation/csv';
import { type Finetune, finetuneError } from '../src/engine/validation/finetunes';
import { scoreRun } from '../src/engine/validation/score';

const COVERAGE = 0.8;
/** Peaks that nothing is fitted to, of stacks that the runs do not have. */
const FINETUNES = join(import.meta.dirname, '../test/fixtures/memory/finetunes.json');
const HARDWARE = join(import.meta.dirname, '../src/engine/hardware');

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: npm run calibrate -- FOLDER (with runs.csv)');
  process.exit(2);
}
const runs = readRuns(readFileSync(join(folder, 'runs.csv'), 'utf8'));
const rows = runs
  .filter(({ tier, scores }) => tier === 'core' && scores.includes('time'))
  .map(rowModel)
  .filter((row): row is RowModel => row !== null);
const parameters = parametersFor(unique(rows.map(row => row.architecture)), unique(rows.map(row => row.family)));
const problem = fitProblem(rows, parameters);
const full = fit(problem, startOf(parameters));
console.log(`${rows.length} rows, ${parameters.length} parameters, objective ${full.objective.toFixed(2)}`);
const inSample = residuals(problem, full.x);
const bySource = leftOut(problem, full, row => row.run.source, 4);
const byGroup = leftOut(problem, full, row => row.run.group, 2);
const values = full.x.map(x => Number(Math.exp(x).toPrecision(4)));
const errors = {
  inSample: timeErrors(rows, inSample),
  groupLeftOut: timeErrors(rows, byGroup),
  sourceLeftOut: timeErrors(rows, bySource),
};
const memoryErrors = runs
  .filter(({ tier, scores }) => tier === 'core' && scores.includes('memory'))
  .map(scoreRun)
  .flatMap(({ run, memoryError }) => (memoryError === null ? [] : [{ group: run.group, error: memoryError }]));
const finetuneErrors = (JSON.parse(readFileSync(FINETUNES, 'utf8')) as Finetune[]).map(row => ({
  group: row.source,
  error: finetuneError(row),
  evidence: stackOf(/stack=([^,]*)/.exec(row.plan)?.[1] ?? null).evidence,
}));
const uncertainty = {
  coverage: COVERAGE,
  knownStack: round(halfWidth(byGroup, COVERAGE)),
  unknownStack: round(halfWidth(bySource, COVERAGE)),
  // Structure was chosen looking at the runs; the fine-tunings, at which it was not, count with their stacks' kind.
  memory: memoryWidth([...memoryErrors, ...finetuneErrors.filter(({ evidence }) => evidence === 'fitted')]),
  memoryUnknownStack: memoryWidth(finetuneErrors.filter(({ evidence }) => evidence === 'assumed')),
};
for (const [name, { mean, median, within20 }] of Object.entries(errors)) {
  console.log(`${name}: mean ${percent(mean)}, median ${percent(median)}, groups within 20 %: ${percent(within20)}`);
}
console.log(uncertainty);
writeCalibration(withEvidence(calibrationOf(parameters, values)));
writeReport();

/** Half-width on the logarithm that holds this share of the rows, each group counting as one. */
function memoryWidth(rows: readonly { readonly group: string; readonly error: number }[]): number {
  const sizes = new Map<string, number>();
  for (const { group } of rows) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const widths = rows.map(({ group, error }) => ({
    width: Math.abs(Math.log(1 + error)),
    share: 1 / (sizes.get(group) ?? 1) / sizes.size,
  }));
  widths.sort((a, b) => a.width - b.width);
  let held = 0;
  return round(widths.find(({ share }) => (held += share) >= COVERAGE - 1e-9)?.width ?? 0);
}

/** Launch-bound rows lose their gradient on the device's side of the balance: start with a slow host. */
function startOf(list: readonly Parameter[]): number[] {
  return priorOf(list).map((value, i) => {
    const { name, family } = list[i];
    return family !== null && name.endsWith('hostFactor') && stackFacts(family).checkpointsRng ? value + 0.6 : value;
  });
}

/** The same calibration with what each family of stacks was fitted to. */
function withEvidence(calibration: Calibration): Calibration {
  const stacks = Object.entries(calibration.stacks).map(([family, constants]): [string, FittedStack] => {
    const own = rows.filter(row => row.family === family);
    const sources = unique(own.map(row => row.run.source)).length;
    return [family, { ...constants, evidence: { sources, architectures: unique(own.map(row => row.architecture)) } }];
  });
  return { ...calibration, stacks: Object.fromEntries(stacks) };
}

function writeCalibration(calibration: Calibration): void {
  const text = `/** Made by \`npm run calibrate\`; the report is in calibrationReport.generated.ts. */
import type { Calibration } from './constants';

export const CALIBRATION: Calibration = ${JSON.stringify(calibration, null, 2)};

/** Half-widths of the intervals on logarithms: of a step time from runs left out of the fit, of a memory peak. */
export const UNCERTAINTY = ${JSON.stringify(uncertainty)} as const;
`;
  writeFileSync(join(HARDWARE, 'calibration.generated.ts'), text);
}

function writeReport(): void {
  const fitted = parameters.map(({ name, prior, low, high }, i) => ({ name, value: values[i], prior, low, high }));
  const text = `/** Made by \`npm run calibrate\`: what was fitted to how much, and how well it predicts what it has not seen. */
export const CALIBRATION_REPORT = ${JSON.stringify({ rows: rows.length, parameters: fitted, errors: rounded(errors), uncertainty, products: rounded(products()) }, null, 1)} as const;
`;
  writeFileSync(join(HARDWARE, 'calibrationReport.generated.ts'), text);
}

/** Products of gemm.csv, where the folder has it: constants of micro-benchmarks, which the product does not use. */
function products(): unknown {
  const file = join(folder, 'gemm.csv');
  return existsSync(file) ? scoreProducts(parseCsv(readFileSync(file, 'utf8'))) : {};
}

function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, v: unknown) => (typeof v === 'number' ? Number(v.toPrecision(4)) : v)));
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
