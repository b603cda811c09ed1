/**
 * The constants of the cost model: their meaning. Their values are fitted (calibration.generated.ts, made by
 * `npm run calibrate`); each has a physical meaning, a prior and a bound (validation/parameters.ts), and none belongs
 * to a single run or source.
 */

/** One set for each architecture. */
export interface DeviceConstants {
  /** Share of the dense 16-bit peak that large products sustain under the power limit. */
  readonly matmulCeiling: number;
  /** K at which a product reaches half of its ceiling: efficiency K/(K + K₀). */
  readonly halfK: number;
  /** Share of the peak that fused attention reaches forward, at head dimension 128 and long sequences. */
  readonly flashEfficiency: number;
  /** Share of the link's datasheet rate that collectives reach in a step. */
  readonly linkShare: number;
  /** FP8 products: share of FP8's own peak over the share that 16-bit products reach. */
  readonly fp8Share: number;
}

/** Constants that all devices and stacks share. */
export interface CommonConstants {
  /** Share of the memory bandwidth that streaming kernels reach. */
  readonly memoryShare: number;
  /** Passes over memory by norms, residuals, rotary and activations, over the count of the operator table. */
  readonly pointwisePasses: number;
  /** Of these, what is left under a compiler that fuses. */
  readonly compiledShare: number;
  /** Of these, what is left where a framework has fused kernels of its own. */
  readonly fusedShare: number;
  /** Bytes a token and hidden unit that norms move in addition where they run as many small kernels. */
  readonly unfusedNormBytes: number;
  /** Exponent of head dimension / 128 in fused attention's efficiency. */
  readonly headDimExponent: number;
  /** Efficiency of FlashAttention 1 over FlashAttention 2 (arXiv 2307.08691, section 4). */
  readonly flash1Share: number;
  /** cuDNN's or FlashAttention 3's kernels over FlashAttention 2's on Hopper and later (arXiv 2407.08608). */
  readonly cudnnShare: number;
  /** Efficiency of the batched products of unfused attention over that of large products. */
  readonly unfusedAttentionShare: number;
  /** Scale of the soft-max chain's bytes. */
  readonly softmaxPasses: number;
  /** Scale of the loss's 16 bytes a logit. */
  readonly lossPasses: number;
  /** Loss of efficiency by each halving of a dimension's alignment below 16 elements. */
  readonly alignmentLoss: number;
  /** Exponent of the power limit in the rate of large products, between parts of one chip (see power.ts). */
  readonly powerExponent: number;
  /** Scale of the bytes that casts to FP8 move. */
  readonly castPasses: number;
  /** Share of the network rate that collectives reach. */
  readonly networkShare: number;
  readonly linkLatencySeconds: number;
  /** Latency that each further rank of a ring inside a domain adds: a step, and the wait for one more rank. */
  readonly linkHopSeconds: number;
  readonly networkLatencySeconds: number;
  /** Latency that each further rank of a ring over the network adds. */
  readonly ringHopSeconds: number;
  /** Ranks past which a framework that gathers tensor by tensor loses bandwidth with the root of the group (DeepSpeed's ZeRO-3). */
  readonly fragmentedRanks: number;
  readonly launchSeconds: number;
  /** Host time a layer and micro-batch of checkpointing that saves and restores the generator's state. */
  readonly checkpointSeconds: number;
  readonly microBatchSeconds: number;
  readonly stepSeconds: number;
  /** Bytes a parameter of the local shard that the optimizer moves. */
  readonly optimizerBytes: number;
  /** Scale of the bytes that adding gradients into an accumulator moves. */
  readonly accumulationPasses: number;
  /** Share of the data-parallel reduction that hides under one backward pass, where the stack overlaps it. */
  readonly dataParallelOverlap: number;
  /** Share of the gathers of sharded weights that hides under compute. */
  readonly fsdpOverlap: number;
  /** Share of tensor-parallel communication that stays exposed where the stack overlaps it with products. */
  readonly tensorExposed: number;
  /** Share of the ring's exchange that stays exposed. */
  readonly contextExposed: number;
  /** Passes over routed rows by permutation, padding and combination. */
  readonly dispatchPasses: number;
  readonly p2pShare: number;
  /** Slow-down by each doubling of the nodes. */
  readonly stragglerPerDoubling: number;
  /** Seconds a layer and micro-batch that an old allocator spends on asking again where memory is 93 % full. */
  readonly retrySeconds: number;
}

export interface StackConstants {
  /** Measured step over predicted one; near 1. */
  readonly bias: number;
  /** Host seconds over the common constant. */
  readonly hostFactor: number;
}

export interface FittedStack extends StackConstants {
  /** The published runs that it was fitted to; absent where it was fitted to the user's own. */
  readonly evidence?: { readonly sources: number; readonly architectures: readonly string[] };
}

export interface Calibration {
  /** By architecture. */
  readonly devices: Readonly<Record<string, DeviceConstants>>;
  readonly common: CommonConstants;
  /** By family of stacks (see stacks.ts). */
  readonly stacks: Readonly<Record<string, FittedStack>>;
}

/** Numbers that no row is sensitive to, from the literature. */
export const FIXED = {
  /** Backward over forward efficiency of fused attention; its backward pass has 2.5 times the FLOPs. */
  flashBackwardShare: 0.85,
  /** Sequence at which fused attention reaches half of its efficiency. */
  flashHalfSequence: 400,
  kernelsPerLayer: 15,
  kernelsUnfused: 5,
  kernelsTensorParallel: 2,
  kernelsExperts: 25,
  /** Two products, a scale and an addition beside each of about four adapted products. */
  kernelsAdapters: 16,
  /**
   * What a model in plain Python launches beyond: seven kernels more for each of two norms and for the rotary embedding
   * of q and of k (huggingface/transformers, models/llama/modeling_llama.py).
   */
  kernelsEager: 28,
  /**
   * Bytes for each element of an adapted product's input or result that adapters move (huggingface/peft,
   * tuners/lora/layer.py, 16 bits): forward, A reads its input (2), B's result is written, scaled and added (2 + 4 + 6);
   * backward, the result's gradient is scaled and read twice (4 + 4), the input read, its gradient written and added
   * (2 + 2 + 6). The mean of input and result, since both are counted alike.
   */
  adapterForwardBytes: 7,
  adapterBackwardBytes: 9,
  /**
   * Bytes of memory time that restoring a 4-bit weight costs: with 0.5 read and 2 written the kernels reach a third of
   * the bandwidth (a step of QLoRA over one of LoRA at 7B and 13B on A100: Lightning-AI/litgpt, resource tables).
   */
  dequantizeBytes: 8,
  backwardLaunches: 1.6,
  fsdpLaunches: 1.5,
  /** Hooks of DeepSpeed's ZeRO-3 around every module (full training at 256 tokens: QwenLM/Qwen, README, profiling). */
  zero3Launches: 3,
  gradientNormBytes: 6,
} as const;
