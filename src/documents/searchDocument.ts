/** The search's result as a document, each proposal with what it changes and why it wins. */
import { changedKeys } from '../engine/configs/changedSetup';
import { throughputOf } from '../engine/estimate/estimate';
import { TIME_PARTS } from '../engine/estimate/output';
import type { Tables } from '../engine/estimate/prepare';
import { preparedOf } from '../engine/estimate/prepared';
import { frameworkOf, inexpressible } from '../engine/plan/frameworks';
import { formatPlan, type Plan, type PlanKey } from '../engine/plan/keys';
import { isReady, microBatches } from '../engine/plan/ready';
import { invariant, type Problem } from '../engine/problem';
import type { Candidate } from '../engine/search/candidate';
import { type FootprintFactors, footprint } from '../engine/search/footprint';
import { type Goal, trainingOf } from '../engine/search/objective';
import { isClose } from '../engine/search/recommend';
import type { ScaleCurve, ScalePoint } from '../engine/search/scale';
import type { SearchResult } from '../engine/search/result';
import type { WhatIf } from '../engine/search/whatIf';
import { reasonFor, rejectionMessage, warningsOf, whatIfMessage } from '../words/explain';
import { problemDocument, setupDocument } from './build';
import {
  type BatchDocument,
  type CandidateDocument,
  type LayoutDocument,
  type PartChange,
  SCHEMA,
  type ScalePointDocument,
  type SearchDocument,
  type WhatIfDocument,
} from './types';

/** What a search may be asked for besides. */
export interface SearchExtras {
  readonly scale?: ScaleCurve | null;
  readonly fewest?: ScalePoint | null;
  readonly factors?: FootprintFactors | undefined;
}

export function searchDocument(
  result: SearchResult,
  readProblems: readonly Problem[],
  seconds: number,
  { scale = null, fewest = null, factors }: SearchExtras = {},
): SearchDocument {
  const { setup, goal, current, rejections, candidates, evaluated, feasible, bounded, robust } = result;
  const tables = preparedOf(setup)?.tables ?? null;
  const describe = (candidate: Candidate) => candidateDocument(candidate, result, tables);
  const layout = (candidate: Candidate) => layoutDocument(candidate, setup.cluster.capacityBytes);
  const best = result.best.map(describe);
  const recommended = result.recommended === null ? null : describe(result.recommended);
  const trainingSeconds = recommended?.training.trainingSeconds ?? null;
  const gpuHours = trainingSeconds === null ? null : (trainingSeconds * (setup.cluster.gpus ?? 0)) / 3600;
  return {
    schema: SCHEMA,
    command: 'search',
    setup: setupDocument(setup),
    space: { candidates, evaluated, feasible, bounded, seconds },
    current: currentDocument(result, current === null ? null : describe(current)),
    best,
    recommended,
    elsewhere: result.elsewhere.map(describe),
    pareto: result.pareto.map(describe),
    layouts: result.layouts.map(layout),
    whatIfs:
      current === null
        ? []
        : result.whatIfs.map(whatIf => whatIfDocument(whatIf, current, setup.cluster.capacityBytes)),
    batch: batchDocument(setup.plan, goal),
    robust:
      robust === null
        ? null
        : {
            ...layout(robust.candidate),
            slowSeconds: robust.slowSeconds,
            upperBytes: robust.candidate.upperBytes,
          },
    largestBatch: result.largest,
    fewestGpus: fewest === null ? null : scalePointDocument(fewest),
    scale:
      scale === null
        ? null
        : { scale: scale.scale, kneeGpus: scale.kneeGpus, points: scale.points.map(scalePointDocument) },
    footprint: factors === undefined ? null : footprint(gpuHours, factors),
    rejections: rejections.map(({ code, count, example }) => ({
      code,
      count,
      example: { planString: formatPlan(example.plan), message: rejectionMessage(code, example.args) },
    })),
    problems: [...readProblems, ...result.problems].map(problemDocument),
  };
}

function currentDocument(
  { setup, faster }: SearchResult,
  present: CandidateDocument | null,
): SearchDocument['current'] {
  return {
    plan: setup.plan,
    planString: formatPlan(setup.plan),
    throughput: present?.throughput ?? {
      stepSeconds: null,
      tokensPerSecondPerGpu: null,
      modelFlopsPerSecondPerGpu: null,
      mfu: null,
      hfu: null,
      convention: null,
    },
    memory: present?.memory ?? { peakBytes: null, capacityBytes: setup.cluster.capacityBytes, fits: null },
    bubbleFraction: present?.bubbleFraction ?? null,
    fasterPlans: faster,
  };
}

function candidateDocument(
  candidate: Candidate,
  { setup, current, goal }: SearchResult,
  tables: Tables | null,
): CandidateDocument {
  invariant(tables !== null, 'a candidate without a model');
  const { capacityBytes } = setup.cluster;
  const framework = frameworkOf(setup.kinds);
  const { plan, stepSeconds, time, peakBytes, upperBytes, bubbleFraction, tokensPerSecond } = candidate;
  const parts = current === null ? [] : partChanges(current, candidate);
  const changed = changedKeys(setup.plan, plan);
  const gpus = plan.dp * plan.tp * plan.cp * plan.pp;
  return {
    plan,
    planString: formatPlan(plan),
    throughput: throughputOf(tables, plan, stepSeconds, time),
    memory: {
      peakBytes,
      upperBytes,
      capacityBytes,
      fits: capacityBytes === null ? null : peakBytes <= capacityBytes,
      uncertain: capacityBytes === null ? null : isClose(candidate, capacityBytes),
    },
    bubbleFraction,
    changes: changesOf(setup.plan, plan, changed),
    applicable: candidate.expressible,
    notApplicable: inexpressible(framework, plan).map(key => `${key}=${textOf(plan, key) ?? ''}`),
    speedup: current === null ? null : tokensPerSecond / current.tokensPerSecond,
    parts,
    reason: reasonFor(current, candidate, parts, capacityBytes),
    warnings: current === null ? [] : warningsOf(current.plan, plan, changed),
    training: trainingOf(goal, tokensPerSecond, gpus, plan.globalBatch * plan.seqLen),
  };
}

function changesOf(before: Plan, after: Plan, keys: readonly PlanKey[]): CandidateDocument['changes'] {
  return keys.map(key => ({ key, before: textOf(before, key), after: textOf(after, key) }));
}

function textOf(plan: Plan, key: PlanKey): string | null {
  const value = plan[key];
  return value === null ? null : String(value);
}

function partChanges(before: Candidate, after: Candidate): PartChange[] {
  const changes = TIME_PARTS.map(part => ({ part, beforeSeconds: before.time[part], afterSeconds: after.time[part] }));
  const size = ({ beforeSeconds, afterSeconds }: PartChange) => Math.abs(afterSeconds - beforeSeconds);
  return changes.filter(change => size(change) > 1e-6).sort((a, b) => size(b) - size(a));
}

function layoutDocument(candidate: Candidate, capacityBytes: number | null): LayoutDocument {
  const { plan, stepSeconds, tokensPerSecond, peakBytes, bubbleFraction, expressible: applicable, time } = candidate;
  const uncertain = capacityBytes === null ? null : isClose(candidate, capacityBytes);
  const planString = formatPlan(plan);
  return { planString, stepSeconds, tokensPerSecond, peakBytes, uncertain, bubbleFraction, applicable, time };
}

/** `current` is the candidate that the change was made to. */
export function whatIfDocument(
  { candidate, changed, fits }: WhatIf,
  current: Candidate,
  capacityBytes: number | null,
): WhatIfDocument {
  const changes = changesOf(current.plan, candidate.plan, changed);
  const parts = partChanges(current, candidate);
  return {
    changes,
    planString: formatPlan(candidate.plan),
    stepSeconds: candidate.stepSeconds,
    speedup: candidate.tokensPerSecond / current.tokensPerSecond,
    peakBytes: candidate.peakBytes,
    fits,
    applicable: candidate.expressible,
    message: whatIfMessage(changes, reasonFor(current, candidate, parts, capacityBytes), fits),
  };
}

/** Tokens a step, and the bubble that the batch leaves (arXiv 2104.04473, section 2.2.1). */
function batchDocument(plan: Plan, { criticalBatch }: Goal): BatchDocument | null {
  if (!isReady(plan)) return null;
  const m = microBatches(plan);
  const tokensPerStep = plan.globalBatch * plan.seqLen;
  return {
    globalBatch: plan.globalBatch,
    tokensPerStep,
    criticalTokens: criticalBatch,
    beyondCritical: criticalBatch === null ? null : tokensPerStep > criticalBatch,
    microBatches: m,
    idlePerBusy: (plan.pp - 1) / m,
    idealBubbleFraction: (plan.pp - 1) / (m + plan.pp - 1),
  };
}

function scalePointDocument(point: ScalePoint): ScalePointDocument {
  const { gpus, globalBatch, best, efficiency, trainingSeconds, cost, costPerMillionTokens } = point;
  return {
    gpus,
    globalBatch,
    planString: best === null ? null : formatPlan(best.plan),
    stepSeconds: best?.stepSeconds ?? null,
    tokensPerSecond: best?.tokensPerSecond ?? null,
    efficiency,
    trainingSeconds,
    cost,
    costPerMillionTokens,
  };
}
