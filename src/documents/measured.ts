/** What is made of measurements: runs beside their predictions, and the hardware file that own measurements give. */
import { likelyCauses } from '../engine/bench/causes';
import { fitLinkConstants } from '../engine/bench/fit/links';
import { fitProfile, type OwnRun } from '../engine/bench/fit/profile';
import { comparedParts } from '../engine/bench/parts';
import type { CollectiveRecord, Imported } from '../engine/bench/records';
import { summarizeRun } from '../engine/bench/run';
import { PROFILE_FORMAT, type ProfileEvidence } from '../engine/configs/hardwareFile';
import { estimate } from '../engine/estimate/estimate';
import { completeSetup } from '../engine/plan/complete';
import type { Problem } from '../engine/problem';
import type { TrainingSetup } from '../engine/setup/setup';
import { causeSentence } from '../words/causes';
import type { FitDocument, RunComparison } from './bench';
import { problemDocument } from './build';
import { SCHEMA } from './types';

/** The logs of one run, with the config that made it as read. */
export interface LoggedRun {
  readonly name: string;
  readonly logs: readonly Imported[];
  readonly setup: TrainingSetup;
  /** Of the config. */
  readonly problems: readonly Problem[];
}

/** The step that was predicted beside the one that was logged, part by part, and what may explain the gap. */
export function runComparison({ name, logs, setup, problems }: LoggedRun): RunComparison {
  const result = estimate(setup, problems);
  const { throughput, time, hidden, memory } = result;
  const records = logs.flatMap(one => one.records);
  const run = summarizeRun(records, result.setup);
  const predicted = throughput?.stepSeconds ?? null;
  const collectives = records.filter((one): one is CollectiveRecord => one.kind === 'collective');
  const links = fitLinkConstants(collectives, result.setup.cluster);
  const gradients = time === null || hidden === null ? null : time.dpExposed + hidden.dp;
  return {
    name,
    predicted: { stepSeconds: predicted, peakBytes: memory?.peakBytes ?? null },
    run,
    ratio: predicted === null || run?.stepSeconds == null ? null : run.stepSeconds / predicted,
    parts: run === null ? [] : comparedParts(run, result),
    causes:
      run === null
        ? []
        : likelyCauses(records, run, gradients, links).map(cause => ({ ...cause, message: causeSentence(cause) })),
    problems: [...result.problems, ...logs.flatMap(one => one.problems)].map(problemDocument),
  };
}

/** @param setup of the machine that the measurements are of; `runs` have setups of their own. */
export function fitDocument(
  measured: readonly Imported[],
  runs: readonly LoggedRun[],
  setup: TrainingSetup,
  problems: readonly Problem[],
): FitDocument {
  const complete = completeSetup(setup);
  const own: OwnRun[] = runs.flatMap(run => {
    const facts = completeSetup(run.setup);
    const seconds = summarizeRun(
      run.logs.flatMap(one => one.records),
      facts,
    )?.stepSeconds;
    return seconds == null ? [] : [{ name: run.name, setup: facts, stepSeconds: seconds }];
  });
  const all = [...measured, ...runs.flatMap(({ logs }) => logs)];
  const fitted = fitProfile(
    measured.flatMap(({ records }) => records),
    own,
    complete,
  );
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'fit',
    gpu: complete.cluster.gpu,
    ...fitted,
    measurements: all.map(({ file, format, records }) => ({
      name: file,
      format: format ?? 'unknown',
      records: records.length,
    })),
    problems: [...problems, ...runs.flatMap(run => run.problems), ...all.flatMap(one => one.problems)].map(
      problemDocument,
    ),
  };
}

/** What `--out` keeps, `--hardware` takes and `meshlens.json` names. */
export function hardwareFile(document: FitDocument, date: string): object {
  const { gpu, profile, measurements, constants, collectives, runs } = document;
  const evidence: ProfileEvidence = { measurements, constants, collectives, runs };
  return { format: PROFILE_FORMAT, date, ...(gpu === null ? {} : { gpu }), profile, evidence };
}
