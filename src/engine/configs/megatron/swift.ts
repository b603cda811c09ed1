/** ms-swift's `megatron sft`, `pt` and `rlhf`: Megatron's options with defaults of their own. */
import type { Plan, PlanKey } from '../../plan/keys';
import type { SetupBuilder } from '../../setup/setup';
import type { ShellCommand } from '../shell/script';
import type { MegatronArgs } from './args';

const TASKS = new Set(['sft', 'pt', 'rlhf']);

export function isSwift({ words }: ShellCommand): boolean {
  const at = words.indexOf('megatron');
  return at !== -1 && TASKS.has(words[at + 1] ?? '');
}

/** Defaults by the option that would say otherwise (swift/megatron/arguments/megatron_args.py at 3602360a). */
const DEFAULTS: readonly { readonly flag: string; readonly plan: Partial<Plan> }[] = [
  { flag: 'micro-batch-size', plan: { microBatch: 1 } },
  { flag: 'global-batch-size', plan: { globalBatch: 16 } },
  { flag: 'recompute-granularity', plan: { recompute: 'selective', recomputeOps: 'core_attn' } },
  { flag: 'use-distributed-optimizer', plan: { sharding: 'zero1' } },
  { flag: 'bf16', plan: { dtype: 'bf16', gradDtype: 'fp32' } },
  { flag: 'attention-backend', plan: { attention: 'flash' } },
];

export function readSwift(args: MegatronArgs, builder: SetupBuilder): void {
  for (const { flag, plan } of DEFAULTS) {
    if (args.has(flag) || (flag === 'bf16' && (args.has('fp16') || args.has('fp8-format')))) continue;
    for (const [key, value] of Object.entries(plan)) builder.setPlan(key as PlanKey, value, 'default');
  }
  const tuner = args.text('train-type');
  if (tuner?.value.startsWith('lora') !== true) return;
  builder.setPlan('adapter', 'lora', 'file', tuner.source);
  const rank = args.integer('lora-rank');
  builder.setPlan('adapterRank', rank?.value ?? 8, rank === null ? 'default' : 'file', rank?.source ?? null);
}
