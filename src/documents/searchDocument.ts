/** The search's result as a document, each proposal with what it changes and why it wins. */
import { changedKeys } from '../engine/configs/write';
import { throughputOf } from '../engine/estimate/estimate';
import { TIME_PARTS } from '../engine/estimate/output';
import { prepare } from '../engine/estimate/prepare';
import { frameworkOf, inexpressible } from '../engine/plan/frameworks';
import { formatPlan, type Plan } from '../engine/plan/keys';
import type { Problem } from '../engine/problem';
import type { Candidate } from '../engine/search/candidate';
import type { SearchResult } from '../engine/search/search';
import { setupModel } from '../engine/setup/setup';
import { reasonFor, rejectionMessage } from '../words/explain';
import { problemDocument, setupDocument } from './build';
import { type CandidateDocument, type PartChange, SCHEMA, type SearchDocument } from './types';

export function searchDocument(
  result: SearchResult,
  readProblems: readonly Problem[],
  seconds: number,
): SearchDocument {
  const { setup, current, rejections, candidates, evaluated, feasible } = result;
  const describe = (candidate: Candidate) => candidateDocument(candidate, result);
  const present = current === null ? null : describe(current);
  return {
    schema: SCHEMA,
    command: 'search',
    setup: setupDocument(setup),
    space: { candidates, evaluated, feasible, seconds },
    current: {
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
    },
    best: result.best.map(describe),
    elsewhere: result.elsewhere.map(describe),
    pareto: result.pareto.map(describe),
    rejections: rejections.map(({ code, count, example }) => ({
      code,
      count,
      example: { planString: formatPlan(example.plan), message: rejectionMessage(code, example.args) },
    })),
    problems: [...readProblems, ...result.problems].map(problemDocument),
  };
}

function candidateDocument(candidate: Candidate, { setup, current }: SearchResult): CandidateDocument {
  const model = setupModel(setup);
  const { capacityBytes } = setup.cluster;
  const framework = frameworkOf(setup.kinds);
  const { plan, stepSeconds, time, peakBytes, bubbleFraction } = candidate;
  const parts = current === null ? [] : partChanges(current, candidate);
  const tables = model === null ? null : prepare(model, setup.cluster);
  if (tables === null) throw new Error('MeshLens bug: a candidate without a model');
  return {
    plan,
    planString: formatPlan(plan),
    throughput: throughputOf(tables, plan, stepSeconds, time),
    memory: { peakBytes, capacityBytes, fits: capacityBytes === null ? null : peakBytes <= capacityBytes },
    bubbleFraction,
    changes: changedKeys(setup.plan, plan).map(key => ({
      key,
      before: textOf(setup.plan, key),
      after: textOf(plan, key),
    })),
    applicable: candidate.expressible,
    notApplicable: inexpressible(framework, plan).map(key => `${key}=${textOf(plan, key) ?? ''}`),
    speedup: current === null ? null : candidate.tokensPerSecond / current.tokensPerSecond,
    parts,
    reason: reasonFor(current, candidate, parts, capacityBytes),
  };
}

function textOf(plan: Plan, key: keyof Plan): string | null {
  const value = plan[key];
  return value === null ? null : String(value);
}

function partChanges(before: Candidate, after: Candidate): PartChange[] {
  const changes = TIME_PARTS.map(part => ({ part, beforeSeconds: before.time[part], afterSeconds: after.time[part] }));
  const size = ({ beforeSeconds, afterSeconds }: PartChange) => Math.abs(afterSeconds - beforeSeconds);
  return changes.filter(change => size(change) > 1e-6).sort((a, b) => size(b) - size(a));
}
