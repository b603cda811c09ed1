/** JSON with positions. Comments and trailing commas are accepted only where the format's own reader accepts them. */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Problem, problem } from '../problem';
import { type ConfigNode, type Entry, LineIndex } from './tree';

/** Nesting that no config reaches; deeper text would exhaust the stack of the parser. */
export const DEEPEST = 200;

/** Token kinds of jsonc-parser's scanner (its enum SyntaxKind, which isolated modules cannot read). */
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, end: 17 } as const;

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
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, {
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
  const root = tree === undefined ? null : toConfigNode(tree, lines, problems);
  return { root, problems };
}

/** Offset of the bracket that opens the level past the deepest allowed, found without recursion. */
function firstTooDeep(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== TOKEN.end; kind = scanner.scan()) {
    if (kind === TOKEN.openBrace || kind === TOKEN.openBracket) {
      if (++depth > DEEPEST) return scanner.getTokenOffset();
    } else if (kind === TOKEN.closeBrace || kind === TOKEN.closeBracket) depth--;
  }
  return null;
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
