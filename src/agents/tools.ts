/**
 * The three tools that agents are offered, in the editor and by the MCP server alike: names, what they do, their
 * arguments. The arguments are checked by `arguments.ts`; the JSON Schemas here tell the agent of them.
 */
import { ACCELERATORS } from '../engine/hardware/accelerators';

const CLUSTER = {
  type: 'object',
  description:
    'Where it runs. Needed for time and for "fits"; without it only memory is known. A meshlens.json beside the config may say it already.',
  properties: {
    gpu: { type: 'string', enum: Object.keys(ACCELERATORS), description: 'Accelerator.' },
    nodes: { type: 'integer', minimum: 1 },
    gpus: { type: 'integer', minimum: 1, description: 'All GPUs, where nodes do not say it.' },
    gpusPerNode: { type: 'integer', minimum: 1 },
    nicBytesPerSecond: {
      type: 'number',
      description: 'Network rate per GPU and direction, bytes/s (400 Gb/s is 5e10).',
    },
    domainSize: {
      type: 'integer',
      minimum: 1,
      description: 'GPUs that one NVLink domain joins (72 in an NVL72 rack).',
    },
  },
  additionalProperties: false,
} as const;

const FILES = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  description:
    'Config files of one run, the most particular first: a training config or launch script, then the model’s config.json. Paths in the workspace.',
} as const;

const SET = {
  type: 'object',
  description:
    'Values that no file states or that are to differ: keys of the plan (dp, tp, cp, pp, vpp, ep, microBatch, globalBatch, seqLen, sharding, recompute, …) or of the model.',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
} as const;

const schema = (more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'object',
  properties: { files: FILES, cluster: CLUSTER, set: SET, ...more },
  required: ['files'],
  additionalProperties: false,
});

export const TOOLS = {
  estimate_training_config: {
    title: 'Estimate a training config',
    description:
      'Predicts memory per GPU (does it fit?), step time, tokens/s, MFU and the parts of the step of a distributed training run from its config files (Hugging Face config.json, torchtitan, Megatron-LM, DeepSpeed, Accelerate, nanotron, NeMo, axolotl, LLaMA-Factory, GPT-NeoX, picotron). Runs nothing and changes nothing. Not for inference.',
    inputSchema: schema(),
  },
  search_parallel_strategies: {
    title: 'Search for a better parallel layout',
    description:
      'Searches all parallel layouts (data, tensor, sequence, context, pipeline, expert parallelism, ZeRO stage, micro-batch, recomputation, schedule) of a training config for the fastest that fit. Returns the best with their predicted speed and memory, what each changes and why it wins. Needs cluster, global batch and sequence length. Changes no file.',
    inputSchema: schema({
      fix: {
        type: 'object',
        description: 'Keys of the plan that must keep a value, or one of several: {"tp": 8, "pp": [1, 2]}.',
        additionalProperties: { type: ['string', 'number', 'boolean', 'array'] },
      },
      top: { type: 'integer', minimum: 1, maximum: 20, description: 'How many proposals; 3 unless given.' },
    }),
  },
  explain_estimate: {
    title: 'Explain an estimate',
    description:
      'Opens the numbers of an estimate: memory by part and pipeline stage, the step by part, bounds, assumptions, the published runs behind it; with `key`, what other values of that key of the plan would give. Use it after estimate_training_config to answer “why” and “what if”.',
    inputSchema: schema({
      key: {
        type: 'string',
        description: 'A key of the plan (tp, pp, microBatch, recompute, …) whose other values are to be compared.',
      },
    }),
  },
} as const;

export type ToolName = keyof typeof TOOLS;

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}
