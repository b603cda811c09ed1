/**
 * OLMo's YAML (allenai/OLMo and OLMoE): sizes, the batch, FSDP or DDP. With SwiGLU mlp_ratio and mlp_hidden_size count
 * gate and up together, so that the width is half of it (olmo/model.py, OLMoBlock). The batch divides over the devices.
 */
import { LLAMA_TRAITS } from '../../model/traits';
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { interpolate } from '../interpolate';
import { readPlaces } from '../places';
import { deriveHeadDim } from '../headDim';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { BATCH, CHOICES, MODEL, MOE, RECOMPUTE, SHARDING } from './keys';

export function isOlmo(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  const sized = ['d_model', 'n_heads', 'n_layers', 'max_sequence_length'].every(key => has('model', key));
  return sized && has('global_train_batch_size') && has('optimizer');
}

export function readOlmo(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  const { root } = interpolate(tree);
  const reader = new ConfigReader(file, 'olmo', root, problems);
  readPlaces(reader, [...BATCH, ...CHOICES, RECOMPUTE, ...MODEL]);
  readModel(reader);
  readSharding(reader);
  const compile = nodeAt(root, 'compile');
  reader.builder.setPlan('compiled', compile?.kind === 'map', compile === null ? 'default' : 'file', compile?.source);
  return reader.finish();
}

function readSharding(reader: ConfigReader): void {
  const strategy = reader.text(['distributed_strategy']);
  const byDdp = strategy?.value === 'ddp' || strategy?.value === 'single';
  if (byDdp) {
    reader.builder.setPlan('sharding', 'none', 'file', strategy.source);
    return;
  }
  readPlaces(reader, [SHARDING]);
  if (reader.builder.plan.sharding !== 'hsdp') return;
  const replicas = reader.integer(['fsdp', 'hybrid_sharding_num_model_replicas'], 1, 2 ** 20);
  if (replicas !== null) reader.builder.state('replicas', replicas.value, replicas.source);
}

function readModel(reader: ConfigReader): void {
  const { builder, root } = reader;
  const run = reader.text(['run_name']);
  if (run !== null) builder.setModel('name', run.value, 'file', run.source);
  const value = (key: string) => plainValue(nodeAt(root, 'model', key));
  const is = (key: string, absent = false) => (value(key) ?? absent) === true;
  const { heads } = builder.sizes;
  if (builder.sizes.kvHeads === null && heads !== null)
    builder.setModel('kvHeads', is('multi_query_attention') ? 1 : heads, 'derived');
  deriveHeadDim(reader);
  const gated = (value('activation_type') ?? 'swiglu') === 'swiglu';
  builder.setModel('gatedMlp', gated, 'derived');
  readWidth(reader, gated);
  const isMoe = value('block_type') === 'moe';
  if (isMoe) {
    readPlaces(reader, MOE);
    builder.setModel('expertFfn', builder.sizes.ffn, 'derived');
  }
  const bias = is('include_bias', true);
  const affine = is('layer_norm_with_affine', true);
  const normed = is('attention_layer_norm') && is('attention_layer_norm_with_affine', true);
  const rms = value('layer_norm_type') === 'rms';
  const withBias = is('bias_for_layer_norm', bias);
  builder.traits = {
    ...LLAMA_TRAITS,
    family: 'olmo',
    norm: !affine ? 'none' : rms ? 'rms' : withBias ? 'layer' : 'layer-no-bias',
    qkvBias: bias,
    outBias: bias,
    mlpBias: bias,
    qkNorm: normed ? 'full' : 'none',
    positionRows: is('rope') || is('alibi') ? 0 : (builder.sizes.maxSeqLen ?? 0),
  };
}

function readWidth(reader: ConfigReader, gated: boolean): void {
  const { builder } = reader;
  const stated = reader.integer(['model', 'mlp_hidden_size'], 1, 200_000_000);
  const ratio = reader.number(['model', 'mlp_ratio'], 0);
  const { hidden } = builder.sizes;
  const whole = stated?.value ?? (hidden === null ? null : (ratio?.value ?? 4) * hidden);
  const source = stated?.source ?? ratio?.source ?? null;
  if (whole === null) return;
  const width = gated ? whole / 2 : whole;
  if (Number.isInteger(width) && width >= 1) {
    builder.setModel('ffn', width, stated === null && ratio === null ? 'default' : 'derived', source);
    return;
  }
  const args = { key: 'model.mlp_ratio · d_model', value: whole, divisor: 2, framework: 'OLMo' };
  reader.problems.push(problem('not-divisible', args, { source }));
}
