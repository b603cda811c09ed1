/**
 * How NeMo 2 and Megatron-Bridge recipes say a plan. NeMo 2 keeps the degrees in the trainer's strategy and the batch in
 * the data (nemo/lightning/pytorch/strategies/megatron_strategy.py), Bridge the degrees in the model's provider and the
 * batch in `train` (megatron/bridge/recipes/common.py, training/config.py).
 */
import type { PlanKey } from '../../plan/keys';
import type { Attribute, Attributes } from '../python/insert';
import { pythonText } from '../python/write';
import { fieldAt } from '../python/value';

const DEGREES: Partial<Record<PlanKey, string>> = {
  tp: 'tensor_model_parallel_size',
  pp: 'pipeline_model_parallel_size',
  vpp: 'virtual_pipeline_model_parallel_size',
  cp: 'context_parallel_size',
  ep: 'expert_model_parallel_size',
  etp: 'expert_tensor_parallel_size',
  sp: 'sequence_parallel',
};

const BATCH: Partial<Record<PlanKey, string>> = {
  microBatch: 'micro_batch_size',
  globalBatch: 'global_batch_size',
  seqLen: 'seq_length',
};

export const nemoAttributes: Attributes = (key, plan, config) => {
  const isBridge = fieldAt(config, 'trainer') === null;
  const model = isBridge ? ['model'] : ['model', 'config'];
  const degrees = isBridge ? ['model'] : ['trainer', 'strategy'];
  const batch = isBridge ? ['train'] : ['data'];
  const value = pythonText(plan[key]);
  const say = (part: readonly string[], name: string, text: string): Attribute => ({ path: [...part, name], text });
  if (key === 'recompute') {
    if (plan.recompute === null) return [];
    const granularity = plan.recompute === 'none' ? 'None' : `"${plan.recompute}"`;
    const layers = plan.recompute === 'full' && fieldAt(config, ...model, 'recompute_method') === null;
    // All layers of a stage, one after the other (megatron/core/transformer/transformer_config.py).
    const all = layers ? [say(model, 'recompute_method', '"uniform"'), say(model, 'recompute_num_layers', '1')] : [];
    return [say(model, 'recompute_granularity', granularity), ...all];
  }
  if (value === null) return [];
  const degree = DEGREES[key];
  // Of one chunk a stage there is no interleaving, which they write as None.
  if (degree !== undefined) return [say(degrees, degree, key === 'vpp' && plan.vpp === 1 ? 'None' : value)];
  const size = BATCH[key];
  if (size === undefined) return [];
  // Bridge has the length of the data and of the model, which must be the same.
  if (key === 'seqLen' && isBridge) return [say(['model'], size, value), say(['dataset'], size, value)];
  return [say(batch, size, value)];
};
