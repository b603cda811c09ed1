/** What a search is asked and what it answers. */
import { missingSizes } from '../model/sizes';
import { missingPlanKeys, type ReadyPlan } from '../plan/ready';
import { type Problem, problem } from '../problem';
import type { TrainingSetup } from '../setup/setup';
import type { Candidate } from './candidate';
import { type Goal, NO_GOAL } from './objective';
import type { SpaceOptions } from './points';
import type { Rejection } from './rejections';
import type { RobustChoice } from './robust';
import type { LargestBatch, WhatIf } from './whatIf';

export interface SearchOptions extends SpaceOptions {
  readonly top: number;
  readonly goal: Goal;
  /** Bounds refuse points early; without them the results are the same, later. */
  readonly prune: boolean;
}

export interface SearchResult {
  readonly setup: TrainingSetup;
  readonly goal: Goal;
  readonly current: Candidate | null;
  /** Feasible plans that are faster than the present one; null where that is unknown. */
  readonly faster: number | null;
  readonly best: readonly Candidate[];
  /** What a user should run (see recommend.ts); null where nothing fits. */
  readonly recommended: Candidate | null;
  readonly elsewhere: readonly Candidate[];
  readonly pareto: readonly Candidate[];
  /** The best of each layout, the fastest first. */
  readonly layouts: readonly Candidate[];
  /** What one change alone does to the present plan; empty where there is none. */
  readonly whatIfs: readonly WhatIf[];
  /** The choice for a slower network and the upper bound of memory. */
  readonly robust: RobustChoice | null;
  /** The largest batch that fits under the present plan. */
  readonly largest: LargestBatch | null;
  readonly rejections: readonly Rejection[];
  readonly candidates: number;
  readonly evaluated: number;
  readonly feasible: number;
  /** Points whose bound sufficed: their schedule has no closed form and was not simulated. */
  readonly bounded: number;
  readonly problems: readonly Problem[];
}

export interface SearchProgress {
  readonly candidates: number;
  readonly evaluated: number;
  readonly feasible: number;
  /** The best so far, for an early answer. */
  readonly stepSeconds: number | null;
}

export const DEFAULT_OPTIONS: SearchOptions = {
  fixed: {},
  freeBatch: false,
  top: 5,
  goal: NO_GOAL,
  prune: true,
};

/** What the search needs and no one states. */
export function missing(setup: TrainingSetup, present: ReadyPlan | null): Problem[] {
  const found = missingSizes(setup.sizes).map(key => problem('value-unknown', { key: `model.${key}` }));
  if (setup.cluster.gpu === null) found.push(problem('cluster-unknown', { what: 'gpu' }));
  if (setup.cluster.gpus === null) found.push(problem('cluster-unknown', { what: 'gpus' }));
  if (present !== null) return found;
  const asked = missingPlanKeys(setup.plan).filter(key => key !== 'dp' && key !== 'microBatch');
  return [...found, ...asked.map(key => problem('value-unknown', { key: `plan.${key}` }))];
}

export function emptyResult(setup: TrainingSetup, goal: Goal, problems: readonly Problem[]): SearchResult {
  return {
    setup,
    goal,
    current: null,
    faster: null,
    best: [],
    recommended: null,
    elsewhere: [],
    pareto: [],
    layouts: [],
    whatIfs: [],
    robust: null,
    largest: null,
    rejections: [],
    candidates: 0,
    evaluated: 0,
    feasible: 0,
    bounded: 0,
    problems,
  };
}
