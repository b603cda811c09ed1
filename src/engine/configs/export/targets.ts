/** The formats into which a setup is exported: data. */
import type { PlanKey } from '../../plan/keys';
import type { ExportedFile } from './files';
import { gptNeox, megatron, nanotron, nemo } from './pretrain';
import { type ExportSource, ZERO_FILE } from './source';
import { accelerate, axolotl, deepspeed, llamaFactory, torchtitan, zeroConfig } from './torch';

export const EXPORT_KINDS = [
  'torchtitan',
  'megatron',
  'deepspeed',
  'accelerate',
  'nanotron',
  'nemo',
  'gpt-neox',
  'axolotl',
  'llama-factory',
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** What a user must still fill in. */
export const OPEN_ITEMS = ['data', 'tokenizer', 'model-folder', 'flavor', 'training-script', 'launcher'] as const;
export type OpenItem = (typeof OPEN_ITEMS)[number];

export interface Target {
  readonly file: string;
  /** What starts a comment; null where the format has none. */
  readonly comment: '#' | null;
  /** How the format says what the model is. */
  readonly states: 'sizes' | 'name' | 'nothing';
  readonly skeleton: (source: ExportSource) => string;
  readonly beside?: (source: ExportSource) => readonly ExportedFile[];
  /** Keys of the plan that another file says: one beside the config, or the training script. */
  readonly elsewhere?: readonly PlanKey[];
  readonly open: (source: ExportSource) => readonly OpenItem[];
}

/** The model's config.json where no hub has the model. */
const ownConfig = ({ hub, config }: ExportSource): readonly ExportedFile[] =>
  hub !== null || config === null ? [] : [{ name: 'model/config.json', text: `${config}\n` }];

const folder = ({ hub }: ExportSource): OpenItem[] => (hub === null ? ['model-folder'] : []);

export const TARGETS: Readonly<Record<ExportKind, Target>> = {
  torchtitan: {
    file: 'torchtitan.toml',
    comment: '#',
    states: 'sizes',
    skeleton: torchtitan,
    open: source => [...(torchtitan(source).includes('"FLAVOR"') ? (['flavor'] as const) : []), 'tokenizer', 'data'],
  },
  megatron: {
    file: 'megatron.sh',
    comment: '#',
    states: 'sizes',
    skeleton: megatron,
    open: () => ['data', 'tokenizer'],
  },
  deepspeed: {
    file: 'ds_config.json',
    comment: null,
    states: 'nothing',
    skeleton: deepspeed,
    beside: ({ config }) => (config === null ? [] : [{ name: 'model/config.json', text: `${config}\n` }]),
    elsewhere: ['seqLen'],
    open: () => ['training-script'],
  },
  accelerate: {
    file: 'accelerate.yaml',
    comment: '#',
    states: 'nothing',
    skeleton: accelerate,
    beside: ownConfig,
    elsewhere: ['microBatch', 'globalBatch', 'seqLen'],
    open: () => ['training-script'],
  },
  nanotron: {
    file: 'nanotron.yaml',
    comment: '#',
    states: 'sizes',
    skeleton: nanotron,
    open: () => ['tokenizer', 'data'],
  },
  nemo: {
    file: 'nemo.yaml',
    comment: '#',
    states: 'sizes',
    skeleton: nemo,
    open: ({ hub }) => [...(hub === null ? (['tokenizer'] as const) : []), 'data'],
  },
  'gpt-neox': {
    file: 'gpt-neox.yml',
    comment: '#',
    states: 'sizes',
    skeleton: gptNeox,
    open: () => ['data', 'tokenizer'],
  },
  axolotl: {
    file: 'axolotl.yaml',
    comment: '#',
    states: 'name',
    skeleton: axolotl,
    beside: ownConfig,
    open: source => [...folder(source), 'data'],
  },
  'llama-factory': {
    file: 'llama-factory.yaml',
    comment: '#',
    states: 'name',
    skeleton: llamaFactory,
    beside: source => [
      ...ownConfig(source),
      ...(source.plan.sharding === 'none' ? [] : [{ name: ZERO_FILE, text: zeroConfig(source) }]),
    ],
    // The Trainer has ZeRO by DeepSpeed's own file.
    elsewhere: ['sharding', 'offload'],
    open: source => [...folder(source), 'data', 'launcher'],
  },
};

export const isExportKind = (name: string): name is ExportKind => (EXPORT_KINDS as readonly string[]).includes(name);
