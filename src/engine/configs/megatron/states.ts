/** How Megatron's options shard the states, move them off the GPU and recompute activations. */
import type { Plan } from '../../plan/keys';
import { problem, type SourceRange } from '../../problem';
import type { SetupBuilder } from '../../setup/setup';
import type { MegatronArgs } from './args';
import type { DeepSpeedJson } from './deepspeed';
import { isDeepSpeed } from './model';

/** Values of --data-parallel-sharding-strategy (Megatron-FSDP). */
export const SHARDING_STRATEGIES = {
  no_shard: 'none',
  optim: 'zero1',
  optim_grads: 'zero2',
  optim_grads_params: 'zero3',
} as const satisfies Record<string, Plan['sharding']>;

const ZERO_STAGES = ['none', 'zero1', 'zero2', 'zero3'] as const;

export function readSharding(args: MegatronArgs, builder: SetupBuilder, json: DeepSpeedJson): void {
  const set = (value: NonNullable<Plan['sharding']>, flag: string) => {
    builder.setPlan('sharding', value, 'file', args.place(flag));
  };
  if (isDeepSpeed(args)) readZeroStage(args, builder, json);
  else if (args.on('use-torch-fsdp2') === true) set('zero3', 'use-torch-fsdp2');
  else if (args.on('use-megatron-fsdp') === true) {
    const strategy = args.text('data-parallel-sharding-strategy');
    const name = (strategy?.value ?? 'no_shard') as keyof typeof SHARDING_STRATEGIES;
    if (Object.hasOwn(SHARDING_STRATEGIES, name)) {
      const flag = strategy === null ? 'use-megatron-fsdp' : 'data-parallel-sharding-strategy';
      builder.setPlan('sharding', SHARDING_STRATEGIES[name], 'file', strategy?.source ?? args.place(flag));
    } else args.invalid('data-parallel-sharding-strategy', Object.keys(SHARDING_STRATEGIES).join(', '), name);
  } else {
    const on = args.on('use-distributed-optimizer');
    if (on === true) set('zero1', 'use-distributed-optimizer');
    else if (on === false) builder.setPlan('sharding', 'none', 'default');
  }
  readOffload(args, builder, json);
}

/** With bf16 and stage 0 DeepSpeed's own bf16 optimizer shards its states like stage 1. */
function readZeroStage(args: MegatronArgs, builder: SetupBuilder, json: DeepSpeedJson): void {
  // DeepSpeed itself reads the JSON; the option only tells Megatron.
  const stage = json.stage ?? args.integer('zero-stage', 0, 3);
  if (stage === null) {
    const source = args.place('zero-stage') ?? args.place('deepspeed-config') ?? args.place('deepspeed');
    const unknown = { key: 'plan.sharding', reason: 'file', name: args.text('deepspeed-config')?.value ?? null };
    args.problems.push(problem('value-unknown', unknown, { source }));
    return;
  }
  const bf16 = stage.value === 0 && args.on('bf16') === true;
  const sharding = bf16 ? 'zero1' : (ZERO_STAGES[stage.value] ?? 'none');
  builder.setPlan('sharding', sharding, bf16 ? 'derived' : 'file', stage.source);
}

function readOffload(args: MegatronArgs, builder: SetupBuilder, json: DeepSpeedJson): void {
  const flag = ['optimizer-cpu-offload', 'cpu-optimizer'].find(name => args.on(name) === true);
  if (json.offload !== null) {
    builder.setPlan('offload', json.offload.value, 'file', json.offload.source);
    builder.setPlan('offloadDevice', json.offloadDevice, 'file', json.offload.source);
  } else if (flag !== undefined) {
    builder.setPlan('offload', 'optimizer', 'file', args.place(flag));
    builder.setPlan('offloadDevice', 'cpu', 'derived', args.place(flag));
  }
}

export function readRecompute(args: MegatronArgs, builder: SetupBuilder): void {
  const legacy = ['checkpoint-activations', 'activations-checkpoint-method'].find(name => args.has(name));
  const granularity = args.text('recompute-granularity');
  const simple = args.switchOn('recompute-activations');
  if (simple !== null) builder.setPlan('recompute', 'selective', 'file', simple.source);
  else if (granularity !== null) readGranularity(args, builder, granularity.value, granularity.source);
  else if (legacy !== undefined) builder.setPlan('recompute', 'full', 'file', args.place(legacy));
  else if (!args.has('recompute-granularity') && args.on('recompute-activations') === false) {
    builder.setPlan('recompute', 'none', 'default');
  }
  const modules = args.texts('recompute-modules');
  if (builder.plan.recompute === 'selective' && modules !== null) {
    builder.setPlan('recomputeOps', modules.value.join('+'), 'file', modules.source);
  }
  readRecomputedLayers(args, builder);
}

function readGranularity(args: MegatronArgs, builder: SetupBuilder, value: string, source: SourceRange): void {
  if (value === 'full' || value === 'selective') builder.setPlan('recompute', value, 'file', source);
  else if (value === 'none') builder.setPlan('recompute', 'none', 'file', source);
  else args.invalid('recompute-granularity', 'full or selective', value, source);
}

/** By blocks, so many layers of a stage are recomputed; uniformly, all are, in groups of so many. */
function readRecomputedLayers(args: MegatronArgs, builder: SetupBuilder): void {
  const layers = args.integer('recompute-num-layers');
  const block = args.text('recompute-method')?.value === 'block';
  if (builder.plan.recompute === 'full' && block && layers !== null) {
    builder.setPlan('recomputeLayers', layers.value, 'file', layers.source);
  }
}
