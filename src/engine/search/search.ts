/**
 * The best plans for the same GPUs, batch and sequence: every point of the space is checked, cheapest rules first,
 * then its memory, then its time. Rejections are counted by rule, each with an example.
 */
import { memoryEstimate } from '../estimate/estimate';
import { OUT, TIME_PARTS, type TimePart } from '../estimate/output';
import { prepare, type Tables } from '../estimate/prepare';
import { scheduleProblem } from '../estimate/schedule';
import { scheduleShape } from '../estimate/context';
import { evaluate } from '../estimate/step';
import { completeSetup } from '../plan/complete';
import { frameworkOf, inexpressible } from '../plan/frameworks';
import { formatPlan, type Plan } from '../plan/keys';
import { isReady, missingPlanKeys, type ReadyPlan } from '../plan/ready';
import { violations } from '../plan/rules';
import { type Args, type Problem, type ProblemCode, problem } from '../problem';
import { setupModel, type TrainingSetup } from '../setup/setup';
import { type Fixed, points } from './space';

export type Objective = 'throughput' | 'memory';

export interface SearchOptions {
  readonly fixed: Fixed;
  readonly freeBatch: boolean;
  readonly top: number;
  readonly objective: Objective;
}

export interface Candidate {
  readonly plan: ReadyPlan;
  readonly stepSeconds: number;
  readonly tokensPerSecond: number;
  readonly peakBytes: number;
  readonly bubbleFraction: number;
  readonly time: Readonly<Record<TimePart, number>>;
  readonly expressible: boolean;
}

export interface Rejection {
  readonly code: ProblemCode;
  count: number;
  /** The first plan that the rule refused, with the rule's numbers. */
  readonly example: { readonly plan: Plan; readonly args: Args };
}

export interface SearchResult {
  readonly setup: TrainingSetup;
  readonly current: Candidate | null;
  readonly best: readonly Candidate[];
  readonly elsewhere: readonly Candidate[];
  readonly pareto: readonly Candidate[];
  readonly rejections: readonly Rejection[];
  readonly candidates: number;
  readonly evaluated: number;
  readonly feasible: number;
  readonly problems: readonly Problem[];
}

export interface SearchProgress {
  readonly candidates: number;
  readonly evaluated: number;
}

export const DEFAULT_OPTIONS: SearchOptions = { fixed: {}, freeBatch: false, top: 5, objective: 'throughput' };

/** Points between two reports of progress, so that a caller can cancel in time. */
const STRIDE = 256;

/** Searches; yields progress often, returns the result. Cancel by not asking for more. */
export function* search(read: TrainingSetup, options: SearchOptions): Generator<SearchProgress, SearchResult> {
  const setup = completeSetup(withBatch(read, options.fixed));
  const model = setupModel(setup);
  const present = searchable(setup.plan, options.fixed);
  const { gpus } = setup.cluster;
  const tables = model === null ? null : prepare(model, setup.cluster);
  const problems = missing(setup, present);
  if (tables === null || tables.device === null || present === null || gpus === null)
    return emptyResult(setup, problems);
  const run = new Run(setup, tables, options);
  for (const point of points(present, setup.sizes, { gpus, fixed: options.fixed, freeBatch: options.freeBatch })) {
    run.consider(point);
    if (run.candidates % STRIDE === 0) yield { candidates: run.candidates, evaluated: run.evaluated };
  }
  const current = isReady(setup.plan) ? run.measure(setup.plan) : null;
  return run.result(current, problems);
}

/** A fixed batch is the batch that counts. */
function withBatch(setup: TrainingSetup, fixed: Fixed): TrainingSetup {
  const batch = fixed.globalBatch?.length === 1 ? (fixed.globalBatch[0] ?? null) : null;
  return batch === null ? setup : { ...setup, plan: { ...setup.plan, globalBatch: batch } };
}

/** The present plan with stand-ins for what the search itself decides. */
function searchable(plan: Plan, fixed: Fixed): ReadyPlan | null {
  const globalBatch = plan.globalBatch ?? fixed.globalBatch?.[0] ?? null;
  const stand = { ...plan, globalBatch, microBatch: plan.microBatch ?? 1, dp: plan.dp ?? 1 };
  return isReady(stand) ? stand : null;
}

function missing(setup: TrainingSetup, present: ReadyPlan | null): Problem[] {
  const found: Problem[] = [];
  if (setup.cluster.gpu === null) found.push(problem('cluster-unknown', { what: 'gpu' }));
  if (setup.cluster.gpus === null) found.push(problem('cluster-unknown', { what: 'gpus' }));
  if (present !== null) return found;
  const asked = missingPlanKeys(setup.plan).filter(key => key !== 'dp' && key !== 'microBatch');
  return [...found, ...asked.map(key => problem('value-unknown', { key: `plan.${key}` }))];
}

function emptyResult(setup: TrainingSetup, problems: readonly Problem[]): SearchResult {
  return {
    setup,
    current: null,
    best: [],
    elsewhere: [],
    pareto: [],
    rejections: [],
    candidates: 0,
    evaluated: 0,
    feasible: 0,
    problems,
  };
}

class Run {
  candidates = 0;
  evaluated = 0;
  private readonly feasible: Candidate[] = [];
  private readonly rejections = new Map<string, Rejection>();
  private readonly out = new Float64Array(OUT.length);
  private readonly framework;

  constructor(
    private readonly setup: TrainingSetup,
    private readonly tables: Tables,
    private readonly options: SearchOptions,
  ) {
    this.framework = frameworkOf(setup.kinds);
  }

  consider(point: ReadyPlan): void {
    this.candidates++;
    const { sizes, cluster } = this.setup;
    const [broken] = violations(point, sizes, cluster.gpus, this.framework);
    if (broken !== undefined) return this.reject(broken.code, broken.args, point);
    const shape = scheduleProblem(scheduleShape(point));
    if (shape !== null) return this.reject(shape.code, shape.args, point);
    const candidate = this.measure({ ...point });
    this.evaluated++;
    const capacityBytes = cluster.capacityBytes ?? Infinity;
    if (candidate.peakBytes > capacityBytes) {
      const { peakStage, lowerBytes, upperBytes } = memoryEstimate(this.tables, candidate.plan, capacityBytes);
      const args = { peakBytes: candidate.peakBytes, lowerBytes, upperBytes, capacityBytes, stage: peakStage };
      return this.reject('out-of-memory', args, point);
    }
    this.feasible.push(candidate);
  }

  measure(plan: ReadyPlan): Candidate {
    evaluate(this.tables, plan, this.out);
    const stepSeconds = this.out[OUT.stepSeconds] ?? 0;
    const time = Object.fromEntries(TIME_PARTS.map((part, i) => [part, this.out[OUT.parts + i] ?? 0]));
    return {
      plan,
      stepSeconds,
      tokensPerSecond: (plan.globalBatch * plan.seqLen) / stepSeconds,
      peakBytes: this.out[OUT.peakBytes] ?? 0,
      bubbleFraction: this.out[OUT.bubbleFraction] ?? 0,
      time: time as Record<TimePart, number>,
      expressible: inexpressible(this.framework, plan).length === 0,
    };
  }

  private reject(code: ProblemCode, args: Args, plan: ReadyPlan): void {
    const known = this.rejections.get(code);
    if (known !== undefined) known.count++;
    else this.rejections.set(code, { code, count: 1, example: { plan: { ...plan }, args } });
  }

  result(current: Candidate | null, problems: readonly Problem[]): SearchResult {
    const better = this.options.objective === 'memory' ? byMemory : byThroughput;
    const ranked = this.feasible.sort(better);
    const best = distinct(
      ranked.filter(({ expressible }) => expressible),
      this.options.top,
    );
    const bar = best[0];
    const faster = ranked.filter(
      candidate => !candidate.expressible && (bar === undefined || better(candidate, bar) < 0),
    );
    return {
      setup: this.setup,
      current,
      best,
      elsewhere: distinct(faster, this.options.top),
      pareto: paretoFront(ranked),
      rejections: [...this.rejections.values()].sort((a, b) => b.count - a.count),
      candidates: this.candidates,
      evaluated: this.evaluated,
      feasible: this.feasible.length,
      problems,
    };
  }
}

/** Ties fall to less memory, then to the text of the plan, so that the order never depends on chance. */
function byThroughput(a: Candidate, b: Candidate): number {
  return b.tokensPerSecond - a.tokensPerSecond || a.peakBytes - b.peakBytes || compareText(a, b);
}

function byMemory(a: Candidate, b: Candidate): number {
  return a.peakBytes - b.peakBytes || b.tokensPerSecond - a.tokensPerSecond || compareText(a, b);
}

function compareText(a: Candidate, b: Candidate): number {
  const [left, right] = [formatPlan(a.plan), formatPlan(b.plan)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The first `top` that differ in what they do: equal time and memory means a key without effect. */
function distinct(ranked: readonly Candidate[], top: number): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of ranked) {
    if (kept.length === top) break;
    if (!kept.some(other => other.stepSeconds === candidate.stepSeconds && other.peakBytes === candidate.peakBytes))
      kept.push(candidate);
  }
  return kept;
}

/** Candidates that no other beats in throughput, memory and bubble at once. */
export function paretoFront(candidates: readonly Candidate[]): Candidate[] {
  const front: Candidate[] = [];
  for (const candidate of [...candidates].sort(byThroughput)) {
    const beaten = front.some(
      other =>
        other.tokensPerSecond >= candidate.tokensPerSecond &&
        other.peakBytes <= candidate.peakBytes &&
        other.bubbleFraction <= candidate.bubbleFraction,
    );
    if (!beaten) front.push(candidate);
  }
  return front;
}
