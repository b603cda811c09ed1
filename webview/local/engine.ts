/** The engine within the page: a chunk of its own that is loaded behind the first drawing. */
import { estimateDocument } from '../../src/documents/build';
import { type SetupData, unpackSetup } from '../../src/documents/setupData';
import type { EstimateDocument } from '../../src/documents/types';
import { changedSetup, type PlanChange } from '../../src/engine/configs/changedSetup';
import { estimate } from '../../src/engine/estimate/estimate';
import { preparedOf } from '../../src/engine/estimate/prepared';
import { type Roofline, roofline } from '../../src/engine/estimate/roofline';
import { type Traffic, traffic } from '../../src/engine/estimate/traffic';
import { completeSetup } from '../../src/engine/plan/complete';
import { isReady } from '../../src/engine/plan/ready';
import { checkPlan } from '../../src/engine/plan/rules';
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

/** What the engine sees inside a plan: its operators, and what its axes send. Null where it is not known well enough. */
export interface Inspection {
  readonly roofline: Roofline | null;
  readonly traffic: Traffic | null;
}

export function inspect(data: SetupData, change: Change): Inspection {
  const setup = completeSetup(changed(setupOf(data), change));
  const tables = preparedOf(setup)?.tables;
  if (tables === undefined || !isReady(setup.plan) || checkPlan(setup).some(({ severity }) => severity === 'error')) {
    return { roofline: null, traffic: null };
  }
  return { roofline: roofline(tables, setup.plan), traffic: traffic(tables, setup.plan) };
}
