/** The kinds of files that MeshLens reads: which one a text is, and its reading. */
import type { Problem } from '../problem';
import type { FileReading } from '../setup/setup';
import { isAccelerate, readAccelerate } from './accelerate/read';
import { isAxolotl, readAxolotl } from './axolotl/read';
import { readColossalAi } from './colossalai/read';
import { isDeepSpeed, readDeepSpeed } from './deepspeed/read';
import { isGptNeox, readGptNeox } from './gptNeox/read';
import { isHfConfig, readHfConfig } from './hf/read';
import { readInternEvo } from './internevo/read';
import { LARGEST_FILE, type ParsedText, parseJson } from './json';
import { isLlamaFactory, readLlamaFactory } from './llamaFactory/read';
import { isLevanter, readLevanter } from './levanter/read';
import { isLitgpt, readLitgpt } from './litgpt/read';
import { isLlmFoundry, readLlmFoundry } from './llmFoundry/read';
import { readMegatronScript, scriptIncludes } from './megatron/read';
import { isMaxText, readMaxText } from './maxtext/read';
import { isMegatronYaml, readMegatronYaml } from './megatronYaml/read';
import { isNanotron, readNanotron } from './nanotron/read';
import type { TextFile } from './beside';
import { isAutomodel, readAutomodel } from './nemo/automodel';
import { isNemo, readNemo } from './nemo/read';
import { isNemoRl, readNemoRl } from './nemo/rl';
import { readNemoPython } from './nemoPython/read';
import { isOlmo, readOlmo } from './olmo/read';
import { readOpenRlhf } from './openRlhf/read';
import { isPicotronConfig, readPicotron } from './picotron/read';
import { parseRelaxedJson } from './relaxedJson';
import { parseToml } from './toml';
import { isTorchtitan, readTorchtitan } from './torchtitan/read';
import { readTorchtitanPython } from './torchtitanPython/read';
import { isTorchtune, readTorchtune } from './torchtune/read';
import type { ConfigNode } from './tree';
import { isVerl, readVerlScript, readVerlYaml } from './verl/read';
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
  { kind: 'megatron', ...YAML_FILE, detect: isMegatronYaml, read: readMegatronYaml },
  { kind: 'nemo', ...YAML_FILE, detect: isNemo, read: readNemo },
  { kind: 'nemo', ...YAML_FILE, detect: isNemoRl, read: readNemoRl },
  { kind: 'nemo', ...YAML_FILE, detect: isAutomodel, read: readAutomodel },
  { kind: 'verl', ...YAML_FILE, detect: isVerl, read: readVerlYaml },
  { kind: 'axolotl', ...YAML_FILE, detect: isAxolotl, read: readAxolotl },
  { kind: 'llama-factory', ...YAML_FILE, detect: isLlamaFactory, read: readLlamaFactory },
  { kind: 'torchtune', ...YAML_FILE, detect: isTorchtune, read: readTorchtune },
  { kind: 'litgpt', ...YAML_FILE, detect: isLitgpt, read: readLitgpt },
  { kind: 'llm-foundry', ...YAML_FILE, detect: isLlmFoundry, read: readLlmFoundry },
  { kind: 'olmo', ...YAML_FILE, detect: isOlmo, read: readOlmo },
  { kind: 'levanter', ...YAML_FILE, detect: isLevanter, read: readLevanter },
  { kind: 'maxtext', ...YAML_FILE, detect: isMaxText, read: readMaxText },
  { kind: 'gpt-neox', ...YAML_FILE, detect: isGptNeox, read: readGptNeox },
  { kind: 'torchtitan', ...TOML_FILE, detect: isTorchtitan, read: readTorchtitan },
];

/** Configs that are code: read as text, and null where a file is none of the kind. */
interface CodeKind {
  readonly extensions: readonly string[];
  readonly read: (file: string, text: string, beside: readonly TextFile[]) => FileReading | null;
}

const SHELL_ENDINGS = ['.sh', '.bash', '.slurm', '.sbatch'];

const CODE_KINDS: readonly CodeKind[] = [
  { extensions: SHELL_ENDINGS, read: readMegatronScript },
  { extensions: SHELL_ENDINGS, read: readVerlScript },
  { extensions: SHELL_ENDINGS, read: readOpenRlhf },
  { extensions: SHELL_ENDINGS, read: scriptIncludes },
  {
    extensions: ['.py'],
    read: (file, text, beside) => readTorchtitanPython(file, text, null, beside)?.reading ?? null,
  },
  { extensions: ['.py'], read: readInternEvo },
  { extensions: ['.py'], read: readColossalAi },
  { extensions: ['.py'], read: (file, text, beside) => readNemoPython(file, text, null, beside)?.reading ?? null },
];

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads one file; `beside` are files that it may source or import. A file of no supported kind has kind null and no problems; a damaged file of a supported kind has
 * the reading of what is left of it, with the damage as its first problem.
 */
export function readConfig(file: string, text: string, beside: readonly TextFile[] = []): FileReading {
  const nothing: FileReading = { file, kind: null, setup: null, problems: [], damaged: false };
  const clean = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  if (clean.length > LARGEST_FILE) return nothing;
  const named = ({ extensions }: Pick<CodeKind, 'extensions'>) =>
    extensions.some(extension => file.toLowerCase().endsWith(extension));
  for (const { read } of CODE_KINDS.filter(named)) {
    const reading = read(file, clean, beside);
    if (reading !== null) return reading;
  }
  const kinds = KINDS.filter(named);
  if (kinds.length === 0) return nothing;
  const parsed = new Map<ConfigKind['parse'], ParsedText>();
  for (const { parse, detect, read } of kinds) {
    const { root, problems } = parsed.get(parse) ?? parse(file, clean);
    parsed.set(parse, { root, problems });
    if (root !== null && detect(root)) return read(file, root, problems);
  }
  return { ...nothing, damaged: [...parsed.values()].some(({ problems }) => problems.length > 0) };
}

/** Reads files that may source or import each other. */
export function readAll(files: readonly TextFile[]): FileReading[] {
  return files.map(source =>
    readConfig(
      source.file,
      source.text,
      files.filter(other => other !== source),
    ),
  );
}

/** Endings of the names of files that a reader looks at. */
export const CONFIG_ENDINGS: readonly string[] = [
  ...new Set([...KINDS, ...CODE_KINDS].flatMap(({ extensions }) => extensions)),
];
