/** The setup as a search takes it: with what the user fixed, and stand-ins for what the search itself decides. */
import type { Plan } from '../plan/keys';
import { isReady, type ReadyPlan } from '../plan/ready';
import type { TrainingSetup } from '../setup/setup';
import type { Fixed } from './points';

/** A fixed batch is the batch that counts. */
export function withBatch(setup: TrainingSetup, fixed: Fixed): TrainingSetup {
  const batch = fixed.globalBatch?.length === 1 ? (fixed.globalBatch[0] ?? null) : null;
  return batch === null ? setup : { ...setup, plan: { ...setup.plan, globalBatch: batch } };
}

/** The present plan with stand-ins for what the search itself decides. */
export function searchable(plan: Plan, fixed: Fixed): ReadyPlan | null {
  const globalBatch = plan.globalBatch ?? fixed.globalBatch?.[0] ?? null;
  const stand = {
    ...plan,
    globalBatch,
    microBatch: plan.microBatch ?? 1,
    dp: plan.dp ?? 1,
    seqLen: plan.seqLen ?? fixed.seqLen?.[0] ?? null,
  };
  return isReady(stand) ? stand : null;
}
