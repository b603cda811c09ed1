/** Edits of a script: a flag's value where it is determined, a new flag after another, a flag removed. */
import type { SourceRange, TextEdit } from '../../problem';
import type { Flag } from './flags';

/** A text by lines, to look around a place. */
export class Lines {
  private readonly lines: readonly string[];

  constructor(text: string) {
    this.lines = text.split('\n');
  }

  /** A line by its number from 1, without its line end. */
  at(line: number): string {
    return (this.lines[line - 1] ?? '').replace(/\r$/, '');
  }

  get count(): number {
    return this.lines.length;
  }

  /** The first line below that is not blank. */
  below(line: number): string {
    for (let at = line + 1; at <= this.lines.length; at++) if (this.at(at).trim() !== '') return this.at(at);
    return '';
  }
}

/** Puts words after a flag and its values, in the manner of the lines around it. */
export function insertAfter(lines: Lines, flag: Flag, words: string): TextEdit {
  const { end, source } = flag;
  const place: SourceRange = { ...end, line: end.endLine, column: end.endColumn };
  const line = lines.at(end.endLine);
  const rest = line.slice(end.endColumn - 1);
  const before = lines.at(source.line).slice(0, source.column - 1);
  const ownLine = /^\s*["']?$/.test(before);
  const indent = /^\s*/.exec(before)?.[0] ?? '';
  if (ownLine && /^\s*\\$/.test(rest)) return { ...place, newText: ` \\\n${indent}${words}` };
  // In an array or a string a line end is a space; in a command it would end it.
  const listed = /^\s*(--|\)|["']\s*$)/.test(lines.below(end.endLine));
  const alone = ownLine && before.trim() === '' && rest.trim() === '' && listed;
  return { ...place, newText: alone ? `\n${indent}${words}` : ` ${words}` };
}

/** Takes a flag and its values away, with their line where nothing else stands in it. */
export function removeFlag(lines: Lines, flag: Flag): TextEdit {
  const { source, end } = flag;
  const range: SourceRange = { ...source, endLine: end.endLine, endColumn: end.endColumn };
  const before = lines.at(source.line).slice(0, source.column - 1);
  const rest = lines.at(end.endLine).slice(end.endColumn - 1);
  const continued = source.line > 1 && lines.at(source.line - 1).endsWith('\\');
  const whole = before.trim() === '' && (/^\s*\\$/.test(rest) || (rest.trim() === '' && !continued));
  if (whole && end.endLine < lines.count) {
    return { ...range, column: 1, endLine: end.endLine + 1, endColumn: 1, newText: '' };
  }
  // The space before may be where another edit inserts: the one after goes.
  const space = rest.startsWith(' ') ? 1 : 0;
  return { ...range, endColumn: range.endColumn + space, newText: '' };
}
