/**
 * Problems that a comment in their file switches off: `# meshlens-disable CODE…` for the whole file,
 * `# meshlens-disable-next-line CODE…` for the line below. Without a code all are meant; `//` serves where a format has
 * it. What damages the text itself cannot be switched off.
 */
import type { Problem } from '../problem';
import type { TextFile } from './beside';

const MARK = 'meshlens-disable';
const NEXT_LINE = '-next-line';

interface Suppressions {
  /** Codes of the whole file; '*' for all. */
  readonly file: ReadonlySet<string>;
  /** Codes by line, counted from 1. */
  readonly lines: ReadonlyMap<number, ReadonlySet<string>>;
}

export function withoutSuppressed(problems: readonly Problem[], files: readonly TextFile[]): Problem[] {
  const marked = files.filter(({ text }) => text.includes(MARK));
  if (marked.length === 0) return [...problems];
  const byFile = new Map(marked.map(({ file, text }) => [file, suppressionsOf(text)]));
  return problems.filter(({ code, source }) => {
    const found = source === null ? undefined : byFile.get(source.file);
    if (found === undefined || source === null || code === 'syntax') return true;
    return !isMeant(found.file, code) && !isMeant(found.lines.get(source.line), code);
  });
}

function isMeant(codes: ReadonlySet<string> | undefined, code: string): boolean {
  return codes !== undefined && (codes.has(code) || codes.has('*'));
}

function suppressionsOf(text: string): Suppressions {
  const file = new Set<string>();
  const lines = new Map<number, Set<string>>();
  text.split('\n').forEach((line, at) => {
    const words = commentWords(line);
    if (words === null) return;
    const [mark, ...codes] = words;
    const meant = codes.length === 0 ? ['*'] : codes;
    if (mark === MARK) for (const code of meant) file.add(code);
    else if (mark === MARK + NEXT_LINE) lines.set(at + 2, new Set(meant));
  });
  return { file, lines };
}

/** The words of a comment that begins with our mark, on a line of its own or after a value; null elsewhere. */
function commentWords(line: string): string[] | null {
  const at = line.indexOf(MARK);
  if (at < 0) return null;
  const before = line.slice(0, at).trimEnd();
  if (!before.endsWith('#') && !before.endsWith('//')) return null;
  return line
    .slice(at)
    .split(/[\s,]/)
    .filter(word => word !== '');
}
