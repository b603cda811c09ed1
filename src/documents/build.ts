/** Engine results as documents: problems get their words here, unknown values become null. */
import { activationTrade, type ActivationTrade } from '../engine/estimate/activationTrade';
import { type Estimate, type MemoryEstimate } from '../engine/estimate/estimate';
import { HIDDEN_PARTS, TIME_PARTS } from '../engine/estimate/output';
import { preparedOf } from '../engine/estimate/prepared';
import { countParameters } from '../engine/model/parameters';
import { isReady } from '../engine/plan/ready';
import type { Problem } from '../engine/problem';
import { type FileReading, fieldValue, setupModel, type TrainingSetup } from '../engine/setup/setup';
import { assumptionMessage } from '../words/assumptions';
import { ruleMessage } from '../words/rules';
import { fixTitle, problemMessage } from '../words/problems';
import {
  type EstimateDocument,
  type FieldDocument,
  type MemoryDocument,
  type ProblemDocument,
  type ReadDocument,
  SCHEMA,
  type SetupDocument,
} from './types';

export function problemDocument(found: Problem): ProblemDocument {
  const { code, severity, args, source, fix, rule } = found;
  return { code, severity, message: problemMessage(found), args, ...place(source), fix: fixDocument(fix), rule };
}

function fixDocument(fix: Problem['fix']): ProblemDocument['fix'] {
  return fix === null ? null : { title: fixTitle(fix), edits: fix.edits };
}

function place(source: Problem['source']) {
  const { file = null, line = null, column = null, endLine = null, endColumn = null } = source ?? {};
  return { file, line, column, endLine, endColumn };
}

export function setupDocument({ sizes, plan, cluster }: TrainingSetup): SetupDocument {
  return { model: sizes, plan, cluster };
}

export function fieldDocuments(setup: TrainingSetup): FieldDocument[] {
  return [...setup.fields].map(([path, { origin, source }]) => ({
    path,
    value: fieldValue(setup, path),
    origin,
    ...place(source),
  }));
}

export function readDocument(readings: readonly FileReading[], setup: TrainingSetup): ReadDocument {
  const model = setupModel(setup);
  return {
    schema: SCHEMA,
    command: 'read',
    files: readings.map(({ file, kind, problems }) => ({ file, kind, problems: problems.map(problemDocument) })),
    setup: setupDocument(setup),
    fields: fieldDocuments(setup),
    parameters: model === null ? null : countParameters(model),
  };
}

export function estimateDocument(estimate: Estimate): EstimateDocument {
  const { setup, parameters, states, throughput, bounds, time, hidden, memory, pipeline, evidence } = estimate;
  return {
    schema: SCHEMA,
    command: 'estimate',
    setup: setupDocument(setup),
    parameters,
    states,
    throughput: throughput ?? {
      stepSeconds: null,
      tokensPerSecondPerGpu: null,
      modelFlopsPerSecondPerGpu: null,
      mfu: null,
      hfu: null,
      convention: null,
    },
    mfus: estimate.mfus,
    bounds: bounds ?? { lowerSeconds: null, upperSeconds: null, coverage: null },
    time: time ?? nulls(TIME_PARTS),
    hidden: hidden ?? nulls(HIDDEN_PARTS),
    memory: memoryDocument(memory, setup.cluster.capacityBytes),
    activationTrade: tradeOf(estimate),
    pipeline: pipeline ?? {
      schedule: null,
      stages: null,
      microBatches: null,
      bubbleFraction: null,
      spanBubbleFraction: null,
      virtual: null,
      stageSeconds: null,
    },
    evidence,
    rules: estimate.rules.map(rule => ({ ...rule, message: ruleMessage(rule) })),
    assumptions: estimate.assumptions.map(assumption => ({ ...assumption, message: assumptionMessage(assumption) })),
    problems: estimate.problems.map(problemDocument),
  };
}

/** Made for whoever reads the document: an estimate without it takes half as long. */
function tradeOf({ setup, throughput }: Estimate): ActivationTrade | null {
  const prepared = preparedOf(setup);
  if (throughput === null || prepared === null || !isReady(setup.plan)) return null;
  return activationTrade(prepared.tables, setup.plan, setup.cluster.capacityBytes);
}

function memoryDocument(memory: MemoryEstimate | null, capacityBytes: number | null): MemoryDocument {
  return (
    memory ?? {
      capacityBytes,
      peakBytes: null,
      allocatedBytes: null,
      reservedBytes: null,
      lowerBytes: null,
      upperBytes: null,
      peakStage: null,
      fits: null,
      uncertain: null,
      hostBytes: null,
      stages: [],
    }
  );
}

function nulls<K extends string>(keys: readonly K[]): Record<K, null> {
  return Object.fromEntries(keys.map(key => [key, null])) as Record<K, null>;
}
