/**
 * nanotron's YAML: degrees, tokens and the model under the keys of Hugging Face. World size = dp·tp·pp·cp
 * (nanotron/parallel/context.py); global batch = micro-batch · accumulation · dp.
 */
import { LLAMA_TRAITS } from '../../model/traits';
import type { Problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { readPlaces } from '../places';
import { deriveHeadDim } from '../headDim';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { BATCH, CHOICES, DEGREES, ENGINE, MODEL, MOE } from './keys';

export function isNanotron(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  const degrees = ['dp', 'tp', 'pp'].filter(key => has('parallelism', key)).length;
  return degrees >= 2 && (has('tokens') || has('model', 'model_config'));
}

export function readNanotron(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'nanotron', root, problems);
  const { builder } = reader;
  readPlaces(reader, [...DEGREES, ...BATCH, ...CHOICES]);
  if ((builder.plan.pp ?? 1) > 1) readPlaces(reader, [ENGINE]);
  if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'ring', 'default');
  builder.setPlan('stack', 'nanotron', 'derived');
  readModel(reader);
  return reader.finish();
}

function readModel(reader: ConfigReader): void {
  const { builder } = reader;
  const config = ['model', 'model_config'];
  const run = reader.text(['general', 'run']);
  if (run !== null && !run.value.includes('%')) builder.setModel('name', run.value, 'file', run.source);
  if (nodeAt(reader.root, ...config)?.kind !== 'map') return;
  readPlaces(reader, MODEL);
  readVocabulary(reader);
  const { heads } = builder.sizes;
  if (builder.sizes.kvHeads === null && heads !== null) builder.setModel('kvHeads', heads, 'derived');
  deriveHeadDim(reader);
  builder.setModel('gatedMlp', true, 'derived');
  const isMoe = ['moe_config', 'moe_num_experts', 'num_local_experts'].some(
    key => plainValue(nodeAt(reader.root, ...config, key)) != null,
  );
  if (isMoe) readPlaces(reader, MOE);
  if (isMoe && builder.sizes.expertFfn === null) builder.setModel('expertFfn', builder.sizes.ffn, 'derived');
  const isQwen = reader.boolean([...config, 'is_qwen2_config'])?.value === true;
  const bias = reader.boolean([...config, 'attention_bias'])?.value;
  builder.traits = { ...LLAMA_TRAITS, family: isQwen ? 'qwen2' : 'llama', qkvBias: bias ?? isQwen };
  if (isMoe) readShared(reader);
}

/** nanotron takes the vocabulary of the dataset's tokenizer where the file says -1. */
function readVocabulary(reader: ConfigReader): void {
  const path = ['model', 'model_config', 'vocab_size'];
  const read = reader.integer(path, -1, 100_000_000);
  if (read === null) return;
  if (read.value > 0) reader.builder.setModel('vocab', read.value, 'file', read.source);
  else reader.unknown(path, 'missing', read.source, 'the tokenizer');
}

function readShared(reader: ConfigReader): void {
  const { builder } = reader;
  const moe = ['model', 'model_config', 'moe_config'];
  const enabled = reader.boolean([...moe, 'enable_shared_expert']);
  const width = reader.integer([...moe, 'shared_expert_intermediate_size'], 0, 100_000_000);
  if (enabled?.value !== true || width === null) return;
  builder.setModel('sharedExperts', 1, 'file', enabled.source);
  builder.traits = { ...builder.traits, moe: { ...builder.traits.moe, sharedWidth: width.value, sharedGate: true } };
}
