/** What a shell script runs: its commands with their flags, the files that it writes, its sbatch options. */
import type { SourceRange } from '../../problem';
import { Beside, type Candidates, type TextFile } from '../beside';
import type { RanCommand } from './commands';
import { Evaluator } from './evaluate';
import { collectFlags, collectSettings, type Flag, flagName, type FlagWord, rangeOf, toFlagWord } from './flags';
import { type Place, ShellText, type ShellValue } from './value';
import { Budget, knownEnd, leavesText, type Token, tokensOf } from './words';

export interface ShellCommand {
  readonly source: SourceRange;
  /** The program: `pretrain_gpt.py`, or null where the flags only stand in a variable. */
  readonly program: string | null;
  readonly flags: readonly Flag[];
  /** Words of the form `a.b=value`, by the path of the key. */
  readonly settings: readonly Flag[];
  /** Words of the launcher that are no flags, such as `megatron` and `sft`. */
  readonly words: readonly string[];
  readonly environment: ReadonlyMap<string, FlagWord>;
}

/** A text that the script writes into a file; unknown parts are null. */
export interface ShellDocument {
  readonly parts: readonly (string | null)[];
  readonly source: SourceRange;
}

export interface ShellScript {
  readonly commands: readonly ShellCommand[];
  readonly documents: readonly ShellDocument[];
  /** Options of `#SBATCH` lines: name → value. */
  readonly directives: ReadonlyMap<string, FlagWord>;
  readonly errors: readonly { readonly message: string; readonly source: SourceRange }[];
  /** The script grows past all bounds and was not read to its end. */
  readonly exhausted: boolean;
  /** The scripts that it sources or starts, found or not. */
  readonly includes: readonly Candidates[];
  /** A variable's value at the end of the script. */
  variable(name: string): FlagWord | null;
}

/** Reads a script; `beside` holds files that it may source or start. */
export function readScript(file: string, text: string, beside: readonly TextFile[] = []): ShellScript {
  const own = new ShellText(file, unixLines(text));
  const others = new Beside(beside);
  const opened = new Map<TextFile, ShellText>();
  const open = (name: string): ShellText | undefined => {
    const found = others.find(file, name);
    if (found === undefined || nestsTooDeep(found.text)) return undefined;
    const known = opened.get(found) ?? new ShellText(found.file, unixLines(found.text));
    opened.set(found, known);
    return known;
  };
  const evaluator = new Evaluator(own, open);
  if (!nestsTooDeep(own.text)) evaluator.run();
  const commands = evaluator.commands
    .map(toCommand)
    .filter(({ flags, settings }) => flags.length + settings.length > 0);
  return {
    commands: [...commands, ...looseFlags(evaluator, own)],
    documents: evaluator.documents.map(({ body, place }) => ({
      parts: tokensOf([body], evaluator.budget).flatMap(documentParts),
      source: rangeOf(place),
    })),
    directives: sbatchDirectives(own),
    errors: evaluator.errors.map(({ message, place }) => ({ message, source: rangeOf(place) })),
    exhausted: evaluator.exhausted,
    includes: others.named,
    variable: name => {
      const value = evaluator.scope.get(name);
      return value === undefined || value === null ? null : valueWord(value, evaluator.budget);
    },
  };
}

/** Expansions nest no deeper than this in any script; the parser's time grows with every level. */
const DEEPEST_EXPANSION = 40;

function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '$' && (text[at + 1] === '{' || text[at + 1] === '(')) depth++;
    else if ((char === '}' || char === ')') && depth > 0) depth--;
    if (depth > DEEPEST_EXPANSION) return true;
  }
  return false;
}

/** Windows line ends as spaces of the same length, so that places hold and continuations continue. */
function unixLines(text: string): string {
  return text.includes('\r') ? text.replaceAll('\\\r\n', ' \\\n').replaceAll('\r\n', ' \n') : text;
}

function valueWord(value: ShellValue, budget: Budget): FlagWord | null {
  const [token] = tokensOf([value], budget);
  return token === undefined ? null : toFlagWord(token, null);
}

function documentParts(token: Token): (string | null)[] {
  return token.kind === 'word' ? [...token.leaves.map(({ text }) => text), ' '] : [null];
}

function toCommand({ words, around, environment, place }: RanCommand): ShellCommand {
  const program = words.findIndex(isProgram);
  const launcher = program === -1 ? [] : words.slice(0, program);
  const rest = program === -1 ? words : words.slice(program + 1);
  const found = words[program];
  return {
    source: rangeOf(place),
    program: found?.kind === 'word' ? knownEnd(found.leaves).replace(/^.*\//, '') : null,
    flags: [...collectFlags([...around, ...launcher], true), ...collectFlags(rest, false)],
    settings: collectSettings(words),
    words: [...launcher, ...rest.slice(0, 6)].flatMap(word =>
      word.kind === 'word' ? [leavesText(word.leaves) ?? ''] : [],
    ),
    environment: new Map(
      [...environment].flatMap(([name, value]) => {
        const word = valueWord(value, new Budget(1000));
        return word === null ? [] : [[name, word] as const];
      }),
    ),
  };
}

function isProgram(token: Token): boolean {
  return token.kind === 'word' && knownEnd(token.leaves).endsWith('.py');
}

/** Flags that stand in variables which nothing in the script uses: files that others source. */
function looseFlags(evaluator: Evaluator, text: ShellText): ShellCommand[] {
  const place: Place = { text, from: 0, to: 0 };
  const flags = evaluator.scope.names().flatMap(name => {
    const value = evaluator.scope.get(name);
    if (value === null || value === undefined || evaluator.used.has(name)) return [];
    const tokens = tokensOf([{ kind: 'use', place, value }], evaluator.budget);
    return tokens[0]?.kind === 'word' && flagName(tokens[0]) !== null ? collectFlags(tokens, false) : [];
  });
  return flags.length === 0
    ? []
    : [{ source: rangeOf(place), program: null, flags, settings: [], words: [], environment: new Map() }];
}

/** The `#SBATCH --name=value` lines, which sbatch itself reads line by line. */
function sbatchDirectives(text: ShellText): Map<string, FlagWord> {
  const found = new Map<string, FlagWord>();
  for (let at = text.text.indexOf('#SBATCH'); at !== -1; at = text.text.indexOf('#SBATCH', at + 1)) {
    if (at > 0 && text.text[at - 1] !== '\n') continue;
    const end = text.text.indexOf('\n', at);
    const line = text.text.slice(at, end === -1 ? text.text.length : end);
    for (const { index, 0: match, 1: name = '', 2: value = '' } of line.matchAll(
      /(?:--([\w-]+)|-(?:[Nn]))[= ]?([^\s#]*)/g,
    )) {
      const from = at + index + match.length - value.length;
      const range = rangeOf({ text, from, to: from + value.length });
      const key = name === '' ? (match.startsWith('-N') ? 'nodes' : 'ntasks') : name;
      if (!found.has(key)) found.set(key, { text: value, reason: null, literal: true, levels: [[range]] });
    }
  }
  return found;
}
