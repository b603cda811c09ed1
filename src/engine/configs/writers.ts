/** The kinds of files that a plan can be written into, with the format and the changes of each. */
import type { TextEdit } from '../problem';
import { writeAccelerate } from './accelerate/write';
import { writeAxolotl } from './axolotl/write';
import { writeColossalAi } from './colossalai/write';
import { writeDeepSpeed } from './deepspeed/write';
import { writeGptNeox } from './gptNeox/write';
import { writeInternEvo } from './internevo/write';
import { type ParsedText, parseJson } from './json';
import { writeLlamaFactory } from './llamaFactory/write';
import { writeLevanter } from './levanter/write';
import { writeLitgpt } from './litgpt/write';
import { writeLlmFoundry } from './llmFoundry/write';
import { writeMaxText } from './maxtext/write';
import { writeMegatronScript } from './megatron/write';
import { writeMegatronYaml } from './megatronYaml/write';
import { writeNanotron } from './nanotron/write';
import { writeNemo } from './nemo/write';
import { readNemoPython } from './nemoPython/read';
import { nemoAttributes } from './nemoPython/write';
import { writeOlmo } from './olmo/write';
import { writeOpenRlhf } from './openRlhf/write';
import { writePicotron } from './picotron/write';
import type { Target, Writing } from './placeChanges';
import type { Attributes } from './python/insert';
import { writeRecipe } from './python/write';
import { parseRelaxedJson } from './relaxedJson';
import { parseToml } from './toml';
import { readTorchtitanPython } from './torchtitanPython/read';
import { torchtitanAttributes } from './torchtitanPython/write';
import { writeTorchtitan } from './torchtitan/write';
import { writeTorchtune } from './torchtune/write';
import { type Change, type Format, treeEdits } from './treeEdits';
import { writeVerl, writeVerlScript } from './verl/write';
import { parseYaml } from './yaml';

export interface Writer {
  /** The edits that make the file say the plan; what the file cannot say is left out. */
  readonly edits: (target: Target, next: Omit<Writing, 'root'>) => TextEdit[];
}

type Parse = (file: string, text: string) => ParsedText;

function treeWriter(format: Format, parse: Parse, write: (writing: Writing) => Change[]): Writer {
  return {
    edits: ({ file, text }, next) => {
      const { root } = parse(file, text);
      return root === null ? [] : treeEdits({ format, file, text, root }, write({ ...next, root }));
    },
  };
}

/** Kinds that have a Python dialect beside their YAML or TOML. */
function withRecipes(writer: Writer, read: typeof readNemoPython, attributes: Attributes): Writer {
  return {
    edits: (target, next) =>
      target.file.toLowerCase().endsWith('.py')
        ? writeRecipe(target, next, (file, text, beside) => read(file, text, null, beside), attributes)
        : writer.edits(target, next),
  };
}

const yaml = (write: (writing: Writing) => Change[]): Writer => treeWriter('yaml', parseYaml, write);

const verlWriter: Writer = {
  edits: (target, next) =>
    /\.ya?ml$/i.test(target.file) ? yaml(writeVerl).edits(target, next) : writeVerlScript(target, next),
};

/** By kind. */
export const WRITERS: Readonly<Record<string, Writer>> = {
  picotron: treeWriter('json', (file, text) => parseJson(file, text), writePicotron),
  deepspeed: treeWriter('json', parseRelaxedJson, writing => writeDeepSpeed(writing)),
  torchtitan: withRecipes(treeWriter('toml', parseToml, writeTorchtitan), readTorchtitanPython, torchtitanAttributes),
  megatron: {
    edits: (target, next) => {
      if (/\.ya?ml$/i.test(target.file)) return yaml(writeMegatronYaml).edits(target, next);
      return writeMegatronScript(target.file, target.text, next.plan, target.beside);
    },
  },
  internevo: { edits: writeInternEvo },
  colossalai: { edits: writeColossalAi },
  openrlhf: { edits: writeOpenRlhf },
  verl: verlWriter,
  'verl-megatron': verlWriter,
  accelerate: yaml(writeAccelerate),
  nanotron: yaml(writeNanotron),
  nemo: withRecipes(yaml(writeNemo), readNemoPython, nemoAttributes),
  axolotl: yaml(writeAxolotl),
  'llama-factory': yaml(writeLlamaFactory),
  torchtune: yaml(writeTorchtune),
  levanter: yaml(writeLevanter),
  litgpt: yaml(writeLitgpt),
  'llm-foundry': yaml(writeLlmFoundry),
  maxtext: yaml(writeMaxText),
  olmo: yaml(writeOlmo),
  'gpt-neox': yaml(writeGptNeox),
};
