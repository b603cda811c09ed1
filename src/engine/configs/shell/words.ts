/** Values as the words that a command gets: word splitting, arrays, alternatives, each piece with its places. */
import type { Place, Reason, ShellValue } from './value';

/** The expansions that lead from a command's own text to a piece, the nearest first. */
export interface Path {
  readonly place: Place;
  readonly outer: Path | null;
}

/** A piece of a word: a stretch of a literal, or something unknown. */
export interface Leaf {
  /** null where it is unknown. */
  readonly text: string | null;
  readonly reason: Reason | null;
  readonly place: Place;
  readonly exact: boolean;
  readonly outer: Path | null;
  /** A quoted piece is not split or read as an operator by a shell that reads the word again. */
  readonly quoted: boolean;
  /** One of several pieces, by branch. */
  readonly variants?: readonly (readonly Leaf[])[];
}

export interface WordToken {
  readonly kind: 'word';
  readonly leaves: readonly Leaf[];
}

/** Words that differ by branch. */
export interface ChoiceToken {
  readonly kind: 'choice';
  readonly reason: Reason;
  readonly variants: readonly (readonly Token[])[];
}

export type Token = WordToken | ChoiceToken;

/** How a value is read: as written in the command, as an expansion outside quotes, or inside quotes. */
type Mode = 'written' | 'split' | 'quoted';

/** Pieces past which a command is no command: an exploding expansion is cut here. */
export class Budget {
  constructor(private left: number) {}

  spend(amount = 1): boolean {
    this.left -= amount;
    return this.left >= 0;
  }

  get exhausted(): boolean {
    return this.left < 0;
  }
}

/** The words of values that stand beside each other, each a word of the command. */
export function tokensOf(words: readonly ShellValue[], budget: Budget, outer: Path | null = null): Token[] {
  const builder = new TokenBuilder(budget);
  for (const word of words) {
    builder.add(word, 'written', outer);
    builder.end();
  }
  return builder.tokens;
}

class TokenBuilder {
  readonly tokens: Token[] = [];
  private leaves: Leaf[] | null = null;

  constructor(private readonly budget: Budget) {}

  end(): void {
    if (this.leaves !== null) this.tokens.push({ kind: 'word', leaves: this.leaves });
    this.leaves = null;
  }

  add(value: ShellValue, mode: Mode, outer: Path | null): void {
    if (!this.budget.spend()) return;
    switch (value.kind) {
      case 'text':
        this.addText(value, mode, outer);
        break;
      case 'unknown':
        this.push({
          text: null,
          reason: value.reason,
          place: value.place,
          exact: false,
          outer: samePlace(outer, value.place) ? (outer?.outer ?? null) : outer,
          quoted: mode === 'quoted',
        });
        break;
      case 'use':
        this.add(value.value, mode === 'quoted' ? 'quoted' : 'split', { place: value.place, outer });
        break;
      case 'quoted':
        if (mode !== 'split') this.leaves ??= [];
        this.add(value.value, mode === 'split' ? 'split' : 'quoted', outer);
        break;
      case 'join':
        for (const part of value.parts) this.add(part, mode, outer);
        break;
      case 'list':
        for (const [index, item] of value.items.entries()) {
          if (index > 0) this.end();
          this.add(item, mode === 'split' ? 'split' : 'written', outer);
        }
        break;
      case 'choice':
        this.addChoice(value, mode, outer);
        break;
    }
  }

  private addText(value: Extract<ShellValue, { kind: 'text' }>, mode: Mode, outer: Path | null): void {
    const { text, place, exact } = value;
    const leaf = (from: number, to: number): Leaf => ({
      text: text.slice(from, to),
      reason: null,
      place: exact ? { text: place.text, from: place.from + from, to: place.from + to } : place,
      exact,
      outer,
      quoted: mode === 'quoted',
    });
    if (mode !== 'split') {
      this.push(leaf(0, text.length));
      return;
    }
    for (const { index, 0: match } of text.matchAll(/\s+|\S+/g)) {
      if (match.trim() === '') this.end();
      else if (this.budget.spend()) this.push(leaf(index, index + match.length));
    }
  }

  private push(leaf: Leaf): void {
    (this.leaves ??= []).push(leaf);
  }

  private addChoice(
    { reason, variants }: Extract<ShellValue, { kind: 'choice' }>,
    mode: Mode,
    outer: Path | null,
  ): void {
    const built = variants.map(variant => {
      const builder = new TokenBuilder(this.budget);
      builder.add(variant, mode, outer);
      const open = builder.leaves !== null;
      builder.end();
      return { tokens: builder.tokens, open };
    });
    const single = built.every(({ tokens, open }) => open && tokens.length === 1 && tokens[0]?.kind === 'word');
    if (!single) {
      this.end();
      if (this.budget.spend())
        this.tokens.push({ kind: 'choice', reason, variants: built.map(({ tokens }) => tokens) });
      return;
    }
    const pieces = built.map(({ tokens }) => (tokens[0] as WordToken).leaves);
    const texts = pieces.map(leavesText);
    const text = texts.every(other => other === texts[0]) ? (texts[0] ?? null) : null;
    const place = pieces[0]?.[0]?.place ?? outer?.place;
    if (place === undefined) return;
    this.push({
      text,
      reason: text === null ? reason : null,
      place,
      exact: false,
      outer,
      quoted: mode === 'quoted',
      variants: pieces,
    });
  }
}

function samePlace(path: Path | null, place: Place): boolean {
  return (
    path !== null && path.place.text === place.text && path.place.from === place.from && path.place.to === place.to
  );
}

/** The text of pieces, or null where one is unknown. */
export function leavesText(leaves: readonly Leaf[]): string | null {
  let result = '';
  for (const { text } of leaves) {
    if (text === null) return null;
    result += text;
  }
  return result;
}

/** The known text at the end of a word: of `$DIR/train.py` it is `/train.py`. */
export function knownEnd(leaves: readonly Leaf[]): string {
  let result = '';
  for (let index = leaves.length - 1; index >= 0; index--) {
    const text = leaves[index]?.text ?? null;
    if (text === null) break;
    result = text + result;
  }
  return result;
}
