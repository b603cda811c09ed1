/**
 * NeMo 2 recipes (run.Partial of model, trainer, data) and Megatron-Bridge recipes (cfg.model.… = …). Degrees are
 * keyword arguments and assignments; sizes stand in classes and hub ids, which a table knows.
 */
import { type Problem, problem } from '../../problem';
import { ConfigReader } from '../reader';
import type { SetupBuilder } from '../../setup/setup';
import { readFlags } from '../megatronYaml/flags';
import { PythonEvaluator } from '../python/evaluate';
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
import { flagsOf, modelOf, type NamedModel } from './flags';

const CONFIG_TYPES = ['run.Partial', 'ConfigContainer'];

/** Reads the recipe that `wanted` names, or the first; null for a file without any. */
export function readNemoPython(file: string, text: string, wanted: string | null = null): RecipeReading | null {
  if (!CONFIG_TYPES.some(type => text.includes(type))) return null;
  const module = new PythonModule(file, text);
  const recipes = recipesReturning(module, CONFIG_TYPES).filter(({ name }) => !name.endsWith('_optimizations'));
  const chosen = chooseRecipe(recipes, wanted);
  if (chosen === null) return null;
  const config = new PythonEvaluator(module).result(chosen.name);
  if (config?.kind !== 'object') return null;
  const problems = [...syntaxProblems(module), ...severalRecipes(chosen, recipes)];
  const { builder, problems: found } = readFlags(flagsOf(config), 'nemo', config.source);
  const model = modelOf(config);
  if (model !== null) problems.push(...readSizes(builder, model));
  builder.setPlan('stack', 'nemo', 'derived');
  readAdapter(builder, config);
  readGpus(builder, chosen);
  const kept = found.filter(({ args }) => args.key !== 'model.vocab');
  const reading = {
    file,
    kind: 'nemo',
    setup: builder.build(),
    problems: [...problems, ...kept],
    damaged: problems.some(({ code }) => code === 'syntax'),
  };
  return { reading, chosen, recipes };
}

/** Sizes of a class or hub id; what the recipe itself states is kept. */
function readSizes(builder: SetupBuilder, { name, source }: NamedModel): Problem[] {
  if (Object.hasOwn(GPT_CLASSES, name)) {
    builder.setModel('name', name, 'file', source);
    return [];
  }
  const id = Object.hasOwn(MODEL_CLASSES, name) ? MODEL_CLASSES[name] : name;
  const zoo = new ConfigReader('', 'nemo', null);
  readZooModel(zoo, id, source);
  const { sizes, fields, traits } = zoo.builder;
  if (sizes.hidden === null) return [problem('value-unknown', { key: 'model', reason: 'zoo', name: id }, { source })];
  builder.traits = traits;
  for (const path of fields.keys()) {
    const key = path.slice('model.'.length) as keyof typeof sizes;
    const own = builder.fields.get(path)?.origin === 'file';
    if (path.startsWith('model.') && !own) builder.setModel(key, sizes[key], key === 'name' ? 'file' : 'zoo', source);
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

/** Bridge names its recipes by the GPUs that they are made for: llama3_70b_pretrain_32gpu_h100_bf16_config. */
function readGpus(builder: SetupBuilder, { name, source }: Recipe): void {
  const gpus = /_(\d+)gpus?_/.exec(name)?.[1];
  if (gpus === undefined || builder.cluster.gpus !== null) return;
  builder.setCluster('gpus', Number(gpus), 'derived', source);
  const gpu = /_gpus?_?(h100|b200|gb200|gb300|b300|h200)_/.exec(name.replace(/_(\d+)gpus?_/, '_gpu_'))?.[1];
  if (gpu !== undefined)
    builder.setCluster('gpu', gpu === 'h100' ? 'h100-sxm' : gpu === 'h200' ? 'h200-sxm' : gpu, 'derived', source);
}
