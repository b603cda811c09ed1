/**
 * Hugging Face config.json: the sizes of a model, with the range of every value and a stated origin of every default.
 * The model's longest sequence is not the training sequence: a config.json sets no key of the plan.
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { ConfigReader } from '../reader';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { familyOf } from './families';
import { Sizes } from './sizes';
import { TraitsReader } from './traits';
import { Values } from './values';

/** Where the sizes of a text model stand inside a composite one. */
const NESTED: readonly (readonly string[])[] = [
  ['thinker_config', 'text_config'],
  ['text_config'],
  ['llm_config'],
  ['language_config'],
];

const HIDDEN_KEYS = ['hidden_size', 'n_embd', 'n_embed', 'd_model', 'dim'];
const LAYER_KEYS = [
  'num_hidden_layers',
  'n_layer',
  'n_layers',
  'num_layers',
  'decoder_layers',
  'hybrid_override_pattern',
  'layers_block_type',
];

/**
 * Whether a tree is a model's config: its class or model_type, and how wide and deep it is. Meta's params.json has
 * neither name and says dim, n_layers and n_heads.
 */
export function isHfConfig(root: ConfigNode): boolean {
  const path = textConfig(root);
  const has = (...keys: readonly string[]) => keys.some(key => nodeAt(root, ...path, key) !== null);
  if (isMetaParams(root)) return true;
  const isNamed = nodeAt(root, 'model_type') !== null || nodeAt(root, 'architectures')?.kind === 'list';
  if (!isNamed) return false;
  // A tower that was saved out of another model names itself nowhere.
  if (plainValue(nodeAt(root, 'model_type')) === 'clip' && nodeAt(root, '_name_or_path') === null) return false;
  if (path.length > 0 && nodeAt(root, 'architectures') !== null) return has('model_type') || has(...HIDDEN_KEYS);
  return has(...HIDDEN_KEYS) && has(...LAYER_KEYS);
}

function isMetaParams(root: ConfigNode): boolean {
  return ['dim', 'n_layers', 'n_heads', 'vocab_size'].every(key => nodeAt(root, key)?.kind === 'scalar');
}

function textConfig(root: ConfigNode): readonly string[] {
  return NESTED.find(path => nodeAt(root, ...path)?.kind === 'map') ?? [];
}

export function readHfConfig(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'hf', root, problems);
  const text = new Values(reader, textConfig(root));
  const whole = new Values(reader, []);
  const rootType = whole.text('model_type') ?? (isMetaParams(root) ? 'meta' : '');
  const modelType = text.text('model_type') ?? rootType;
  const { family, known } = familyOf(modelType);
  const name = reader.text(['_name_or_path']);
  if (name !== null && name.value !== '') reader.builder.setModel('name', name.value, 'file', name.source);
  new Sizes(text, family, modelType).read();
  reader.builder.traits = new TraitsReader(text, whole, family, modelType, rootType).read();
  reader.problems.push(...limits(reader, modelType, known ? (family.inexact ?? null) : 'model-type'));
  return reader.finish();
}

/** What the count and the cost model leave out, said once at the name of the model. */
function limits(reader: ConfigReader, modelType: string, inexact: string | null): Problem[] {
  const { traits } = reader.builder;
  const source = nodeAt(reader.root, 'model_type')?.source ?? nodeAt(reader.root, 'architectures')?.source ?? null;
  const found: Problem[] = [];
  const say = (what: string, name: string) => found.push(problem('not-modelled', { what, name }, { source }));
  if (inexact !== null) say(inexact, modelType);
  const tower = ['vision_config', 'audio_config'].find(key => nodeAt(reader.root, key)?.kind === 'map');
  if (inexact === null && tower !== undefined && traits.beside.length === 0) say('text-only', modelType);
  const names = (parts: readonly { name: string }[]) => [...new Set(parts.map(part => part.name))].join(', ');
  const extra = traits.variants.flatMap(variant => variant.extra);
  if (extra.length > 0) say('layer-parts', names(extra));
  if (traits.beside.length > 0) say('beside', names(traits.beside));
  return found;
}
