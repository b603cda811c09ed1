/** The kinds of files that MeshLens reads: which one a text is, and its reading. */
import type { Problem } from '../problem';
import type { FileReading } from '../setup/setup';
import { isHfConfig, readHfConfig } from './hf/read';
import { LARGEST_FILE, type ParsedText, parseJson } from './json';
import { isPicotronConfig, readPicotron } from './picotron/read';
import type { ConfigNode } from './tree';

interface ConfigKind {
  readonly kind: string;
  readonly parse: (file: string, text: string) => ParsedText;
  readonly extensions: readonly string[];
  readonly detect: (root: ConfigNode) => boolean;
  readonly read: (file: string, root: ConfigNode, problems: readonly Problem[]) => FileReading;
}

/** In the order in which they are asked: the more particular first. */
const KINDS: readonly ConfigKind[] = [
  { kind: 'picotron', parse: parseJson, extensions: ['.json'], detect: isPicotronConfig, read: readPicotron },
  { kind: 'hf', parse: parseJson, extensions: ['.json'], detect: isHfConfig, read: readHfConfig },
];

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads one file. A file of no supported kind has kind null and no problems; a damaged file of a supported kind has
 * the reading of what is left of it, with the damage as its first problem.
 */
export function readConfig(file: string, text: string): FileReading {
  const nothing: FileReading = { file, kind: null, setup: null, problems: [], damaged: false };
  const clean = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const kinds = KINDS.filter(({ extensions }) => extensions.some(extension => file.toLowerCase().endsWith(extension)));
  if (kinds.length === 0) return nothing;
  if (clean.length > LARGEST_FILE) return nothing;
  const parsed = kinds[0] === undefined ? null : kinds[0].parse(file, clean);
  const root = parsed?.root ?? null;
  if (parsed === null) return nothing;
  const unknown = { ...nothing, damaged: parsed.problems.length > 0 };
  if (root === null) return unknown;
  const found = kinds.find(({ detect }) => detect(root));
  return found === undefined ? unknown : found.read(file, root, parsed.problems);
}
