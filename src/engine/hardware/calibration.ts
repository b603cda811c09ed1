/**
 * The constants of the cost model: data. Each has a physical meaning and a bound; none belongs to a single run.
 *
 * Origin: fits to published runs (Korthikanti et al. 2205.05198, Narayanan et al. 2104.04473, torchtitan, llm-foundry,
 * NeMo and SimuMax benchmark tables). Architectures without runs take textbook values and say `assumed`.
 */

export interface ArchitectureConstants {
  /** Share of the dense 16-bit peak that large products sustain under the power limit. */
  readonly matmulCeiling: number;
  /** K at which a product reaches half of its ceiling: efficiency K/(K + K₀). */
  readonly halfK: number;
  /** Share of the peak that fused attention reaches forward, at head dimension 128 and long sequences. */
  readonly flashEfficiency: number;
  /** Share of the link's datasheet rate that collectives reach in a step. */
  readonly linkShare: number;
  readonly evidence: 'fitted' | 'assumed';
}

export const ARCHITECTURE_CONSTANTS: Readonly<Record<string, ArchitectureConstants>> = {
  volta: { matmulCeiling: 0.86, halfK: 160, flashEfficiency: 0.4, linkShare: 0.72, evidence: 'fitted' },
  ampere: { matmulCeiling: 0.83, halfK: 266, flashEfficiency: 0.48, linkShare: 0.72, evidence: 'fitted' },
  hopper: { matmulCeiling: 0.73, halfK: 250, flashEfficiency: 0.27, linkShare: 0.62, evidence: 'fitted' },
  blackwell: { matmulCeiling: 0.57, halfK: 265, flashEfficiency: 0.37, linkShare: 0.63, evidence: 'fitted' },
  cdna3: { matmulCeiling: 0.45, halfK: 250, flashEfficiency: 0.3, linkShare: 0.6, evidence: 'assumed' },
};

export const ASSUMED_CONSTANTS: ArchitectureConstants = {
  matmulCeiling: 0.7,
  halfK: 250,
  flashEfficiency: 0.4,
  linkShare: 0.65,
  evidence: 'assumed',
};

/** Constants that all devices and stacks share. */
export const GLOBAL_CONSTANTS = {
  /** Share of the memory bandwidth that streaming kernels reach. */
  memoryShare: 0.85,
  /** Passes over memory by norms, residuals, rotary and activations, over the count of the operator table. */
  pointwisePasses: 1.54,
  /** Of these, what is left under a compiler that fuses. */
  compiledShare: 0.59,
  /** Bytes a token and hidden unit that norms move in addition where they run as many small kernels. */
  unfusedNormBytes: 75,
  /** Backward over forward efficiency of fused attention; its backward pass has 2.5 times the FLOPs. */
  flashBackwardShare: 0.85,
  /** Sequence at which fused attention reaches half of its efficiency. */
  flashHalfSequence: 400,
  /** Exponent of head dimension / 128 in fused attention's efficiency. */
  headDimExponent: 0.18,
  /** Efficiency of the batched products of unfused attention over that of large products. */
  unfusedAttentionShare: 0.65,
  /** Scale of the soft-max chain's bytes where mask and soft-max are one kernel. */
  softmaxPasses: 0.7,
  lossPasses: 1.1,
  /** Loss of efficiency by each halving of a dimension's alignment below 16 elements. */
  alignmentLoss: 0.1,
  /** FP8 products over 16-bit ones, as a share of FP8's own peak. */
  fp8Share: 0.9,
  /** Share of the network rate that collectives reach. */
  networkShare: 0.51,
  linkLatencySeconds: 12e-6,
  networkLatencySeconds: 24e-6,
  /** Latency that each further rank of a ring over the network adds. */
  ringHopSeconds: 2e-6,
  launchSeconds: 11.5e-6,
  kernelsPerLayer: 15,
  kernelsUnfused: 5,
  kernelsTensorParallel: 2,
  kernelsExperts: 25,
  backwardLaunches: 1.6,
  fsdpLaunches: 1.5,
  /** Device and host time join by a p-norm: nearly the larger of the two. */
  hostNorm: 5.7,
  microBatchSeconds: 0.9e-3,
  stepSeconds: 14e-3,
  /** Bytes a parameter of the local shard that the optimizer moves (Adam: read 16, write 14, gradient passes). */
  optimizerBytes: 32,
  gradientNormBytes: 6,
  /** Bytes a local parameter and micro-batch to add gradients into an accumulator. */
  accumulationBytes: 4,
  dataParallelOverlap: 0.44,
  fsdpOverlap: 0.65,
  contextParallelExposed: 0.3,
  p2pShare: 0.75,
  /** Slow-down by each doubling of the nodes. */
  stragglerPerDoubling: 0.009,
} as const;

/** Memory beyond tensors, in bytes and as a share. */
export const MEMORY_CONSTANTS = {
  /** Blocks that the caching allocator holds beyond what is allocated. */
  allocatorSlack: 0.06,
  allocatedOverheadBytes: 0.3 * 2 ** 30,
  reservedOverheadBytes: 1.0 * 2 ** 30,
  /** CUDA context, kernels and NCCL's channels with the reserved overhead, as nvidia-smi shows them. */
  deviceOverheadBytes: 2.3 * 2 ** 30,
  /** fp32 logits, their soft-max and gradient with the 16-bit logits. */
  logitBytes: 14,
} as const;

/** Half-widths of the 80 % interval on the logarithm of a prediction, from runs left out of the fit. */
export const UNCERTAINTY = {
  coverage: 0.8,
  knownStack: 0.12,
  unknownStack: 0.3,
  memory: 0.1,
} as const;

/** Facts of a software stack that its configs do not show. */
export interface Stack {
  readonly name: string;
  /** Measured step over predicted one; near 1. */
  readonly bias: number;
  /** Host seconds over the common constant. */
  readonly hostFactor: number;
  readonly fusedNorms: boolean;
  /** An fp32 copy of 16-bit weights lives beside the optimizer's states. */
  readonly masterWeights: boolean;
  readonly evidence: 'fitted' | 'assumed';
}

const GENERIC: Stack = { name: 'generic', bias: 1, hostFactor: 1, fusedNorms: true, masterWeights: true, evidence: 'assumed' };

export const STACKS: Readonly<Record<string, Stack>> = {
  picotron: { ...GENERIC, name: 'picotron', masterWeights: false },
};

export function stackOf(name: string | null): Stack {
  return name !== null && Object.hasOwn(STACKS, name) ? (STACKS[name] as Stack) : GENERIC;
}
