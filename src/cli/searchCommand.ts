/** The search on the command line. */
import { searchDocument } from '../documents/searchDocument';
import type { SearchDocument } from '../documents/types';
import { isPlanKey, PLAN_KEYS, type PlanKey, type PlanValue, parsePlanValue } from '../engine/plan/keys';
import type { Costs } from '../engine/configs/workspaceFile';
import { type FootprintFactors, statedFactors } from '../engine/search/footprint';
import { type Goal, OBJECTIVES, SCALES } from '../engine/search/objective';
import { fewestGpus, type ScaleCurve, scaleCurve } from '../engine/search/scale';
import type { Fixed } from '../engine/search/points';
import { DEFAULT_OPTIONS } from '../engine/search/result';
import { search, walkAll, type Walker } from '../engine/search/search';
import { loadInputs } from './inputs';
import { integerOption, numberOption, type Options, pairs, UsageError } from './usage';

export function searchCommand(files: readonly string[], options: Options, walk: Walker = walkAll): SearchDocument {
  const { setup, problems, costs } = loadInputs(files, options);
  const goal = goalOf(options, costs);
  const globalBatch = integerOption(options, 'global-batch');
  const fixed: Fixed = { ...fixedKeys(options.fix), ...(globalBatch === null ? {} : { globalBatch: [globalBatch] }) };
  const started = performance.now();
  const top = integerOption(options, 'top') ?? DEFAULT_OPTIONS.top;
  const result = finish(search(setup, { ...DEFAULT_OPTIONS, fixed, top, goal }, walk));
  const seconds = (performance.now() - started) / 1000;
  const fewest = finish(fewestGpus(setup, { fixed, goal }));
  return searchDocument(result, problems, seconds, {
    scale: scaleOf(options, setup, fixed, goal),
    fewest,
    factors: factorsOf(options, costs),
  });
}

function finish<T>(run: Generator<unknown, T>): T {
  let step = run.next();
  while (step.done !== true) step = run.next();
  return step.value;
}

function goalOf(options: Options, costs: Costs): Goal {
  return {
    objective: oneOf(options, 'objective', OBJECTIVES) ?? 'throughput',
    tokens: numberOption(options, 'tokens'),
    price: numberOption(options, 'price') ?? costs.perGpuHour,
    deadline: numberOption(options, 'deadline'),
    criticalBatch: numberOption(options, 'critical-batch'),
  };
}

function oneOf<T extends string>(options: Options, name: string, values: readonly T[]): T | null {
  const text = options.text[name];
  if (text === undefined) return null;
  const found = values.find(value => value === text);
  if (found === undefined)
    throw new UsageError('unknown-value', `There is no ${name} “${text}”: ${values.join(', ')}.`);
  return found;
}

function scaleOf(
  options: Options,
  setup: Parameters<typeof scaleCurve>[0],
  fixed: Fixed,
  goal: Goal,
): ScaleCurve | null {
  const scale = oneOf(options, 'scale', SCALES);
  return scale === null ? null : finish(scaleCurve(setup, { scale, fixed, goal }));
}

/** Undefined where neither the command line nor meshlens.json states a factor. */
function factorsOf(options: Options, costs: Costs): FootprintFactors | undefined {
  return statedFactors({
    wattsPerGpu: numberOption(options, 'watts') ?? costs.wattsPerGpu,
    powerUsage: numberOption(options, 'pue') ?? costs.powerUsage,
    gramsCo2PerKwh: numberOption(options, 'co2') ?? costs.gramsCo2PerKwh,
    litresPerKwh: numberOption(options, 'water') ?? costs.litresPerKwh,
  });
}

const MOST_FIXED = 4096;

/** `tp=2`, `tp=1..8`, `tp=2|4` */
function fixedKeys(texts: readonly string[]): Fixed {
  const fixed: Partial<Record<PlanKey, PlanValue[]>> = {};
  for (const [key, text] of pairs(texts, '--fix')) {
    if (!isPlanKey(key)) throw new UsageError('unknown-key', `There is no key “${key}” in a plan.`);
    fixed[key] = text.split('|').flatMap(part => fixedValues(key, part));
  }
  return fixed as Fixed;
}

function fixedValues(key: PlanKey, text: string): PlanValue[] {
  const range = text.split('..');
  if (range.length === 2 && PLAN_KEYS[key].type === 'integer') {
    const [from, to] = range.map(Number);
    if (
      Number.isInteger(from) &&
      Number.isInteger(to) &&
      from !== undefined &&
      to !== undefined &&
      from >= 1 &&
      to >= from &&
      to - from < MOST_FIXED
    ) {
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    }
  }
  const value = parsePlanValue(key, text);
  if (value === undefined) throw new UsageError('unknown-value', `${key} cannot be “${text}”.`);
  return [value];
}
