/**
 * A MaxText model's sizes as the config.json of the family whose layers are the same, so that one reader counts both.
 * Each value keeps its place in MaxText's file; what base.yml fills in is a default.
 */
import { zooEntry } from '../../model/zoo';
import { problem, type SourceRange } from '../../problem';
import { readHfConfig } from '../hf/read';
import type { ConfigReader } from '../reader';
import { type ConfigNode, type Entry, type MapNode, nodeAt, plainValue } from '../tree';
import { setZooEntry } from '../zooModel';
import * as keys from './keys';
import { MODELS } from './models';

/** The place of what base.yml says. */
const BASE: SourceRange = { file: '', line: 0, column: 0, endLine: 0, endColumn: 0 };

/** Blocks of a local and a global layer: the stated number of layers counts pairs. */
const PAIRED = ['gemma2'];

/** Reads the sizes of the file, else those of the model that it names, else base.yml's. */
export function readModel(reader: ConfigReader): void {
  const { root, builder } = reader;
  const name = reader.text(['model_name']);
  const isNamed = name !== null && name.value !== 'default';
  if (isNamed) builder.setModel('name', name.value, 'file', name.source);
  if (isNamed && nodeAt(root, 'base_emb_dim') === null) {
    const model = Object.hasOwn(MODELS, name.value) ? MODELS[name.value] : undefined;
    const entry = model === undefined ? null : zooEntry(model.hub);
    if (entry !== null) {
      setZooEntry(reader, entry);
      // MaxText pads some vocabularies.
      if (model?.vocab !== undefined) builder.setModel('vocab', model.vocab, 'zoo');
      if (model?.textOnly === true) builder.traits = { ...builder.traits, beside: [] };
      return;
    }
    reader.refers.push(`models/${name.value}.yml`);
    reader.fields.set('model', 'model.hidden');
    reader.unknown(['model'], 'zoo', name.source, name.value.slice(0, 80));
    return;
  }
  readSizes(reader);
}

function readSizes(reader: ConfigReader): void {
  const { root, builder } = reader;
  const block = nodeAt(root, 'decoder_block');
  const plain = plainValue(block);
  const stated = block === null ? 'llama2' : typeof plain === 'string' ? plain : (JSON.stringify(plain) ?? '');
  const family = Object.hasOwn(keys.BLOCKS, stated) ? keys.BLOCKS[stated] : undefined;
  if (family === undefined) {
    const args = { what: 'model', name: `decoder_block ${stated.slice(0, 40)}` };
    reader.problems.push(problem('not-modelled', args, { source: block?.source ?? null }));
    return;
  }
  const config = asConfig(root, family, block?.source ?? BASE);
  const reading = readHfConfig(reader.file, config, []);
  const { setup } = reading;
  if (setup === null) return;
  const { name, maxSeqLen } = builder.sizes;
  Object.assign(builder.sizes, setup.sizes, { name, maxSeqLen: setup.sizes.maxSeqLen ?? maxSeqLen });
  builder.traits = setup.traits;
  for (const [path, field] of setup.fields) builder.fields.set(path, stripBase(field));
  reader.problems.push(
    ...reading.problems.map(found => ({
      ...found,
      args: found.args.key === undefined ? found.args : { ...found.args, key: ownName(String(found.args.key)) },
      source: found.source === BASE ? null : found.source,
    })),
  );
}

type Field = ReturnType<ConfigReader['builder']['fields']['get']> & object;

function stripBase(field: Field): Field {
  return field.source === BASE ? { origin: 'default', source: null } : field;
}

/** MaxText's name of a key of config.json. */
function ownName(key: string): string {
  const tables = [...keys.SIZES, ...keys.MLA, ...keys.EXPERTS];
  return tables.find(([, hf]) => hf === key)?.[0] ?? key;
}

/** The sizes under the names of the family's config.json. */
function asConfig(root: ConfigNode | null, family: string, source: SourceRange): MapNode {
  const entries = new Map<string, Entry>();
  const put = (key: string, node: ConfigNode | null) => {
    if (node !== null) entries.set(key, { key: node.source, node });
  };
  const value = (of: number | boolean | string, at: SourceRange = BASE): ConfigNode => ({
    kind: 'scalar',
    value: of,
    source: at,
  });
  const own = (key: string, absent: number | boolean | null): ConfigNode | null =>
    nodeAt(root, key) ?? (absent === null ? null : value(absent));
  for (const [key, hf, absent] of keys.SIZES) put(hf, own(key, absent));
  // base.yml writes 0 for attention to all that came before.
  if (plainValue(nodeAt(root, 'sliding_window_size')) === 0) entries.delete('sliding_window');
  const layers = nodeAt(root, 'base_num_decoder_layers');
  const count = plainValue(layers);
  if (PAIRED.includes(family) && layers !== null && typeof count === 'number')
    put('num_hidden_layers', value(2 * count, layers.source));
  const experts = nodeAt(root, 'num_experts');
  const isMoe = Number(plainValue(experts) ?? 1) > 1;
  if (isMoe) put(keys.EXPERT_COUNT[family] ?? 'num_experts', experts);
  if (isMoe) for (const [key, hf, absent] of keys.EXPERTS) put(hf, own(key, absent));
  if (plainValue(nodeAt(root, 'attention_type')) === 'mla')
    for (const [key, hf, absent] of keys.MLA) put(hf, positive(own(key, absent)));
  if (family === 'qwen3_next') for (const [key, hf] of keys.LINEAR) put(hf, nodeAt(root, key));
  if (family === 'gpt2') special(root, put);
  if (family === 'llama4_text') {
    put('intermediate_size_mlp', own('base_mlp_dim', 7168));
    put('intermediate_size', own('base_moe_mlp_dim', null));
  }
  const type = family === 'deepseek_v3' && plainValue(nodeAt(root, 'routed_bias')) !== true ? 'deepseek_v2' : family;
  put('model_type', value(type, source));
  return { kind: 'map', entries, source };
}

/** MaxText writes 0 for no low rank. */
function positive(node: ConfigNode | null): ConfigNode | null {
  return plainValue(node) === 0 ? null : node;
}

/** GPT-3's keys go by GPT-2's names. */
function special(root: ConfigNode | null, put: (key: string, node: ConfigNode | null) => void): void {
  const renamed = {
    base_emb_dim: 'n_embd',
    base_num_decoder_layers: 'n_layer',
    base_num_query_heads: 'n_head',
    base_mlp_dim: 'n_inner',
    trainable_position_size: 'n_positions',
  };
  for (const [key, hf] of Object.entries(renamed)) put(hf, nodeAt(root, key));
}
