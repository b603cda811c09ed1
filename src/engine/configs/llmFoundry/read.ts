/**
 * llm-foundry's YAML, by itself or under `parameters` of a file for MosaicML's platform. MPT models state their sizes;
 * others name a hub model. global_train_batch_size divides over the devices (llmfoundry/utils/config_utils.py:434-443).
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { readHfConfig } from '../hf/read';
import { interpolate } from '../interpolate';
import { readPlaces } from '../places';
import { ConfigReader } from '../reader';
import { type ConfigNode, type Entry, type MapNode, nodeAt, plainValue } from '../tree';
import { readZooModel } from '../zooModel';
import { ATTENTION, BATCH, CHOICES, RECOMPUTE, SHARDING, TENSOR } from './keys';

/** Keys under which the config stands in the file. */
export function baseOf(root: ConfigNode): readonly string[] {
  return nodeAt(root, 'parameters', 'model') === null ? [] : ['parameters'];
}

export function isLlmFoundry(root: ConfigNode): boolean {
  const at = (...path: string[]) => nodeAt(root, ...baseOf(root), ...path);
  const named = at('model', 'name');
  return at('train_loader') !== null && named !== null && at('global_train_batch_size') !== null;
}

export function readLlmFoundry(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  const { root, problems: defaults } = interpolate(nodeAt(tree, ...baseOf(tree)) ?? tree);
  const reader = new ConfigReader(file, 'llm-foundry', root, [...problems, ...defaults]);
  const { builder } = reader;
  // Composer finds the largest micro-batch that fits.
  reader.autoIsUnknown = true;
  readPlaces(reader, [...BATCH, TENSOR, ...CHOICES, ATTENTION]);
  builder.setPlan('stack', 'llm-foundry', 'derived');
  if (nodeAt(root, 'fsdp_config') === null) builder.setPlan('sharding', 'none', 'default');
  else readPlaces(reader, [SHARDING, RECOMPUTE]);
  readModel(reader);
  const gpus = nodeAt(tree, 'compute', 'gpus');
  if (gpus?.kind === 'scalar' && Number.isInteger(gpus.value) && (gpus.value as number) > 0)
    builder.setCluster('gpus', gpus.value as number, 'file', gpus.source);
  checkBatch(reader);
  return reader.finish();
}

function readModel(reader: ConfigReader): void {
  const { root, builder } = reader;
  const name = reader.text(['model', 'name']);
  const base = reader.text(['model', 'pretrained_model_name_or_path']);
  const model = nodeAt(root, 'model');
  if (base !== null) readZooModel(reader, base.value, base.source);
  else if (name?.value === 'mpt_causal_lm' && model?.kind === 'map') readMpt(reader, model);
  else if (name !== null)
    reader.problems.push(
      problem('not-modelled', { what: 'model', name: name.value.slice(0, 60) }, { source: name.source }),
    );
  const adapter = nodeAt(root, 'model', 'peft_config');
  builder.setPlan(
    'adapter',
    adapter === null ? 'none' : 'lora',
    adapter === null ? 'default' : 'file',
    adapter?.source,
  );
  if (adapter !== null) readPlaces(reader, [{ key: 'adapterRank', at: ['model.peft_config.r'], absent: 8 }]);
}

/**
 * MPT has the keys of its config.json, and other defaults (llmfoundry/models/mpt/configuration_mpt.py): biases unless
 * no_bias, learned positions unless ALiBi or RoPE.
 */
function readMpt(reader: ConfigReader, model: MapNode): void {
  const { builder } = reader;
  const type: Entry = { key: model.source, node: { kind: 'scalar', value: 'mpt', source: model.source } };
  const entries = new Map<string, Entry>([...model.entries, ['model_type', type]]);
  const found = readHfConfig(reader.file, { ...model, entries }, []);
  reader.problems.push(...found.problems);
  if (found.setup === null) return;
  Object.assign(builder.sizes, found.setup.sizes);
  for (const [path, origin] of found.setup.fields) builder.fields.set(path, origin);
  const is = (...path: string[]) => plainValue(nodeAt(model, ...path)) === true;
  const bias = !is('no_bias');
  const learned =
    plainValue(nodeAt(model, 'learned_pos_emb')) !== false && !is('attn_config', 'alibi') && !is('attn_config', 'rope');
  const norm = reader.text(['model', 'norm_type'])?.value ?? 'low_precision_layernorm';
  builder.traits = {
    ...found.setup.traits,
    norm: norm.includes('rms') ? 'rms' : bias ? 'layer' : 'layer-no-bias',
    qkvBias: bias,
    outBias: bias,
    mlpBias: bias,
    positionRows: learned ? (builder.sizes.maxSeqLen ?? 0) : 0,
  };
  const ffn = reader.text(['model', 'ffn_config', 'ffn_type']);
  if (ffn === null || ffn.value === 'mptmlp') return;
  if (ffn.value === 'mptglu') builder.setModel('gatedMlp', true, 'file', ffn.source);
  else
    reader.problems.push(
      problem('not-modelled', { what: 'ffn', name: ffn.value.slice(0, 60) }, { source: ffn.source }),
    );
}

/** The batch divides over the devices. */
function checkBatch({ builder, problems }: ConfigReader): void {
  const { globalBatch } = builder.plan;
  const { gpus } = builder.cluster;
  if (globalBatch === null || gpus === null || globalBatch % gpus === 0) return;
  const args = { key: 'global_train_batch_size', value: globalBatch, divisor: gpus, framework: 'llm-foundry' };
  problems.push(problem('not-divisible', args, { source: builder.fields.get('plan.globalBatch')?.source ?? null }));
}
