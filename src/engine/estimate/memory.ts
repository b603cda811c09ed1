/**
 * Bytes of one stage on one rank.
 *
 * Legend: P parameters that the rank would hold without data-parallel sharding, N ranks that share them, K bytes of
 * optimizer states a parameter, g bytes of a gradient. States: ZeRO-1 2 + g + K/N, ZeRO-2 2 + (g + K)/N, ZeRO-3
 * (2 + g + K)/N bytes a parameter (Rajbhandari et al., arXiv 1910.02054, section 5), routed experts with their own N.
 */
import { MEMORY_CONSTANTS as M, type Stack } from '../hardware/calibration';
import type { ReadyPlan } from '../plan/ready';

export interface StageMemory {
  stage: number;
  weights: number;
  gradients: number;
  /** With the fp32 master copy. */
  optimizer: number;
  activations: number;
  /** Gathered units, communication buckets and logits. */
  buffers: number;
  /** Allocator slack, context and communication library. */
  overhead: number;
  total: number;
  /** What the rank keeps on the host or on NVMe; not in the total. */
  offloaded: number;
}

export interface StageContents {
  stage: number;
  /** Stages of the model that the rank holds: two under DualPipe, each of them shared with a second rank. */
  copies: number;
  denseParameters: number;
  expertParameters: number;
  /** Of them, those of layers: QLoRA keeps them in 4 bits. */
  layerParameters: number;
  denseRanks: number;
  expertRanks: number;
  /** Bytes that one micro-batch keeps for the backward pass. */
  activationBytes: number;
  inFlight: number;
  /** What the layer at hand needs beyond what is kept, in its backward pass; less what the gradients then still lack. */
  workingBytes: number;
  /** What the head and the loss need beyond what the layers keep, likewise; freed before the layers' backward pass. */
  lossBytes: number;
  /** The largest unit that ZeRO-3 gathers, in parameters. */
  gatheredParameters: number;
  /** Trained in place of the weights; 0 where the weights are. */
  adapterParameters: number;
  /** Share of the gradients that are there at once: 1, or a layer's where each is stepped as soon as it is made. */
  gradientShare: number;
  /** The driver pages the optimizer's states out where memory is short. */
  pagesOptimizer: boolean;
}

export interface StateBytes {
  readonly weight: number;
  readonly gradient: number;
  readonly optimizer: number;
}

/** Bytes a parameter of each kind of state. */
export function stateBytes(plan: ReadyPlan, stack: Stack): StateBytes {
  const weight = plan.dtype === 'fp32' ? 4 : 2;
  const gradient = gradientBytes(plan, stack, weight);
  const moment = stack.masterWeights || plan.dtype === 'fp32' ? stack.momentBytes : 2;
  const master = plan.dtype === 'fp32' || !stack.masterWeights ? 0 : 4;
  const moments = { adamw: 2 * moment, adam: 2 * moment, adamw8bit: 2, muon: moment, sgd: moment, none: 0 }[
    plan.optimizer
  ];
  // Under fp16 DeepSpeed's partition holds the gradient in fp32 too.
  const copy = stack.keepsFp32Gradient && plan.dtype === 'fp16' && plan.sharding !== 'none' ? 4 : 0;
  return { weight, gradient, optimizer: plan.optimizer === 'none' ? 0 : master + moments + copy };
}

/**
 * Whether gradients are made where activations are freed, so that both are never whole at once: in PyTorch's own loops
 * on one device, where the step has one micro-batch. Megatron and DeepSpeed have buffers of gradients from the start, as
 * has a reducer among replicas.
 */
export function makesGradientsLate(plan: ReadyPlan, stack: Stack, microBatches: number): boolean {
  const hasBuffers = stack.isDeepSpeed || stack.fp32Gradients || stack.gradientBytes !== null;
  const isOne = plan.dp * plan.cp * plan.pp === 1 && plan.sharding !== 'zero3' && plan.sharding !== 'hsdp';
  return isOne && microBatches === 1 && plan.adapter === 'none' && !hasBuffers;
}

function gradientBytes(plan: ReadyPlan, stack: Stack, weight: number): number {
  if (plan.gradDtype !== null) return plan.gradDtype === 'fp32' ? 4 : 2;
  if (stack.keepsFp32Gradient && plan.dtype === 'bf16') return 2 + 4;
  return stack.gradientBytes ?? (stack.fp32Gradients ? 4 : weight);
}

/** Of an adapter's parameter: in fp32 where PEFT casts it so beside a base in 16 bits. */
function adapterBytes({ optimizer }: ReadyPlan, { fp32Adapters }: Stack): StateBytes {
  const weight = fp32Adapters ? 4 : 2;
  const moments = { adamw: 2 * weight, adam: 2 * weight, adamw8bit: 2, muon: weight, sgd: weight, none: 0 }[optimizer];
  return { weight, gradient: weight, optimizer: moments };
}

/** What the three peaks of a stage are: by the tensors, by the allocator's blocks, by the device's own count. */
export function peaks(memory: StageMemory, stack: Stack): { allocated: number; reserved: number; device: number } {
  const tensors = memory.total - memory.overhead;
  const blocks = tensors * (1 + stack.allocatorSlack);
  return {
    allocated: tensors + M.allocatedOverheadBytes,
    reserved: blocks + M.reservedOverheadBytes,
    device: memory.total,
  };
}

/** The host's Adam steps gradients in fp32 (DeepSpeed's estimator: 16 bytes a parameter with the states). */
const HOST_GRADIENT_BYTES = 4;

/** 4-bit NormalFloat with double quantization: 4.127 bits a parameter (QLoRA, arXiv 2305.14314, section 3). */
const QUANTIZED_BYTES = 4.127 / 8;

export function emptyStageMemory(): StageMemory {
  return {
    stage: 0,
    weights: 0,
    gradients: 0,
    optimizer: 0,
    activations: 0,
    buffers: 0,
    overhead: 0,
    total: 0,
    offloaded: 0,
  };
}

/** Writes the bytes of a stage into `out`. */
export function stageMemory(plan: ReadyPlan, stack: Stack, contents: StageContents, out: StageMemory): StageMemory {
  const bytes = stateBytes(plan, stack);
  const sharded = { none: 0, zero1: 1, zero2: 2, zero3: 3, hsdp: 3 }[plan.sharding];
  const over = (from: number) => {
    const { copies, denseParameters, expertParameters, denseRanks, expertRanks } = contents;
    // The shards of two stages lie on twice the ranks.
    if (sharded >= from) return denseParameters / denseRanks + expertParameters / expertRanks;
    return copies * (denseParameters + expertParameters);
  };
  const offloadsOptimizer = plan.offload === 'optimizer' || plan.offload === 'optimizer+params';
  const frozen = plan.adapter !== 'none';
  const offloadsParameters = plan.offload === 'params' || plan.offload === 'optimizer+params';
  const trained = contents.adapterParameters;
  // With its states a shard of the gradients leaves the device, but for the bucket at hand.
  const isShared = stack.isDeepSpeed || sharded === 3 || plan.dp * plan.cp > 1;
  const offloadsGradients = offloadsOptimizer && sharded >= 2 && isShared && !frozen;
  const adapter = adapterBytes(plan, stack);
  const whole = contents.denseParameters + contents.expertParameters;
  const inLayers = contents.layerParameters / whole;
  const inFour = plan.adapter === 'qlora' ? inLayers : 0;
  // Muon steps the matrices of layers; the rest has Adam's two moments.
  const optimizerBytes = bytes.optimizer + (plan.optimizer === 'muon' ? stack.momentBytes * (1 - inLayers) : 0);
  const base = bytes.weight * (1 - inFour) + QUANTIZED_BYTES * inFour;
  const baseWeights = base * over(3);
  const weights = (offloadsParameters ? 0 : baseWeights) + adapter.weight * trained;
  const kept = contents.gradientShare * (offloadsGradients ? Math.min(over(2), ZERO_BUCKET) : over(2));
  const whenMade = frozen ? adapter.gradient * trained : bytes.gradient * kept;
  const states = frozen ? adapter.optimizer * trained : optimizerBytes * over(1);
  const keepsStates = !offloadsOptimizer && !contents.pagesOptimizer;
  const optimizer = keepsStates ? states : 0;
  const { workingBytes, lossBytes } = contents;
  const atLoss = lossBytes > workingBytes;
  const beyond = Math.max(workingBytes, lossBytes);
  const gradients = whenMade + Math.min(0, beyond);
  const activations = contents.activationBytes * contents.inFlight + (atLoss ? 0 : Math.max(0, beyond));
  // Units are gathered ahead, and one unit's gradients are whole before their reduction. A pipeline keeps its stage whole.
  const gathered = sharded !== 3 ? 0 : gatheredBytes(plan, stack, contents, bytes);
  const buffers = gathered + bucketBytes(plan, stack, whole, bytes) + (atLoss ? Math.max(0, beyond) : 0);
  const tensors = weights + gradients + optimizer + activations + buffers;
  const overhead = tensors * stack.allocatorSlack + M.contextBytes + M.communicatorBytes * communicators(plan);
  out.stage = contents.stage;
  out.weights = weights;
  out.gradients = gradients;
  out.optimizer = optimizer;
  out.activations = activations;
  out.buffers = buffers;
  out.overhead = overhead;
  out.total = tensors + overhead;
  out.offloaded =
    (offloadsParameters ? baseWeights : 0) +
    (keepsStates ? 0 : states) +
    (offloadsGradients ? HOST_GRADIENT_BYTES * over(2) : 0);
  return out;
}

/** What a stage's activations and buffers are made of, in bytes but for `inFlight`. */
export interface MemoryTerms {
  readonly kept: number;
  readonly inFlight: number;
  /** 0 where the loss needs more, and the other way round. */
  readonly working: number;
  readonly loss: number;
  readonly gathered: number;
  readonly buckets: number;
}

/** The terms that `stageMemory` adds up. */
export function memoryTerms(plan: ReadyPlan, stack: Stack, contents: StageContents): MemoryTerms {
  const bytes = stateBytes(plan, stack);
  const { activationBytes, inFlight, workingBytes, lossBytes, denseParameters, expertParameters } = contents;
  const atLoss = lossBytes > workingBytes;
  const gathers = plan.sharding === 'zero3' || plan.sharding === 'hsdp';
  return {
    kept: activationBytes,
    inFlight,
    working: atLoss ? 0 : Math.max(0, workingBytes),
    loss: atLoss ? Math.max(0, lossBytes) : 0,
    gathered: gathers ? gatheredBytes(plan, stack, contents, bytes) : 0,
    buckets: bucketBytes(plan, stack, denseParameters + expertParameters, bytes),
  };
}

/** Kinds of groups that a rank talks in, each with channels and buffers of its own. */
function communicators({ dp, tp, cp, pp, ep }: ReadyPlan): number {
  return (dp > 1 ? 1 : 0) + (tp > 1 ? 1 : 0) + (cp > 1 ? 1 : 0) + (pp > 1 ? 1 : 0) + (ep > 1 ? 1 : 0);
}

/** Elements of DeepSpeed's buckets (reduce_bucket_size, allgather_bucket_size) and of what ZeRO-3 keeps gathered (stage3_max_live_parameters). */
const ZERO_BUCKET = 5e8;
const ZERO_LIVE = 1e9;

/**
 * ZeRO-1 and 2 reduce gradients and gather weights through one bucket each. A pipeline reduces after its last backward
 * pass, when the activations are gone, and DeepSpeed's BF16 optimizer needs none.
 */
function bucketBytes({ sharding, dtype, pp }: ReadyPlan, stack: Stack, parameters: number, bytes: StateBytes): number {
  const hasBuckets = sharding === 'zero1' || sharding === 'zero2';
  if (!stack.isDeepSpeed || !hasBuckets || pp > 1 || (stack.keepsFp32Gradient && dtype === 'bf16')) return 0;
  return 2 * bytes.weight * Math.min(parameters, ZERO_BUCKET);
}

/** What ZeRO-3 gathers. A base in 4 bits is gathered so, and what is frozen has no gradients. */
function gatheredBytes(plan: ReadyPlan, stack: Stack, contents: StageContents, bytes: StateBytes): number {
  const unit = contents.gatheredParameters;
  const whole = contents.denseParameters + contents.expertParameters;
  const weight = plan.adapter === 'qlora' ? QUANTIZED_BYTES : bytes.weight;
  const gradient = plan.adapter === 'none' ? bytes.gradient : 0;
  if (plan.pp > 1) return (weight + gradient) * whole;
  if (stack.isDeepSpeed) return weight * Math.min(whole, ZERO_LIVE) + gradient * Math.min(unit, ZERO_BUCKET);
  return Math.min(whole, stack.gatheredUnits * unit) * weight + gradient * unit;
}
