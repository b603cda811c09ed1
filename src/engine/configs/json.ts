/** JSON with positions. Comments and trailing commas are accepted only where the format's own reader accepts them. */
import { createScanner, type ParseError, printParseErrorCode, visit } from 'jsonc-parser';
import { type Problem, problem, type SourceRange } from '../problem';
import { type ConfigNode, type Entry, LineIndex, type Scalar } from './tree';

/** Nesting that no config reaches; deeper text would exhaust the stack of the parser. */
export const DEEPEST = 200;

/** Brackets left open in a text, its strings included, that no config reaches; parsers take quadratic time over them. */
const MOST_OPEN = 10 * DEEPEST;

/** The problem of a text with a row of brackets that parsers would choke on before its depth could be told. */
export function bracketBomb(text: string, lines: LineIndex): Problem | null {
  let open = 0;
  for (let i = 0; i < text.length; i++) {
    const next = text[i];
    if (next === '[' || next === '{') open++;
    else if (next === ']' || next === '}') open--;
    if (open > MOST_OPEN) return problem('too-deep', { limit: DEEPEST }, { source: lines.range(i, 1) });
  }
  return null;
}

/** Token kinds of jsonc-parser's scanner (its enum SyntaxKind, which isolated modules cannot read). */
const TOKEN = { unknown: 16, end: 17 } as const;

/** Codes of the characters that a look over the text needs. */
const CODE = {
  newline: 10,
  return: 13,
  quote: 34,
  slash: 47,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  openBrace: 123,
  closeBrace: 125,
} as const;

/** Characters above which a file is not read: configs are small, logs and data are not. */
export const LARGEST_FILE = 5_000_000;

export interface ParsedText {
  /** null where nothing could be read. */
  readonly root: ConfigNode | null;
  readonly problems: readonly Problem[];
}

export interface JsonDialect {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

const STRICT: JsonDialect = { comments: false, trailingCommas: false };

/** Parses a JSON text. A damaged text gives its problems and whatever could still be read. */
export function parseJson(file: string, text: string, dialect: JsonDialect = STRICT): ParsedText {
  const lines = new LineIndex(file, text);
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== null) {
    return { root: null, problems: [problem('too-deep', { limit: DEEPEST }, { source: lines.range(tooDeep, 1) })] };
  }
  const words = /NaN|Infinity/.test(text) ? pythonWords(text) : [];
  const errors: ParseError[] = [];
  const repeated: Problem[] = [];
  const root = readTree(withoutWords(text, words), lines, dialect, errors, repeated);
  // One mistake often makes a row of follow-up errors: the first names the place.
  const problems = errors
    .slice(0, 1)
    .map(({ error, offset, length }) =>
      problem(
        'syntax',
        { format: 'JSON', reason: printParseErrorCode(error) },
        { source: lines.range(offset, length) },
      ),
    );
  if (problems.length === 0) {
    problems.push(
      ...words.slice(0, 1).map(({ offset, length }) => {
        const args = {
          format: 'JSON',
          reason: `${text.slice(offset, offset + length)} is a word of Python’s reader alone`,
        };
        return problem('syntax', args, { source: lines.range(offset, length), severity: 'warning' });
      }),
    );
  }
  return { root, problems: [...problems, ...repeated] };
}

interface Token {
  readonly offset: number;
  readonly length: number;
}

/** Numbers that Python writes and reads, and JSON does not have. */
const PYTHON_NUMBERS = ['NaN', 'Infinity', '-Infinity'];

/** The offset of the bracket that opens the level past the deepest allowed, found without recursion. */
function firstTooDeep(text: string): number | null {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const next = text.charCodeAt(i);
    if (inText) {
      if (next === CODE.backslash) i++;
      else if (next === CODE.quote || next === CODE.newline || next === CODE.return) inText = false;
    } else if (next === CODE.quote) inText = true;
    else if (next === CODE.slash) i = commentEnd(text, i);
    else if (next === CODE.openBrace || next === CODE.openBracket) {
      if (++depth > DEEPEST) return i;
    } else if (next === CODE.closeBrace || next === CODE.closeBracket) depth--;
  }
  return null;
}

/** The last character of a comment that begins here, or the place itself; comments count even where they are refused. */
function commentEnd(text: string, start: number): number {
  const isLine = text[start + 1] === '/';
  if (!isLine && text[start + 1] !== '*') return start;
  const end = isLine ? text.indexOf('\n', start) : text.indexOf('*/', start + 2);
  return end === -1 ? text.length : isLine ? end : end + 1;
}

/** The words of Python that stand for numbers. */
function pythonWords(text: string): Token[] {
  const scanner = createScanner(text, true);
  const words: Token[] = [];
  for (let kind: number = scanner.scan(); kind !== TOKEN.end; kind = scanner.scan()) {
    if (kind === TOKEN.unknown && PYTHON_NUMBERS.includes(scanner.getTokenValue()))
      words.push({ offset: scanner.getTokenOffset(), length: scanner.getTokenLength() });
  }
  return words;
}

/** The text with those words as texts of the same length, so that every place stays. */
function withoutWords(text: string, words: readonly Token[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { offset, length } of words) {
    parts.push(text.slice(from, offset), JSON.stringify('N'.repeat(length - 2)));
    from = offset + length;
  }
  return words.length === 0 ? text : [...parts, text.slice(from)].join('');
}

interface OpenMap {
  readonly kind: 'map';
  readonly entries: Map<string, Entry>;
  readonly offset: number;
  /** The key whose value is awaited. */
  key: { readonly name: string; readonly source: SourceRange } | null;
}

interface OpenList {
  readonly kind: 'list';
  readonly items: ConfigNode[];
  readonly offset: number;
}

/**
 * Builds the tree while the text is parsed. Of keys that are written twice the last counts, as in every reader of JSON;
 * it is said. What is open where a damaged text ends is kept.
 */
function readTree(
  text: string,
  lines: LineIndex,
  dialect: JsonDialect,
  errors: ParseError[],
  repeated: Problem[],
): ConfigNode | null {
  const open: (OpenMap | OpenList)[] = [];
  let root: ConfigNode | null = null;
  const put = (node: ConfigNode): void => {
    const parent = open.at(-1);
    if (parent === undefined) root ??= node;
    else if (parent.kind === 'list') parent.items.push(node);
    else if (parent.key !== null) {
      const { name, source } = parent.key;
      if (parent.entries.has(name)) repeated.push(problem('duplicate-key', { key: name.slice(0, 60) }, { source }));
      parent.entries.set(name, { key: source, node });
      parent.key = null;
    }
  };
  const close = (end: number): void => {
    const last = open.pop();
    if (last === undefined) return;
    const source = lines.range(last.offset, end - last.offset);
    put(
      last.kind === 'map'
        ? { kind: 'map', entries: last.entries, source }
        : { kind: 'list', items: last.items, source },
    );
  };
  visit(
    text,
    {
      onObjectBegin: offset => void open.push({ kind: 'map', entries: new Map(), offset, key: null }),
      onObjectProperty: (name, offset, length) => {
        const parent = open.at(-1);
        if (parent?.kind === 'map') parent.key = { name, source: lines.range(offset, length) };
      },
      onObjectEnd: (offset, length) => close(offset + length),
      onArrayBegin: offset => void open.push({ kind: 'list', items: [], offset }),
      onArrayEnd: (offset, length) => close(offset + length),
      onLiteralValue: (value: Scalar, offset, length) =>
        put({ kind: 'scalar', value, source: lines.range(offset, length) }),
      onError: (error, offset, length) => void errors.push({ error, offset, length }),
    },
    { disallowComments: !dialect.comments, allowTrailingComma: dialect.trailingCommas, allowEmptyContent: false },
  );
  while (open.length > 0) close(text.length);
  return root;
}
