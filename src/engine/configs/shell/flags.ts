/**
 * Flags in the words of a command. Each value has its text, or the reason why it is unknown, and the places that
 * determine it, the deepest first: a variable's literal, the expansions on the way, the word itself.
 */
import type { SourceRange } from '../../problem';
import type { Place, Reason } from './value';
import { type ChoiceToken, type Leaf, leavesText, type Path, type Token, type WordToken } from './words';

/** A value of a flag. */
export interface FlagWord {
  /** null where it is unknown. */
  readonly text: string | null;
  readonly reason: Reason | null;
  /** It is written somewhere as it is, not counted from other values. */
  readonly literal?: boolean;
  /** Where an edit sets it, the deepest first; a level has several ranges where branches agree on the value. */
  readonly levels: readonly (readonly SourceRange[])[];
}

export interface Flag {
  /** Without dashes, underscores as dashes: num-layers. */
  readonly name: string;
  /** The flag's own word. */
  readonly source: SourceRange;
  readonly words: readonly FlagWord[];
  /** The end of its last value in the text where the flag stands: what follows it may be put there. */
  readonly end: SourceRange;
  /** Not null: whether the flag is passed depends on something unknown. */
  readonly depends: Reason | null;
  /** It belongs to the launcher, not to the training program. */
  readonly launcher: boolean;
}

export function rangeOf({ text, from, to }: Place): SourceRange {
  return text.lines.range(from, to - from);
}

interface OpenFlag {
  readonly name: string;
  readonly leaf: Leaf;
  readonly words: FlagWord[];
  depends: Reason | null;
  end: Leaf;
  /** Text of the whole occurrence, to compare branches. */
  key: string;
}

/** The flags in a list of words, in their order. */
export function collectFlags(tokens: readonly Token[], launcher: boolean): Flag[] {
  return openFlags(tokens).map(({ name, leaf, words, end, depends }) => ({
    name,
    source: rangeOf(leaf.place),
    words,
    end: rangeOf(ownPlace(end, leaf.outer)),
    depends,
    launcher,
  }));
}

function openFlags(tokens: readonly Token[], open: OpenFlag | null = null): OpenFlag[] {
  const flags: OpenFlag[] = [];
  let last = open;
  for (const token of tokens) {
    if (token.kind === 'choice') {
      const inner = choiceFlags(token, last);
      flags.push(...inner);
      last = inner.at(-1) ?? last;
      continue;
    }
    const name = flagName(token);
    if (name === null) addWord(last, token);
    else {
      last = startFlag(name, token);
      flags.push(last);
    }
  }
  return flags;
}

function addWord(flag: OpenFlag | null, token: WordToken): void {
  const leaf = token.leaves.at(-1);
  if (flag === null || leaf === undefined) return;
  flag.words.push(toFlagWord(token, flag.leaf.outer));
  flag.key += ` ${leavesText(token.leaves) ?? '?'}`;
  flag.end = leaf;
}

function startFlag(written: string, token: WordToken): OpenFlag {
  const [first, ...more] = token.leaves as [Leaf, ...Leaf[]];
  const equals = written.indexOf('=');
  const name = (equals === -1 ? written : written.slice(0, equals)).replace(/^-+/, '').replaceAll('_', '-');
  const flag: OpenFlag = { name, leaf: first, words: [], depends: null, end: first, key: `--${name}` };
  if (equals === -1) return flag;
  const text = first.text ?? '';
  const tail: Leaf[] = text.length > equals + 1 ? [sliceLeaf(first, equals + 1)] : [];
  const value = [...tail, ...more];
  if (value.length > 0) addWord(flag, { kind: 'word', leaves: value });
  return flag;
}

/** Settings in the manner of Hydra (`a.b=value`, with + for a new key) as flags by the path of the key. */
export function collectSettings(tokens: readonly Token[]): Flag[] {
  return tokens.flatMap((token): Flag[] => {
    if (token.kind === 'choice') {
      const inner = token.variants.flatMap(variant => collectSettings(variant));
      return inner.map(flag => ({ ...flag, depends: flag.depends ?? token.reason }));
    }
    const text = token.leaves[0]?.text ?? '';
    if (!/^\+{0,2}[A-Za-z_][\w.]*=/.test(text)) return [];
    const { name, leaf, words, end } = startFlag(
      text.replace(/^\++/, plus => '-'.repeat(plus.length)),
      token,
    );
    const known = { name, source: rangeOf(leaf.place), words, end: rangeOf(ownPlace(end, leaf.outer)) };
    return [{ ...known, depends: null, launcher: false }];
  });
}

function sliceLeaf(leaf: Leaf, from: number): Leaf {
  const { text, from: start, to } = leaf.place;
  return { ...leaf, text: (leaf.text ?? '').slice(from), place: { text, from: start + from, to } };
}

/** The flag that a word starts, with its dashes and `=value`, or null. Numbers below zero are values. */
export function flagName(token: WordToken): string | null {
  const text = token.leaves[0]?.text ?? null;
  return text !== null && /^--?[A-Za-z]/.test(text) ? text : null;
}

/** Flags of alternatives: those that all of them pass alike are certain, the others depend on the branch. */
function choiceFlags({ reason, variants }: ChoiceToken, open: OpenFlag | null): OpenFlag[] {
  const heads = variants.map(variant => {
    const at = variant.findIndex(token => token.kind === 'choice' || flagName(token) !== null);
    return at === -1 ? variant : variant.slice(0, at);
  });
  if (open !== null && heads.some(head => head.length > 0)) {
    open.words.push({ text: null, reason, literal: false, levels: [] });
    open.key += ' ?';
  }
  const found = variants.map((variant, index) => openFlags(variant.slice(heads[index]?.length ?? 0)));
  const everywhere = (flag: OpenFlag) => found.every(flags => flags.some(({ key }) => key === flag.key));
  const result: OpenFlag[] = [];
  const seen = new Set<string>();
  for (const flag of found.flat()) {
    if (seen.has(flag.key)) continue;
    seen.add(flag.key);
    if (everywhere(flag)) result.push(agreed(flag, found));
    else result.push({ ...flag, depends: flag.depends ?? reason });
  }
  return result;
}

/** One flag that every branch passes with the same words: an edit must change all of them. */
function agreed(flag: OpenFlag, found: readonly (readonly OpenFlag[])[]): OpenFlag {
  const alike = found.map(flags => flags.find(({ key }) => key === flag.key) ?? flag);
  const words = flag.words.map((word, at) => {
    const levels = alike.map(other => other.words[at]?.levels[0] ?? []);
    return { ...word, levels: [uniqueRanges(levels.flat())] };
  });
  return { ...flag, words };
}

function uniqueRanges(ranges: readonly SourceRange[]): SourceRange[] {
  const seen = new Set<string>();
  return ranges.filter(range => {
    const key = JSON.stringify(range);
    return !seen.has(key) && seen.add(key);
  });
}

/** A word with the levels at which an edit can set it; `outer` is the path to the text where its flag stands. */
export function toFlagWord(token: Token, outer: Path | null): FlagWord {
  if (token.kind === 'choice') return { text: null, reason: token.reason, literal: false, levels: [] };
  const { leaves } = token;
  const text = leavesText(leaves);
  const reason = leaves.find(leaf => leaf.text === null)?.reason ?? null;
  const [first] = leaves;
  const last = leaves.at(-1);
  if (first === undefined || last === undefined) return { text, reason, literal: false, levels: [] };
  if (leaves.length === 1) return { text, reason, literal: first.exact, levels: levelsOf(first, outer) };
  const [start, end] = [ownPlace(first, outer), ownPlace(last, outer)];
  const whole = start.text === end.text && start.from < end.to;
  return { text, reason, literal: false, levels: whole ? [[rangeOf({ ...start, to: end.to })]] : [] };
}

function levelsOf(leaf: Leaf, outer: Path | null): SourceRange[][] {
  const levels: SourceRange[][] = [];
  if (leaf.variants === undefined) levels.push([rangeOf(leaf.place)]);
  else if (leaf.text !== null) {
    const inner = leaf.variants.map(leaves => (leaves.length === 1 && leaves[0] !== undefined ? leaves[0] : null));
    const ranges = inner.map(piece => (piece === null ? null : levelsOf(piece, leaf.outer)[0]));
    if (ranges.every(range => range !== null && range !== undefined)) levels.push(uniqueRanges(ranges.flat()));
  }
  if (leaf.outer === outer && levels.length > 0) return levels;
  for (let path = leaf.outer; path !== null && path !== outer; path = path.outer) levels.push([rangeOf(path.place)]);
  return levels;
}

/** The place of a piece in the text that a path leads to. */
function ownPlace(leaf: Leaf, outer: Path | null): Place {
  let place = leaf.place;
  for (let path = leaf.outer; path !== outer; path = path.outer) {
    if (path === null) return leaf.place;
    place = path.place;
  }
  return place;
}
