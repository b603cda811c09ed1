/** The engine within the page: a chunk of its own that is loaded behind the first drawing. */
import { estimateDocument } from '../../src/documents/build';
import { whatIfDocument } from '../../src/documents/searchDocument';
import { type SetupData, unpackSetup } from '../../src/documents/setupData';
import type { EstimateDocument, WhatIfDocument } from '../../src/documents/types';
import { changedSetup, type PlanChange } from '../../src/engine/configs/changedSetup';
import { estimate } from '../../src/engine/estimate/estimate';
import type { MemoryTerms } from '../../src/engine/estimate/memory';
import { preparedOf } from '../../src/engine/estimate/prepared';
import { type Roofline, roofline } from '../../src/engine/estimate/roofline';
import { memoryTermsByStage } from '../../src/engine/estimate/stageMemory';
import { type Traffic, traffic } from '../../src/engine/estimate/traffic';
import { completeSetup } from '../../src/engine/plan/complete';
import { frameworkOf } from '../../src/engine/plan/frameworks';
import { isReady } from '../../src/engine/plan/ready';
import { checkPlan } from '../../src/engine/plan/rules';
import { measure } from '../../src/engine/search/candidate';
import { whatIfs } from '../../src/engine/search/whatIf';
import type { TrainingSetup } from '../../src/engine/setup/setup';

/** A change of the plan, and of the number of GPUs: with another number dp follows. */
export interface Change {
  readonly plan: PlanChange;
  readonly gpus: number | null;
}

const unpacked = new WeakMap<SetupData, TrainingSetup>();

/** The setup behind its data, unpacked once. */
export function setupOf(data: SetupData): TrainingSetup {
  let setup = unpacked.get(data);
  if (setup === undefined) {
    setup = unpackSetup(data);
    unpacked.set(data, setup);
  }
  return setup;
}

/** Another number of GPUs leaves the batch as it is, as every change does. */
export function changed(setup: TrainingSetup, { plan, gpus }: Change): TrainingSetup {
  if (gpus === null) return changedSetup(setup, plan);
  const { cluster, stated, ...full } = completeSetup(setup);
  const kept = stated?.replicas === undefined ? {} : { replicas: stated.replicas };
  const world = { ...full, stated: kept, cluster: { ...cluster, gpus, nodes: null }, plan: { ...full.plan, dp: null } };
  return changedSetup(world, plan);
}

/**
 * The estimate under a change. What published runs say of the file's own plan, and what its readers found, is the
 * host's to know and is taken from its document.
 */
export function estimateChange(data: SetupData, change: Change, { evidence }: EstimateDocument): EstimateDocument {
  const document = estimateDocument(estimate(changed(setupOf(data), change), [], null));
  return { ...document, evidence };
}

/** What the engine sees inside a plan. Null where it is not known well enough. */
export interface Inspection {
  readonly roofline: Roofline | null;
  readonly traffic: Traffic | null;
  /** By stage. */
  readonly memory: readonly MemoryTerms[] | null;
}

export function inspect(data: SetupData, change: Change): Inspection {
  const setup = completeSetup(changed(setupOf(data), change));
  const tables = preparedOf(setup)?.tables;
  if (tables === undefined || !isReady(setup.plan) || checkPlan(setup).some(({ severity }) => severity === 'error')) {
    return { roofline: null, traffic: null, memory: null };
  }
  const { plan } = setup;
  return { roofline: roofline(tables, plan), traffic: traffic(tables, plan), memory: memoryTermsByStage(tables, plan) };
}

/**
 * The best single change of the file's plan: the fastest that fits and that the file can say; null where none gains.
 * A change of the numbers' precision is the user's own decision and is left out.
 */
export function firstChange(data: SetupData): WhatIfDocument | null {
  const setup = completeSetup(setupOf(data));
  const tables = preparedOf(setup)?.tables;
  const { plan, cluster, kinds } = setup;
  if (tables === undefined || tables.device === null || !isReady(plan)) return null;
  if (checkPlan(setup).some(({ severity }) => severity === 'error')) return null;
  const current = measure(tables, frameworkOf(kinds), plan);
  const overfull = current.peakBytes > (cluster.capacityBytes ?? Infinity);
  const best = whatIfs(setup, tables, current).find(
    ({ key, fits, candidate }) => key !== 'dtype' && fits && candidate.expressible,
  );
  if (best === undefined) return null;
  const gain = best.candidate.tokensPerSecond / current.tokensPerSecond;
  return overfull || gain > LEAST_GAIN ? whatIfDocument(best, current, cluster.capacityBytes) : null;
}

/** Less than this is within what two runs differ by. */
const LEAST_GAIN = 1.01;
