/** The parts of a recipe as Megatron's options. */
import type { SourceRange } from '../../problem';
import { scalarAt, type YamlFlag } from '../megatronYaml/flags';
import { sectionFlags } from '../nemo/flags';
import { toConfigNode } from '../python/tree';
import { fieldAt, type ObjectValue, type PythonValue } from '../python/value';
import type { ConfigNode } from '../tree';
import { GPT_CLASSES, MODEL_CLASSES, recipeModel } from './classes';

/** What NeMo 2's and Bridge's shared helpers set: a distributed optimizer, bf16. */
const HELPER_DEFAULTS = { 'use-distributed-optimizer': true, bf16: true } as const;

/** Batches and lengths of the functions that recipes start from (Bridge: recipes/common.py; NeMo: finetune_default.py). */
export const STARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  _pretrain_common: { 'global-batch-size': '32', 'micro-batch-size': '2', 'seq-length': '4096' },
  _sft_common: { 'global-batch-size': '128', 'micro-batch-size': '1', 'seq-length': '2048' },
  _peft_common: { 'global-batch-size': '128', 'micro-batch-size': '1', 'seq-length': '2048' },
  default_finetune_recipe: { 'global-batch-size': '128', 'micro-batch-size': '1', 'seq-length': '2048' },
};

/** Parameters of NeMo's `trainer` functions, for recipes that import one. */
const TRAINER: Readonly<Record<string, string>> = {
  tensor_parallelism: 'tensor-model-parallel-size',
  pipeline_parallelism: 'pipeline-model-parallel-size',
  virtual_pipeline_parallelism: 'num-virtual-stages-per-pipeline-rank',
  context_parallelism: 'context-parallel-size',
  expert_parallelism: 'expert-model-parallel-size',
  sequence_parallelism: 'sequence-parallel',
};

/** Megatron's options in the parts of a recipe; what stands later counts. */
export function flagsOf(config: ObjectValue): YamlFlag[] {
  return partFlags(config).filter(({ node }) => node.kind !== 'list' || node.items.length > 0);
}

function partFlags(config: ObjectValue): YamlFlag[] {
  const section = (...path: string[]): ConfigNode | null => {
    const value = fieldAt(config, ...path);
    return value === null ? null : toConfigNode(value);
  };
  return [
    ...Object.entries(HELPER_DEFAULTS).map(([name, value]) => ({
      name,
      key: name,
      node: scalarAt(config.source, value),
    })),
    ...startFlags(config),
    ...trainerFlags(config),
    ...sectionFlags(section('trainer')),
    ...sectionFlags(section('trainer', 'strategy')),
    ...sectionFlags(section('trainer', 'strategy', 'ddp')),
    ...sectionFlags(section('model', 'config')),
    ...sectionFlags(section('data')),
    ...sectionFlags(section('dataset')),
    ...sectionFlags(section('model')),
    ...sectionFlags(section('train')),
    ...sectionFlags(section('ddp')),
    ...overlapFlags(config),
    ...precisionFlags(config),
    ...stageFlags(config),
    ...layoutFlags(config),
    ...sizeFlags(config),
  ];
}

/** The options of a GPT class, so that sizes count as Megatron counts them. */
function sizeFlags(config: ObjectValue): YamlFlag[] {
  const model = modelOf(config);
  const sizes = model === null ? undefined : GPT_CLASSES[model.name];
  if (model === null || sizes === undefined || !Object.hasOwn(GPT_CLASSES, model.name)) return [];
  const options = {
    'num-layers': sizes.layers,
    'hidden-size': sizes.hidden,
    'ffn-hidden-size': sizes.ffn,
    'num-attention-heads': sizes.heads,
    'max-position-embeddings': sizes.longest,
    'tokenizer-type': 'GPT2BPETokenizer',
  };
  return Object.entries(options).map(([name, value]) => ({
    name,
    key: model.name,
    node: scalarAt(model.source, value),
  }));
}

/** The communication overlap of tensor parallelism: a callback in NeMo 2, a config in Bridge. */
function overlapFlags(config: ObjectValue): YamlFlag[] {
  const callbacks = fieldAt(config, 'trainer', 'callbacks');
  const candidates = [fieldAt(config, 'comm_overlap'), ...(callbacks?.kind === 'list' ? callbacks.items : [])];
  return candidates.flatMap(candidate => {
    const overlap = fieldAt(candidate, 'tp_comm_overlap');
    return overlap === null ? [] : [{ name: 'tp-comm-overlap', key: 'tp_comm_overlap', node: toConfigNode(overlap) }];
  });
}

/** The precision is a plugin or the name of one: bf16_mixed, fp16_mixed, bf16_with_fp8_mixed. */
function precisionFlags(config: ObjectValue): YamlFlag[] {
  const value = fieldAt(config, 'mixed_precision') ?? fieldAt(config, 'trainer', 'plugins');
  if (value === null) return [];
  const name = precisionName(value);
  const flag = (option: string, setting: string | boolean): YamlFlag => ({
    name: option,
    key: 'mixed_precision',
    node: scalarAt(value.source, setting),
  });
  const fp8 = /fp8|mxfp8/.test(name) ? [flag('fp8-format', 'hybrid')] : [];
  const recipe = /mxfp8/.test(name) ? [flag('fp8-recipe', 'mxfp8')] : [];
  const fp4 = /nvfp4|fp4/.test(name) ? [flag('fp4-format', 'e2m1')] : [];
  const half = /fp16/.test(name) ? [flag('bf16', false), flag('fp16', true)] : [];
  return [...half, ...fp8, ...recipe, ...fp4];
}

function precisionName(value: PythonValue): string {
  if (value.kind === 'literal') return String(value.value);
  if (value.kind !== 'object') return '';
  const [first] = value.args;
  return first?.kind === 'literal' ? `${value.callee} ${String(first.value)}` : value.callee;
}

/** Layers of the first and last stage, and whether embedding and loss count as one each. */
const STAGES: Readonly<Record<string, string>> = {
  num_layers_in_first_pipeline_stage: 'decoder-first-pipeline-num-layers',
  num_layers_in_last_pipeline_stage: 'decoder-last-pipeline-num-layers',
  account_for_embedding_in_pipeline_split: 'account-for-embedding-in-pipeline-split',
  account_for_loss_in_pipeline_split: 'account-for-loss-in-pipeline-split',
};

function stageFlags(config: ObjectValue): YamlFlag[] {
  return Object.entries(STAGES).flatMap(([key, name]) => {
    const value = fieldAt(config, 'trainer', 'strategy', key) ?? fieldAt(config, 'model', key);
    return value?.kind === 'literal' && value.value !== null ? [{ name, key, node: toConfigNode(value) }] : [];
  });
}

/** What the helper sets from which the recipe starts; its arguments are NeMo's nodes and GPUs. */
function startFlags(config: ObjectValue): YamlFlag[] {
  const { callee, args, source } = config;
  const values = Object.hasOwn(STARTS, callee) ? Object.entries(STARTS[callee] ?? {}) : [];
  const flags = values.map(([name, value]) => ({ name, key: callee, node: scalarAt(source, value) }));
  if (callee !== 'default_finetune_recipe') return flags;
  const [, , , , nodes, gpus] = args;
  const sized = [
    ['nnodes', nodes],
    ['nproc-per-node', gpus],
  ] as const;
  return [
    ...flags,
    ...sized.flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, key: callee, node: toConfigNode(value) }],
    ),
  ];
}

/** Whether the recipe is another one of a different file, changed. */
export function startsElsewhere({ callee }: ObjectValue): boolean {
  return !callee.startsWith('run.') && !Object.hasOwn(STARTS, callee) && callee !== 'ConfigContainer';
}

function trainerFlags(config: ObjectValue): YamlFlag[] {
  return Object.entries(TRAINER).flatMap(([key, name]) => {
    const value = fieldAt(config, 'trainer', key);
    return value === null || (value.kind === 'literal' && value.value === null)
      ? []
      : [{ name, key, node: toConfigNode(value) }];
  });
}

/** A layout that is assigned, or set by a function such as set_deepseek_v3_pipeline_model_parallel_layout(cfg.model). */
function layoutFlags(config: ObjectValue): YamlFlag[] {
  const model = fieldAt(config, 'model');
  if (model?.kind !== 'object') return [];
  const flag = (node: ConfigNode): YamlFlag[] => [
    { name: 'pipeline-model-parallel-layout', key: 'pipeline layout', node },
  ];
  for (const [key, value] of model.fields) {
    if (!key.endsWith('pipeline_model_parallel_layout') || value.kind !== 'object') continue;
    const layout = value.args[1];
    return flag(
      layout?.kind === 'literal' && layout.value !== null ? toConfigNode(layout) : scalarAt(value.source, 'helper'),
    );
  }
  const assigned = model.fields.get('pipeline_model_parallel_layout');
  if (assigned === undefined || (assigned.kind === 'literal' && assigned.value === null)) return [];
  return flag(assigned.kind === 'literal' ? toConfigNode(assigned) : scalarAt(assigned.source, 'list'));
}

export interface NamedModel {
  readonly name: string;
  readonly source: SourceRange;
}

/** The class of run.Config(Class), or the id that AutoBridge takes. */
export function modelOf(config: ObjectValue): NamedModel | null {
  const [first] = config.args;
  const start = config.callee === 'default_finetune_recipe' ? (first ?? null) : null;
  const model = start ?? fieldAt(config, 'model');
  const held = fieldAt(model, 'config');
  const [type] = held?.kind === 'object' ? held.args : [];
  if (type?.kind === 'symbol') return { name: type.name.replace(/^.*\./, ''), source: type.source };
  if (held?.kind === 'object' && /Config/.test(held.callee) && held.callee !== 'run.Config') {
    return { name: held.callee.replace(/^.*\./, ''), source: held.source };
  }
  for (let at: PythonValue | undefined = model ?? undefined; at?.kind === 'object'; at = at.receiver) {
    const [id] = at.args;
    if (/from_hf/.test(at.callee) && id?.kind === 'literal' && typeof id.value === 'string') {
      return { name: id.value, source: id.source };
    }
    if (id?.kind === 'symbol' && MODEL_CLASSES[id.name] !== undefined) return { name: id.name, source: id.source };
  }
  return namedByRecipe(config, model);
}

/** The model of the recipe that this one starts from, or of another module's `model()`. */
function namedByRecipe(config: ObjectValue, model: PythonValue | null): NamedModel | null {
  const [first] = model?.kind === 'object' ? model.args : [];
  const version = first?.kind === 'literal' ? String(first.value) : '';
  const names = [config.callee, model?.kind === 'object' ? model.callee : '', version];
  for (const name of names) {
    const id = recipeModel(name);
    if (id !== null) return { name: id, source: model?.source ?? config.source };
  }
  return null;
}
