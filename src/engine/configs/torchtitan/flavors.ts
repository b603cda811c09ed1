/** What [model] name and flavor stand for: the entries of torchtitan/models/<name>/__init__.py, as zoo models. */
import type { ModelSizes } from '../../model/sizes';
import { zooEntry } from '../../model/zoo';
import { entry, type ZooEntry } from '../../model/zooEntry';

/** By name, then flavor in lower case: a hub id, or the sizes of a model that has none. */
const FLAVORS: Readonly<Record<string, Readonly<Record<string, string | ZooEntry>>>> = {
  llama: {
    debugmodel: entry('llama', [256, 2, 768, 16, 16, 32000, 2048]),
    '7b': 'meta-llama/llama-2-7b-hf',
    '13b': 'meta-llama/llama-2-13b-hf',
    '70b': 'meta-llama/llama-2-70b-hf',
  },
  llama2: {
    debugmodel: entry('llama', [256, 8, 768, 16, 16, 32000, 2048]),
    '7b': 'meta-llama/llama-2-7b-hf',
    '13b': 'meta-llama/llama-2-13b-hf',
    '26b': entry('llama', [5120, 80, 13824, 40, 40, 32000, 4096]),
    '70b': 'meta-llama/llama-2-70b-hf',
  },
  llama3: {
    debugmodel: entry('llama', [256, 6, 768, 16, 16, 2048, 2048]),
    '1b': 'meta-llama/llama-3.2-1b',
    '3b': 'meta-llama/llama-3.2-3b',
    '8b': 'meta-llama/llama-3.1-8b',
    '70b': 'meta-llama/llama-3.1-70b',
    '405b': 'meta-llama/llama-3.1-405b',
  },
  llama4: {
    '17bx16e': 'meta-llama/llama-4-scout-17b-16e',
    '17bx128e': 'meta-llama/llama-4-maverick-17b-128e',
  },
  deepseek_v3: {
    '16b': 'deepseek-ai/deepseek-v2-lite',
    '236b': 'deepseek-ai/deepseek-v2',
    '671b': 'deepseek-ai/deepseek-v3',
  },
  qwen3: {
    '0.6b': 'qwen/qwen3-0.6b',
    '1.7b': 'qwen/qwen3-1.7b',
    '4b': 'qwen/qwen3-4b',
    '8b': 'qwen/qwen3-8b',
    '14b': 'qwen/qwen3-14b',
    '32b': 'qwen/qwen3-32b',
    '30b-a3b': 'qwen/qwen3-30b-a3b',
    '235b-a22b': 'qwen/qwen3-235b-a22b',
  },
  gpt_oss: { '20b': 'openai/gpt-oss-20b', '120b': 'openai/gpt-oss-120b' },
};

/** Whether a name is one of torchtitan's models. */
export const hasFlavors = (name: string): boolean => Object.hasOwn(FLAVORS, name);

/** The sizes of a flavor, or null where the table does not know it. */
export function flavorEntry(name: string, flavor: string): ZooEntry | null {
  const flavors = Object.hasOwn(FLAVORS, name) ? FLAVORS[name] : undefined;
  const key = flavor.toLowerCase();
  const found = flavors !== undefined && Object.hasOwn(flavors, key) ? flavors[key] : undefined;
  return typeof found === 'string' ? zooEntry(found) : (found ?? null);
}

/** The flavor of a model of the hub, else the first with these sizes, or null. */
export function flavorOf(
  hub: string | null,
  sizes: ModelSizes,
): { readonly name: string; readonly flavor: string } | null {
  const wanted = hub === null ? null : zooEntry(hub);
  const all = ['llama3', 'qwen3', 'llama4', 'deepseek_v3', 'gpt_oss', 'llama2'].flatMap(name =>
    Object.entries(FLAVORS[name] ?? {}).map(([flavor, model]) => ({ name, flavor, model })),
  );
  const entryOf = (model: string | ZooEntry) => (typeof model === 'string' ? zooEntry(model) : model);
  const found =
    all.find(({ model }) => wanted !== null && entryOf(model) === wanted) ??
    all.find(({ model }) => hasSizes(entryOf(model), sizes));
  return found === undefined ? null : { name: found.name, flavor: written(found.flavor) };
}

function hasSizes(model: ZooEntry | null, sizes: ModelSizes): boolean {
  return (
    model?.hidden_size === sizes.hidden &&
    model.num_hidden_layers === sizes.layers &&
    model.intermediate_size === sizes.ffn &&
    model.num_attention_heads === sizes.heads &&
    model.num_key_value_heads === sizes.kvHeads &&
    model.vocab_size === sizes.vocab &&
    model.tie_word_embeddings === sizes.tied
  );
}

/** As torchtitan spells it: sizes in capitals, `debugmodel` not. */
const written = (flavor: string): string => (/\d/.test(flavor) ? flavor.toUpperCase().replace('X', 'x') : flavor);
