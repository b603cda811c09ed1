/**
 * Every setting, once: the manifest's section is generated from this table (`manifest.ts`), and `settings.ts`
 * reads by it. All are per folder, so that a repository may commit them.
 */
/** What a setting's value is, by its type. A nullable one is null until the user sets it. */
export interface SettingTypes {
  flag: boolean;
  count: number | null;
  amount: number | null;
  text: string;
  accelerator: string | null;
  /** `auto`: the editor's. */
  language: 'auto' | 'en' | 'sk';
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
export const CATEGORIES = {
  cluster: 'Cluster',
  costs: 'Cost and Energy',
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
  torchtune: 'torchtune',
  verl: 'verl',
  openrlhf: 'OpenRLHF',
  litgpt: 'LitGPT',
  'llm-foundry': 'LLM Foundry',
  olmo: 'OLMo',
  levanter: 'levanter',
  maxtext: 'MaxText',
  internevo: 'InternEvo',
  colossalai: 'ColossalAI',
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
  'costs.perGpuHour': setting(
    'costs',
    'amount',
    null,
    'Price of one GPU for one hour, in `#meshlens.costs.currency#`. Without it, nothing is said of cost.',
  ),
  'costs.currency': setting(
    'costs',
    'text',
    'USD',
    'Currency of `#meshlens.costs.perGpuHour#`, as it is to be printed.',
  ),
  'costs.wattsPerGpu': setting(
    'costs',
    'amount',
    null,
    'Watts that one GPU draws with its share of the machine. Without them, nothing is said of energy.',
  ),
  'costs.powerUsage': setting('costs', 'amount', null, 'Energy of the whole site over that of its machines (PUE).'),
  'costs.gramsCo2PerKwh': setting(
    'costs',
    'amount',
    null,
    'Grams of CO₂ that a kilowatt-hour emits where the cluster stands. Without them, nothing is said of emissions.',
  ),
  'costs.litresPerKwh': setting(
    'costs',
    'amount',
    null,
    'Litres of water that a kilowatt-hour takes where the cluster stands. Without them, nothing is said of water.',
  ),
  language: setting(
    'editor',
    'language',
    'auto',
    'Language of MeshLens: that of VS Code (`auto`), English or Slovak. It counts from the next start or reload of the window.',
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
