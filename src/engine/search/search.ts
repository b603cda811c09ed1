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
import type { Plan } from '../plan/keys';
import { isReady, type ReadyPlan } from '../plan/ready';
import { violations } from '../plan/rules';
import type { Problem } from '../problem';
import type { TrainingSetup } from '../setup/setup';
import { type Candidate, measure } from './candidate';
import type { Offer } from './collect';
import { excessOf, type Goal } from './objective';
import type { Fixed } from './points';
import { emptyResult, missing, type SearchOptions, type SearchProgress, type SearchResult } from './result';
import { Results } from './results';
import { robustChoice } from './robust';
import { planAt, type Space, spaceOf } from './space';
import { latePoints } from './late';
import { Walk } from './walk';
import { largestBatch, whatIfs } from './whatIf';

/** Most layouts and points of the front that are measured in full. */
const MOST_LAYOUTS = 200;
/** Plans that are tried under a slower network. */
const MOST_ROBUST = 200;
const MOST_CELLS = 2 ** 20;

/** Searches; yields progress every few milliseconds, returns the result. Cancel by not asking for more. */
export function* search(read: TrainingSetup, options: SearchOptions): Generator<SearchProgress, SearchResult> {
  const setup = completeSetup(withBatch(read, options.fixed));
  const present = searchable(setup.plan, options.fixed);
  const tables = preparedOf(setup)?.tables ?? null;
  const problems = missing(setup, present);
  if (tables === null || tables.device === null || present === null || setup.cluster.gpus === null)
    return emptyResult(setup, options.goal, problems);
  const run = new Run(setup, tables, present, options);
  yield* run.walkAll();
  yield* run.simulatePending();
  yield* run.tryLate();
  return yield* run.result(problems);
}

/** A fixed batch is the batch that counts. */
function withBatch(setup: TrainingSetup, fixed: Fixed): TrainingSetup {
  const batch = fixed.globalBatch?.length === 1 ? (fixed.globalBatch[0] ?? null) : null;
  return batch === null ? setup : { ...setup, plan: { ...setup.plan, globalBatch: batch } };
}

/** The present plan with stand-ins for what the search itself decides. */
function searchable(plan: Plan, fixed: Fixed): ReadyPlan | null {
  const globalBatch = plan.globalBatch ?? fixed.globalBatch?.[0] ?? null;
  const stand = {
    ...plan,
    globalBatch,
    microBatch: plan.microBatch ?? 1,
    dp: plan.dp ?? 1,
    seqLen: plan.seqLen ?? fixed.seqLen?.[0] ?? null,
  };
  return isReady(stand) ? stand : null;
}

class Run {
  private readonly space: Space;
  private readonly framework: Framework;
  private readonly results: Results;
  private readonly walk: Walk;
  private readonly out = new Float64Array(OUT.length);
  private readonly current: Candidate | null;
  private bounded = 0;

  constructor(
    private readonly setup: TrainingSetup,
    private readonly tables: Tables,
    present: ReadyPlan,
    private readonly options: SearchOptions,
  ) {
    const { sizes, cluster } = setup;
    const framework = frameworkOf(setup.kinds);
    const space = spaceOf({ present, sizes, cluster, framework, options });
    const capacityBytes = cluster.capacityBytes ?? Infinity;
    const { tp, cp, pp, ep, sharding } = space.axes;
    const cells = [tp, cp, pp, ep, sharding].reduce((product, { values }) => product * values.length, 1);
    this.framework = framework;
    this.space = space;
    this.current = this.present();
    this.results = new Results({
      top: options.top,
      byMemory: options.goal.objective === 'memory',
      capacityBytes,
      cells: cells <= MOST_CELLS ? cells : 0,
    });
    const { prune, goal } = options;
    const yardstick = this.current === null ? 0 : secondsPerSequence(this.current, goal);
    this.walk = new Walk({ space, sizes, tables, framework, capacityBytes, goal, prune, yardstick }, this.results);
  }

  private get progress(): SearchProgress {
    const { evaluated, feasible } = this.walk;
    const best = this.results.best.offers.at(0);
    const stepSeconds = best === undefined ? null : best.time * planAt(this.space, best.index).globalBatch;
    return { candidates: this.space.candidates, evaluated, feasible, stepSeconds };
  }

  *walkAll(): Generator<SearchProgress, void> {
    let [last, pauses] = [0, 0];
    const steps = this.walk.run();
    while (steps.next().done !== true) {
      if (this.walk.evaluated - last < MOST_BETWEEN && ++pauses < MOST_PAUSES) continue;
      pauses = 0;
      last = this.walk.evaluated;
      yield this.progress;
    }
  }

  /** Simulates the points that wait, the least bound first. */
  *simulatePending(): Generator<SearchProgress, void> {
    const { pending } = this.results;
    let simulated = 0;
    for (const at of pending.order()) {
      const expressible = pending.expressible[at] === 1;
      const offer = {
        index: pending.index[at],
        time: pending.time[at],
        peak: pending.peak[at],
        bubble: pending.bubble[at],
      };
      if (this.options.prune && !this.results.admits(offer, expressible)) {
        this.bounded++;
        continue;
      }
      const { globalBatch } = this.simulate(offer);
      const time = (this.out[OUT.stepSeconds] / globalBatch) * this.walk.excess(globalBatch);
      this.results.take(offer.index, time, offer.peak, this.out[OUT.bubbleFraction], expressible, true);
      if (++simulated % 16 === 0) yield this.progress;
    }
  }

  /** Schedules whose orders are searched for, on the best layouts: their points were refused and are taken back. */
  *tryLate(): Generator<SearchProgress, void> {
    const { space, walk, tables, results, options } = this;
    for (const index of latePoints(space, results.cells)) {
      const plan = planAt(space, index);
      if (violations(plan, this.setup.sizes, space.gpus, this.framework).length > 0) continue;
      if (scheduleProblem(scheduleShape(plan)) !== null) continue;
      evaluate(tables, plan, this.out);
      walk.rejections.takeBack('tried-late');
      const peak = this.out[OUT.peakBytes];
      const fits = peak <= (this.setup.cluster.capacityBytes ?? Infinity);
      walk.count(plan, fits);
      if (!fits) continue;
      const time =
        (this.out[OUT.stepSeconds] / plan.globalBatch) * excessOf(options.goal, plan.globalBatch * plan.seqLen);
      const expressible = inexpressible(this.framework, plan).length === 0;
      results.take(index, time, peak, this.out[OUT.bubbleFraction], expressible, true);
      yield this.progress;
    }
  }

  private simulate({ index }: Offer): ReadyPlan {
    const plan = planAt(this.space, index);
    evaluate(this.tables, plan, this.out);
    return plan;
  }

  /** Measures what is shown in full. */
  *result(problems: readonly Problem[]): Generator<SearchProgress, SearchResult> {
    const { setup, options, results, walk, space } = this;
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
      if (pareto.length % 16 === 0) yield this.progress;
    }
    const { current } = this;
    const layouts = this.layouts();
    yield this.progress;
    const changes = current === null ? [] : whatIfs(setup, this.tables, current);
    yield this.progress;
    return {
      setup,
      goal: options.goal,
      current,
      faster: current === null ? null : walk.faster,
      best,
      elsewhere: elsewhere.slice(0, options.top),
      pareto,
      layouts,
      whatIfs: changes,
      robust: robustChoice(setup, this.framework, [...best, ...pareto].slice(0, MOST_ROBUST)),
      largest: current === null ? null : largestBatch(this.tables, setup, current),
      rejections: walk.rejections.list(),
      candidates: space.candidates,
      evaluated: walk.evaluated,
      feasible: walk.feasible,
      bounded: this.bounded,
      problems,
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

function secondsPerSequence({ stepSeconds, plan: { globalBatch, seqLen } }: Candidate, goal: Goal): number {
  return (stepSeconds / globalBatch) * excessOf(goal, globalBatch * seqLen);
}

/** Points between two reports: well under a millisecond of work on a warm machine, some on a cold one. */
const MOST_BETWEEN = 512;
const MOST_PAUSES = 16;
