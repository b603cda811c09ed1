/**
 * axolotl's YAML: a hub model, the batch of a rank, degrees whose product fills the world, FSDP or a DeepSpeed file, an
 * adapter. Ranks of expert parallelism see data of their own, so they count as data parallel.
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { addKernels, readOptimizer, readPrecision, referToDeepSpeed, setAdapter } from '../finetune';
import { interpolate } from '../interpolate';
import { presentPath, readPlaces } from '../places';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readZooModel } from '../zooModel';
import { BATCH, CHOICES, DEGREES, REPLICATE, RESHARD, SHARD, STRATEGY } from './keys';

export function isAxolotl(root: ConfigNode): boolean {
  const has = (key: string) => nodeAt(root, key) !== null;
  const trains = ['datasets', 'micro_batch_size', 'sequence_len', 'gradient_accumulation_steps', 'pretraining_dataset'];
  return has('base_model') && trains.filter(has).length >= 2;
}

export function readAxolotl(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  const { root } = interpolate(tree);
  const reader = new ConfigReader(file, 'axolotl', root, problems);
  const { builder } = reader;
  const base = reader.text(['base_model']);
  if (base !== null) readZooModel(reader, base.value, base.source);
  builder.setPlan('stack', 'axolotl', 'derived');
  readPlaces(reader, [...BATCH, ...DEGREES, ...CHOICES]);
  if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'ring', 'default');
  if (builder.plan.offload === 'optimizer+params') builder.setPlan('offloadDevice', 'cpu', 'derived');
  readPrecision(reader, ['bf16', 'bfloat16'], ['fp16', 'float16']);
  readOptimizer(reader, 'optimizer');
  readAttention(reader);
  readAdapter(reader);
  readKernels(reader);
  readSharding(reader);
  return reader.finish();
}

function readAttention(reader: ConfigReader): void {
  const { builder } = reader;
  const implementation = reader.text(['attn_implementation']);
  const eager = reader.boolean(['eager_attention']);
  if (implementation !== null) {
    const kind = implementation.value === 'eager' ? 'unfused' : 'flash';
    builder.setPlan('attention', kind, 'file', implementation.source);
  } else if (eager?.value === true) builder.setPlan('attention', 'unfused', 'file', eager.source);
}

function readAdapter(reader: ConfigReader): void {
  const adapter = plainValue(nodeAt(reader.root, 'adapter'));
  const inFour = plainValue(nodeAt(reader.root, 'load_in_4bit')) === true;
  const kind = adapter === 'qlora' || (adapter === 'lora' && inFour) ? 'qlora' : adapter === 'lora' ? 'lora' : 'none';
  setAdapter(reader, kind, ['adapter'], { path: ['lora_r'], absent: null });
}

/** Kernels of plugins: a loss that takes the projection to the vocabulary with it, without the logits; a fused norm. */
function readKernels(reader: ConfigReader): void {
  const plugins = nodeAt(reader.root, 'plugins');
  const cut = plugins?.kind === 'list' && plugins.items.some(item => /CutCrossEntropy/.test(String(plainValue(item))));
  const fused = reader.boolean(['liger_fused_linear_cross_entropy']) ?? reader.boolean(['cut_cross_entropy']);
  const norm = reader.boolean(['liger_rms_norm']);
  const kernels = [
    ...(cut || fused?.value === true ? ['fused-linear-loss'] : []),
    ...(norm?.value === true ? ['fused-rmsnorm'] : []),
  ];
  const source = fused?.source ?? norm?.source ?? plugins?.source ?? null;
  addKernels(reader, kernels, source);
}

/** Replicas of shards, and expert ranks, which hold the dense weights once more. */
function readSharding(reader: ConfigReader): void {
  const { builder, root } = reader;
  const shard = reader.integer([SHARD], 1, 2 ** 20);
  const replicate = reader.integer([REPLICATE], 1, 2 ** 20);
  const replicas = (replicate?.value ?? 1) * (builder.plan.ep ?? 1);
  if (shard !== null) builder.setPlan('dp', shard.value * replicas, 'file', shard.source);
  if (referToDeepSpeed(reader, 'deepspeed')) return;
  const fsdp = nodeAt(root, 'fsdp') ?? nodeAt(root, 'fsdp_config') ?? nodeAt(root, 'fsdp_version');
  if (fsdp === null) {
    builder.setPlan('sharding', 'none', 'default');
    if (shard !== null && shard.value > 1) {
      const args = { key: SHARD, because: 'fsdp_config is missing', framework: 'axolotl' };
      reader.problems.push(problem('option-ignored', args, { source: shard.source, severity: 'error' }));
    }
    return;
  }
  builder.setPlan('stack', 'accelerate', 'derived');
  if (replicas > 1) {
    builder.setPlan('sharding', 'hsdp', 'file', replicate?.source ?? shard?.source ?? null);
    builder.state('replicas', replicas, replicate?.source ?? null);
    return;
  }
  const words = {
    true: 'zero3',
    false: 'zero2',
    FULL_SHARD: 'zero3',
    SHARD_GRAD_OP: 'zero2',
    NO_SHARD: 'none',
    HYBRID_SHARD: 'hsdp',
  } as const;
  const at = presentPath(root, { at: RESHARD }) === undefined ? STRATEGY : RESHARD;
  readPlaces(reader, [{ key: 'sharding', at, words, absent: 'zero3' }]);
}
