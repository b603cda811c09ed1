/**
 * Words that a shell reads a second time: `eval $CMD`, `bash -c "…"`, a here-document given to sbatch. Quotes go,
 * operators separate commands, redirections drop out; the places stay.
 */
import type { Leaf, Token } from './words';

/** The words of a variable that the second reading finds by name. */
export type VariableWords = (name: string, leaf: Leaf) => readonly Token[];

/** The commands in words that are read again. */
export function readAgain(tokens: readonly Token[], variable: VariableWords): Token[][] {
  const reader = new SecondReading(variable);
  for (const token of tokens) {
    reader.token(token);
    reader.endWord();
  }
  reader.endCommand();
  return reader.commands;
}

class SecondReading {
  readonly commands: Token[][] = [];
  private words: Token[] = [];
  private leaves: Leaf[] | null = null;
  private quote: '"' | "'" | null = null;
  private comment = false;
  private skipNext = false;

  constructor(private readonly variable: VariableWords) {}

  token(token: Token): void {
    if (token.kind === 'word') {
      for (const leaf of token.leaves) this.leaf(leaf);
      return;
    }
    const variants = token.variants.map(variant => readAgain(variant, this.variable).flat());
    if (variants.some(variant => variant.length > 0)) this.words.push({ ...token, variants });
  }

  private leaf(leaf: Leaf): void {
    const { text } = leaf;
    if (text === null || !leaf.exact) {
      if (!this.comment) (this.leaves ??= []).push(leaf);
      return;
    }
    let start = 0;
    const flush = (to: number) => {
      if (to > start && !this.comment) (this.leaves ??= []).push(slice(leaf, start, to));
    };
    for (let at = 0; at < text.length; at++) {
      const char = text[at];
      if (this.comment && char !== '\n') continue;
      if (this.quote !== null ? char === this.quote : char === '"' || char === "'") {
        flush(at);
        this.leaves ??= [];
        this.quote = this.quote === null ? (char as '"' | "'") : null;
      } else if (this.quote !== null) continue;
      else if (char === '\\') {
        flush(at);
        at++;
        if (text[at] !== '\n') {
          start = at;
          continue;
        }
      } else if (char === '#' && this.leaves === null && at === start) {
        this.comment = true;
      } else if (/\s/.test(char)) {
        flush(at);
        this.endWord();
        if (char === '\n' && leaf.quoted) this.endCommand();
      } else if (char === '>' || char === '<') {
        flush(at);
        this.redirect();
        while ('<>&'.includes(text[at + 1] ?? '?')) at++;
      } else if (char === ';' || char === '|' || (char === '&' && text[at + 1] !== '>')) {
        flush(at);
        this.endWord();
        this.endCommand();
      } else if (char === '&') {
        flush(at);
      } else continue;
      start = at + 1;
    }
    flush(text.length);
  }

  /** The descriptor before an operator and the target after it are no arguments. */
  private redirect(): void {
    this.leaves = null;
    this.skipNext = true;
  }

  endWord(): void {
    const last = this.leaves?.at(-1);
    if (this.quote !== null && last !== undefined) {
      // Inside quotes the elements of an array stay one word.
      this.leaves?.push({ ...last, text: ' ', exact: true });
      return;
    }
    if (this.leaves !== null) {
      if (!this.skipNext) this.addWord(this.leaves);
      this.skipNext = false;
    }
    this.leaves = null;
  }

  /** `$NAME` that the first reading kept as text is expanded now. */
  private addWord(leaves: readonly Leaf[]): void {
    const [only] = leaves;
    const name = leaves.length === 1 && only?.exact === true ? /^\$\{?(\w+)\}?$/.exec(only.text ?? '')?.[1] : undefined;
    if (name === undefined || only === undefined) this.words.push({ kind: 'word', leaves: leaves.map(hideExpansion) });
    else this.words.push(...this.variable(name, only));
  }

  endCommand(): void {
    if (this.leaves !== null && !this.skipNext) this.addWord(this.leaves);
    this.leaves = null;
    this.comment = false;
    this.skipNext = false;
    if (this.words.length > 0) this.commands.push(this.words);
    this.words = [];
  }
}

function slice(leaf: Leaf, from: number, to: number): Leaf {
  const { place } = leaf;
  return {
    ...leaf,
    text: (leaf.text ?? '').slice(from, to),
    place: { text: place.text, from: place.from + from, to: place.from + to },
  };
}

/** Text with an expansion in it, kept by the first reading, is not known. */
function hideExpansion(leaf: Leaf): Leaf {
  const name = leaf.exact ? /\$\{?(\w+)/.exec(leaf.text ?? '')?.[1] : undefined;
  return name === undefined ? leaf : { ...leaf, text: null, reason: { kind: 'environment', name } };
}
