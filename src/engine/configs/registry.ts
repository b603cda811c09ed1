/** The kinds of files that MeshLens reads: which one a text is, and its reading. */
import type { Problem } from '../problem';
import type { FileReading } from '../setup/setup';
import { isAccelerate, readAccelerate } from './accelerate/read';
import { isDeepSpeed, readDeepSpeed } from './deepspeed/read';
import { isHfConfig, readHfConfig } from './hf/read';
import { LARGEST_FILE, type ParsedText, parseJson } from './json';
import { isNanotron, readNanotron } from './nanotron/read';
import { isPicotronConfig, readPicotron } from './picotron/read';
import { parseRelaxedJson } from './relaxedJson';
import { parseToml } from './toml';
import { isTorchtitan, readTorchtitan } from './torchtitan/read';
import type { ConfigNode } from './tree';
import { parseYaml } from './yaml';

interface ConfigKind {
  readonly kind: string;
  readonly parse: (file: string, text: string) => ParsedText;
  readonly extensions: readonly string[];
  readonly detect: (root: ConfigNode) => boolean;
  readonly read: (file: string, root: ConfigNode, problems: readonly Problem[]) => FileReading;
}

const JSON_FILE = { parse: (file: string, text: string) => parseJson(file, text), extensions: ['.json'] };
const YAML_FILE = { parse: parseYaml, extensions: ['.yaml', '.yml'] };
const TOML_FILE = { parse: parseToml, extensions: ['.toml'] };

/** In the order in which they are asked: the more particular first. */
const KINDS: readonly ConfigKind[] = [
  { kind: 'picotron', ...JSON_FILE, detect: isPicotronConfig, read: readPicotron },
  { kind: 'hf', ...JSON_FILE, detect: isHfConfig, read: readHfConfig },
  { kind: 'deepspeed', parse: parseRelaxedJson, extensions: ['.json'], detect: isDeepSpeed, read: readDeepSpeed },
  { kind: 'nanotron', ...YAML_FILE, detect: isNanotron, read: readNanotron },
  { kind: 'accelerate', ...YAML_FILE, detect: isAccelerate, read: readAccelerate },
  { kind: 'torchtitan', ...TOML_FILE, detect: isTorchtitan, read: readTorchtitan },
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
  if (kinds.length === 0 || clean.length > LARGEST_FILE) return nothing;
  const parsed = new Map<ConfigKind['parse'], ParsedText>();
  for (const { parse, detect, read } of kinds) {
    const { root, problems } = parsed.get(parse) ?? parse(file, clean);
    parsed.set(parse, { root, problems });
    if (root !== null && detect(root)) return read(file, root, problems);
  }
  return { ...nothing, damaged: [...parsed.values()].some(({ problems }) => problems.length > 0) };
}
