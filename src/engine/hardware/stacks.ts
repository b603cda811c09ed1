/**
 * Software stacks: facts that a layout does not show, as data. Names are those of published runs and of config readers;
 * versions that behave alike are one family, which shares one bias and one host factor.
 */

export interface StackFacts {
  readonly family: string;
  /** Norms run as one kernel. Where they do not, a compiler fuses them. */
  readonly fusedNorms: boolean;
  /** Bias, activation, dropout and residual run as few kernels (Megatron's fused kernels, Transformer Engine). */
  readonly fusedPointwise: boolean;
  /** Bytes a token and hidden unit that the norms of a layer keep beyond their inputs, where nothing compiles them. */
  readonly normKeptBytes: number;
  /** The vocabulary is padded to a multiple of 128·tp; else it is split as it is. */
  readonly padsVocabulary: boolean;
  /** Attention by cuDNN or FlashAttention 3 on Hopper and later. */
  readonly cudnnAttention: boolean;
  /** Fused attention of the first generation (FlashAttention 1 or its Triton port). */
  readonly oldAttention: boolean;
  /** An fp32 copy of 16-bit weights lives beside the optimizer's states. */
  readonly masterWeights: boolean;
  /** Gradients are accumulated in fp32, and reduced in it, where the plan does not say. */
  readonly fp32Gradients: boolean;
  readonly fp32Reduce: boolean;
  /** Gradients are reduced while the backward pass runs. */
  readonly overlapsGradients: boolean;
  /** Tensor-parallel communication runs under the products (user buffers) where the plan uses sp. */
  readonly overlapsTensor: boolean;
  /** Casts to FP8 are fused with the operator before. */
  readonly fusedCasts: boolean;
  /** Checkpoints save and restore the random generator's state (Megatron's CheckpointFunction). */
  readonly checkpointsRng: boolean;
  /** ZeRO-3 gathers tensor by tensor and does not prefetch far. */
  readonly fragmentedGathers: boolean;
  /** The loop around the step does more than the step: callbacks, metrics, logs (Composer, Lightning, torchtitan, Megatron Core). */
  readonly heavyLoop: boolean;
  /** torch before 2.0: the allocator retries when memory is nearly full. */
  readonly oldAllocator: boolean;
  /** Bytes a logit at the peak of the loss: 16-bit and fp32 copies, soft-max and gradient; 4 where they are one kernel. */
  readonly logitBytes: number;
  /** Each tensor-parallel rank holds its share of the vocabulary's logits; else all of them. */
  readonly shardsLogits: boolean;
  /** DeepSpeed's ZeRO-1 keeps an fp32 gradient: in the partition under fp16, for all local parameters under bf16. */
  readonly keepsFp32Gradient: boolean;
  /** Share of the allocated bytes that the caching allocator holds beside them: more before torch 2. */
  readonly allocatorSlack: number;
  /** Units that FSDP gathers at once: the one at hand and those that it prefetches (no limit before torch 2). */
  readonly gatheredUnits: number;
}

const GENERIC: StackFacts = {
  family: 'generic',
  fusedNorms: true,
  fusedPointwise: false,
  normKeptBytes: 0,
  padsVocabulary: false,
  cudnnAttention: false,
  oldAttention: false,
  masterWeights: true,
  fp32Gradients: false,
  fp32Reduce: false,
  overlapsGradients: true,
  overlapsTensor: false,
  fusedCasts: false,
  checkpointsRng: false,
  fragmentedGathers: false,
  heavyLoop: true,
  oldAllocator: false,
  logitBytes: 10,
  shardsLogits: true,
  keepsFp32Gradient: false,
  allocatorSlack: 0.06,
  gatheredUnits: 2,
};

const MEGATRON: StackFacts = {
  ...GENERIC,
  family: 'megatron',
  fp32Gradients: true,
  fp32Reduce: true,
  checkpointsRng: true,
  heavyLoop: false,
  fusedPointwise: true,
  padsVocabulary: true,
  logitBytes: 8,
};
const MEGATRON_OLD: StackFacts = { ...MEGATRON, overlapsGradients: false };
const MEGATRON_CORE: StackFacts = {
  ...MEGATRON,
  family: 'megatron-core',
  checkpointsRng: false,
  heavyLoop: true,
  cudnnAttention: true,
  fusedCasts: true,
  logitBytes: 4,
};
const NEMO: StackFacts = { ...MEGATRON_CORE, family: 'nemo', overlapsTensor: true, fp32Reduce: false };
const MEGATRON_DEEPSPEED: StackFacts = {
  ...MEGATRON_OLD,
  family: 'megatron-deepspeed-2021',
  fp32Gradients: false,
  fp32Reduce: false,
  fragmentedGathers: true,
  keepsFp32Gradient: true,
  allocatorSlack: 0.2,
};
const TORCHTITAN: StackFacts = { ...GENERIC, family: 'torchtitan', fusedNorms: false, normKeptBytes: 20 };
const LLM_FOUNDRY: StackFacts = { ...GENERIC, family: 'llm-foundry', oldAttention: true };

/** By the beginning of the name; the longest that fits counts. */
const STACKS: Readonly<Record<string, StackFacts>> = {
  generic: GENERIC,
  picotron: {
    ...GENERIC,
    family: 'picotron',
    masterWeights: false,
    overlapsGradients: true,
    fp32Gradients: true,
    fp32Reduce: true,
  },
  megatron: MEGATRON_CORE,
  'megatron-2021': {
    ...MEGATRON_OLD,
    family: 'megatron-2021',
    fp32Gradients: false,
    fp32Reduce: false,
    fragmentedGathers: true,
  },
  'megatron-2022': { ...MEGATRON_OLD, family: 'megatron-2022', fp32Gradients: false, fp32Reduce: false },
  'megatron-2023': { ...MEGATRON, family: 'megatron-2023' },
  'megatron-core': MEGATRON_CORE,
  'megatron-deepspeed': { ...MEGATRON_DEEPSPEED, family: 'megatron-deepspeed-2023' },
  'megatron-deepspeed-2021': MEGATRON_DEEPSPEED,
  'megatron-deepspeed-2023': { ...MEGATRON_DEEPSPEED, family: 'megatron-deepspeed-2023', padsVocabulary: false },
  nemo: NEMO,
  'nemo-dgxc': { ...NEMO, family: 'nemo-dgxc' },
  gpu: NEMO,
  torchtitan: TORCHTITAN,
  'llm-foundry': { ...LLM_FOUNDRY, family: 'llm-foundry' },
  'llm-foundry-2023q1': {
    ...LLM_FOUNDRY,
    family: 'llm-foundry-2023q1',
    oldAllocator: true,
    gatheredUnits: 9,
    normKeptBytes: 8,
  },
  'llm-foundry-2023q2': { ...LLM_FOUNDRY, family: 'llm-foundry-2023q2' },
  'llm-foundry-2023q4': { ...LLM_FOUNDRY, family: 'llm-foundry' },
  'aleph-alpha-scaling-2023': {
    ...MEGATRON_OLD,
    family: 'aleph-alpha',
    fp32Gradients: false,
    fp32Reduce: false,
    fusedNorms: false,
    normKeptBytes: 20,
    fusedPointwise: false,
    shardsLogits: false,
    allocatorSlack: 0.08,
    logitBytes: 14,
  },
  internevo: { ...GENERIC, family: 'internevo' },
  // Collectives run on engines of their own beside the cores.
  neuron: { ...GENERIC, family: 'neuron', overlapsTensor: true },
  maxtext: { ...GENERIC, family: 'maxtext', fusedCasts: true },
  stas: { ...GENERIC, family: 'stas', fusedNorms: false, normKeptBytes: 20, masterWeights: false },
};

const NAMES = Object.keys(STACKS).sort((a, b) => b.length - a.length);

/** Facts of the stack whose name begins so; generic ones where none does. */
export function stackFacts(name: string | null): StackFacts {
  const found = name === null ? undefined : NAMES.find(start => name === start || name.startsWith(`${start}-`));
  return found === undefined ? GENERIC : STACKS[found];
}
