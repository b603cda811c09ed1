/** Python files with one or many configs: which functions give one, and which of them is read. */
import type { FileReading } from '../../setup/setup';
import { type Problem, problem, type SourceRange } from '../../problem';
import { children, type PythonModule } from './module';
import type { ObjectValue } from './value';

/** A function that returns a config. */
export interface Recipe {
  readonly name: string;
  readonly source: SourceRange;
}

/** The reading of one config of a file, with the others by name. */
export interface RecipeReading {
  readonly reading: FileReading;
  readonly chosen: Recipe;
  readonly recipes: readonly Recipe[];
  /** What the chosen function returns. */
  readonly config: ObjectValue;
  readonly module: PythonModule;
}

/** Functions whose annotation says that they return a type; private ones build parts of others. */
export function recipesReturning(module: PythonModule, types: readonly string[]): Recipe[] {
  return [...module.functions.values()].flatMap(({ name, node, source }) => {
    const result = children(node).find(child => child.name === 'TypeDef');
    const type = result === undefined ? '' : module.slice(result).replaceAll(/->|\s/g, '');
    return types.includes(type) && !name.startsWith('_') ? [{ name, source }] : [];
  });
}

/** The recipe that the caller names, else the first; null where there is none. */
export function chooseRecipe(recipes: readonly Recipe[], wanted: string | null): Recipe | null {
  return (wanted === null ? recipes[0] : recipes.find(({ name }) => name === wanted)) ?? null;
}

/** Says that a file has more configs than the one that is read. */
export function severalRecipes(chosen: Recipe, recipes: readonly Recipe[]): Problem[] {
  if (recipes.length < 2) return [];
  const args = { what: 'several-configs', name: chosen.name, count: recipes.length };
  return [problem('not-modelled', args, { source: chosen.source })];
}

/** The first place that does not parse, as a problem. */
export function syntaxProblems(module: PythonModule): Problem[] {
  const source = module.firstError();
  return source === null ? [] : [problem('syntax', { format: 'Python', reason: 'invalid syntax' }, { source })];
}
