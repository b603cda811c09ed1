/**
 * Seconds of one layer, of the embedding and of the head for one micro-batch on one rank, from the operator
 * table.
 *
 * Legend: T tokens a rank and micro-batch, h hidden, t tp, c cp, g kv heads, d head dimension, k experts a token.
 */
import { GLOBAL_CONSTANTS as G } from '../hardware/calibration';
import type { Layer } from '../model/architecture';
import {
  embeddingOperators,
  headOperators,
  layerOperators,
  type MatmulShape,
  type Operator,
  tokensPerRank,
  type Workload,
} from '../model/operators';
import type { Device, LayerKind } from './device';
import { type MatmulDevice, matmulSeconds } from './matmul';
import { allToAllSeconds, allReduceSeconds, gatherSeconds, type Network, placeGroup } from './network';

/** Seconds of kernels without any communication. */
export interface KernelSeconds {
  readonly forward: number;
  readonly backwardInput: number;
  readonly backwardWeight: number;
  /** Of the forward pass: what selective recomputation repeats. */
  readonly selective: number;
}

export interface LayerCosts extends KernelSeconds {
  readonly launches: number;
  readonly tpForward: number;
  readonly tpBackward: number;
  readonly cpForward: number;
  readonly cpBackward: number;
  readonly epForward: number;
  readonly epBackward: number;
}

export interface EndCosts {
  readonly embedding: KernelSeconds;
  readonly head: KernelSeconds;
  /** All-reduce of the vocabulary-parallel embedding, one way. */
  readonly tp: number;
}

export interface Precision {
  readonly fp8: boolean;
  readonly fp32: boolean;
  readonly compiled: boolean;
  readonly fusedNorms: boolean;
}

export function layerCosts(
  hidden: number,
  kind: LayerKind,
  work: Workload,
  precision: Precision,
  device: Device,
  network: Network,
): LayerCosts {
  const operators = layerOperators(hidden, kind.layer, work);
  const unfused = precision.fusedNorms ? 0 : (tokensPerRank(work) * hidden * G.unfusedNormBytes) / streamRate(device);
  const kernels = sum(operators, operator => operatorSeconds(operator, device, precision), unfused);
  return {
    ...kernels,
    launches: launchesOf(kind.layer, work),
    ...tensorParallel(hidden, work, network),
    ...contextParallel(kind.layer, work, network),
    ...expertParallel(hidden, kind.layer, work, network),
  };
}

export function endCosts(
  model: Parameters<typeof headOperators>[0],
  vocab: number,
  work: Workload,
  precision: Precision,
  device: Device,
  network: Network,
): EndCosts {
  const seconds = (operator: Operator) => operatorSeconds(operator, device, { ...precision, fp8: false });
  const head = headOperators(model, vocab, work);
  const tp = placeGroup(network, work.tp, 1);
  return {
    embedding: sum(embeddingOperators(model, work), seconds, 0),
    head: sum(head, seconds, 0),
    tp: allReduceSeconds(tp, 2 * tokensPerRank(work) * model.hidden),
  };
}

function sum(
  operators: readonly Operator[],
  seconds: (operator: Operator) => KernelSeconds,
  extra: number,
): KernelSeconds {
  let [forward, backwardInput, backwardWeight, selective] = [extra, 2 * extra, 0, 0];
  for (const operator of operators) {
    const part = seconds(operator);
    forward += part.forward;
    backwardInput += part.backwardInput;
    backwardWeight += part.backwardWeight;
    selective += part.selective;
  }
  return { forward, backwardInput, backwardWeight, selective };
}

/** A product costs the same three times: forward, for its input's gradient and for its weights' gradient. */
export function operatorSeconds(operator: Operator, device: Device, precision: Precision): KernelSeconds {
  switch (operator.kind) {
    case 'matmul': {
      const { m, n, k, batch } = operator.shape;
      const matmul = matmulDevice(device, precision);
      return {
        forward: matmulSeconds(operator.shape, matmul),
        backwardInput: matmulSeconds({ m, n: k, k: n, batch }, matmul),
        backwardWeight: matmulSeconds({ m: n, n: k, k: m, batch }, matmul),
        selective: 0,
      };
    }
    case 'flash-attention':
      return flashSeconds(operator, device);
    case 'unfused-attention':
      return unfusedSeconds(operator.shapes, operator.scores, device, precision);
    case 'pointwise': {
      const passes =
        operator.name === 'loss' ? G.lossPasses : G.pointwisePasses * (precision.compiled ? G.compiledShare : 1);
      const seconds = (operator.bytes * passes) / streamRate(device);
      // The loss counts its backward pass in its bytes already.
      return {
        forward: seconds,
        backwardInput: operator.name === 'loss' ? 0 : 2 * seconds,
        backwardWeight: 0,
        selective: 0,
      };
    }
  }
}

/** The backward pass has 2.5 times the forward FLOPs: it makes the scores again (arXiv 2307.08691, section 4.1). */
function flashSeconds(
  { flops, headDim, seqLen }: { flops: number; headDim: number; seqLen: number },
  device: Device,
): KernelSeconds {
  const ramp = seqLen / (seqLen + G.flashHalfSequence);
  const efficiency = device.constants.flashEfficiency * ramp * Math.min(1, headDim / 128) ** G.headDimExponent;
  const forward = flops / (peak16(device) * efficiency);
  return { forward, backwardInput: (2.5 * forward) / G.flashBackwardShare, backwardWeight: 0, selective: 0 };
}

function unfusedSeconds(
  shapes: readonly MatmulShape[],
  scores: number,
  device: Device,
  precision: Precision,
): KernelSeconds {
  const matmul = matmulDevice(device, { ...precision, fp8: false });
  const products =
    shapes.reduce((seconds, shape) => seconds + matmulSeconds(shape, matmul), 0) / G.unfusedAttentionShare;
  const softmax = (scores * G.softmaxPasses) / streamRate(device);
  const forward = products + 9 * softmax;
  return { forward, backwardInput: 2 * products + 15 * softmax, backwardWeight: 0, selective: forward };
}

function matmulDevice({ accelerator, constants }: Device, { fp8, fp32 }: Precision): MatmulDevice {
  const { peakFlopsPerSecond: peak, sms, memoryBytesPerSecond } = accelerator;
  const base = fp32 ? (peak.tf32 ?? peak.fp32 ?? 0) : (peak.bf16 ?? peak.fp16 ?? 0);
  const fast = fp8 && peak.fp8 !== null;
  return {
    peakFlopsPerSecond: fast ? (peak.fp8 ?? base) : base,
    ceiling: constants.matmulCeiling * (fast ? G.fp8Share : 1),
    halfK: constants.halfK,
    sms,
    memoryBytesPerSecond: memoryBytesPerSecond * G.memoryShare,
    alignmentLoss: G.alignmentLoss,
  };
}

function peak16({ accelerator: { peakFlopsPerSecond: peak } }: Device): number {
  return peak.bf16 ?? peak.fp16 ?? 0;
}

function streamRate({ accelerator }: Device): number {
  return accelerator.memoryBytesPerSecond * G.memoryShare;
}

function launchesOf(layer: Layer, work: Workload): number {
  return (
    G.kernelsPerLayer +
    (work.flash ? 0 : G.kernelsUnfused) +
    (work.tp > 1 ? G.kernelsTensorParallel : 0) +
    (layer.feedForward.kind === 'moe' ? G.kernelsExperts : 0)
  );
}

/** Two all-reduces of T·h a pass (Megatron-LM, arXiv 1909.08053, section 3); with sp each is a gather and a scatter. */
function tensorParallel(hidden: number, work: Workload, network: Network): { tpForward: number; tpBackward: number } {
  const once = allReduceSeconds(placeGroup(network, work.tp, 1), 2 * tokensPerRank(work) * hidden);
  // With sp the backward pass gathers the input once more for the weights' gradient.
  return { tpForward: 2 * once, tpBackward: 2 * once * (work.sp ? 1.25 : 1) };
}

/** Ring attention passes K and V on, hidden in part under the attention of the block at hand. */
function contextParallel(layer: Layer, work: Workload, network: Network): { cpForward: number; cpBackward: number } {
  if (work.cp === 1) return { cpForward: 0, cpBackward: 0 };
  const { mixer } = layer;
  const width =
    mixer.kind === 'latent' ? mixer.heads * (mixer.nopeDim + mixer.valueDim) : 2 * mixer.kvHeads * mixer.headDim;
  const bytes = (2 * tokensPerRank(work) * width * work.cp) / work.tp;
  const ring = gatherSeconds(placeGroup(network, work.cp, work.tp), bytes);
  return { cpForward: ring, cpBackward: 2 * ring };
}

/** Two all-to-alls a pass: tokens to their experts and back. */
function expertParallel(
  hidden: number,
  layer: Layer,
  work: Workload,
  network: Network,
): { epForward: number; epBackward: number } {
  if (layer.feedForward.kind !== 'moe' || work.ep === 1) return { epForward: 0, epBackward: 0 };
  const bytes = (2 * tokensPerRank(work) * layer.feedForward.topK * hidden * work.etp) / work.tp;
  const once = allToAllSeconds(placeGroup(network, work.ep, work.etp), network, bytes);
  return { epForward: 2 * once, epBackward: 2 * once };
}
