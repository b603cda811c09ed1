/**
 * NeMo 1 and launcher YAML, with Megatron-Bridge overrides: sections of Megatron's options in NeMo's words.
 * Interpolations that leave the file (the launcher composes several) stay unknown.
 */
import type { Problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { interpolate } from '../interpolate';
import { readFlags, type YamlFlag } from '../megatronYaml/flags';
import { usedDefaults } from '../megatronYaml/read';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { optimizerFlags, sectionFlags, tokenizerFlags } from './flags';

export function isNemo(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  const trains = has('trainer', 'devices') || has('trainer', 'num_nodes');
  const degrees = has('model', 'tensor_model_parallel_size') || has('model', 'global_batch_size');
  return (trains && degrees) || isBridge(root);
}

/** Megatron-Bridge: only the keys that a recipe changes. */
function isBridge(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  const batch = has('train', 'global_batch_size') || has('train', 'micro_batch_size');
  const other = ['ddp', 'dist', 'rng', 'checkpoint', 'scheduler', 'logger'].filter(key => has(key)).length;
  return batch && (has('model') || has('dataset')) && other >= 1;
}

/** NeMo's own files give a method beside selective recomputation, which has none. */
function withoutUnused(flags: readonly YamlFlag[]): YamlFlag[] {
  const granularity = flags.find(({ name }) => name === 'recompute-granularity')?.node ?? null;
  if (plainValue(granularity) === 'full') return [...flags];
  return flags.filter(({ name }) => name !== 'recompute-method' && name !== 'recompute-num-layers');
}

export function readNemo(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const resolved = interpolate(root);
  const at = (...path: string[]) => nodeAt(resolved.root, ...path);
  const composite = at('model', 'mm_cfg', 'llm') !== null;
  // T5 and retro nest their sizes; the decoder is what MeshLens models, the encoder is like it.
  const inner = ['decoder', 'encoder'].find(part => at('model', part, 'num_layers') !== null);
  const flags = [
    ...sectionFlags(at('trainer')),
    ...sectionFlags(at('model')),
    ...(inner === undefined ? [] : sectionFlags(at('model', inner))),
    ...sectionFlags(at('train')),
    ...sectionFlags(at('ddp')),
    ...sectionFlags(at('dist')),
    ...tokenizerFlags(at('model', 'tokenizer')),
    ...optimizerFlags(at('model', 'optim')),
  ];
  const { builder, problems: found } = readFlags(withoutUnused(flags), 'nemo', root.source);
  const name = plainValue(at('run', 'name')) ?? plainValue(at('name'));
  if (typeof name === 'string') builder.setModel('name', name, 'file', at('run', 'name')?.source ?? at('name')?.source);
  builder.setPlan('stack', 'nemo', 'derived');
  if (composite) builder.traits = { ...builder.traits, family: 'multimodal' };
  const damaged = problems.some(({ code }) => code === 'syntax' || code === 'too-deep');
  const all = [...problems, ...usedDefaults(resolved.problems, builder), ...found];
  return { file, kind: 'nemo', setup: builder.build(), problems: all, damaged };
}
