/**
 * YAML files of Megatron's options: MODEL_ARGS of its functional tests and of MoE-ModelZoo, FlagScale's sections,
 * Primus' overrides, and the sections of megatron/training/yaml_arguments.py.
 */
import type { Problem } from '../../problem';
import type { FileReading, SetupBuilder } from '../../setup/setup';
import { interpolate } from '../interpolate';
import { resolveFlag, TELLING_FLAGS } from '../megatron/flags';
import { dottedFlags } from '../nemo/flags';
import { type ConfigNode, nodeAt, plainValue } from '../tree';
import { readFlags, scalarAt, type YamlFlag } from './flags';

const TELLING = new Set(TELLING_FLAGS);

/** Where the options stand, by dialect. */
const SECTIONS: readonly (readonly string[])[] = [
  ['MODEL_ARGS'],
  ['modules', 'pre_trainer', 'overrides'],
  ['modules', 'sft_trainer', 'overrides'],
];

/** Sections that hold options at their root and, inside of it, further sections. */
const SPREAD = ['system', 'model', 'data', 'language_model', 'model_parallel', 'train', 'training'];

/** Options that FlagScale and Hydra nest in sections of these names. */
const INNER = ['precision', 'optimizer', 'tokenizer', 'parallel', 'distributed', 'runner'];

export function isMegatronYaml(root: ConfigNode): boolean {
  if (isExperiment(root) || isOptionsFile(root)) return true;
  const flags = flagsOf(root);
  const names = new Set(flags.map(({ name }) => name));
  const telling = [...names].filter(name => TELLING.has(name)).length;
  const isSection = SECTIONS.some(path => nodeAt(root, ...path)?.kind === 'map');
  return isSection ? telling >= 1 || names.has('seq-length') : telling >= 2 && nodeAt(root, 'system') !== null;
}

/** FlagScale's experiment file: how many processes, and in `defaults` the name of the file with the options. */
function isExperiment(root: ConfigNode): boolean {
  const backend = plainValue(nodeAt(root, 'experiment', 'task', 'backend'));
  return backend === 'megatron' && nodeAt(root, 'experiment', 'runner') !== null;
}

/** What --yaml-cfg takes (examples/gpt3/gpt_config.yaml): Megatron's own options at the root, those of its core in two sections. */
function isOptionsFile(root: ConfigNode): boolean {
  return nodeAt(root, 'language_model')?.kind === 'map' && nodeAt(root, 'model_parallel')?.kind === 'map';
}

/** Fields of the core's configuration classes that options have other names for (training/yaml_arguments.py). */
const CORE_NAMES: Readonly<Record<string, string>> = { 'num-moe-experts': 'num-experts', fp8: 'fp8-format' };

function optionsFile(root: ConfigNode): YamlFlag[] {
  const flags = [[], ['language_model'], ['model_parallel']].flatMap(path => {
    const section = nodeAt(root, ...path);
    return section === null ? [] : ownFlags(section, path);
  });
  return flags.flatMap(flag => {
    const { name, node } = flag;
    const value = plainValue(node);
    if (name === 'add-bias-linear')
      return value === false ? [{ ...flag, name: 'disable-bias-linear', node: scalarAt(node.source, true) }] : [];
    if (name === 'activation-func')
      return value === 'swiglu' ? [{ ...flag, name: 'swiglu', node: scalarAt(node.source, true) }] : [];
    // The chunks follow from num_layers_per_virtual_pipeline_stage; --swiglu does not reach the core.
    if (name === 'virtual-pipeline-model-parallel-size' || name === 'swiglu') return [];
    return [{ ...flag, name: CORE_NAMES[name] ?? name }];
  });
}

export function readMegatronYaml(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const resolved = interpolate(root);
  const flags = flagsOf(resolved.root);
  const { builder, problems: found } = readFlags(flags, 'megatron', root.source);
  const damaged = problems.some(({ code }) => code === 'syntax' || code === 'too-deep');
  const all = [...problems, ...usedDefaults(resolved.problems, builder), ...found];
  return { file, kind: 'megatron', setup: builder.build(), problems: all, damaged };
}

/** Of the variables with a default, those that a value of the setup comes from. */
export function usedDefaults(problems: readonly Problem[], { fields }: SetupBuilder): Problem[] {
  const used = new Set([...fields.values()].map(({ source }) => `${source?.line}:${source?.column}`));
  return problems.filter(({ source }) => used.has(`${source?.line}:${source?.column}`));
}

/** The options of a file, in any of its dialects. */
export function flagsOf(root: ConfigNode): YamlFlag[] {
  if (isOptionsFile(root)) return optionsFile(root);
  for (const path of SECTIONS) {
    const section = nodeAt(root, ...path);
    if (section?.kind !== 'map') continue;
    const dotted = [...section.entries.keys()].some(key => key.startsWith('trainer.'));
    return dotted ? dottedFlags(section) : ownFlags(section, path);
  }
  const sections = [...SPREAD.map(key => [key]), ['experiment', 'runner']];
  return sections.flatMap(path => {
    const section = nodeAt(root, ...path);
    return section === null ? [] : ownFlags(section, path);
  });
}

/** The options of a map and of the sections inside of it. */
function ownFlags(section: ConfigNode, at: readonly string[], depth = 0): YamlFlag[] {
  if (section.kind !== 'map') return [];
  const flags: YamlFlag[] = [];
  for (const [key, { node }] of section.entries) {
    if (node.kind === 'map') {
      if (depth === 0 && INNER.includes(key)) flags.push(...ownFlags(node, [...at, key], 1));
    } else
      flags.push({ name: resolveFlag(key.replace(/^--/, '').replaceAll('_', '-')), key, node, path: [...at, key] });
  }
  return flags;
}
