/** A training log as one run: the steady step, and the peaks of memory, tied to the config that made it. */
import type { TrainingSetup } from '../setup/setup';
import { sortedQuantile } from './statistics';
import type { BenchRecord, PartRecord, PeakRecord, StepRecord } from './records';

export interface RunSummary {
  /** Steps that the log tells of, and those that count: the first ones set up and compile. */
  readonly steps: number;
  readonly counted: number;
  readonly stepSeconds: number | null;
  /** Distance of the quartiles over the median. */
  readonly spread: number | null;
  readonly tokensPerSecondPerGpu: number | null;
  readonly flopsPerSecondPerGpu: number | null;
  readonly mfu: number | null;
  readonly allocatedBytes: number | null;
  readonly reservedBytes: number | null;
  /** By the trainer's own timers: medians of the fastest and of the slowest rank. */
  readonly parts: readonly { readonly name: string; readonly leastSeconds: number; readonly mostSeconds: number }[];
}

/** What a log leaves to the config: seconds from tokens or samples a second need the batch. */
export type RunFacts = Pick<TrainingSetup, 'plan' | 'cluster'> | null;

/** null where the records hold neither steps nor peaks. */
export function summarizeRun(records: readonly BenchRecord[], facts: RunFacts): RunSummary | null {
  const steps = records.filter((one): one is StepRecord => one.kind === 'step');
  const peaks = records.filter((one): one is PeakRecord => one.kind === 'peak');
  if (steps.length === 0 && peaks.length === 0) return null;
  const steady = steps.slice(steps.length >= 3 ? Math.max(1, Math.floor(steps.length / 5)) : 0);
  const seconds = known(steady.map(step => secondsOf(step, facts)));
  const stepSeconds = median(seconds);
  const sorted = [...seconds].sort((a, b) => a - b);
  return {
    steps: steps.length,
    counted: seconds.length,
    stepSeconds,
    spread: stepSeconds === null ? null : (sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25)) / stepSeconds,
    tokensPerSecondPerGpu: median(known(steady.map(step => step.tokensPerSecondPerGpu))) ?? rateOf(stepSeconds, facts),
    flopsPerSecondPerGpu: median(known(steady.map(step => step.flopsPerSecondPerGpu))),
    mfu: median(known(steady.map(step => step.mfu))),
    allocatedBytes: most(peaks.map(peak => peak.allocatedBytes)),
    reservedBytes: most(peaks.map(peak => peak.reservedBytes)),
    parts: partsOf(records),
  };
}

function secondsOf(step: StepRecord, facts: RunFacts): number | null {
  if (step.seconds !== null) return step.seconds;
  const batch = step.globalBatch ?? facts?.plan.globalBatch ?? null;
  const seqLen = facts?.plan.seqLen ?? null;
  const gpus = facts?.cluster.gpus ?? null;
  if (batch === null) return null;
  if (step.samplesPerSecond !== null) return batch / step.samplesPerSecond;
  if (seqLen === null) return null;
  if (step.tokensPerSecond !== null) return (batch * seqLen) / step.tokensPerSecond;
  if (step.tokensPerSecondPerGpu === null || gpus === null) return null;
  return (batch * seqLen) / (step.tokensPerSecondPerGpu * gpus);
}

function rateOf(stepSeconds: number | null, facts: RunFacts): number | null {
  const { globalBatch = null, seqLen = null } = facts?.plan ?? {};
  const gpus = facts?.cluster.gpus ?? null;
  if (stepSeconds === null || globalBatch === null || seqLen === null || gpus === null) return null;
  return (globalBatch * seqLen) / stepSeconds / gpus;
}

function partsOf(records: readonly BenchRecord[]): RunSummary['parts'] {
  const byName = new Map<string, PartRecord[]>();
  for (const one of records) if (one.kind === 'part') byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  return [...byName].map(([name, list]) => ({
    name,
    leastSeconds: median(list.map(one => one.leastSeconds)) ?? 0,
    mostSeconds: median(list.map(one => one.mostSeconds)) ?? 0,
  }));
}

const known = (values: readonly (number | null)[]): number[] => values.filter(value => value !== null);

function median(values: readonly number[]): number | null {
  return values.length === 0
    ? null
    : sortedQuantile(
        [...values].sort((a, b) => a - b),
        0.5,
      );
}

function most(values: readonly (number | null)[]): number | null {
  const list = known(values);
  return list.length === 0 ? null : list.reduce((a, b) => Math.max(a, b));
}
