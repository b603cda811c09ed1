/** JSON with positions. Comments and trailing commas are accepted only where the format's own reader accepts them. */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Problem, problem } from '../problem';
import { type ConfigNode, type Entry, LineIndex } from './tree';

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
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, unknown: 16, end: 17 } as const;

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
  const { tooDeep, words } = scan(text);
  if (tooDeep !== null) {
    return { root: null, problems: [problem('too-deep', { limit: DEEPEST }, { source: lines.range(tooDeep, 1) })] };
  }
  const errors: ParseError[] = [];
  const tree = parseTree(withoutWords(text, words), errors, {
    disallowComments: !dialect.comments,
    allowTrailingComma: dialect.trailingCommas,
    allowEmptyContent: false,
  });
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
  const root = tree === undefined ? null : toConfigNode(tree, lines, problems);
  return { root, problems };
}

interface Token {
  readonly offset: number;
  readonly length: number;
}

/** Numbers that Python writes and reads, and JSON does not have. */
const PYTHON_NUMBERS = ['NaN', 'Infinity', '-Infinity'];

/**
 * Looks over the text without recursion: the offset of the bracket that opens the level past the deepest allowed, and
 * the words of Python that stand for numbers.
 */
function scan(text: string): { tooDeep: number | null; words: Token[] } {
  const scanner = createScanner(text, true);
  const words: Token[] = [];
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== TOKEN.end; kind = scanner.scan()) {
    if (kind === TOKEN.openBrace || kind === TOKEN.openBracket) {
      if (++depth > DEEPEST) return { tooDeep: scanner.getTokenOffset(), words };
    } else if (kind === TOKEN.closeBrace || kind === TOKEN.closeBracket) depth--;
    else if (kind === TOKEN.unknown && PYTHON_NUMBERS.includes(scanner.getTokenValue()))
      words.push({ offset: scanner.getTokenOffset(), length: scanner.getTokenLength() });
  }
  return { tooDeep: null, words };
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

/** Of keys that are written twice the last counts, as in every reader of JSON; it is said. */
function toConfigNode(node: Node, lines: LineIndex, problems: Problem[]): ConfigNode {
  const source = lines.range(node.offset, node.length);
  switch (node.type) {
    case 'object': {
      const entries = new Map<string, Entry>();
      for (const property of node.children ?? []) {
        const [key, value] = property.children ?? [];
        if (key === undefined || value === undefined) continue;
        const name = String(key.value);
        const place = lines.range(key.offset, key.length);
        if (entries.has(name)) problems.push(problem('duplicate-key', { key: name.slice(0, 60) }, { source: place }));
        entries.set(name, { key: place, node: toConfigNode(value, lines, problems) });
      }
      return { kind: 'map', entries, source };
    }
    case 'array':
      return { kind: 'list', items: (node.children ?? []).map(item => toConfigNode(item, lines, problems)), source };
    default:
      return { kind: 'scalar', value: (node.value ?? null) as string | number | boolean | null, source };
  }
}
