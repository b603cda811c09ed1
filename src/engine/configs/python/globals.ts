/** A Python file whose module-level names are the config, as the tree on which the readers of data formats work. */
import type { Problem } from '../../problem';
import { Beside, type TextFile } from '../beside';
import type { ConfigNode } from '../tree';
import { PythonEvaluator, PythonProgram } from './evaluate';
import { PythonModule } from './module';
import { syntaxProblems } from './recipes';
import { mapOf, toConfigNode } from './tree';

export interface GlobalsTree {
  readonly root: ConfigNode;
  readonly problems: readonly Problem[];
  /** Modules that the file imports, by the paths where each may lie. */
  readonly includes: readonly (readonly string[])[];
}

/** The values of names that a module binds outside of functions; names that it does not bind are left out. */
export function globalsTree(
  file: string,
  text: string,
  names: readonly string[],
  beside: readonly TextFile[],
): GlobalsTree {
  const module = new PythonModule(file, text);
  const others = new Beside(beside);
  const evaluator = new PythonEvaluator(module, new PythonProgram(others));
  const nodes = names.map(name => {
    const value = evaluator.global(name);
    return [name, value === null ? null : toConfigNode(value)] as const;
  });
  const root = mapOf(module.range({ from: 0, to: 0 }), Object.fromEntries(nodes));
  return { root, problems: syntaxProblems(module), includes: others.named };
}
