/** The options of one Megatron command by name: typed, with their places; what is unusable is reported once. */
import { LARGEST_INTEGER } from '../../plan/keys';
import { type Problem, problem, type SourceRange } from '../../problem';
import type { Read } from '../reader';
import type { Flag, FlagWord } from '../shell/flags';
import type { ShellCommand } from '../shell/script';
import type { Reason } from '../shell/value';
import { resolveFlag } from './flags';

/** Values that argparse and ms-swift take for a switch. */
const SWITCH: Readonly<Record<string, boolean>> = { true: true, false: false, True: true, False: false };

export class MegatronArgs {
  readonly problems: Problem[] = [];
  private readonly byName = new Map<string, Flag[]>();
  private readonly reported = new Set<string>();

  constructor(readonly command: ShellCommand) {
    for (const flag of command.flags) {
      const name = resolveFlag(flag.name);
      const list = this.byName.get(name);
      if (list === undefined) this.byName.set(name, [flag]);
      else list.push(flag);
    }
  }

  /** Whether the option may be passed. */
  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** The occurrences of an option, in order. */
  all(name: string): readonly Flag[] {
    return this.byName.get(name) ?? [];
  }

  /** The place of an option's last occurrence. */
  place(name: string): SourceRange | null {
    return this.byName.get(name)?.at(-1)?.source ?? null;
  }

  /** An option as the user wrote it: --encoder-seq-length for --seq-length. */
  written(name: string): string {
    return `--${this.byName.get(name)?.at(-1)?.name ?? name}`;
  }

  /** Whether a switch is on; null where that depends on something unknown. */
  on(name: string): boolean | null {
    const flags = this.all(name);
    const sure = flags.findLast(({ depends }) => depends === null);
    if (sure !== undefined) return SWITCH[sure.words[0]?.text ?? 'true'] ?? true;
    const [first] = flags;
    if (first === undefined) return false;
    this.unknown(name, first.depends, first.source);
    return null;
  }

  /** A switch as a value with its place; null where it is off or unknown. */
  switchOn(name: string): Read<true> | null {
    const source = this.place(name);
    return source !== null && this.on(name) === true ? { value: true, source } : null;
  }

  text(name: string): Read<string> | null {
    const word = this.word(name);
    return word === null ? null : { value: word.text, source: word.source };
  }

  /** All values of an option that takes several. */
  texts(name: string): Read<string[]> | null {
    const flag = this.all(name).at(-1);
    const first = this.word(name);
    if (flag === undefined || first === null) return null;
    return { value: flag.words.flatMap(({ text }) => (text === null ? [] : [text])), source: first.source };
  }

  integer(name: string, min = 1, max = LARGEST_INTEGER): Read<number> | null {
    const word = this.word(name);
    if (word === null) return null;
    const value = pythonInteger(word.text);
    if (value !== null && value >= min && value <= max) return { value, source: word.source };
    const expected = max === LARGEST_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
    this.invalid(name, expected, word.text, word.source);
    return null;
  }

  invalid(name: string, expected: string, value: string, source: SourceRange | null = this.place(name)): void {
    const args = { key: this.written(name), expected, value: value.slice(0, 60) };
    this.report(name, problem('value-invalid', args, { source }));
  }

  /** The value that counts: the last one that is passed for sure, where none that may be passed comes after it. */
  private word(name: string): { text: string; source: SourceRange } | null {
    const flags = this.all(name);
    const last = flags.at(-1);
    if (last === undefined) return null;
    const texts = new Set(flags.map(({ words }) => words[0]?.text ?? null));
    const certain = last.depends === null || (texts.size === 1 && flags.some(({ depends }) => depends === null));
    const word = last.words[0];
    const source = word === undefined ? last.source : wordSource(word, last);
    if (word === undefined) this.invalid(name, 'followed by a value', 'nothing', last.source);
    else if (!certain || word.text === null) this.unknown(name, certain ? word.reason : last.depends, source);
    else return { text: word.text, source };
    return null;
  }

  private unknown(name: string, reason: Reason | null, source: SourceRange): void {
    const args = { key: this.written(name), reason: reason?.kind ?? null, name: reason?.name.slice(0, 60) ?? null };
    this.report(name, problem('value-unknown', args, { source }));
  }

  private report(name: string, found: Problem): void {
    const key = `${name} ${found.code}`;
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.problems.push(found);
  }
}

/** The literal that determines a value: the deepest place, or the flag itself. */
export function wordSource(word: FlagWord, flag: Flag): SourceRange {
  return word.levels[0]?.[0] ?? flag.source;
}

/** `1_000` is an integer to Python; `1e3` is none. */
export function pythonInteger(text: string): number | null {
  const value = Number(text.replaceAll('_', ''));
  return /^[+-]?\d+(_\d+)*$/.test(text.trim()) && Number.isSafeInteger(value) ? value : null;
}
