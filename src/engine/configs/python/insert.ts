/**
 * What a recipe does not say yet, put where its framework takes it: a keyword of the object that the recipe builds, else
 * an assignment before the recipe returns.
 */
import type { PlanKey, Plan } from '../../plan/keys';
import type { TextEdit } from '../../problem';
import type { TextFile } from '../beside';
import { offsetOf } from '../edits';
import { LineIndex } from '../tree';
import { children, PythonModule } from './module';
import type { RecipeReading } from './recipes';
import { fieldAt, type ObjectValue } from './value';

/** An attribute of the config by its path, and its value as Python writes it. */
export interface Attribute {
  readonly path: readonly string[];
  readonly text: string;
}

/** How a framework says a key of the plan; none where it has no words for it. */
export type Attributes = (key: PlanKey, plan: Plan, config: ObjectValue) => readonly Attribute[];

/** Calls whose keywords are the fields of what they make: other functions take what they like. */
const KEYWORDS_ARE_FIELDS = /^run\.(Config|Partial)$|Config$/;

/** Edits that make a recipe say an attribute: its present literal replaced, a keyword or a line added; null: neither goes. */
export function attributeEdit(
  files: readonly TextFile[],
  recipe: RecipeReading,
  attribute: Attribute,
): TextEdit | null {
  const { path, text } = attribute;
  const present = fieldAt(recipe.config, ...path);
  if (present !== null) {
    const replaced = present.kind === 'literal' && literalAt(files, present.source)?.value === present.value;
    return replaced ? { ...present.source, newText: text } : null;
  }
  const parent = fieldAt(recipe.config, ...path.slice(0, -1));
  const keyword = parent?.kind === 'object' ? keywordEdit(files, parent, `${path.at(-1)}=${text}`) : null;
  return keyword ?? lineEdit(recipe, `${path.join('.')} = ${text}`);
}

/** The literal that stands at a place, or null: a value may have been computed from what stands there. */
function literalAt(files: readonly TextFile[], source: ObjectValue['source']): { value: unknown } | null {
  const file = files.find(each => each.file === source.file);
  if (file === undefined || source.line !== source.endLine) return null;
  const written = file.text.split('\n')[source.line - 1]?.slice(source.column - 1, source.endColumn - 1) ?? '';
  if (written === 'None') return { value: null };
  if (written === 'True' || written === 'False') return { value: written === 'True' };
  if (/^[\d_]+$/.test(written)) return { value: Number(written.replaceAll('_', '')) };
  return /^(["'])[\w.-]*\1$/.test(written) ? { value: written.slice(1, -1) } : null;
}

function keywordEdit(files: readonly TextFile[], { callee, source }: ObjectValue, keyword: string): TextEdit | null {
  const file = files.find(each => each.file === source.file);
  if (file === undefined || !KEYWORDS_ARE_FIELDS.test(callee)) return null;
  const { text } = file;
  const close = offsetOf(text, source.endLine, source.endColumn) - 1;
  const list = new PythonModule(file.file, text).tree.resolveInner(close, 1).parent;
  const parts = children(list).filter(({ name }) => name !== 'Comment');
  const last = parts.at(-2);
  if (list?.name !== 'ArgList' || parts.at(-1)?.from !== close || last === undefined) return null;
  const at = (offset: number, newText: string): TextEdit => ({
    ...new LineIndex(file.file, text).range(offset, 0),
    newText,
  });
  const lineOf = (offset: number) => text.lastIndexOf('\n', offset - 1) + 1;
  if (last.name !== ',') return at(last.to, last.name === '(' ? keyword : `, ${keyword}`);
  if (lineOf(close) <= last.from) return at(last.to, ` ${keyword},`);
  // The closing bracket has a line of its own: so has each keyword.
  const indent = /^\s*/.exec(text.slice(lineOf(last.from)))?.[0] ?? '';
  return at(lineOf(close), `${indent}${keyword},\n`);
}

/** A line before the last one of a recipe, which returns a variable. */
function lineEdit({ chosen, module }: RecipeReading, assignment: string): TextEdit | null {
  const body = module.functions.get(chosen.name)?.node.getChild('Body') ?? null;
  const end = children(body).findLast(({ name }) => name !== 'Comment');
  const variable = end?.name === 'ReturnStatement' ? end.getChild('VariableName') : null;
  if (end === undefined || variable === null || variable.nextSibling !== null) return null;
  const start = module.text.lastIndexOf('\n', end.from - 1) + 1;
  const indent = module.text.slice(start, end.from);
  if (indent.trim() !== '') return null;
  const { line } = module.range(end);
  const newText = `${indent}${module.slice(variable)}.${assignment}\n`;
  return { file: module.file, line, column: 1, endLine: line, endColumn: 1, newText };
}
