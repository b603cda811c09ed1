/** The commands over config files: each gives its document and whether an error stands in it. */
import { applyEdits } from '../engine/configs/edits';
import { hasWriter, type PlanChange, planEdits } from '../engine/configs/write';
import { estimate } from '../engine/estimate/estimate';
import { completeSetup } from '../engine/plan/complete';
import { isPlanKey, PLAN_KEYS, type PlanKey, type PlanValue, parsePlanValue } from '../engine/plan/keys';
import { NO_GOAL, OBJECTIVES, type Objective } from '../engine/search/objective';
import { DEFAULT_OPTIONS, search } from '../engine/search/search';
import type { Fixed } from '../engine/search/space';
import { estimateDocument, problemDocument, readDocument } from '../documents/build';
import { searchDocument } from '../documents/searchDocument';
import {
  type ApplyDocument,
  type CheckDocument,
  type EstimateDocument,
  type ReadDocument,
  SCHEMA,
  type SearchDocument,
} from '../documents/types';
import { replaceText } from '../node/files';
import { loadInputs } from './inputs';
import { integerOption, type Options, pairs, UsageError } from './usage';

export function readCommand(files: readonly string[], options: Options): ReadDocument {
  const { files: read, setup } = loadInputs(files, options);
  return readDocument(
    read.map(({ reading }) => reading),
    completeSetup(setup),
  );
}

export function estimateCommand(files: readonly string[], options: Options): EstimateDocument {
  const { setup, problems } = loadInputs(files, options);
  return estimateDocument(estimate(setup, problems));
}

/** Problems without the questions for missing values, unless a cluster is given to check against. */
export function checkCommand(files: readonly string[], options: Options): CheckDocument {
  const { files: read, setup, problems } = loadInputs(files, options);
  const found = read.some(({ reading }) => reading.kind !== null) ? estimate(setup, problems).problems : [];
  const asked = setup.cluster.gpu !== null;
  const shown = found.filter(({ code }) => asked || (code !== 'cluster-unknown' && code !== 'value-unknown'));
  return { schema: SCHEMA, command: 'check', problems: shown.map(problemDocument) };
}

export function searchCommand(files: readonly string[], options: Options): SearchDocument {
  const { setup, problems } = loadInputs(files, options);
  const objective = options.text.objective ?? 'throughput';
  if (!(OBJECTIVES as readonly string[]).includes(objective))
    throw new UsageError('unknown-value', `There is no objective “${objective}”.`);
  const globalBatch = integerOption(options, 'global-batch');
  const fixed: Fixed = { ...fixedKeys(options.fix), ...(globalBatch === null ? {} : { globalBatch: [globalBatch] }) };
  const started = performance.now();
  const run = search(setup, {
    ...DEFAULT_OPTIONS,
    fixed,
    top: integerOption(options, 'top') ?? DEFAULT_OPTIONS.top,
    goal: { ...NO_GOAL, objective: objective as Objective },
  });
  let step = run.next();
  while (step.done !== true) step = run.next();
  return searchDocument(step.value, problems, (performance.now() - started) / 1000);
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

export function applyCommand(files: readonly string[], options: Options): ApplyDocument {
  const { files: read, setup, problems } = loadInputs(files, options);
  const text = options.text.plan;
  if (text === undefined) throw new UsageError('usage', 'apply needs --plan key=value,…');
  const change: PlanChange = Object.fromEntries(
    pairs([text], '--plan').map(([key, value]) => {
      const parsed = isPlanKey(key) ? parsePlanValue(key, value) : undefined;
      if (!isPlanKey(key)) throw new UsageError('unknown-key', `There is no key “${key}” in a plan.`);
      if (parsed === undefined) throw new UsageError('unknown-value', `${key} cannot be “${value}”.`);
      return [key, parsed];
    }),
  );
  const target = read.find(({ reading }) => hasWriter(reading.kind));
  if (target?.reading.kind == null)
    throw new UsageError('no-writer', 'None of the files is of a kind that can be written.');
  const { edits, problems: broken } = planEdits(
    { file: target.file, text: target.text, kind: target.reading.kind },
    setup,
    change,
  );
  if (options.write && edits.length > 0) replaceText(target.file, applyEdits(target.text, edits));
  const damage = problems.filter(({ severity }) => severity === 'error');
  return { schema: SCHEMA, command: 'apply', edits, problems: [...damage, ...broken].map(problemDocument) };
}
