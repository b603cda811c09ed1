/**
 * OpenRLHF's launch scripts: `-m openrlhf.cli.train_…` with options that newer releases write with dots and older ones
 * without sections. DeepSpeed trains; the ranks of ring attention and tensor parallelism share a sequence, so
 * dp = world / (ring · tp) and accumulation = batch · ring · tp / (micro-batch · world) (utils/deepspeed/deepspeed.py).
 */
import { problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import type { TextFile } from '../beside';
import { type Place, presentPath, readPlaces } from '../places';
import { ConfigReader } from '../reader';
import { optionTree } from '../shell/optionTree';
import { readScript, type ShellCommand } from '../shell/script';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readZooModel } from '../zooModel';

const MODEL = ['model.model_name_or_path', 'actor.model_name_or_path', 'pretrain'];
const RANK = ['ds.lora.rank', 'lora_rank'];
const DYNAMIC = ['train.dynamic_batch_enable', 'use_dynamic_batch'];

/** Newer name first; defaults of openrlhf/cli/train_sft.py. */
export const PLACES: readonly Place[] = [
  { key: 'globalBatch', at: ['train.batch_size', 'train_batch_size'], absent: 128 },
  { key: 'tp', at: ['ds.tensor_parallel_size', 'ds_tensor_parallel_size'], absent: 1 },
  { key: 'cp', at: ['ds.ring_attn_size', 'ring_attn_size'], absent: 1 },
  {
    key: 'sharding',
    at: ['ds.zero_stage', 'zero_stage'],
    words: { 0: 'none', 1: 'zero1', 2: 'zero2', 3: 'zero3' },
    absent: 'zero2',
  },
  {
    key: 'offload',
    at: ['ds.adam_offload', 'adam_offload'],
    words: { true: 'optimizer', false: 'none' },
    absent: 'none',
  },
  {
    key: 'recompute',
    at: ['model.gradient_checkpointing_enable', 'actor.gradient_checkpointing_enable', 'gradient_checkpointing'],
    words: { true: 'full', false: 'none' },
    absent: 'none',
  },
  { key: 'optimizer', at: ['optim', 'actor.optim'], words: { adam: 'adamw', muon: 'muon' }, absent: 'adamw' },
  { key: 'cluster.nodes', at: ['actor.num_nodes', 'actor_num_nodes'] },
  { key: 'cluster.gpusPerNode', at: ['actor.num_gpus_per_node', 'actor_num_gpus_per_node', 'num_gpus'] },
];

export const MICRO: Place = { key: 'microBatch', at: ['train.micro_batch_size', 'micro_train_batch_size'] };

export const LENGTH: Place = { key: 'seqLen', at: ['data.max_len', 'max_len'] };
export const RANK_PLACE: Place = { key: 'adapterRank', at: RANK };

/** The command of a script that trains. */
export const openRlhfCommand = (commands: readonly ShellCommand[]): ShellCommand | undefined =>
  commands.findLast(isTraining);

/** Options of older releases have no sections. */
export const isOldRelease = (root: ConfigNode | null): boolean =>
  ['zero_stage', 'train_batch_size', 'bf16'].some(key => nodeAt(root, key) !== null);

export function readOpenRlhf(file: string, text: string, beside: readonly TextFile[]): FileReading | null {
  if (!text.includes('openrlhf')) return null;
  const command = openRlhfCommand(readScript(file, text, beside).commands);
  if (command === undefined) return null;
  const reader = new ConfigReader(file, 'openrlhf', optionTree(command));
  const { builder } = reader;
  builder.setPlan('stack', 'deepspeed', 'derived');
  readPlaces(reader, PLACES);
  if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'ring', 'derived');
  if (builder.plan.offload === 'optimizer') builder.setPlan('offloadDevice', 'cpu', 'derived');
  readPrecision(reader);
  readModel(reader);
  readMicroBatch(reader);
  readLength(reader);
  sayBeside(reader, command);
  return reader.finish();
}

const moduleOf = ({ flags }: ShellCommand): string =>
  flags
    .filter(({ name }) => name === 'm' || name === 'module')
    .flatMap(({ words }) => words.map(({ text }) => text ?? ''))
    .find(text => text.startsWith('openrlhf.cli.train_')) ?? '';

const isTraining = (command: ShellCommand): boolean => moduleOf(command) !== '';

/** Newer releases name the type; older ones have a switch, and train in fp32 without it. */
function readPrecision(reader: ConfigReader): void {
  const isOld = isOldRelease(reader.root);
  const words = { bf16: 'bf16', fp16: 'fp16', true: 'bf16', false: 'fp32' };
  readPlaces(reader, [{ key: 'dtype', at: ['ds.param_dtype', 'bf16'], words, absent: isOld ? 'fp32' : 'bf16' }]);
}

function readModel(reader: ConfigReader): void {
  const { root, builder } = reader;
  const path = presentPath(root, { at: MODEL });
  const base = path === undefined ? null : reader.text(path);
  if (base !== null) readZooModel(reader, base.value, base.source);
  const at = presentPath(root, { at: RANK });
  const rank = at === undefined ? null : reader.integer(at, 0, 65536);
  if (rank === null || rank.value === 0) {
    builder.setPlan('adapter', 'none', 'default');
    return;
  }
  const four = presentPath(root, { at: ['ds.load_in_4bit', 'load_in_4bit'] });
  builder.setPlan('adapter', four === undefined ? 'lora' : 'qlora', 'file', rank.source);
  builder.setPlan('adapterRank', rank.value, 'file', rank.source);
}

function readMicroBatch(reader: ConfigReader): void {
  const path = presentPath(reader.root, { at: DYNAMIC });
  if (path === undefined) {
    readPlaces(reader, [MICRO]);
    return;
  }
  // As many sequences as hold so many tokens.
  const source = nodeAt(reader.root, ...path)?.source ?? null;
  reader.builder.unknown.add('plan.microBatch');
  const args = { key: 'microBatch', reason: 'branch', name: path.join('.'), field: 'plan.microBatch' };
  reader.problems.push(problem('value-unknown', args, { source }));
}

/** Older releases state prompt and answer apart. */
function readLength(reader: ConfigReader): void {
  const prompt = reader.integer(['prompt_max_len'], 1, 2 ** 32);
  const answer = reader.integer(['generate_max_len'], 1, 2 ** 32);
  if (prompt !== null && answer !== null)
    reader.builder.setPlan('seqLen', prompt.value + answer.value, 'derived', answer.source);
  else readPlaces(reader, [LENGTH]);
}

/** Runs by preference and reinforcement hold more models than the one that is trained. */
function sayBeside({ root, problems }: ConfigReader, command: ShellCommand): void {
  const module = moduleOf(command);
  if (!/ppo|dpo|kto|kd/.test(module)) return;
  const offloaded = plainValue(nodeAt(root, 'ref', 'offload')) === true;
  const name = `${module.replace('openrlhf.cli.', '')}: the models beside the trained one${offloaded ? ' (offloaded)' : ''}`;
  problems.push(problem('not-modelled', { what: 'other-models', name }, { source: command.source }));
}
