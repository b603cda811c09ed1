/** What the worker answers with: the same documents that the command line prints. */
import type { ExportKind } from '../engine/configs/export/targets';
import { wantedFiles } from '../engine/configs/belong';
import type { PlanChange } from '../engine/configs/changedSetup';
import { withoutSuppressed } from '../engine/configs/suppress';
import { hasWriter, planEdits } from '../engine/configs/write';
import { estimate } from '../engine/estimate/estimate';
import { isPlanKey, type PlanKey, parsePlanValue } from '../engine/plan/keys';
import { type Alternative, alternatives } from '../engine/search/alternatives';
import type { Progress } from '../engine/trainer/prove';
import type { Fixed } from '../engine/search/points';
import { DEFAULT_OPTIONS, type SearchProgress } from '../engine/search/result';
import { statedFactors } from '../engine/search/footprint';
import { fewestGpus, scaleCurve } from '../engine/search/scale';
import { search, walkAll, type Walker } from '../engine/search/search';
import { type EngineInput, type EstimateAnswer, PROOF_STEPS } from '../protocol/engine';
import type { SearchAsk } from '../protocol/searchAsk';
import { estimateDocument, fieldDocuments, problemDocument } from './build';
import { loadInput } from './load';
import { proofDocument, type ProofDocument } from './proof';
import { exportDocument } from './exportDocument';
import { searchDocument } from './searchDocument';
import { packSetup } from './setupData';
import { type ApplyDocument, type ExportDocument, SCHEMA, type SearchDocument } from './types';

export function answerEstimate(input: EngineInput): EstimateAnswer {
  const { readings, setup, problems, costs, profile } = loadInput(input);
  const whole = estimate(setup, problems);
  const result = { ...whole, problems: withoutSuppressed(whole.problems, input.files) };
  return {
    files: readings.map(({ file, kind, damaged }) => ({ file, kind, damaged, writable: hasWriter(kind) })),
    document: estimateDocument(result),
    fields: fieldDocuments(result.setup),
    wanted: wantedFiles(
      readings,
      input.files.map(({ file }) => file),
    ),
    setup: packSetup(setup),
    costs,
    profile,
  };
}

/** `clock` gives seconds and `walk` walks the space; hosts have different ones. */
export function* answerSearch(
  input: EngineInput,
  { freeBatch, scale, ...asked }: SearchAsk,
  clock: () => number,
  walk: Walker = walkAll,
  fixed: Fixed = {},
): Generator<SearchProgress, SearchDocument> {
  const { setup, problems, costs } = loadInput(input);
  const started = clock();
  const goal = { ...asked, price: costs.perGpuHour };
  const result = yield* search(setup, { ...DEFAULT_OPTIONS, fixed, freeBatch, goal }, walk);
  const { candidates, evaluated, feasible, best } = result;
  const progress = { candidates, evaluated, feasible, stepSeconds: best.at(0)?.stepSeconds ?? null };
  yield progress;
  const seconds = clock() - started;
  const fewest = yield* behind(progress, fewestGpus(setup, { fixed, goal }));
  const curve = scale === null ? null : yield* behind(progress, scaleCurve(setup, { scale, fixed, goal }));
  return searchDocument(result, problems, seconds, { fewest, scale: curve, factors: statedFactors(costs) });
}

/** Smaller searches behind the one whose progress is told. */
function* behind<T>(progress: SearchProgress, steps: Generator<SearchProgress, T>): Generator<SearchProgress, T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    yield progress;
  }
}

/** What the other values of a key would give. */
export function answerAlternatives(input: EngineInput, key: PlanKey): readonly Alternative[] {
  return alternatives(loadInput(input).setup, key);
}

/** Runs a plan, the setup's own where none is given, on the twin of its model; yields after each step. */
export function* answerProof(
  input: EngineInput,
  planString: string | null,
  text: Uint8Array | null,
): Generator<Progress, ProofDocument> {
  const { setup, problems } = loadInput(input);
  return yield* proofDocument(setup, problems, planString, PROOF_STEPS, text);
}

/** The edits that write a plan, given as `planString`, into one of the files. */
export function answerApply(input: EngineInput, target: string, planString: string): ApplyDocument {
  const { readings, setup } = loadInput(input);
  const asked = readings.find(reading => reading.file === target);
  // A part of another file is changed by way of that one.
  const whole =
    asked?.setup === null ? readings.find(({ setup: own, kind }) => own !== null && hasWriter(kind)) : asked;
  const source = input.files.find(({ file }) => file === whole?.file);
  const kind = whole?.kind ?? null;
  if (source === undefined || kind === null) return { schema: SCHEMA, command: 'apply', edits: [], problems: [] };
  const beside = input.files.filter(file => file !== source);
  const { edits, problems } = planEdits({ ...source, beside, kind }, setup, parsePlanChange(planString));
  return { schema: SCHEMA, command: 'apply', edits, problems: problems.map(problemDocument) };
}

/** The setup in another framework's own keys. */
export function answerExport(input: EngineInput, to: ExportKind): ExportDocument {
  const { readings, setup, problems } = loadInput(input);
  const names = readings.flatMap(({ file, kind }) => (kind === null ? [] : [file.replace(/^.*[/\\]/, '')]));
  return exportDocument(setup, problems, to, names.join(', '));
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
