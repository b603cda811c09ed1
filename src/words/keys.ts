/** What each key of a plan means, in one sentence, as a hover says it. */
import type { PlanKey } from '../engine/plan/keys';
import { SLOVAK, SLOVAK_KEY_NAMES } from './keys.sk';
import { translated } from './language';

export interface KeyWords {
  readonly title: string;
  readonly meaning: string;
}

const ENGLISH: Readonly<Record<PlanKey, KeyWords>> = {
  dp: {
    title: 'data parallelism (dp)',
    meaning: 'Copies of the model, each with its share of the batch; gradients are summed over them once a step.',
  },
  tp: {
    title: 'tensor parallelism (tp)',
    meaning:
      'GPUs that split each matrix. Weights and activations shrink with it, but each layer waits for two exchanges in each direction: keep it on the fast links of a node.',
  },
  sp: {
    title: 'sequence parallelism (sp)',
    meaning:
      'The tensor-parallel group also splits what lies between the matrices along the sequence: fewer activations for the same traffic.',
  },
  cp: {
    title: 'context parallelism (cp)',
    meaning: 'GPUs that split the sequence; attention exchanges keys and values among them.',
  },
  cpKind: {
    title: 'kind of context parallelism',
    meaning:
      'Ring passes keys and values around; all-to-all exchanges heads for tokens; all-gather collects the keys and values.',
  },
  pp: {
    title: 'pipeline parallelism (pp)',
    meaning:
      'Stages of layers, one after another. Little traffic, but stages idle while the pipeline fills and drains.',
  },
  vpp: {
    title: 'virtual stages (vpp)',
    meaning:
      'Chunks of layers that a stage holds: the bubble shrinks by this factor, the traffic between stages grows by it.',
  },
  ep: {
    title: 'expert parallelism (ep)',
    meaning:
      'GPUs that share out the experts; tokens travel to their experts and back. It divides dp·cp·tp/etp and takes its GPUs from there.',
  },
  etp: { title: 'tensor parallelism of experts (etp)', meaning: 'GPUs that split each expert’s matrices.' },
  microBatch: {
    title: 'micro-batch',
    meaning: 'Sequences that one forward pass takes. Larger ones fill the GPU better and keep more activations.',
  },
  globalBatch: {
    title: 'global batch',
    meaning: 'Sequences of one step over all GPUs. The learning rate belongs to it.',
  },
  seqLen: { title: 'sequence length', meaning: 'Tokens of one training sequence.' },
  sharding: {
    title: 'sharding',
    meaning:
      'What data-parallel ranks share out: the optimizer (zero1), the gradients too (zero2), the weights too (zero3, hsdp within groups).',
  },
  shardSize: {
    title: 'shard group',
    meaning: 'GPUs over which states are shared out; groups hold copies of each other.',
  },
  dtype: { title: 'precision', meaning: 'Number format of the matrix products.' },
  gradDtype: { title: 'precision of gradients', meaning: 'Number format in which gradients are kept and summed.' },
  optimizer: { title: 'optimizer', meaning: 'What updates the weights; Adam keeps two values a parameter.' },
  recompute: {
    title: 'recomputation',
    meaning:
      'Activations that the backward pass computes anew instead of keeping: none, parts of a layer, whole layers.',
  },
  recomputeOps: { title: 'recomputed parts', meaning: 'The parts of a layer that are computed anew.' },
  recomputeLayers: { title: 'recomputed layers', meaning: 'Layers of a stage that are computed anew.' },
  attention: { title: 'attention kernel', meaning: 'Flash attention never writes the matrix of scores.' },
  offload: { title: 'offload', meaning: 'States that live outside the GPU and travel over its slot.' },
  offloadDevice: { title: 'place of what is offloaded', meaning: 'The host’s memory or its NVMe disks.' },
  bucketBytes: { title: 'bucket', meaning: 'Gradients that are summed at once while the backward pass goes on.' },
  compiled: { title: 'compiled', meaning: 'torch.compile fuses operators that memory bandwidth binds.' },
  fp8Recipe: { title: 'FP8 recipe', meaning: 'How finely FP8 numbers are scaled.' },
  expertImbalance: { title: 'imbalance of experts', meaning: 'Tokens of the busiest GPU over the mean.' },
  adapterRank: { title: 'rank of the adapters', meaning: 'Width of the low-rank matrices that LoRA trains.' },
  tpOverlap: {
    title: 'overlap of tensor parallelism',
    meaning: 'Exchanges run under the matrix products, piece by piece.',
  },
  stageLayers: { title: 'layers of each stage', meaning: 'How the layers are split over the stages.' },
  order: { title: 'order of the axes', meaning: 'Which axis lies innermost, on neighbouring GPUs.' },
  adapter: {
    title: 'adapter',
    meaning: 'LoRA trains small matrices beside frozen weights; QLoRA keeps those in 4 bits.',
  },
  stack: { title: 'software stack', meaning: 'The framework whose kernels and habits are assumed.' },
  kernels: { title: 'kernels', meaning: 'Kernels that a layout does not show.' },
  schedule: { title: 'pipeline schedule', meaning: 'The order in which stages run forward and backward passes.' },
};

export const PLAN_KEY_WORDS = translated(ENGLISH, SLOVAK);

/** Names of keys as a user would say them. */
const ENGLISH_KEY_NAMES = {
  'plan.microBatch': 'micro-batch size',
  'plan.globalBatch': 'global batch size',
  'plan.seqLen': 'training sequence length',
  'plan.dp': 'data-parallel size',
  'plan.schedule': 'pipeline schedule',
  'model.layers': 'number of layers',
  'model.hidden': 'hidden size',
  'model.ffn': 'width of the feed-forward layer',
  'model.heads': 'number of attention heads',
  'model.kvHeads': 'number of key-value heads',
  'model.headDim': 'size of an attention head',
  'model.vocab': 'size of the vocabulary',
  'model.tied': 'tying of embedding and head',
  'model.gatedMlp': 'gate of the feed-forward layer',
};

const KEY_NAMES: Readonly<Record<string, string>> = translated(ENGLISH_KEY_NAMES, SLOVAK_KEY_NAMES);

export function keyName(key: string): string {
  return KEY_NAMES[key] ?? key;
}
