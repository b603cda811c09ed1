/**
 * Every setting, once: the manifest's section is generated from this table (scripts/manifest.ts), and `settings.ts`
 * reads by it. All are per folder, so that a repository may commit them.
 */
import { ACCELERATORS } from '../engine/hardware/accelerators';
import { PROBLEM_CODES } from '../engine/problem';

/** What a setting's value is, by its type. A nullable one is null until the user sets it. */
export interface SettingTypes {
  flag: boolean;
  count: number | null;
  amount: number | null;
  text: string;
  accelerator: string | null;
  globs: readonly string[];
  kinds: Readonly<Record<string, boolean>>;
  severities: Readonly<Record<string, 'error' | 'warning' | 'information' | 'off'>>;
}

export interface Setting<Type extends keyof SettingTypes = keyof SettingTypes> {
  readonly category: keyof typeof CATEGORIES;
  readonly type: Type;
  readonly default: SettingTypes[Type];
  readonly description: string;
}

/** Titles in the settings editor, in their order. */
const CATEGORIES = {
  cluster: 'Cluster',
  cost: 'Cost and Energy',
  editor: 'Editor',
} as const;

/** Kinds of files that can be switched off, with the name by which their users know them. */
export const KIND_NAMES = {
  hf: 'Hugging Face config.json',
  picotron: 'picotron',
  deepspeed: 'DeepSpeed',
  accelerate: 'Accelerate',
  nanotron: 'nanotron',
  torchtitan: 'torchtitan',
  megatron: 'Megatron-LM',
  nemo: 'NeMo',
  axolotl: 'axolotl',
  'llama-factory': 'LLaMA-Factory',
  'gpt-neox': 'GPT-NeoX',
} as const;

const setting = <Type extends keyof SettingTypes>(
  category: keyof typeof CATEGORIES,
  type: Type,
  value: SettingTypes[Type],
  description: string,
): Setting<Type> => ({ category, type, default: value, description });

export const SETTINGS = {
  'cluster.gpu': setting(
    'cluster',
    'accelerator',
    null,
    'Accelerator of the run (`h100-sxm`, `a100-80`, `b200`, …). [Choose the cluster](command:meshlens.chooseCluster) lists them with their memory. A `meshlens.json` in the workspace says it for everyone who works there.',
  ),
  'cluster.nodes': setting(
    'cluster',
    'count',
    null,
    'Nodes of the run. Without it, the training config says how many GPUs there are.',
  ),
  'cluster.gpusPerNode': setting(
    'cluster',
    'count',
    null,
    'GPUs of a node, where it is not the usual number of the accelerator.',
  ),
  'cluster.nicBytesPerSecond': setting(
    'cluster',
    'count',
    null,
    'Network rate of one GPU in one direction, in bytes per second (400 Gb/s is 50000000000).',
  ),
  'cluster.domainSize': setting(
    'cluster',
    'count',
    null,
    'GPUs that one fast-link domain joins, where it is not a node (72 in an NVL72 rack).',
  ),
  'cost.perGpuHour': setting(
    'cost',
    'amount',
    null,
    'Price of one GPU for one hour, in `#meshlens.cost.currency#`. Without it, nothing is said of cost.',
  ),
  'cost.currency': setting('cost', 'text', 'USD', 'Currency of `#meshlens.cost.perGpuHour#`, as it is to be printed.'),
  'cost.gramsCo2PerKilowattHour': setting(
    'cost',
    'amount',
    null,
    'Grams of CO₂ that a kilowatt-hour emits where the cluster stands. Without it, nothing is said of emissions.',
  ),
  'cost.litresWaterPerKilowattHour': setting(
    'cost',
    'amount',
    null,
    'Litres of water that a kilowatt-hour takes where the cluster stands. Without it, nothing is said of water.',
  ),
  'codeLens.enabled': setting(
    'editor',
    'flag',
    true,
    'Show a line above configs that MeshLens reads: parameters, memory, throughput.',
  ),
  'hover.enabled': setting(
    'editor',
    'flag',
    true,
    'Explain keys of the layout and of the model where the pointer rests.',
  ),
  'completion.enabled': setting(
    'editor',
    'flag',
    true,
    'Offer the legal values of a degree with their predicted step time and memory.',
  ),
  'statusBar.enabled': setting('editor', 'flag', true, 'Say in the status bar whether the config at hand fits.'),
  'diagnostics.enabled': setting('editor', 'flag', true, 'Mark what cannot work at the key that causes it.'),
  'diagnostics.severity': setting(
    'editor',
    'severities',
    {},
    'Severity of a problem by its code, `off` to hide it: `{"option-ignored": "off"}`.',
  ),
  kinds: setting(
    'editor',
    'kinds',
    {},
    'Kinds of config files that MeshLens leaves alone: `{"deepspeed": false}`. The others are on.',
  ),
  exclude: setting(
    'editor',
    'globs',
    [],
    'Files that MeshLens leaves alone, as paths or patterns in the folder (`configs/old/**`).',
  ),
} as const;

export type SettingKey = keyof typeof SETTINGS;
export type SettingValue<Key extends SettingKey> =
  (typeof SETTINGS)[Key] extends Setting<infer Type> ? SettingTypes[Type] : never;

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of each type of setting, as VS Code's settings editor takes it. */
const SCHEMAS: Readonly<Record<keyof SettingTypes, Schema>> = {
  flag: { type: 'boolean' },
  count: { type: ['integer', 'null'], minimum: 1 },
  amount: { type: ['number', 'null'], minimum: 0 },
  text: { type: 'string' },
  accelerator: { type: ['string', 'null'], enum: [...Object.keys(ACCELERATORS), null] },
  globs: { type: 'array', items: { type: 'string' } },
  kinds: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(KIND_NAMES).map(([kind, name]) => [kind, { type: 'boolean', default: true, description: name }]),
    ),
    additionalProperties: false,
  },
  severities: {
    type: 'object',
    properties: Object.fromEntries(
      Object.keys(PROBLEM_CODES).map(code => [
        code,
        { type: 'string', enum: ['error', 'warning', 'information', 'off'] },
      ]),
    ),
    additionalProperties: false,
  },
};

/** `contributes.configuration` of the manifest. */
export function configurationSection(): readonly Schema[] {
  return Object.entries(CATEGORIES).map(([category, title], at) => ({
    title,
    order: at + 1,
    properties: Object.fromEntries(
      Object.entries(SETTINGS)
        .filter(([, entry]) => entry.category === category)
        .map(([key, entry], order) => [
          `meshlens.${key}`,
          {
            order: order + 1,
            ...SCHEMAS[entry.type],
            default: entry.default,
            scope: 'resource',
            markdownDescription: entry.description,
          },
        ]),
    ),
  }));
}
