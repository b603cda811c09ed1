/**
 * verl: reinforcement (and supervised fine-tuning) as settings of a command, `a.b=value`, over Hydra's YAML, or as that
 * YAML whole. What is read is the actor's training; rollout, reference and critic share its devices. Weights and states
 * that are offloaded between the phases are back while the actor trains (fsdp_workers.py), so they count.
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import type { TextFile } from '../beside';
import { interpolate } from '../interpolate';
import { pathOf, type Place, presentPath, readPlaces } from '../places';
import { ConfigReader, type Read } from '../reader';
import { optionTree } from '../shell/optionTree';
import { readScript, type ShellCommand } from '../shell/script';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readZooModel } from '../zooModel';
import * as keys from './keys';

export function readVerlScript(file: string, text: string, beside: readonly TextFile[]): FileReading | null {
  if (!/verl\.trainer|actor_rollout_ref\./.test(text)) return null;
  const { commands } = readScript(file, text, beside);
  const command = verlCommand(commands);
  if (command === undefined) return null;
  const root = optionTree(command);
  const reader = new ConfigReader(file, 'verl', root);
  if (isReinforcement(root)) return readVerl(reader, nameOf(command));
  readLauncher(reader);
  return readVerl(reader, '');
}

export const verlCommand = (commands: readonly ShellCommand[]): ShellCommand | undefined =>
  commands.findLast(isVerlCommand);

function isVerlCommand({ settings, flags }: ShellCommand): boolean {
  const acts = settings.filter(({ name }) => name.startsWith('actor-rollout-ref.')).length;
  const module = flags.some(({ name, words }) => name === 'm' && words.some(({ text }) => isSupervised(text ?? '')));
  return acts >= 2 || (module && settings.length >= 2);
}

const isSupervised = (module: string): boolean => /^verl\.trainer\.\w*sft_trainer$/.test(module);

/** The YAML that Hydra starts from. */
const nameOf = ({ flags }: ShellCommand): string =>
  flags.find(({ name }) => name === 'config-name')?.words[0]?.text ?? '';

export function isVerl(root: ConfigNode): boolean {
  const has = (path: string) => nodeAt(root, ...pathOf(path)) !== null;
  if (has(keys.ACTOR)) return has(`${keys.ACTOR}.ppo_mini_batch_size`) || has('trainer.n_gpus_per_node');
  return has('model.partial_pretrain') && has('data.train_batch_size') && has('trainer');
}

export function readVerlYaml(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  return readVerl(new ConfigReader(file, 'verl', interpolate(tree).root, problems), '');
}

export const isReinforcement = (root: ConfigNode | null): boolean => nodeAt(root, 'actor_rollout_ref') !== null;

/** Megatron trains where the file says so, has its section, or starts from a YAML of that name. */
export function trainsByMegatron(root: ConfigNode | null, configName: string): boolean {
  const stated = plainValue(nodeAt(root, ...pathOf(`${keys.ACTOR}.strategy`)));
  const section = nodeAt(root, ...pathOf(`${keys.ACTOR}.megatron`));
  return stated === 'megatron' || configName.includes('megatron') || section !== null;
}

function readVerl(reader: ConfigReader, configName: string): FileReading {
  const { root } = reader;
  const reinforcement = isReinforcement(root);
  const core = trainsByMegatron(root, configName);
  readModel(reader);
  if (reinforcement || nodeAt(root, 'trainer', 'n_gpus_per_node') !== null) readPlaces(reader, keys.CLUSTER);
  readPlaces(reader, [keys.OPTIMIZER]);
  if (core) readMegatron(reader);
  else readFsdp(reader);
  if (reinforcement) {
    readActorBatch(reader);
    checkActor(reader);
    const rollout = nodeAt(root, 'actor_rollout_ref', 'rollout');
    const args = { what: 'other-models', name: 'rollout, reference and critic beside the actor' };
    reader.problems.push(problem('not-modelled', args, { source: rollout?.source ?? null }));
  } else readSupervisedBatch(reader);
  return reader.finish();
}

function readModel(reader: ConfigReader): void {
  const path = presentPath(reader.root, { at: keys.MODEL_PATH });
  const base = path === undefined ? null : reader.text(path);
  if (base !== null) readZooModel(reader, base.value, base.source);
  const at = presentPath(reader.root, { at: keys.RANK });
  const rank = at === undefined ? null : reader.integer(at, 0, 65536);
  const isOn = rank !== null && rank.value > 0;
  reader.builder.setPlan('adapter', isOn ? 'lora' : 'none', rank === null ? 'default' : 'file', rank?.source ?? null);
  if (isOn) reader.builder.setPlan('adapterRank', rank.value, 'file', rank.source);
}

function readMegatron(reader: ConfigReader): void {
  const { builder } = reader;
  builder.kinds.splice(0, 1, 'verl-megatron');
  builder.setPlan('stack', 'megatron-core', 'derived');
  readPlaces(reader, keys.MEGATRON);
  const { tp, etp } = builder.plan;
  if (builder.sizes.experts !== null && etp === null && tp !== null) builder.setPlan('etp', tp, 'derived');
  const sp = reader.boolean(pathOf(keys.SEQUENCE_PARALLEL));
  // Megatron switches it off where there is no tensor parallelism.
  const isOn = (sp?.value ?? true) && (builder.plan.tp ?? 1) > 1;
  builder.setPlan('sp', isOn, sp === null ? 'default' : 'file', sp?.source ?? null);
}

function readFsdp(reader: ConfigReader): void {
  const { builder } = reader;
  builder.setPlan('stack', 'transformers', 'derived');
  readPlaces(reader, keys.FSDP);
  if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'all-to-all', 'derived');
  if (builder.plan.offload === 'optimizer+params') builder.setPlan('offloadDevice', 'cpu', 'derived');
  const size = reader.integer(pathOf(keys.FSDP_SIZE), -1, 2 ** 20);
  const { gpus, gpusPerNode, nodes } = builder.cluster;
  const world = gpus ?? (gpusPerNode === null || nodes === null ? null : gpusPerNode * nodes);
  if (size === null || size.value < 0 || (world !== null && size.value >= world)) readPlaces(reader, [keys.RESHARD]);
  else {
    builder.setPlan('sharding', 'hsdp', 'file', size.source);
    builder.setPlan('shardSize', size.value, 'file', size.source);
  }
}

const at = (reader: ConfigReader, path: string, min = 1): Read<number> | null =>
  reader.integer(pathOf(path), min, 2 ** 32);

/** A step of the optimizer takes a mini-batch of prompts, each with its n answers. */
function readActorBatch(reader: ConfigReader): void {
  const { builder, root } = reader;
  const mini = at(reader, `${keys.ACTOR}.ppo_mini_batch_size`);
  const answers = at(reader, 'actor_rollout_ref.rollout.n');
  const isKnown = (path: string, read: unknown) => read !== null || nodeAt(root, ...pathOf(path)) === null;
  if (isKnown(`${keys.ACTOR}.ppo_mini_batch_size`, mini) && isKnown('actor_rollout_ref.rollout.n', answers)) {
    const origin = mini === null ? 'default' : 'derived';
    builder.setPlan('globalBatch', (mini?.value ?? 256) * (answers?.value ?? 1), origin, mini?.source ?? null);
  }
  if (plainValue(nodeAt(root, ...pathOf(`${keys.ACTOR}.use_dynamic_bsz`))) === true) {
    // As many sequences as hold so many tokens.
    const tokens = `${keys.ACTOR}.ppo_max_token_len_per_gpu`;
    builder.unknown.add('plan.microBatch');
    const source =
      nodeAt(root, ...pathOf(tokens))?.source ?? nodeAt(root, ...pathOf(`${keys.ACTOR}.use_dynamic_bsz`))?.source;
    const args = { key: 'microBatch', reason: 'branch', name: tokens, field: 'plan.microBatch' };
    reader.problems.push(problem('value-unknown', args, { source: source ?? null }));
  } else readPlaces(reader, [MICRO]);
  readLengths(reader);
}

const MICRO: Place = { key: 'microBatch', at: [`${keys.ACTOR}.ppo_micro_batch_size_per_gpu`] };

/** The longest sequence: a prompt and its answer. */
function readLengths(reader: ConfigReader): void {
  const lengths = ['data.max_prompt_length', 'data.max_response_length'].map(path => ({
    read: at(reader, path),
    isOpen: nodeAt(reader.root, ...pathOf(path)) === null,
  }));
  if (lengths.some(({ read, isOpen }) => read === null && !isOpen)) reader.builder.unknown.add('plan.seqLen');
  else {
    const total = lengths.reduce((sum, { read }) => sum + (read?.value ?? 512), 0);
    const isDefault = lengths.every(({ isOpen }) => isOpen);
    reader.builder.setPlan('seqLen', total, isDefault ? 'default' : 'derived', lengths[1]?.read?.source ?? null);
  }
}

function readSupervisedBatch(reader: ConfigReader): void {
  readPlaces(reader, keys.SUPERVISED);
}

/** `torchrun --nproc_per_node 8 -m verl.trainer.fsdp_sft_trainer …` */
function readLauncher(reader: ConfigReader): void {
  readPlaces(reader, [
    { key: 'cluster.gpusPerNode', at: ['nproc_per_node'] },
    { key: 'cluster.nodes', at: ['nnodes'], ...(reader.has('nproc_per_node') ? { absent: 1 } : {}) },
  ]);
}

/** What verl refuses (workers/config/actor.py:200-235, utils/config.py:98-115). */
function checkActor(reader: ConfigReader): void {
  const { builder, root, problems } = reader;
  const both = [`${keys.ACTOR}.ppo_micro_batch_size`, `${keys.ACTOR}.ppo_micro_batch_size_per_gpu`] as const;
  const source = (path: string) => nodeAt(root, ...pathOf(path))?.source ?? null;
  const number = (path: string) => plainValue(nodeAt(root, ...pathOf(path)));
  if (both.every(path => typeof number(path) === 'number')) {
    const args = { key: 'ppo_micro_batch_size', other: 'ppo_micro_batch_size_per_gpu', framework: 'verl' };
    problems.push(problem('options-incompatible', args, { source: source(both[0]) }));
  }
  if (number(`${keys.ACTOR}.use_dynamic_bsz`) === true) return;
  const prompts = number('data.train_batch_size');
  const mini = number(`${keys.ACTOR}.ppo_mini_batch_size`);
  if (typeof prompts === 'number' && typeof mini === 'number' && prompts < mini) {
    const args = {
      key: `data.train_batch_size = ${prompts}`,
      other: `ppo_mini_batch_size = ${mini}`,
      framework: 'verl',
    };
    problems.push(problem('options-incompatible', args, { source: source('data.train_batch_size') }));
  }
  const { tp, pp, cp, microBatch } = builder.plan;
  const { gpusPerNode, nodes } = builder.cluster;
  if (typeof prompts !== 'number' || gpusPerNode === null || nodes === null) return;
  const answers = number('actor_rollout_ref.rollout.n') ?? 1;
  const isCore = builder.kinds[0] === 'verl-megatron';
  const ranks = isCore ? (gpusPerNode * nodes) / ((tp ?? 1) * (pp ?? 1) * (cp ?? 1)) : gpusPerNode * nodes;
  const divisor = ranks * (isCore ? (microBatch ?? NaN) : 1);
  if (typeof answers !== 'number' || !Number.isInteger(divisor) || (prompts * answers) % divisor === 0) return;
  const args = { key: 'data.train_batch_size · rollout.n', value: prompts * answers, divisor, framework: 'verl' };
  problems.push(problem('not-divisible', args, { source: source('data.train_batch_size') }));
}
