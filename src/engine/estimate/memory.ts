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
}

export interface StageContents {
  stage: number;
  denseParameters: number;
  expertParameters: number;
  denseRanks: number;
  expertRanks: number;
  /** Bytes that one micro-batch keeps for the backward pass. */
  activationBytes: number;
  inFlight: number;
  /** What the layer at hand needs beyond what is kept, while it is recomputed. */
  workingBytes: number;
  /** The largest unit that ZeRO-3 gathers, in parameters. */
  gatheredParameters: number;
  logits: number;
  /** Trained in place of the weights; 0 where the weights are. */
  adapterParameters: number;
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
  const moment = stack.masterWeights || plan.dtype === 'fp32' ? 4 : 2;
  const master = plan.dtype === 'fp32' || !stack.masterWeights ? 0 : 4;
  const moments = { adamw: 2 * moment, adam: 2 * moment, adamw8bit: 2, muon: moment, sgd: moment, none: 0 }[
    plan.optimizer
  ];
  // Under fp16 DeepSpeed's partition holds the gradient in fp32 too.
  const copy = stack.keepsFp32Gradient && plan.dtype === 'fp16' ? 4 : 0;
  return { weight, gradient, optimizer: plan.optimizer === 'none' ? 0 : master + moments + copy };
}

function gradientBytes(plan: ReadyPlan, stack: Stack, weight: number): number {
  if (plan.gradDtype !== null) return plan.gradDtype === 'fp32' ? 4 : 2;
  if (stack.keepsFp32Gradient && plan.dtype === 'bf16') return 2 + 4;
  return stack.fp32Gradients ? 4 : weight;
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

/** 4-bit NormalFloat with double quantization: 4.127 bits a parameter (QLoRA, arXiv 2305.14314, section 3). */
const QUANTIZED_BYTES = 4.127 / 8;

export function emptyStageMemory(): StageMemory {
  return { stage: 0, weights: 0, gradients: 0, optimizer: 0, activations: 0, buffers: 0, overhead: 0, total: 0 };
}

/** Writes the bytes of a stage into `out`. */
export function stageMemory(plan: ReadyPlan, stack: Stack, contents: StageContents, out: StageMemory): StageMemory {
  const bytes = stateBytes(plan, stack);
  const sharded = { none: 0, zero1: 1, zero2: 2, zero3: 3, hsdp: 3 }[plan.sharding];
  const over = (from: number) => {
    const split = sharded >= from;
    const { denseParameters, expertParameters, denseRanks, expertRanks } = contents;
    return denseParameters / (split ? denseRanks : 1) + expertParameters / (split ? expertRanks : 1);
  };
  const offloadsOptimizer = plan.offload === 'optimizer' || plan.offload === 'optimizer+params';
  const frozen = plan.adapter !== 'none';
  const offloadsParameters = plan.offload === 'params' || plan.offload === 'optimizer+params';
  const base = plan.adapter === 'qlora' ? QUANTIZED_BYTES : bytes.weight;
  const trained = contents.adapterParameters;
  const weights = (offloadsParameters ? 0 : base * over(3)) + bytes.weight * trained;
  const gradients = bytes.gradient * (frozen ? trained : over(2));
  const optimizer = offloadsOptimizer ? 0 : bytes.optimizer * (frozen ? trained : over(1));
  const activations = contents.activationBytes * contents.inFlight + contents.workingBytes;
  // Units are gathered ahead, and one unit's gradients are whole before their reduction. A pipeline keeps its stage whole.
  const gathered = sharded !== 3 ? 0 : gatheredBytes(plan, stack, contents, bytes);
  const buffers = gathered + contents.logits * stack.logitBytes * (stack.shardsLogits ? 1 : plan.tp);
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
  return out;
}

/** Kinds of groups that a rank talks in, each with channels and buffers of its own. */
function communicators({ dp, tp, cp, pp, ep }: ReadyPlan): number {
  return (dp > 1 ? 1 : 0) + (tp > 1 ? 1 : 0) + (cp > 1 ? 1 : 0) + (pp > 1 ? 1 : 0) + (ep > 1 ? 1 : 0);
}

function gatheredBytes(plan: ReadyPlan, stack: Stack, contents: StageContents, bytes: StateBytes): number {
  const unit = contents.gatheredParameters;
  const whole = contents.denseParameters + contents.expertParameters;
  if (plan.pp > 1) return (bytes.weight + bytes.gradient) * whole;
  return Math.min(whole, stack.gatheredUnits * unit) * bytes.weight + bytes.gradient * unit;
}
