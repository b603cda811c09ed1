/**
 * Scores of predictions against published runs. The error of a row is (predicted − measured) / measured; a group's
 * error is the mean of |error| over its rows, and headlines are taken over groups, so that no large sweep drowns the
 * rest.
 */
import { type Prediction, predictRun } from './predict';
import type { PublishedRun } from './runs';
import { groupBy, mean, median, spearman } from './statistics';

export interface ScoredRun {
  readonly run: PublishedRun;
  /** null where it was skipped, with the reason. */
  readonly prediction: Prediction | null;
  readonly reason: string | null;
  /** Relative errors; null where one side is unknown. */
  readonly timeError: number | null;
  readonly memoryError: number | null;
}

export interface GroupErrors {
  readonly rows: number;
  readonly groups: number;
  readonly mean: number | null;
  readonly median: number | null;
  /** Share of the groups whose error is 20 % or less. */
  readonly within20: number | null;
  readonly bySource: Readonly<Record<string, { readonly rows: number; readonly mean: number }>>;
}

export interface OomScore {
  readonly rows: number;
  /** Share of runs that ran out of memory and were said to. */
  readonly oomRight: number | null;
  /** Share of runs that fitted and were said to. */
  readonly fitsRight: number | null;
  readonly right: number | null;
}

export interface RankingScore {
  readonly sweeps: number;
  readonly spearman: number | null;
  /** Measured time of the predicted best over the measured best, minus one; mean over sweeps. */
  readonly regret: number | null;
  /** The same for the best of the three that are predicted best. */
  readonly bestOfThree: number | null;
  readonly bySource: Readonly<
    Record<string, { readonly sweeps: number; readonly spearman: number; readonly regret: number }>
  >;
}

export interface Summary {
  readonly rows: number;
  readonly scored: number;
  readonly time: GroupErrors;
  readonly memory: GroupErrors;
  readonly oom: OomScore;
  readonly ranking: RankingScore;
}

export function scoreRun(run: PublishedRun): ScoredRun {
  const found = predictRun(run);
  if (typeof found === 'string') return { run, prediction: null, reason: found, timeError: null, memoryError: null };
  const { stepSeconds, peakBytes } = run.measured;
  return {
    run,
    prediction: found,
    reason: null,
    timeError: stepSeconds === null ? null : found.stepSeconds / stepSeconds - 1,
    memoryError: peakBytes === null ? null : peakOfKind(found, run) / peakBytes - 1,
  };
}

/** The predicted peak of the kind that was measured. */
function peakOfKind(prediction: Prediction, { measured }: PublishedRun): number {
  if (measured.ofFirstNode) return prediction.firstNodeBytes;
  return {
    allocated: prediction.allocatedBytes,
    reserved: prediction.reservedBytes,
    device: prediction.peakBytes,
  }[measured.memoryKind];
}

export function summarize(rows: readonly ScoredRun[]): Summary {
  return {
    rows: rows.length,
    scored: rows.filter(({ prediction }) => prediction !== null).length,
    time: groupErrors(
      rows.filter(({ run }) => run.scores.includes('time')),
      ({ timeError }) => timeError,
    ),
    memory: groupErrors(
      rows.filter(({ run }) => run.scores.includes('memory')),
      ({ memoryError }) => memoryError,
    ),
    oom: oomScore(rows),
    ranking: rankingScore(rows),
  };
}

function groupErrors(rows: readonly ScoredRun[], errorOf: (row: ScoredRun) => number | null): GroupErrors {
  const errors = rows.flatMap(row => {
    const error = errorOf(row);
    return error === null ? [] : [{ run: row.run, error: Math.abs(error) }];
  });
  const byGroup = (list: typeof errors) =>
    [...groupBy(list, ({ run }) => run.group).values()].map(part => mean(part.map(({ error }) => error)));
  const groups = byGroup(errors);
  const bySource = [...groupBy(errors, ({ run }) => run.source)].map(
    ([source, list]) => [source, { rows: list.length, mean: mean(byGroup(list)) }] as const,
  );
  const known = groups.length > 0;
  return {
    rows: errors.length,
    groups: groups.length,
    mean: known ? mean(groups) : null,
    median: known ? median(groups) : null,
    within20: known ? mean(groups.map(error => (error <= 0.2 ? 1 : 0))) : null,
    bySource: Object.fromEntries(bySource),
  };
}

/** Over the sources that report runs out of memory: elsewhere every row fits, and says nothing. */
function oomScore(rows: readonly ScoredRun[]): OomScore {
  const sources = new Set(rows.filter(({ run }) => run.measured.oom === true).map(({ run }) => run.source));
  const judged = rows.flatMap(({ run, prediction }) =>
    prediction === null || run.measured.oom === null || !sources.has(run.source)
      ? []
      : [{ oom: run.measured.oom, right: run.measured.oom === !prediction.fits }],
  );
  const share = (list: typeof judged) => (list.length === 0 ? null : mean(list.map(({ right }) => (right ? 1 : 0))));
  return {
    rows: judged.length,
    oomRight: share(judged.filter(({ oom }) => oom)),
    fitsRight: share(judged.filter(({ oom }) => !oom)),
    right: share(judged),
  };
}

interface RankedSweep {
  readonly source: string;
  readonly spearman: number;
  readonly regret: number;
  readonly bestOfThree: number;
}

const FEWEST_IN_SWEEP = 8;

function rankingScore(rows: readonly ScoredRun[]): RankingScore {
  const timed = rows.filter(({ run, timeError }) => run.sweep !== '' && timeError !== null);
  const sweeps = [...groupBy(timed, ({ run }) => run.sweep).values()]
    .filter(list => list.length >= FEWEST_IN_SWEEP)
    .map(rankSweep);
  const over = (pick: (sweep: RankedSweep) => number) => (sweeps.length === 0 ? null : mean(sweeps.map(pick)));
  const bySource = [...groupBy(sweeps, ({ source }) => source)].map(
    ([source, list]) =>
      [
        source,
        { sweeps: list.length, spearman: mean(list.map(s => s.spearman)), regret: mean(list.map(s => s.regret)) },
      ] as const,
  );
  return {
    sweeps: sweeps.length,
    spearman: over(sweep => sweep.spearman),
    regret: over(sweep => sweep.regret),
    bestOfThree: over(sweep => sweep.bestOfThree),
    bySource: Object.fromEntries(bySource),
  };
}

function rankSweep(list: readonly ScoredRun[]): RankedSweep {
  const measured = list.map(({ run }) => run.measured.stepSeconds ?? 0);
  const predicted = list.map(({ prediction }) => prediction?.stepSeconds ?? 0);
  const order = predicted.map((_, i) => i).sort((a, b) => predicted[a] - predicted[b]);
  const best = Math.min(...measured);
  return {
    source: list[0].run.source,
    spearman: spearman(predicted, measured),
    regret: measured[order[0]] / best - 1,
    bestOfThree: Math.min(...order.slice(0, 3).map(i => measured[i])) / best - 1,
  };
}
