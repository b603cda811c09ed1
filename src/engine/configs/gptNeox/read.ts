/**
 * GPT-NeoX: YAML, or JSON with comments in YAML, keys with dashes or underscores; a run merges several files. The stated
 * intermediate_size of a gated model is three times the real width (megatron/model/transformer.py).
 */
import type { NormKind } from '../../model/layer';
import { LLAMA_TRAITS } from '../../model/traits';
import type { Problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { readDeepSpeedKeys } from '../deepspeed/read';
import { readPlaces } from '../places';
import { deriveHeadDim } from '../headDim';
import { ConfigReader } from '../reader';
import { type ConfigNode, type Entry, nodeAt, plainValue } from '../tree';
import { CHOICES, DEGREES, GATED, MODEL, TOKENIZERS } from './keys';

/** Keys that no other framework has; and keys of which it takes several. */
const STRONG = [
  'pipe_parallel_size',
  'model_parallel_size',
  'gpt_j_residual',
  'no_weight_tying',
  'output_layer_parallelism',
];
const WEAK = [
  'vocab_file',
  'merge_file',
  'data_path',
  'log_dir',
  'tensorboard_dir',
  'pos_emb',
  'attention_config',
  'checkpoint_factor',
  'wandb_project',
  'checkpoint_validation_with_forward_pass',
];

export function isGptNeox(root: ConfigNode): boolean {
  if (root.kind !== 'map') return false;
  const keys = new Set([...root.entries.keys()].map(plainKey));
  const strong = STRONG.filter(key => keys.has(key)).length;
  return strong >= 2 || (strong === 1 && keys.has('num_layers')) || WEAK.filter(key => keys.has(key)).length >= 4;
}

const plainKey = (key: string): string => key.replaceAll('-', '_');

/** The tree with underscores in its keys. */
export function withUnderscores(root: ConfigNode): ConfigNode {
  if (root.kind !== 'map') return root;
  const entries = new Map<string, Entry>();
  for (const [key, entry] of root.entries) entries.set(plainKey(key), entry);
  return { ...root, entries };
}

export function readGptNeox(file: string, tree: ConfigNode, problems: readonly Problem[]): FileReading {
  const root = withUnderscores(tree);
  const reader = new ConfigReader(file, 'gpt-neox', root, problems);
  const { builder } = reader;
  const holdsPlan = ['num_layers', 'pipe_parallel_size', 'train_micro_batch_size_per_gpu'].some(key => reader.has(key));
  if (holdsPlan) {
    readPlaces(reader, [...DEGREES, ...CHOICES]);
    readDeepSpeedKeys(reader, []);
    readPrecision(reader);
    readAttention(reader);
    if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'ring', 'default');
    builder.setPlan('stack', 'megatron-deepspeed', 'derived');
  }
  readPlaces(reader, MODEL);
  if (reader.has('num_layers')) readModel(reader);
  else readVocabulary(reader);
  return reader.finish();
}

function readPrecision(reader: ConfigReader): void {
  const words = { bfloat16: 'bf16', bf16: 'bf16', fp16: 'fp16', half: 'fp16', fp32: 'fp32' } as const;
  readPlaces(reader, [{ key: 'dtype', at: ['precision'], words }]);
}

/** attention_config is a list of [[kinds], times]; what is not flash keeps its scores. */
function readAttention(reader: ConfigReader): void {
  const node = nodeAt(reader.root, 'attention_config');
  if (node === null) reader.builder.setPlan('attention', 'unfused', 'default');
  else {
    const flash = JSON.stringify(plainValue(node)).includes('flash');
    reader.builder.setPlan('attention', flash ? 'flash' : 'unfused', 'file', node.source);
  }
}

function readModel(reader: ConfigReader): void {
  const { builder } = reader;
  const { hidden, heads } = builder.sizes;
  if (builder.sizes.kvHeads === null && heads !== null) builder.setModel('kvHeads', heads, 'derived');
  deriveHeadDim(reader);
  const untied = reader.boolean(['no_weight_tying']);
  builder.setModel('tied', !(untied?.value ?? false), untied === null ? 'default' : 'file', untied?.source ?? null);
  readFeedForward(reader, hidden);
  readVocabulary(reader);
  readExperts(reader);
  const flag = (key: string) => reader.boolean([key])?.value ?? true;
  const rms = /rms/.test(String(plainValue(nodeAt(reader.root, 'norm'))));
  const norm: NormKind = rms ? 'rms' : flag('use_bias_in_norms') ? 'layer' : 'layer-no-bias';
  const linear = flag('use_bias_in_attn_linear');
  const learned = (plainValue(nodeAt(reader.root, 'pos_emb')) ?? 'learned') === 'learned';
  builder.traits = {
    ...LLAMA_TRAITS,
    family: 'gpt_neox',
    norm,
    qkvBias: linear,
    outBias: linear,
    mlpBias: builder.sizes.gatedMlp !== true && flag('use_bias_in_mlp'),
    positionRows: learned ? (builder.sizes.maxSeqLen ?? 0) : 0,
    moe: { ...LLAMA_TRAITS.moe, step: reader.integer(['expert_interval'])?.value ?? 2 },
  };
}

function readFeedForward(reader: ConfigReader, hidden: number | null): void {
  const { builder } = reader;
  const activation = reader.text(['activation'])?.value ?? 'gelu';
  const gated = GATED.includes(activation);
  builder.setModel('gatedMlp', gated, reader.has('activation') ? 'derived' : 'default');
  const stated = reader.integer(['intermediate_size'], 1, 100_000_000);
  const width = stated?.value ?? (hidden === null ? null : 4 * hidden);
  if (width === null) return;
  const multiple = reader.integer(['mlp_multiple_of'])?.value ?? 1;
  const real = gated ? multiple * Math.ceil(Math.floor(width / 3) / multiple) : width;
  const asWritten = stated !== null && real === stated.value;
  builder.setModel('ffn', real, asWritten ? 'file' : 'derived', stated?.source ?? null);
}

/** The tokenizer's rows, padded to a multiple of make_vocab_size_divisible_by · model_parallel_size. */
function readVocabulary(reader: ConfigReader): void {
  const { builder } = reader;
  const written = reader.integer(['padded_vocab_size'], 1, 100_000_000);
  if (written !== null) {
    builder.setModel('vocab', written.value, 'file', written.source);
    return;
  }
  const multiple = (reader.integer(['make_vocab_size_divisible_by'])?.value ?? 128) * (builder.plan.tp ?? 1);
  for (const [key, pattern, size] of TOKENIZERS) {
    const node = nodeAt(reader.root, key);
    if (!pattern.test(String(plainValue(node)))) continue;
    builder.setModel('vocab', Math.ceil(size / multiple) * multiple, 'derived', node?.source ?? null);
    return;
  }
}

function readExperts(reader: ConfigReader): void {
  const { builder } = reader;
  const experts = reader.integer(['moe_num_experts'], 1, 1_000_000) ?? reader.integer(['num_experts'], 1, 1_000_000);
  if (experts === null || experts.value === 1) return;
  builder.setModel('experts', experts.value, 'file', experts.source);
  const topK = reader.integer(['moe_top_k'], 1, 1_000_000);
  builder.setModel('topK', topK?.value ?? 1, topK === null ? 'default' : 'file', topK?.source ?? null);
  builder.setModel('expertFfn', builder.sizes.ffn, 'derived');
}
