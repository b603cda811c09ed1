/**
 * A plan as edits of a Python recipe: each value that a literal determines is replaced there, and what the recipe does not
 * say is added where the framework takes it. A value that is computed or imported from elsewhere is left, and whoever
 * reads the result again sees that it is missing.
 */
import type { PlanKey, PlanValue } from '../../plan/keys';
import type { SourceRange, TextEdit } from '../../problem';
import type { TextFile } from '../beside';
import { editedFiles } from '../edits';
import type { Target, Writing } from '../placeChanges';
import { attributeEdit, type Attributes } from './insert';
import type { RecipeReading } from './recipes';

type Read = (file: string, text: string, beside: readonly TextFile[]) => RecipeReading | null;

/** Edits of the recipe and of modules that it imports; none where they would change the model. */
export function writeRecipe(
  { file, text, beside = [] }: Target,
  { plan, changed }: Omit<Writing, 'root'>,
  read: Read,
  attributes: Attributes,
): TextEdit[] {
  const files = [{ file, text }, ...beside] as const;
  const recipe = read(file, text, beside);
  const before = recipe?.reading.setup ?? null;
  if (recipe === null || before === null) return [];
  const literal = (key: PlanKey): TextEdit | null => {
    const place = before.fields.get(`plan.${key}`);
    const written = pythonText(plan[key]);
    if (place?.origin !== 'file' || place.source === null || written === null) return null;
    const present = textAt(files, place.source);
    return present !== null && present === pythonText(before.plan[key]) ? { ...place.source, newText: written } : null;
  };
  const edits = [...changed].flatMap(key => {
    const replaced = literal(key);
    if (replaced !== null) return [replaced];
    return attributes(key, plan, recipe.config).flatMap(attribute => attributeEdit(files, recipe, attribute) ?? []);
  });
  const unique = withoutRepeats(edits);
  const [own, ...others] = editedFiles(files, unique);
  const after = read(own.file, own.text, others)?.reading.setup;
  return JSON.stringify(after?.sizes) === JSON.stringify(before.sizes) ? unique : [];
}

/** Two keys may be one literal; what is added at one place stays apart. */
function withoutRepeats(edits: readonly TextEdit[]): TextEdit[] {
  const isAdded = ({ line, column, endLine, endColumn }: TextEdit) => line === endLine && column === endColumn;
  const name = (edit: TextEdit) => `${edit.file}:${edit.line}:${edit.column}${isAdded(edit) ? edit.newText : ''}`;
  return [...new Map(edits.map(edit => [name(edit), edit])).values()];
}

/** A number or a truth as Python writes it; the words of other choices differ by framework. */
export function pythonText(value: PlanValue): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : null;
}

/** The text at a place in one line, or null. */
function textAt(files: readonly TextFile[], { file, line, column, endLine, endColumn }: SourceRange): string | null {
  const text = files.find(each => each.file === file)?.text;
  if (text === undefined || line !== endLine) return null;
  return text.split('\n')[line - 1]?.slice(column - 1, endColumn - 1) ?? null;
}
