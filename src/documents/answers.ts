/** What the worker answers with: the same documents that the command line prints. */
import { belongTogether } from '../engine/configs/belong';
import { mergeReadings } from '../engine/configs/merge';
import { readConfig } from '../engine/configs/registry';
import type { PlanChange } from '../engine/configs/changedSetup';
import { hasWriter, planEdits } from '../engine/configs/write';
import { estimate } from '../engine/estimate/estimate';
import { isPlanKey, type PlanKey, parsePlanValue } from '../engine/plan/keys';
import { type Alternative, alternatives } from '../engine/search/alternatives';
import { DEFAULT_OPTIONS, type SearchProgress } from '../engine/search/result';
import { search } from '../engine/search/search';
import { override } from '../engine/setup/override';
import type { EngineInput, EstimateAnswer } from '../protocol/engine';
import { estimateDocument, fieldDocuments, problemDocument } from './build';
import { searchDocument } from './searchDocument';
import { type ApplyDocument, SCHEMA, type SearchDocument } from './types';

function load({ files, values }: EngineInput) {
  const [primary, ...others] = files.map(({ file, text }) => readConfig(file, text));
  const readings = primary === undefined ? [] : belongTogether(primary, others);
  const { setup, problems } = mergeReadings(readings);
  // Values of settings that no longer mean anything are left out; the settings' own schema reports them.
  const valued = values.reduce((result, [key, value]) => {
    const next = override(result, key, value);
    return 'code' in next ? result : next;
  }, setup);
  return { readings, setup: valued, problems };
}

export function answerEstimate(input: EngineInput): EstimateAnswer {
  const { readings, setup, problems } = load(input);
  const result = estimate(setup, problems);
  return {
    files: readings.map(({ file, kind, damaged }) => ({ file, kind, damaged, writable: hasWriter(kind) })),
    document: estimateDocument(result),
    fields: fieldDocuments(result.setup),
  };
}

/** `clock` gives seconds; hosts have different ones. */
export function* answerSearch(
  input: EngineInput,
  freeBatch: boolean,
  clock: () => number,
): Generator<SearchProgress, SearchDocument> {
  const { setup, problems } = load(input);
  const started = clock();
  const result = yield* search(setup, { ...DEFAULT_OPTIONS, freeBatch });
  return searchDocument(result, problems, clock() - started);
}

/** What the other values of a key would give. */
export function answerAlternatives(input: EngineInput, key: PlanKey): readonly Alternative[] {
  return alternatives(load(input).setup, key);
}

/** The edits that write a plan, given as `planString`, into one of the files. */
export function answerApply(input: EngineInput, target: string, planString: string): ApplyDocument {
  const { readings, setup } = load(input);
  const file = input.files.find(candidate => candidate.file === target);
  const kind = readings.find(reading => reading.file === target)?.kind ?? null;
  if (file === undefined || kind === null) return { schema: SCHEMA, command: 'apply', edits: [], problems: [] };
  const { edits, problems } = planEdits({ ...file, kind }, setup, parsePlanChange(planString));
  return { schema: SCHEMA, command: 'apply', edits, problems: problems.map(problemDocument) };
}

/** `tp=2,pp=4` as a change; what is no key or value of a plan is left out. */
function parsePlanChange(planString: string): PlanChange {
  const entries = planString.split(',').flatMap(pair => {
    const at = pair.indexOf('=');
    const key = pair.slice(0, at);
    const value = isPlanKey(key) ? parsePlanValue(key, pair.slice(at + 1)) : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}
