/**
 * JSON as DeepSpeed reads it, through Hjson (https://hjson.github.io/syntax.html): comments (#, //, slash-star),
 * trailing and missing commas, keys and texts without quotes. A text without quotes runs to the end of its line.
 * DeepSpeed itself refuses a key that is written twice (deepspeed/runtime/config_utils.py).
 */
import { type Problem, problem } from '../problem';
import { DEEPEST, type ParsedText } from './json';
import { type ConfigNode, type Entry, LineIndex, type Scalar, type ScalarNode } from './tree';

export function parseRelaxedJson(file: string, text: string): ParsedText {
  const parser = new RelaxedParser(text, new LineIndex(file, text));
  const root = parser.document();
  return { root, problems: parser.problems };
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENDS_KEY = new Set([':', ',', '{', '}', '[', ']']);
const ENDS_VALUE = new Set([',', '}', ']', '#', '/', '\n']);
/** CONFIG_BATCH_SIZE or ${batch}: what a script replaces before DeepSpeed reads the file. */
const PLACEHOLDER = /^(?:\$\{)?([A-Z][A-Z0-9_]{2,}|(?<=\{)\w+)\}?,?$/;
const WORDS: Readonly<Record<string, Scalar>> = { true: true, false: false, null: null };

class RelaxedParser {
  readonly problems: Problem[] = [];
  private at = 0;
  /** A syntax error was found: what was read up to it is kept, nothing behind it. */
  private stopped = false;

  constructor(
    private readonly text: string,
    private readonly lines: LineIndex,
  ) {}

  document(): ConfigNode | null {
    this.skipBlank();
    if (this.text[this.at] !== '{' && this.text[this.at] !== '[') return null;
    const root = this.value(0);
    this.skipBlank();
    if (this.at < this.text.length) this.stop('unexpected text after the end', this.at);
    return root;
  }

  private value(depth: number): ConfigNode {
    const start = this.at;
    if (depth > DEEPEST && !this.stopped) {
      this.stopped = true;
      this.problems.push(problem('too-deep', { limit: DEEPEST }, { source: this.lines.range(start, 1) }));
    }
    const next = this.text[start];
    if (this.stopped) return this.scalar(null, start);
    if (next === '{') return this.map(depth);
    if (next === '[') return this.list(depth);
    if (next === '"' || next === "'") return this.scalar(this.quoted(), start);
    return this.unquoted();
  }

  private map(depth: number): ConfigNode {
    const start = this.at++;
    const entries = new Map<string, Entry>();
    while (this.more('}', start)) {
      const keyStart = this.at;
      const name = this.key();
      const key = this.lines.range(keyStart, this.at - keyStart);
      this.skipBlank();
      if (this.stopped || this.text[this.at] !== ':') {
        this.stop('a colon is missing after a key', this.at);
        break;
      }
      this.at++;
      this.skipBlank();
      if (entries.has(name))
        this.problems.push(problem('duplicate-key', { key: name }, { source: key, severity: 'error' }));
      entries.set(name, { key, node: this.value(depth + 1) });
    }
    return { kind: 'map', entries, source: this.lines.range(start, this.at - start) };
  }

  private list(depth: number): ConfigNode {
    const start = this.at++;
    const items: ConfigNode[] = [];
    while (this.more(']', start)) {
      const before = this.at;
      items.push(this.value(depth + 1));
      if (this.at === before) this.stop('a value is missing', before);
    }
    return { kind: 'list', items, source: this.lines.range(start, this.at - start) };
  }

  /** Skips to the next member; false at the closing bracket, which is consumed, and where the text is broken. */
  private more(close: '}' | ']', start: number): boolean {
    this.skipBlank();
    if (this.text[this.at] === ',') {
      this.at++;
      this.skipBlank();
    }
    if (this.stopped) return false;
    if (this.at >= this.text.length) {
      this.stop(`the bracket that opens here is not closed`, start);
      return false;
    }
    if (this.text[this.at] !== close) return true;
    this.at++;
    return false;
  }

  private key(): string {
    const start = this.at;
    if (this.text[start] === '"' || this.text[start] === "'") return this.quoted();
    while (this.at < this.text.length && !ENDS_KEY.has(this.text[this.at] ?? '') && !this.isBlank()) this.at++;
    if (this.at === start) this.stop('a key is missing', start);
    return this.text.slice(start, this.at);
  }

  /** A number or word ends at a delimiter; any other text ends with its line, commas included. */
  private unquoted(): ConfigNode {
    const start = this.at;
    for (;;) {
      const next = this.text[this.at];
      if (next === undefined || ENDS_VALUE.has(next)) {
        const word = this.text.slice(start, this.at).trim();
        const value = valueOf(word);
        if (value !== undefined) return this.placed(value, start, word.length);
        if (next === undefined || next === '\n' || word === '') return this.word(word, start);
        // Only the first delimiters can end a number; a long text is walked once.
        if (word.length > 400) this.skipLine();
      }
      if (this.text[this.at] !== undefined && this.text[this.at] !== '\n') this.at++;
    }
  }

  /** A bare text; a template's word in capitals or variable stands for what a script puts there. */
  private word(word: string, start: number): ConfigNode {
    const node = this.placed(word, start, word.length);
    const [, name] = PLACEHOLDER.exec(word) ?? [];
    return name === undefined ? node : { ...node, value: null, missing: name };
  }

  private quoted(): string {
    const start = this.at;
    const quote = this.text[this.at++];
    if (this.text.startsWith("'''", start)) return this.multiline(start);
    let result = '';
    for (;;) {
      const next = this.text[this.at++];
      if (next === undefined || next === '\n') {
        this.stop('a text is not closed', start);
        return result;
      }
      if (next === quote) return result;
      result += next === '\\' ? this.escape() : next;
    }
  }

  private escape(): string {
    const code = this.text[this.at++] ?? '';
    if (code !== 'u') return ESCAPES[code] ?? code;
    const digits = this.text.slice(this.at, this.at + 4);
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16) || 0);
  }

  private multiline(start: number): string {
    const end = this.text.indexOf("'''", start + 3);
    if (end === -1) this.stop('a text is not closed', start);
    else this.at = end + 3;
    return this.text.slice(start + 3, end === -1 ? start + 3 : end);
  }

  private skipBlank(): void {
    for (;;) {
      if (this.isBlank()) this.at++;
      else if (this.text[this.at] === '#' || this.text.startsWith('//', this.at)) this.skipLine();
      else if (this.text.startsWith('/*', this.at)) {
        const end = this.text.indexOf('*/', this.at + 2);
        this.at = end === -1 ? this.text.length : end + 2;
      } else return;
    }
  }

  private skipLine(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  private isBlank(): boolean {
    const next = this.text.charCodeAt(this.at);
    return next === 32 || (next >= 9 && next <= 13) || next === 0xa0;
  }

  private stop(reason: string, offset: number): void {
    if (this.stopped) return;
    this.stopped = true;
    this.problems.push(problem('syntax', { format: 'JSON', reason }, { source: this.lines.range(offset, 1) }));
  }

  private scalar(value: Scalar, start: number): ConfigNode {
    return { kind: 'scalar', value, source: this.lines.range(start, this.at - start) };
  }

  private placed(value: Scalar, start: number, length: number): ScalarNode {
    return { kind: 'scalar', value, source: this.lines.range(start, length) };
  }
}

function valueOf(word: string): Scalar | undefined {
  if (Object.hasOwn(WORDS, word)) return WORDS[word];
  const first = word.charCodeAt(0);
  const isNumber = (first >= 48 && first <= 57) || word[0] === '-';
  const number = isNumber ? Number(word) : NaN;
  return Number.isFinite(number) ? number : undefined;
}
