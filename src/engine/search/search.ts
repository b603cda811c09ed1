/**
 * The best plans for the same GPUs, batch and sequence. The walk evaluates every point that no rule refuses; points
 * whose schedule has no closed form wait with a lower bound and are simulated, the most promising first, as long as
 * their bound could still change a result.
 */
import { OUT } from '../estimate/output';
import type { Tables } from '../estimate/prepare';
import { preparedOf } from '../estimate/prepared';
import { scheduleProblem } from '../estimate/schedule';
import { scheduleShape } from '../estimate/context';
import { evaluate } from '../estimate/step';
import { completeSetup } from '../plan/complete';
import { type Framework, frameworkOf, inexpressible } from '../plan/frameworks';
import { isReady, type ReadyPlan } from '../plan/ready';
import { violations } from '../plan/rules';
import type { TrainingSetup } from '../setup/setup';
import { type Candidate, measure } from './candidate';
import type { WalkInput } from './choices';
import type { Offer } from './collect';
import { excessOf } from './objective';
import { recommended, secondsPerSequence } from './recommend';
import { searchable, withBatch } from './searchable';
import { emptyResult, missing, type SearchOptions, type SearchProgress, type SearchResult } from './result';
import { type Part, Results } from './results';
import { Rejections } from './rejections';
import { robustChoice } from './robust';
import { cellsOf, planAt, type Space, spaceOf } from './space';
import { memoryArgs } from './inner';
import { LearnedPaths } from './criticalPaths';
import { latePoints } from './late';
import { partsOf, Walk } from './walk';
import { largestBatch, whatIfs } from './whatIf';

/** Most layouts and points of the front that are measured in full. */
const MOST_LAYOUTS = 200;
/** Plans that are tried under a slower network. */
const MOST_ROBUST = 200;
const MOST_CELLS = 2 ** 20;

/** Walks the parts of a search and has it take each in order. */
export type Walker = (run: SearchRun) => Generator<SearchProgress, void>;

export function* walkAll(run: SearchRun): Generator<SearchProgress, void> {
  for (let part = 0; part < run.parts; part++) run.take(yield* run.walk(part));
}

/**
 * Searches; yields progress every few milliseconds, returns the result. Cancel by returning from it. `walk`: a host that
 * has several threads walks the parts in them.
 */
export function* search(
  read: TrainingSetup,
  options: SearchOptions,
  walk: Walker = walkAll,
): Generator<SearchProgress, SearchResult> {
  const run = searchRun(read, options);
  if (!(run instanceof SearchRun)) return run;
  yield* walk(run);
  return yield* run.finish();
}

/** A search by parts, for hosts that walk them in several threads; the result, where nothing can be searched. */
export function searchRun(read: TrainingSetup, options: SearchOptions): SearchRun | SearchResult {
  const setup = completeSetup(withBatch(read, options.fixed));
  const present = searchable(setup.plan, options.fixed);
  const tables = preparedOf(setup)?.tables ?? null;
  const problems = missing(setup, present);
  if (tables === null || tables.device === null || present === null || setup.cluster.gpus === null)
    return emptyResult(setup, options.goal, problems);
  return new SearchRun(setup, tables, present, options);
}

/**
 * The space is cut into the same parts whatever walks them, and what they found is taken in their order: the result
 * does not depend on the number of threads.
 */
export class SearchRun {
  /** Values of the outermost axes together. */
  readonly parts: number;
  readonly candidates: number;
  private readonly input: WalkInput;
  private readonly space: Space;
  private readonly framework: Framework;
  private readonly results: Results;
  private readonly rejections = new Rejections();
  private readonly out = new Float64Array(OUT.length);
  private readonly current: Candidate | null;
  private readonly cells: number;
  private evaluated = 0;
  private feasible = 0;
  private faster = 0;
  private bounded = 0;

  constructor(
    readonly setup: TrainingSetup,
    private readonly tables: Tables,
    present: ReadyPlan,
    readonly options: SearchOptions,
  ) {
    const { sizes, cluster } = setup;
    const framework = frameworkOf(setup.kinds);
    const space = spaceOf({ present, sizes, cluster, framework, options });
    this.framework = framework;
    this.space = space;
    this.parts = partsOf(space);
    this.candidates = space.candidates;
    this.current = this.present();
    const cells = cellsOf(space);
    this.cells = cells.all <= MOST_CELLS ? cells.ofPart : 0;
    this.results = this.emptyResults(this.cells === 0 ? 0 : cells.all);
    const { prune, goal } = options;
    const capacityBytes = cluster.capacityBytes ?? Infinity;
    const yardstick = this.current === null ? 0 : secondsPerSequence(this.current, goal);
    this.input = { space, sizes, tables, framework, capacityBytes, goal, prune, yardstick };
  }

  private emptyResults(cells: number): Results {
    const { top, goal } = this.options;
    const capacityBytes = this.setup.cluster.capacityBytes ?? Infinity;
    return new Results({ top, byMemory: goal.objective === 'memory', capacityBytes, cells });
  }

  progress(evaluated = 0, feasible = 0, best: Offer | undefined = undefined): SearchProgress {
    const offers = [this.results.best.offers.at(0), best].filter(offer => offer !== undefined);
    const stepSeconds = offers.map(({ time, index }) => time * planAt(this.space, index).globalBatch);
    return {
      candidates: this.space.candidates,
      evaluated: this.evaluated + evaluated,
      feasible: this.feasible + feasible,
      stepSeconds: stepSeconds.length === 0 ? null : Math.min(...stepSeconds),
    };
  }

  /** Walks one part; nothing of other parts is looked at. */
  *walk(part: number): Generator<SearchProgress, Part> {
    const results = this.emptyResults(this.cells);
    const walk = new Walk(this.input, results);
    let [last, pauses] = [0, 0];
    const steps = walk.run(part);
    while (steps.next().done !== true) {
      if (walk.evaluated - last < MOST_BETWEEN && ++pauses < MOST_PAUSES) continue;
      pauses = 0;
      last = walk.evaluated;
      yield this.progress(walk.evaluated, walk.feasible, results.best.offers.at(0));
    }
    const { evaluated, feasible, faster, rejections } = walk;
    return { part, evaluated, feasible, faster, rejections: rejections.list(), found: results.found() };
  }

  /** Takes what a part found; to be called in the order of the parts. */
  take({ part, evaluated, feasible, faster, rejections, found }: Part): void {
    this.evaluated += evaluated;
    this.feasible += feasible;
    this.faster += faster;
    for (const { code, count, example } of rejections) this.rejections.add(code, count, () => example);
    const place = part % (this.space.axes.tp.values.length * this.space.axes.cp.values.length);
    this.results.merge(found, place * this.cells);
  }

  *finish(): Generator<SearchProgress, SearchResult> {
    yield* this.simulatePending();
    yield* this.tryLate();
    return yield* this.result();
  }

  /** Simulates the points that wait, the least bound first, if paths that were learned on the way still let them. */
  private *simulatePending(): Generator<SearchProgress, void> {
    const { results, out, tables, options } = this;
    const { pending } = results;
    const paths = new LearnedPaths();
    let steps = 0;
    for (const row of pending.order()) {
      if (++steps % 64 === 0) yield this.progress();
      const { offer, expressible } = pending.at(row);
      if (options.prune && !results.admits(offer, expressible)) {
        this.bounded++;
        continue;
      }
      const plan = planAt(this.space, offer.index);
      const perSecond = this.excess(plan) / plan.globalBatch;
      evaluate(tables, plan, out, paths.bound);
      const time = Math.max(offer.time, out[OUT.stepSeconds] * perSecond);
      const bubble = Math.max(offer.bubble, out[OUT.bubbleFraction]);
      if (options.prune && !results.admitsBound(offer.index, time, offer.peak, bubble, expressible)) {
        this.bounded++;
        continue;
      }
      evaluate(tables, plan, out, paths.simulated);
      results.take(
        offer.index,
        out[OUT.stepSeconds] * perSecond,
        offer.peak,
        out[OUT.bubbleFraction],
        expressible,
        true,
      );
    }
  }

  /** Schedules whose orders are searched for, on the best layouts: their points were refused and are taken back. */
  private *tryLate(): Generator<SearchProgress, void> {
    const { space, tables, results, rejections } = this;
    for (const index of latePoints(space, results.cells)) {
      const plan = planAt(space, index);
      if (violations(plan, this.setup.sizes, space.gpus, this.framework).length > 0) continue;
      if (scheduleProblem(scheduleShape(plan)) !== null) continue;
      evaluate(tables, plan, this.out);
      rejections.takeBack('tried-late');
      const peak = this.out[OUT.peakBytes];
      this.evaluated++;
      if (peak > this.input.capacityBytes) {
        rejections.add('out-of-memory', 1, () => ({ plan, args: memoryArgs(this.input, plan) }));
        continue;
      }
      this.feasible++;
      const time = (this.out[OUT.stepSeconds] / plan.globalBatch) * this.excess(plan);
      const expressible = inexpressible(this.framework, plan).length === 0;
      results.take(index, time, peak, this.out[OUT.bubbleFraction], expressible, true);
      yield this.progress();
    }
  }

  /** What a sequence counts for under a batch past the critical one. */
  private excess({ globalBatch, seqLen }: ReadyPlan): number {
    return excessOf(this.options.goal, globalBatch * seqLen);
  }

  /** Measures what is shown in full. */
  private *result(): Generator<SearchProgress, SearchResult> {
    const { setup, options, results, rejections, space, evaluated, feasible, bounded } = this;
    const at = (offers: readonly Offer[]) => offers.map(({ index }) => this.measureAt(index));
    const best = at(results.best.offers);
    const bar = best[0];
    const isMemory = options.goal.objective === 'memory';
    const elsewhere = at(results.anywhere.offers).filter(
      candidate =>
        !candidate.expressible &&
        (bar === undefined ||
          (isMemory ? candidate.peakBytes < bar.peakBytes : candidate.tokensPerSecond > bar.tokensPerSecond)),
    );
    const front = [...results.pareto.offers].sort((a, b) => a.time - b.time || a.peak - b.peak || a.index - b.index);
    const pareto: Candidate[] = [];
    for (const { index } of front) {
      pareto.push(this.measureAt(index));
      if (pareto.length % 16 === 0) yield this.progress();
    }
    const { current } = this;
    const layouts = this.layouts();
    yield this.progress();
    const changes = current === null ? [] : whatIfs(setup, this.tables, current);
    yield this.progress();
    const robust = robustChoice(setup, this.framework, [...best, ...pareto].slice(0, MOST_ROBUST));
    yield this.progress();
    return {
      setup,
      goal: options.goal,
      current,
      faster: current === null ? null : this.faster,
      best,
      recommended: recommended(best, pareto, {
        goal: options.goal,
        tables: this.tables,
        capacityBytes: setup.cluster.capacityBytes,
      }),
      elsewhere: elsewhere.slice(0, options.top),
      pareto,
      layouts,
      whatIfs: changes,
      robust,
      largest: current === null ? null : largestBatch(this.tables, setup, current),
      rejections: rejections.list(),
      candidates: space.candidates,
      evaluated,
      feasible,
      bounded,
      problems: [],
    };
  }

  private measureAt(index: number): Candidate {
    return measure(this.tables, this.framework, planAt(this.space, index));
  }

  private layouts(): Candidate[] {
    const { value, index } = this.results.cells;
    const filled = Array.from(index, (_, cell) => cell).filter(cell => index[cell] >= 0);
    filled.sort((a, b) => value[a] - value[b] || index[a] - index[b]);
    const found = filled.slice(0, MOST_LAYOUTS).map(cell => this.measureAt(index[cell]));
    return found.sort((a, b) => b.tokensPerSecond - a.tokensPerSecond);
  }

  /** The present plan, where it is complete and breaks no rule. */
  private present(): Candidate | null {
    const { setup, framework, tables } = this;
    const { plan, sizes, cluster } = setup;
    if (!isReady(plan) || violations(plan, sizes, cluster.gpus, framework).length > 0) return null;
    return scheduleProblem(scheduleShape(plan)) === null ? measure(tables, framework, plan) : null;
  }
}

/** Points between two reports: well under a millisecond of work on a warm machine, some on a cold one. */
const MOST_BETWEEN = 512;
const MOST_PAUSES = 4;
