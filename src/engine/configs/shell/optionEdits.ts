/**
 * Changes of an option tree as edits of the script that it comes from. A value is changed at the literal that determines
 * it; where that literal serves another option too, at the next place on the way to the option. What the edits give is
 * read again, and edits that would change any other option are not made.
 */
import type { SourceRange, TextEdit } from '../../problem';
import type { TextFile } from '../beside';
import { editedFiles } from '../edits';
import { typed } from '../interpolate';
import type { Path } from '../places';
import type { Change } from '../treeEdits';
import type { Scalar } from '../tree';
import { insertAfter, Lines, removeFlag } from './edit';
import type { Flag } from './flags';
import { readScript, type ShellCommand } from './script';

/** How a framework's options are written. */
export interface OptionStyle {
  /** The command of a script whose options count. */
  readonly pick: (commands: readonly ShellCommand[]) => ShellCommand | undefined;
  /** The word of an option that is not there yet: `a.b=1`, `--a.b 1`. */
  readonly word: (path: Path, value: Exclude<Scalar, null>) => string;
  /** A switch is on by being there: false takes it away. */
  readonly switches: boolean;
}

/** Places to which a colliding value moves up before it is given up. */
const MOST_ATTEMPTS = 6;

const nameOf = (path: Path): string => path.join('.').replaceAll('_', '-');

const optionsOf = ({ flags, settings }: ShellCommand): Flag[] => [...flags, ...settings];

/** Edits after which every change holds and no other option has changed, or none. */
export function optionEdits(
  { file, text, beside = [] }: TextFile & { readonly beside?: readonly TextFile[] },
  changes: readonly Change[],
  style: OptionStyle,
): TextEdit[] {
  const files = [{ file, text }, ...beside] as const;
  const command = style.pick(readScript(file, text, beside).commands);
  if (command === undefined) return [];
  const lines = new Map(files.map(each => [each.file, new Lines(each.text)]));
  for (let raise = 0; raise < MOST_ATTEMPTS; raise++) {
    const edits = editsAt(command, changes, style, lines, raise);
    if (edits === null) return [];
    const [own, ...others] = editedFiles(files, edits);
    const after = style.pick(readScript(own.file, own.text, others).commands);
    if (after !== undefined && isAsked(command, after, changes)) return edits;
  }
  return [];
}

/** The edits where each value is set `raise` places above its deepest; null where a value has no place. */
function editsAt(
  command: ShellCommand,
  changes: readonly Change[],
  style: OptionStyle,
  lines: ReadonlyMap<string, Lines>,
  raise: number,
): TextEdit[] | null {
  const edits = new Map<string, TextEdit>();
  const put = (edit: TextEdit) => edits.set(`${edit.file}:${edit.line}:${edit.column}:${edit.newText}`, edit);
  for (const { path, value } of changes) {
    if (Array.isArray(value) || value === null) continue;
    const flag = optionsOf(command).findLast(({ name }) => name === nameOf(path));
    const scalar = value as Exclude<Scalar, null>;
    if (flag?.depends != null) return null;
    const own = flag === undefined ? undefined : lines.get(flag.source.file);
    if (flag !== undefined && style.switches && scalar === false && own !== undefined) put(removeFlag(own, flag));
    else if (flag !== undefined && flag.words.length === 0) {
      // A switch that is on already.
    } else if (flag !== undefined) {
      const ranges = rangesOf(flag, raise);
      if (ranges === null) return null;
      for (const range of ranges) put({ ...range, newText: written(scalar, flag.words[0]?.text ?? '') });
    } else if (!(style.switches && scalar === false)) {
      const anchor = anchorOf(command, path);
      const there = anchor === null ? undefined : lines.get(anchor.source.file);
      if (anchor === null || there === undefined) return null;
      put(insertAfter(there, anchor, style.word(path, scalar)));
    }
  }
  return [...edits.values()];
}

/** What is counted from other values is replaced where the option names it. */
function rangesOf({ words }: Flag, raise: number): readonly SourceRange[] | null {
  const [word] = words;
  if (word === undefined || words.length !== 1 || word.levels.length === 0) return null;
  const lowest = word.literal === true ? 0 : Math.max(0, word.levels.length - 2);
  return word.levels[Math.min(lowest + raise, word.levels.length - 1)] ?? null;
}

/** Python's words where the present one is Python's. */
function written(value: Exclude<Scalar, null>, present: string): string {
  return typeof value === 'boolean' && /^[TF]/.test(present) ? pythonWord(value) : String(value);
}

export const pythonWord = (value: Exclude<Scalar, null>): string =>
  value === true ? 'True' : value === false ? 'False' : String(value);

/** The option that shares most of the path, the last of these. */
function anchorOf(command: ShellCommand, path: Path): Flag | null {
  const usable = optionsOf(command).filter(({ depends, launcher }) => depends === null && !launcher);
  const settings = command.settings.length > 0 ? usable.filter(flag => command.settings.includes(flag)) : usable;
  for (let length = path.length - 1; length > 0; length--) {
    const start = `${nameOf(path.slice(0, length))}.`;
    const near = settings.findLast(({ name }) => name.startsWith(start));
    if (near !== undefined) return near;
  }
  return settings.at(-1) ?? null;
}

/** Words after an option, without the settings that may follow it. */
const textOf = ({ words }: Flag): string =>
  words.flatMap(({ text }) => (SETTING.test(text ?? '') ? [] : [text ?? '?'])).join(' ');

const SETTING = /^\+{0,2}[A-Za-z_][\w.]*=/;

/** Whether the new command has the changes, and its other options as before. */
function isAsked(before: ShellCommand, after: ShellCommand, changes: readonly Change[]): boolean {
  const named = new Set(changes.map(({ path }) => nameOf(path)));
  const others = (command: ShellCommand) =>
    optionsOf(command)
      .filter(({ name }) => !named.has(name))
      .map(flag => `${flag.name}=${textOf(flag)}`)
      .sort();
  if (others(before).join('\n') !== others(after).join('\n')) return false;
  return changes.every(({ path, value }) => {
    const flag = optionsOf(after).findLast(({ name }) => name === nameOf(path));
    if (flag === undefined) return value === false || value === null;
    return flag.words.length === 0 ? value === true : typed(textOf(flag)) === value;
  });
}
