/**
 * torchtitan's config_registry.py (since 2026-02-23): functions that return Trainer.Config(…). Batches are counted in
 * tokens: num_tokens_per_microbatch_per_dp_rank is one forward of a rank, num_tokens_per_train_step a whole step.
 * What a function returns is put into the words of the older TOML and read by its reader.
 */
import { problem } from '../../problem';
import { Beside, type TextFile } from '../beside';
import { PythonEvaluator, PythonProgram } from '../python/evaluate';
import { PythonModule } from '../python/module';
import { chooseRecipe, type RecipeReading, recipesReturning, severalRecipes, syntaxProblems } from '../python/recipes';
import { mapOf, toConfigNode } from '../python/tree';
import { fieldAt, type ObjectValue, type PythonValue } from '../python/value';
import { hasFlavors } from '../torchtitan/flavors';
import { readTorchtitan } from '../torchtitan/read';
import type { ConfigNode, ScalarNode } from '../tree';

const CONFIG_TYPES = ['Trainer.Config', 'JobConfig'];

/** Tokens of one forward where a config does not say (torchtitan/config/configs.py). */
const DEFAULT_TOKENS = 16384;
const DEFAULT_CONTEXT = 2048;

/** Classes of activation checkpointing, as the words of the TOML. */
const CHECKPOINTING: Readonly<Record<string, string>> = {
  'SelectiveAC.Config': 'selective',
  'FullAC.Config': 'full',
  'MemoryBudgetAC.Config': 'memory_budget',
};

/** Reads the config that `wanted` names, or the first; null for a file without any. */
export function readTorchtitanPython(
  file: string,
  text: string,
  wanted: string | null = null,
  beside: readonly TextFile[] = [],
): RecipeReading | null {
  if (!text.includes('Trainer.Config')) return null;
  const module = new PythonModule(file, text);
  const recipes = recipesReturning(module, CONFIG_TYPES);
  const chosen = chooseRecipe(recipes, wanted);
  if (chosen === null) return null;
  const others = new Beside(beside);
  const program = new PythonProgram(others);
  const config = new PythonEvaluator(module, program).result(chosen.name);
  if (config?.kind !== 'object') return null;
  const problems = [...syntaxProblems(module), ...severalRecipes(chosen, recipes), ...fraction(config)];
  const reading = readTorchtitan(file, asToml(config, familyOf(file, chosen.name)), problems);
  const damaged = problems.some(({ code }) => code === 'syntax');
  return { reading: { ...reading, includes: others.named, damaged }, chosen, recipes, config, module };
}

/** The model's folder is its name: torchtitan/models/llama3/config_registry.py. */
function familyOf(file: string, recipe: string): string {
  const folder = file.split(/[/\\]/).at(-2);
  if (folder !== undefined && hasFlavors(folder)) return folder;
  return /^(?:sft_)?(deepseek_v3|gpt_oss|[a-z]+\d*)/.exec(recipe)?.[1] ?? recipe;
}

function asToml(config: ObjectValue, family: string): ConfigNode {
  const { source } = config;
  const part = (...path: string[]): ConfigNode | null => {
    const value = fieldAt(config, ...path);
    return value === null ? null : toConfigNode(value);
  };
  const flavor = flavorOf(config);
  return mapOf(source, {
    model: mapOf(source, {
      name: scalar(source, family),
      flavor: flavor === null ? null : toConfigNode(flavor),
      converters: converters(config),
    }),
    training: training(config),
    parallelism: parallelism(config),
    activation_checkpoint: mapOf(source, {
      mode: checkpointing(config),
      // The class of this name works by operator.
      selective_ac_option: scalar(source, 'op'),
    }),
    compile: part('compile'),
  });
}

function scalar(source: ConfigNode['source'], value: ScalarNode['value']): ScalarNode {
  return { kind: 'scalar', value, source };
}

/** `model_registry("8B", …)` */
function flavorOf(config: ObjectValue): PythonValue | null {
  const spec = fieldAt(config, 'model_spec');
  return spec?.kind === 'object' ? (spec.args[0] ?? null) : null;
}

/** Converters of weights to lower precision, by their class. */
function converters(config: ObjectValue): ConfigNode | null {
  const list = fieldAt(config, 'model_spec', 'converters');
  if (list?.kind !== 'list') return null;
  const names = list.items.flatMap(item =>
    item.kind === 'object' ? [scalar(item.source, item.callee.toLowerCase())] : [],
  );
  return { kind: 'list', items: names, source: list.source };
}

/** Tokens over the context's length are sequences; microbatches of a pipeline make up a rank's batch. */
function training(config: ObjectValue): ConfigNode {
  const { source } = config;
  const context = numberAt(config, 'training', 'max_context_length');
  const tokens = numberAt(config, 'training', 'num_tokens_per_microbatch_per_dp_rank');
  const step = numberAt(config, 'training', 'num_tokens_per_train_step');
  const length = context?.value ?? DEFAULT_CONTEXT;
  const micro = (tokens?.value ?? DEFAULT_TOKENS) / length;
  const whole = Number.isInteger(micro) && micro >= 1;
  const rounds = numberAt(config, 'parallelism', 'num_pp_microbatches')?.value ?? 1;
  const piped = (numberAt(config, 'parallelism', 'pipeline_parallel_degree')?.value ?? 1) > 1;
  const global = step === null || step.value <= 0 ? null : step.value / length;
  const at = (name: string) => {
    const value = fieldAt(config, 'training', name);
    return value === null ? null : toConfigNode(value);
  };
  return mapOf(at('steps')?.source ?? source, {
    seq_len: at('max_context_length') ?? scalar(source, DEFAULT_CONTEXT),
    local_batch_size: whole ? scalar(tokens?.source ?? source, piped ? micro * rounds : micro) : null,
    global_batch_size: global !== null && Number.isInteger(global) ? scalar(step?.source ?? source, global) : null,
    mixed_precision_param: at('mixed_precision_param'),
    steps: at('steps') ?? scalar(source, 0),
  });
}

function parallelism(config: ObjectValue): ConfigNode | null {
  const value = fieldAt(config, 'parallelism');
  if (value?.kind !== 'object') return null;
  const node = toConfigNode(value);
  const rounds = numberAt(config, 'parallelism', 'num_pp_microbatches');
  const length = numberAt(config, 'training', 'max_context_length')?.value ?? DEFAULT_CONTEXT;
  const tokens = numberAt(config, 'training', 'num_tokens_per_microbatch_per_dp_rank');
  const micro = (tokens?.value ?? DEFAULT_TOKENS) / length;
  if (node.kind !== 'map' || !Number.isInteger(micro)) return node;
  const size = scalar(tokens?.source ?? rounds?.source ?? node.source, micro);
  const entries = new Map([...node.entries, ['pipeline_parallel_microbatch_size', { key: size.source, node: size }]]);
  return { ...node, entries };
}

function numberAt(config: ObjectValue, ...path: string[]): { value: number; source: ConfigNode['source'] } | null {
  const value = fieldAt(config, ...path);
  return value?.kind === 'literal' && typeof value.value === 'number'
    ? { value: value.value, source: value.source }
    : null;
}

function checkpointing(config: ObjectValue): ConfigNode {
  const value = fieldAt(config, 'activation_checkpoint');
  if (value?.kind === 'object') return scalar(value.source, CHECKPOINTING[value.callee] ?? 'selective');
  return scalar(value?.source ?? config.source, value?.kind === 'literal' || value === null ? 'none' : 'selective');
}

/** Tokens that are no whole number of sequences cannot be put as a batch of sequences. */
function fraction(config: ObjectValue) {
  const tokens = numberAt(config, 'training', 'num_tokens_per_microbatch_per_dp_rank');
  const length = numberAt(config, 'training', 'max_context_length')?.value ?? DEFAULT_CONTEXT;
  if (tokens === null || tokens.value % length === 0) return [];
  const key = 'num_tokens_per_microbatch_per_dp_rank';
  const args = { key, value: tokens.value, divisor: length, framework: 'torchtitan' };
  return [problem('not-divisible', args, { source: tokens.source, severity: 'information' as const })];
}
