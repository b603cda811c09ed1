/** The published runs that are most like a setup: what a user may compare a prediction with. */
import { accelerator, isAcceleratorId } from '../hardware/accelerators';
import { stackFacts } from '../hardware/stacks';
import type { TrainingSetup } from '../setup/setup';
import { type Row, unpackRows } from './pack';
import { predictRun } from './predict';
import { type PublishedRun, readRun } from './runs';
import { PUBLISHED_RUNS } from './runs.generated';

export interface EvidenceRun {
  readonly id: string;
  readonly source: string;
  readonly predictedSeconds: number;
  readonly measuredSeconds: number;
}

/** What runs are compared by: logarithms of sizes, then codes. */
interface Features {
  readonly architecture: string;
  readonly family: string;
  readonly logs: readonly number[];
  readonly flags: readonly (string | boolean | null)[];
}

interface Candidate {
  readonly row: Row;
  readonly features: Features;
}

let candidates: Candidate[] | null = null;
const evidence = new Map<Row, EvidenceRun | null>();

/** All runs that ship with the product. */
export function publishedRuns(): PublishedRun[] {
  return unpackRows(PUBLISHED_RUNS).map(readRun);
}

/** The k nearest runs with a step time on the same architecture; none where it has none or the setup has no device. */
export function nearestRuns(setup: TrainingSetup, k: number): readonly EvidenceRun[] {
  const wanted = featuresOf(setup);
  if (wanted === null) return [];
  const key = `${k}|${JSON.stringify(wanted)}`;
  let found = answers.get(key);
  if (found === undefined) {
    found = search(wanted, k);
    if (answers.size >= MOST_ANSWERS) answers.clear();
    answers.set(key, found);
  }
  return found;
}

const answers = new Map<string, readonly EvidenceRun[]>();
const MOST_ANSWERS = 256;

function search(wanted: Features, k: number): EvidenceRun[] {
  const near: { distance: number; run: EvidenceRun }[] = [];
  for (const { row, features } of allCandidates()) {
    if (features.architecture !== wanted.architecture) continue;
    const distance = distanceBetween(features, wanted);
    if (near.length === k && distance >= near[k - 1].distance) continue;
    const run = evidenceOf(row);
    if (run === null) continue;
    near.push({ distance, run });
    near.sort((a, b) => a.distance - b.distance);
    if (near.length > k) near.pop();
  }
  return near.map(({ run }) => run);
}

function allCandidates(): readonly Candidate[] {
  candidates ??= unpackRows(PUBLISHED_RUNS).flatMap(row => {
    const features = row.tier === 'core' && row.step_time_s !== '' ? featuresOfRow(row) : null;
    return features === null ? [] : [{ row, features }];
  });
  return candidates;
}

/** The prediction beside the measurement; null where there is none. Made when first asked for. */
function evidenceOf(row: Row): EvidenceRun | null {
  let found = evidence.get(row);
  if (found === undefined) {
    const run = readRun(row);
    const prediction = predictRun(run);
    const { stepSeconds: measuredSeconds } = run.measured;
    found =
      typeof prediction === 'string' || measuredSeconds === null
        ? null
        : { id: run.id, source: run.sourceName, predictedSeconds: prediction.stepSeconds, measuredSeconds };
    evidence.set(row, found);
  }
  return found;
}

/** The features of a row without the setup that it makes. */
function featuresOfRow(row: Row): Features | null {
  if (!isAcceleratorId(row.gpu)) return null;
  const size = (name: string) => Math.log2(Number(row[name]) || 1);
  const layerSize = size('layers') + 2 * size('hidden');
  return {
    architecture: accelerator(row.gpu).architecture,
    family: stackFacts(row.stack).family,
    logs: [layerSize, ...['gpus', 'seq_len', 'micro_batch', 'tp', 'pp', 'cp'].map(size)],
    flags: [
      row.gpu,
      row.dtype,
      row.sharding,
      row.recompute.split(':')[0],
      row.flash_attention === '0' ? 'unfused' : 'flash',
      row.moe_experts !== '',
    ],
  };
}

function featuresOf({ sizes, plan, cluster }: TrainingSetup): Features | null {
  if (cluster.gpu === null || !isAcceleratorId(cluster.gpu)) return null;
  const layerSize = (sizes.layers ?? 1) * (sizes.hidden ?? 1) ** 2;
  const numbers = [layerSize, cluster.gpus, plan.seqLen, plan.microBatch, plan.tp, plan.pp, plan.cp];
  return {
    architecture: accelerator(cluster.gpu).architecture,
    family: stackFacts(plan.stack).family,
    logs: numbers.map(value => Math.log2(value ?? 1)),
    flags: [cluster.gpu, plan.dtype, plan.sharding, plan.recompute, plan.attention, (sizes.experts ?? 0) > 0],
  };
}

const STACK_DISTANCE = 3;
const FLAG_DISTANCE = 1;

function distanceBetween(a: Features, b: Features): number {
  let distance = a.family === b.family ? 0 : STACK_DISTANCE;
  for (let i = 0; i < a.logs.length; i++) distance += Math.abs(a.logs[i] - b.logs[i]);
  for (let i = 0; i < a.flags.length; i++) if (a.flags[i] !== b.flags[i]) distance += FLAG_DISTANCE;
  return distance;
}
