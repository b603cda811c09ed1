/**
 * NeMo-RL: the policy that is trained, by PyTorch's DTensor or by Megatron. Keys that the file leaves out may come from
 * the one that `defaults` names, so they are unknown.
 */
import type { PlanKey } from '../../plan/keys';
import type { Problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { interpolate } from '../interpolate';
import { usedDefaults } from '../megatronYaml/read';
import { type Place, presentPath, readPlaces } from '../places';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readZooModel } from '../zooModel';

export function isNemoRl(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  const policy =
    has('policy', 'train_global_batch_size') || has('policy', 'megatron_cfg') || has('policy', 'dtensor_cfg');
  return policy && (has('cluster') || has('policy', 'model_name'));
}

const ON = { true: true, false: false };
export const BATCH: readonly Place[] = [
  { key: 'microBatch', at: ['policy.train_micro_batch_size'] },
  { key: 'globalBatch', at: ['policy.train_global_batch_size'] },
  { key: 'seqLen', at: ['policy.max_total_sequence_length'] },
  {
    key: 'dtype',
    at: ['policy.precision'],
    words: { bfloat16: 'bf16', float16: 'fp16', float32: 'fp32', bf16: 'bf16' },
  },
  { key: 'cluster.gpusPerNode', at: ['cluster.gpus_per_node'] },
  { key: 'cluster.nodes', at: ['cluster.num_nodes'] },
];

const megatron = (key: string): string[] => [`policy.megatron_cfg.${key}`];
export const MEGATRON: readonly Place[] = [
  { key: 'tp', at: megatron('tensor_model_parallel_size') },
  { key: 'pp', at: megatron('pipeline_model_parallel_size') },
  { key: 'cp', at: megatron('context_parallel_size') },
  { key: 'ep', at: megatron('expert_model_parallel_size') },
  { key: 'etp', at: megatron('expert_tensor_parallel_size') },
  { key: 'sp', at: megatron('sequence_parallel'), words: ON },
  { key: 'recompute', at: megatron('activation_checkpointing'), words: { true: 'full', false: 'none' } },
  {
    key: 'sharding',
    at: megatron('distributed_data_parallel_config.use_distributed_optimizer'),
    words: { true: 'zero1', false: 'none' },
    absent: 'zero1',
  },
];

const dtensor = (key: string): string[] => [`policy.dtensor_cfg.${key}`];
export const DTENSOR: readonly Place[] = [
  { key: 'tp', at: dtensor('tensor_parallel_size') },
  { key: 'cp', at: dtensor('context_parallel_size') },
  { key: 'sp', at: dtensor('sequence_parallel'), words: ON },
  { key: 'recompute', at: dtensor('activation_checkpointing'), words: { true: 'full', false: 'none' } },
  { key: 'offload', at: dtensor('cpu_offload'), words: { true: 'optimizer+params', false: 'none' } },
];

export function readNemoRl(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  const resolved = interpolate(tree);
  const reader = new ConfigReader(file, 'nemo', resolved.root, problems);
  const { builder } = reader;
  const name = reader.text(['policy', 'model_name']);
  if (name !== null) readZooModel(reader, name.value, name.source);
  const byMegatron = plainValue(nodeAt(resolved.root, 'policy', 'megatron_cfg', 'enabled')) === true;
  const places = [...BATCH, ...(byMegatron ? MEGATRON : DTENSOR)];
  readPlaces(reader, places);
  if (!byMegatron)
    builder.setPlan('sharding', 'zero3', 'derived', nodeAt(resolved.root, 'policy', 'dtensor_cfg')?.source ?? null);
  if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', byMegatron ? 'ring' : 'all-gather', 'default');
  builder.setPlan('stack', byMegatron ? 'megatron-core' : 'torchtitan', 'derived');
  readInheritance(reader, places);
  reader.problems.push(...usedDefaults(resolved.problems, builder));
  return reader.finish();
}

/** Absent keys come from the file that this one extends. */
function readInheritance(reader: ConfigReader, places: readonly Place[]): void {
  const base = nodeAt(reader.root, 'defaults');
  if (base === null) return;
  const absent = places.filter(place => place.absent === undefined && presentPath(reader.root, place) === undefined);
  for (const { key } of absent) if (!key.includes('.')) reader.builder.unknown.add(`plan.${key as PlanKey}`);
  const [first] = absent;
  reader.refers.push(...[plainValue(base)].flat().filter(value => typeof value === 'string'));
  const name = String(plainValue(base.kind === 'list' ? (base.items[0] ?? null) : base)).slice(0, 80);
  if (first !== undefined) reader.unknown(absent.map(({ key }) => key).slice(0, 4), 'file', base.source, name);
}
