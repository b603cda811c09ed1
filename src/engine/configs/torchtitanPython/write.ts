/**
 * How torchtitan's config_registry.py says a plan (torchtitan/config/configs.py): degrees in ParallelismConfig, the batch in
 * tokens in TrainingConfig.
 */
import type { PlanKey } from '../../plan/keys';
import type { Attributes } from '../python/insert';
import { pythonText } from '../python/write';

const DEGREES: Partial<Record<PlanKey, string>> = {
  tp: 'tensor_parallel_degree',
  pp: 'pipeline_parallel_degree',
  cp: 'context_parallel_degree',
  ep: 'expert_parallel_degree',
};

const TOKENS: Partial<Record<PlanKey, string>> = {
  microBatch: 'num_tokens_per_microbatch_per_dp_rank',
  globalBatch: 'num_tokens_per_train_step',
};

export const torchtitanAttributes: Attributes = (key, plan) => {
  const tokens = TOKENS[key];
  const sequences = plan[key];
  if (tokens !== undefined && typeof sequences === 'number' && plan.seqLen !== null)
    return [{ path: ['training', tokens], text: String(sequences * plan.seqLen) }];
  const name = DEGREES[key];
  const text = pythonText(plan[key]);
  return name === undefined || text === null ? [] : [{ path: ['parallelism', name], text }];
};
