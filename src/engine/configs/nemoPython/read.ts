/**
 * NeMo 2 recipes (run.Partial of model, trainer, data) and Megatron-Bridge recipes (cfg.model.… = …). Degrees are
 * keyword arguments and assignments; sizes stand in classes and hub ids, which a table knows.
 */
import { type Problem, problem, type SourceRange } from '../../problem';
import { ConfigReader } from '../reader';
import type { SetupBuilder } from '../../setup/setup';
import { evenLayers } from '../megatron/layout';
import { readFlags, scalarAt, type YamlFlag } from '../megatronYaml/flags';
import { Beside, type TextFile } from '../beside';
import { PythonEvaluator, PythonProgram } from '../python/evaluate';
import { PythonModule } from '../python/module';
import {
  chooseRecipe,
  type Recipe,
  type RecipeReading,
  recipesReturning,
  severalRecipes,
  syntaxProblems,
} from '../python/recipes';
import { fieldAt, type ObjectValue } from '../python/value';
import { readZooModel } from '../zooModel';
import { GPT_CLASSES, MODEL_CLASSES } from './classes';
import { flagsOf, modelOf, type NamedModel, STARTS, startsElsewhere } from './flags';

/** Keys under which a rule names tensor parallelism. */
const TENSOR_KEYS = ['tensor_model_parallel_size', 'tensor_parallelism'];

/** Helpers whose settings are a table. */
const KEPT = new Set(Object.keys(STARTS));

const CONFIG_TYPES = ['run.Partial', 'ConfigContainer'];

/** Reads the recipe that `wanted` names, or the first; null for a file without any. */
export function readNemoPython(
  file: string,
  text: string,
  wanted: string | null = null,
  beside: readonly TextFile[] = [],
): RecipeReading | null {
  if (!CONFIG_TYPES.some(type => text.includes(type))) return null;
  const module = new PythonModule(file, text);
  const recipes = recipesReturning(module, CONFIG_TYPES).filter(({ name }) => !name.endsWith('_optimizations'));
  const chosen = chooseRecipe(recipes, wanted);
  if (chosen === null) return null;
  const others = new Beside(beside);
  const program = new PythonProgram(others, KEPT);
  const config = new PythonEvaluator(module, program).result(chosen.name);
  if (config?.kind !== 'object') return null;
  const problems = [...syntaxProblems(module), ...severalRecipes(chosen, recipes)];
  const model = modelOf(config);
  const zoo = model === null ? null : readZoo(model);
  const { builder, problems: found } = readFlags(
    [...zooFlags(zoo, config.source), ...flagsOf(config)],
    'nemo',
    config.source,
  );
  if (model !== null) problems.push(...readSizes(builder, model, zoo));
  builder.setPlan('stack', 'nemo', 'derived');
  readAdapter(builder, config);
  noteHelpers(builder, config);
  readGpus(builder, chosen);
  // The vocabulary is the model's; a rule on what is not known says nothing.
  const spUnknown = builder.unknown.has('plan.sp');
  const kept = found.filter(
    ({ code, args }) =>
      args.key !== 'model.vocab' && !(spUnknown && code === 'value-invalid' && TENSOR_KEYS.includes(String(args.key))),
  );
  const reading = {
    file,
    kind: 'nemo',
    setup: builder.build(),
    problems: [...problems, ...kept],
    includes: others.named,
    damaged: problems.some(({ code }) => code === 'syntax'),
  };
  return { reading, chosen, recipes, config, module };
}

/** The sizes of a class or hub id that the zoo knows; null for NeMo's own GPT classes. */
function readZoo({ name, source }: NamedModel): SetupBuilder | null {
  if (Object.hasOwn(GPT_CLASSES, name)) return null;
  const zoo = new ConfigReader('', 'nemo', null);
  readZooModel(zoo, Object.hasOwn(MODEL_CLASSES, name) ? (MODEL_CLASSES[name] ?? name) : name, source);
  return zoo.builder;
}

/** Layers and experts, from which stages and the degrees of experts follow. */
function zooFlags(zoo: SetupBuilder | null, source: SourceRange): YamlFlag[] {
  const options = { 'num-layers': zoo?.sizes.layers, 'num-experts': zoo?.sizes.experts };
  return Object.entries(options).flatMap(([name, value]) =>
    typeof value === 'number' && value > 0 ? [{ name, key: 'model', node: scalarAt(source, value) }] : [],
  );
}

/** Sizes of the zoo; what the recipe itself states is kept. */
function readSizes(builder: SetupBuilder, { name, source }: NamedModel, zoo: SetupBuilder | null): Problem[] {
  if (zoo === null) {
    builder.setModel('name', name, 'file', source);
    return [];
  }
  const { sizes, fields, traits } = zoo;
  if (sizes.hidden === null) return [problem('value-unknown', { key: 'model', reason: 'zoo', name }, { source })];
  builder.traits = traits;
  for (const path of fields.keys()) {
    const key = path.slice('model.'.length) as keyof typeof sizes;
    if (path.startsWith('model.')) builder.setModel(key, sizes[key], key === 'name' ? 'file' : 'zoo', source);
  }
  return [];
}

/** `recipe.peft = run.Config(LoRA)` with its rank. */
function readAdapter(builder: SetupBuilder, config: ObjectValue): void {
  const adapter = fieldAt(config, 'peft') ?? fieldAt(config, 'model', 'peft');
  if (adapter?.kind !== 'object') return;
  builder.setPlan('adapter', 'lora', 'file', adapter.source);
  const rank = fieldAt(adapter, 'dim');
  if (rank?.kind === 'literal' && typeof rank.value === 'number') {
    builder.setPlan('adapterRank', rank.value, 'file', rank.source);
  }
}

/** What an imported function sets by itself is not known from this file. */
function noteHelpers(builder: SetupBuilder, config: ObjectValue): void {
  const trainer = fieldAt(config, 'trainer');
  const imported = trainer?.kind === 'object' && !trainer.callee.startsWith('run.');
  if (imported && builder.fields.get('plan.sp')?.origin === 'default') forget(builder, 'sp');
  if (startsElsewhere(config)) noteStart(builder);
}

/** A recipe that starts from one of another file: the degree of experts and the stages may be set there. */
function noteStart(builder: SetupBuilder): void {
  if (builder.fields.get('plan.etp')?.origin === 'derived') forget(builder, 'etp');
  const { pp, vpp, stageLayers } = builder.plan;
  const { layers } = builder.sizes;
  const chunks = (pp ?? 1) * (vpp ?? 1);
  if (stageLayers === null && layers !== null && layers % chunks !== 0) {
    builder.setPlan('stageLayers', evenLayers(layers, chunks), 'default');
  }
}

function forget(builder: SetupBuilder, key: 'sp' | 'etp'): void {
  builder.setPlan(key, null, 'default');
  builder.unknown.add(`plan.${key}`);
}

/** Bridge names its recipes by the GPUs that they are made for: llama3_70b_pretrain_32gpu_h100_bf16_config. */
function readGpus(builder: SetupBuilder, { name, source }: Recipe): void {
  const gpus = /_(\d+)gpus?_/.exec(name)?.[1];
  if (gpus === undefined || builder.cluster.gpus !== null) return;
  builder.setCluster('gpus', Number(gpus), 'derived', source);
  const gpu = /_gpus?_?(h100|b200|gb200|gb300|b300|h200)_/.exec(name.replace(/_(\d+)gpus?_/, '_gpu_'))?.[1];
  if (gpu !== undefined)
    builder.setCluster('gpu', gpu === 'h100' ? 'h100-sxm' : gpu === 'h200' ? 'h200-sxm' : gpu, 'derived', source);
}
