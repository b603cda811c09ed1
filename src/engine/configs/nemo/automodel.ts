/** NeMo Automodel: a hub model by `_target_`, degrees under `distributed`, batches under `step_scheduler`. */
import type { Problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { interpolate } from '../interpolate';
import { type Place, readPlaces } from '../places';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readZooModel } from '../zooModel';

export function isAutomodel(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  const batch = has('step_scheduler', 'global_batch_size') || has('step_scheduler', 'local_batch_size');
  return batch && (has('model', '_target_') || has('distributed'));
}

const ON = { true: true, false: false };
export const PLACES: readonly Place[] = [
  { key: 'tp', at: ['distributed.tp_size'], absent: 1 },
  { key: 'cp', at: ['distributed.cp_size'], absent: 1 },
  { key: 'pp', at: ['distributed.pp_size'], absent: 1 },
  { key: 'ep', at: ['distributed.ep_size'], absent: 1 },
  { key: 'sp', at: ['distributed.sequence_parallel'], words: ON, absent: false },
  { key: 'tpOverlap', at: ['distributed.enable_async_tensor_parallel'], words: ON },
  { key: 'compiled', at: ['distributed.enable_compile', 'compile.enabled'], words: ON },
  {
    key: 'recompute',
    at: ['distributed.activation_checkpointing'],
    words: { true: 'full', false: 'none' },
    absent: 'none',
  },
  { key: 'globalBatch', at: ['step_scheduler.global_batch_size'] },
  { key: 'seqLen', at: ['dataset.seq_len', 'dataset.seq_length', 'packed_sequence.packed_sequence_size'] },
  { key: 'cluster.nodes', at: ['benchmark.num_nodes', 'ci.nodes'] },
];

const SCHEDULES = {
  interleaved1f1b: 'interleaved-1f1b',
  '1f1b': '1f1b',
  gpipe: 'gpipe',
  zbvzerobubble: 'zb-v',
} as const;

export function readAutomodel(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  const { root } = interpolate(tree);
  const reader = new ConfigReader(file, 'nemo', root, problems);
  const { builder } = reader;
  // PyTorch's own sharding, where the rest of NeMo runs Megatron.
  builder.kinds.splice(0, 1, 'nemo-automodel');
  const hub =
    reader.text(['model', 'pretrained_model_name_or_path']) ??
    reader.text(['model', 'config', 'pretrained_model_name_or_path']);
  if (hub !== null) readZooModel(reader, hub.value, hub.source);
  readPlaces(reader, PLACES);
  const dp = reader.integer(['distributed', 'dp_size'], -1, 2 ** 20);
  if (dp !== null && dp.value > 0) builder.setPlan('dp', dp.value, 'file', dp.source);
  readPipeline(reader);
  const replicas = reader.integer(['distributed', 'dp_replicate_size'], 1, 2 ** 20);
  builder.setPlan('sharding', (replicas?.value ?? 1) > 1 ? 'hsdp' : 'zero3', 'derived', replicas?.source ?? null);
  if (replicas !== null) builder.state('replicas', replicas.value, replicas.source);
  const peft = reader.integer(['peft', 'dim'], 1, 65536);
  if (peft !== null) {
    builder.setPlan('adapter', 'lora', 'file', peft.source);
    builder.setPlan('adapterRank', peft.value, 'file', peft.source);
  }
  if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'all-gather', 'default');
  builder.setPlan('stack', 'torchtitan', 'derived');
  return reader.finish();
}

/** A pipeline cuts the local batch into micro-batches; without one the local batch is one. */
function readPipeline(reader: ConfigReader): void {
  const { builder, root } = reader;
  const piped = (builder.plan.pp ?? 1) > 1;
  const at = piped ? ['distributed.pipeline.pp_microbatch_size'] : ['step_scheduler.local_batch_size'];
  readPlaces(reader, [{ key: 'microBatch', at: [...at, 'step_scheduler.local_batch_size'], absent: 1 }]);
  const name = String(plainValue(nodeAt(root, 'distributed', 'pipeline', 'pp_schedule'))).toLowerCase();
  if (!piped || !Object.hasOwn(SCHEDULES, name)) return;
  const schedule = SCHEDULES[name as keyof typeof SCHEDULES];
  builder.setPlan('schedule', schedule, 'file', nodeAt(root, 'distributed', 'pipeline', 'pp_schedule')?.source ?? null);
  if (schedule !== '1f1b' && schedule !== 'gpipe') builder.setPlan('vpp', 2, 'default');
}
