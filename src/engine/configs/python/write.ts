/**
 * A plan as edits of a Python recipe: each value that a literal determines is replaced there. A value that is computed,
 * imported from elsewhere or not written at all is left, and whoever reads the result again sees that it is missing.
 */
import type { PlanValue } from '../../plan/keys';
import type { SourceRange, TextEdit } from '../../problem';
import type { TrainingSetup } from '../../setup/setup';
import type { TextFile } from '../beside';
import { editedFiles } from '../edits';
import type { Writing } from '../placeChanges';

type Read = (file: string, text: string, beside: readonly TextFile[]) => TrainingSetup | null;

interface Recipe extends TextFile {
  readonly beside?: readonly TextFile[];
}

/** Edits of the recipe and of modules that it imports; none where they would change the model. */
export function writeRecipe(recipe: Recipe, { plan, changed }: Omit<Writing, 'root'>, read: Read): TextEdit[] {
  const { file, text, beside = [] } = recipe;
  const files = [{ file, text }, ...beside] as const;
  const before = read(file, text, beside);
  if (before === null) return [];
  const edits = [...changed].flatMap(key => {
    const place = before.fields.get(`plan.${key}`);
    const written = pythonText(plan[key]);
    if (place?.origin !== 'file' || place.source === null || written === null) return [];
    const present = textAt(files, place.source);
    return present !== null && present === pythonText(before.plan[key]) ? [{ ...place.source, newText: written }] : [];
  });
  const unique = [...new Map(edits.map(edit => [`${edit.file}:${edit.line}:${edit.column}`, edit])).values()];
  const [own, ...others] = editedFiles(files, unique);
  const after = read(own.file, own.text, others);
  return JSON.stringify(after?.sizes) === JSON.stringify(before.sizes) ? unique : [];
}

/** A number or a truth as Python writes it; the words of other choices differ by framework. */
function pythonText(value: PlanValue): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : null;
}

/** The text at a place in one line, or null. */
function textAt(files: readonly TextFile[], { file, line, column, endLine, endColumn }: SourceRange): string | null {
  const text = files.find(each => each.file === file)?.text;
  if (text === undefined || line !== endLine) return null;
  return text.split('\n')[line - 1]?.slice(column - 1, endColumn - 1) ?? null;
}
