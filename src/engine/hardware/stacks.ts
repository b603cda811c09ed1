/**
 * Software stacks: facts that a layout does not show, as data. Names are those of published runs and of config readers;
 * versions that behave alike are one family, which shares one bias and one host factor.
 */

export interface StackFacts {
  readonly family: string;
  /** Norms run as one kernel. Where they do not, a compiler fuses them. */
  readonly fusedNorms: boolean;
  /** Every operator of the model's Python code is a kernel of its own, where nothing compiles or replaces it. */
  readonly eagerOperators: boolean;
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
  /** Bytes of a gradient in its buffer, where they are not those that it is accumulated in (NeMo's grad_reduce_in_fp32). */
  readonly gradientBytes: number | null;
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
  /**
   * What FP8 training keeps in 8 bits: the inputs of products as they were cast (Transformer Engine), all that products
   * and activations read, with attention's output in 12 bits (arXiv 2412.19437, section 3.3.3), or nothing (torchao).
   */
  readonly savesFp8: 'none' | 'inputs' | 'all';
  /** Adapters are trained in fp32 beside a base in 16 bits (PEFT casts them so). */
  readonly fp32Adapters: boolean;
  /** Bytes of one of Adam's moments. */
  readonly momentBytes: number;
  /** v is a view of the projection that made it with q and k, which is therefore kept whole (Megatron). */
  readonly keepsProjection: boolean;
  /** A compiled model's loss is compiled too: a logit and its gradient in 16 bits are all that is there. */
  readonly compilesLoss: boolean;
  /** Each tensor-parallel rank holds its share of the vocabulary's logits; else all of them. */
  readonly shardsLogits: boolean;
  /** ZeRO is DeepSpeed's, with its buckets and its limit of gathered parameters. */
  readonly isDeepSpeed: boolean;
  /** DeepSpeed's ZeRO-1 keeps an fp32 gradient: in the partition under fp16, for all local parameters under bf16. */
  readonly keepsFp32Gradient: boolean;
  /** Host time over that of the calibration's runs, where no run fits it. */
  readonly assumedHostFactor: number;
  /** Share of the allocated bytes that the caching allocator holds beside them: more before torch 2. */
  readonly allocatorSlack: number;
  /** Units that FSDP gathers at once: the one at hand and those that it prefetches (no limit before torch 2). */
  readonly gatheredUnits: number;
}

const GENERIC: StackFacts = {
  family: 'generic',
  fusedNorms: true,
  eagerOperators: false,
  fusedPointwise: false,
  normKeptBytes: 0,
  padsVocabulary: false,
  cudnnAttention: false,
  oldAttention: false,
  masterWeights: true,
  fp32Gradients: false,
  gradientBytes: null,
  fp32Reduce: false,
  overlapsGradients: true,
  overlapsTensor: false,
  fusedCasts: false,
  checkpointsRng: false,
  fragmentedGathers: false,
  heavyLoop: true,
  oldAllocator: false,
  logitBytes: 14,
  compilesLoss: false,
  savesFp8: 'none',
  fp32Adapters: true,
  momentBytes: 4,
  keepsProjection: false,
  shardsLogits: true,
  isDeepSpeed: false,
  keepsFp32Gradient: false,
  assumedHostFactor: 1,
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
  savesFp8: 'inputs',
  keepsProjection: true,
  logitBytes: 4,
};
/** DeepSeek's own, which it has described and not released: moments in BF16 (arXiv 2412.19437, section 3.3.3). */
const DEEPSEEK: StackFacts = {
  ...MEGATRON_CORE,
  family: 'deepseek',
  savesFp8: 'all',
  momentBytes: 2,
  keepsProjection: false,
};
const NEMO: StackFacts = {
  ...MEGATRON_CORE,
  family: 'nemo',
  overlapsTensor: true,
  gradientBytes: 2,
  fp32Reduce: false,
};
const MEGATRON_DEEPSPEED: StackFacts = {
  ...MEGATRON_OLD,
  family: 'megatron-deepspeed-2021',
  fp32Gradients: false,
  fp32Reduce: false,
  fragmentedGathers: true,
  isDeepSpeed: true,
  keepsFp32Gradient: true,
  allocatorSlack: 0.2,
};
const TORCHTITAN: StackFacts = {
  ...GENERIC,
  family: 'torchtitan',
  fusedNorms: false,
  normKeptBytes: 20,
  compilesLoss: true,
  allocatorSlack: 0.02,
};
/**
 * Hugging Face's Trainer: norms, rotary embeddings and the products of gates run unfused, the loss in fp32 on a shifted
 * copy of the logits.
 */
const TRANSFORMERS: StackFacts = {
  ...GENERIC,
  family: 'transformers',
  fusedNorms: false,
  eagerOperators: true,
  // A step of LoRA of 1.8B and 7B at 256 tokens on one A100, where the device waits (QwenLM/Qwen, README, profiling).
  assumedHostFactor: 1.9,
  normKeptBytes: 20,
  logitBytes: 16,
};
/** Its loss is FlashAttention's kernel: a logit and its gradient in 16 bits. */
const LLM_FOUNDRY: StackFacts = { ...GENERIC, family: 'llm-foundry', oldAttention: true, logitBytes: 4 };

/** By the beginning of the name; the longest that fits counts. */
const STACKS: Readonly<Record<string, StackFacts>> = {
  generic: GENERIC,
  picotron: {
    ...GENERIC,
    family: 'picotron',
    // Its loss takes the logits in 16 bits: they, their soft-max and their gradient.
    logitBytes: 6,
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
    isDeepSpeed: true,
  },
  'megatron-2022': { ...MEGATRON_OLD, family: 'megatron-2022', fp32Gradients: false, fp32Reduce: false },
  'megatron-2023': { ...MEGATRON, family: 'megatron-2023' },
  'megatron-core': MEGATRON_CORE,
  'megatron-deepspeed': { ...MEGATRON_DEEPSPEED, family: 'megatron-deepspeed-2023' },
  'megatron-deepspeed-2021': MEGATRON_DEEPSPEED,
  'megatron-deepspeed-2023': { ...MEGATRON_DEEPSPEED, family: 'megatron-deepspeed-2023', padsVocabulary: false },
  deepseek: DEEPSEEK,
  nemo: NEMO,
  'nemo-dgxc': { ...NEMO, family: 'nemo-dgxc' },
  gpu: NEMO,
  torchtitan: TORCHTITAN,
  // Before April 2025 (pytorch/torchtitan pull request 1033) the loss ran eagerly.
  'torchtitan-2024': { ...TORCHTITAN, compilesLoss: false },
  transformers: TRANSFORMERS,
  // Trains a 16-bit copy where FSDP or DeepSpeed do not keep a master.
  axolotl: { ...TRANSFORMERS, family: 'transformers', masterWeights: false },
  accelerate: TRANSFORMERS,
  deepspeed: { ...TRANSFORMERS, family: 'deepspeed', isDeepSpeed: true },
  torchtune: { ...TORCHTITAN, family: 'torchtune', masterWeights: false, fp32Adapters: false, compilesLoss: false },
  litgpt: { ...GENERIC, family: 'litgpt', normKeptBytes: 20, masterWeights: false, fp32Adapters: false },
  'llm-foundry': { ...LLM_FOUNDRY, family: 'llm-foundry' },
  'llm-foundry-2023q1': {
    ...LLM_FOUNDRY,
    family: 'llm-foundry-2023q1',
    oldAllocator: true,
    // The loss was not yet one kernel, and torch 1.13 gathers as far ahead as the host runs: 9 units fit its runs best.
    logitBytes: 10,
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
    logitBytes: 20,
  },
  internevo: { ...GENERIC, family: 'internevo' },
  // Collectives run on engines of their own beside the cores.
  neuron: { ...GENERIC, family: 'neuron', overlapsTensor: true },
  maxtext: { ...GENERIC, family: 'maxtext', fusedCasts: true, logitBytes: 4 },
  stas: { ...GENERIC, family: 'stas', fusedNorms: false, normKeptBytes: 20, masterWeights: false },
};

const NAMES = Object.keys(STACKS).sort((a, b) => b.length - a.length);

/** Facts of the stack whose name begins so; generic ones where none does. */
export function stackFacts(name: string | null): StackFacts {
  const found = name === null ? undefined : NAMES.find(start => name === start || name.startsWith(`${start}-`));
  return found === undefined ? GENERIC : STACKS[found];
}
