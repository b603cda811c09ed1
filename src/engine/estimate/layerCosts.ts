/**
 * Seconds of one layer, of the embedding and of the head for one micro-batch on one rank: counted work over the rates
 * of the device.
 */
import { type CommonConstants, type DeviceConstants, FIXED } from '../hardware/constants';
import { LAYER_PARTS } from '../model/operator';
import type { DeviceRates } from './device';
import type { AttentionWork, EndCounts, LayerCounts } from './layerWork';
import { type MatmulRate, matmulSeconds } from './matmul';
import type { RecomputeRule } from './recompute';
import type { Setting } from './setting';

/** Seconds of kernels without any communication. */
export interface LayerCosts {
  forward: number;
  backwardInput: number;
  backwardWeight: number;
  /** What the rule of recomputation repeats in layers that are not repeated as a whole. */
  repeated: number;
}

export interface EndCosts {
  embeddingForward: number;
  embeddingBackward: number;
  headForward: number;
  headInput: number;
  headWeight: number;
}

/** The rates of a device under one calibration, and which kernels a setting has. */
export interface Pricing {
  readonly device: DeviceConstants;
  readonly common: CommonConstants;
  readonly rates: DeviceRates;
  readonly high: MatmulRate;
  readonly low: MatmulRate;
  readonly flashFlopsPerSecond: number;
  readonly memoryBytesPerSecond: number;
  /** Passes over memory by norms, rotary and activations. */
  readonly passes: number;
  /** Bytes a token element of norms that are not fused. */
  readonly normBytes: number;
  /** Bytes an input element of a cast to FP8; 0 in 16 bits. */
  readonly castBytes: number;
}

export function pricing(
  rates: DeviceRates,
  device: DeviceConstants,
  common: CommonConstants,
  setting: Setting,
): Pricing {
  const { memoryBytesPerSecond: memory, peak16, peak8, peak32, architecture } = rates;
  const memoryBytesPerSecond = memory * common.memoryShare;
  const ceiling = Math.min(
    MOST_SUSTAINED,
    device.matmulCeiling * rates.clockRatio * rates.powerRatio ** common.powerExponent,
  );
  const high: MatmulRate = {
    flopsPerSecond: (setting.fp32 ? peak32 : peak16) * ceiling,
    halfK: device.halfK,
    memoryBytesPerSecond,
    alignment: Math.exp(-common.alignmentLoss),
  };
  const isNew = architecture === 'hopper' || architecture === 'blackwell';
  const kernel = setting.flash1 ? common.flash1Share : setting.cudnn && isNew ? common.cudnnShare : 1;
  const casts =
    setting.fusedCasts || architecture === 'blackwell' ? 1 : setting.compiled ? COMPILED_CASTS : UNFUSED_CASTS;
  return {
    device,
    common,
    rates,
    high,
    low:
      setting.fp8 && peak8 !== null
        ? { ...high, flopsPerSecond: lowPeak(rates, setting) * ceiling * device.fp8Share }
        : high,
    // A part whose products are limited and whose exponentials are not (H20) is bound by the products.
    flashFlopsPerSecond:
      peak16 * Math.min(MOST_SUSTAINED, rates.clockRatio * device.flashEfficiency * kernel * rates.exponentialRatio),
    memoryBytesPerSecond,
    passes:
      common.pointwisePasses *
      setting.activationScale *
      (setting.compiled ? common.compiledShare : setting.fusedPointwise ? common.fusedShare : 1),
    // Norms in 32 bits cast nothing.
    normBytes: setting.fusedNorms || setting.compiled || setting.fp32 ? 0 : common.unfusedNormBytes,
    castBytes: setting.fp8 ? CAST_BYTES * casts * (setting.rowwise ? 2 : 1) * common.castPasses : 0,
  };
}

/** No product runs at the datasheet's peak. */
const MOST_SUSTAINED = 0.95;

/**
 * FP4 with block scales reaches a smaller share of its peak than FP8: its products are bound by memory earlier. Set by
 * Megatron-Bridge's runs in NVFP4 on GB300 (Llama 3 70B and 3.1 405B, releases 26.02 to 26.06), all within 10 %.
 */
const FP4_SHARE = 2 / 3;

function lowPeak({ peak4, peak8 }: DeviceRates, { fp4 }: Setting): number {
  return fp4 && peak4 !== null ? FP4_SHARE * peak4 : (peak8 ?? 0);
}

/** A kernel that casts and transposes at once reads 2 bytes of an element and writes 1 twice. */
const CAST_BYTES = 4;
/** A compiler fuses the cast with what comes before, but not the search for the largest value nor the transposed copy. */
const COMPILED_CASTS = 2;
/** A separate pass for the largest value, one for the cast, one for the copy. */
const UNFUSED_CASTS = 3;

/** Writes the costs of a layer. */
export function priceLayer(work: LayerCounts, p: Pricing, rule: RecomputeRule, out: LayerCosts): LayerCosts {
  const { linears, pointwise } = work;
  const { repeated } = rule;
  let [forward, input, weight, again] = [0, 0, 0, 0];
  for (const linear of linears) {
    const rate = linear.lowPrecision ? p.low : p.high;
    const cast = linear.lowPrecision ? p.castBytes / p.memoryBytesPerSecond : 0;
    const seconds = matmulSeconds(linear.forward, rate) + linear.inputElements * cast;
    forward += seconds;
    again += seconds * repeated[linear.part];
    // The gradient of the output is cast as the input was.
    input += matmulSeconds(linear.input, rate) + linear.outputElements * cast;
    weight += matmulSeconds(linear.weight, rate);
  }
  for (let part = 0; part < LAYER_PARTS.length; part++) {
    if (pointwise[part] === 0) continue;
    const seconds = (pointwise[part] * p.passes) / p.memoryBytesPerSecond;
    forward += seconds;
    again += seconds * repeated[part];
    input += 2 * seconds;
  }
  const extra =
    (work.dispatchBytes * p.common.dispatchPasses + work.tokenElements * p.normBytes) / p.memoryBytesPerSecond;
  const attention = attentionSeconds(work.attention, p);
  out.forward = forward + extra + attention;
  out.backwardInput = input + 2 * extra + backwardAttentionSeconds(work.attention, p, attention);
  out.backwardWeight = weight;
  const core = rule.dropsScores && work.attention.scores > 0 ? 1 : repeated[CORE];
  out.repeated = again + extra * repeated[NORM] + attention * core;
  return out;
}

const CORE = LAYER_PARTS.indexOf('core');
const NORM = LAYER_PARTS.indexOf('norm');

function attentionSeconds(work: AttentionWork, p: Pricing): number {
  if (work.flashFlops > 0) return work.flashFlops / (p.flashFlopsPerSecond * flashShape(work, p.common));
  let products = 0;
  for (const product of work.forward) products += matmulSeconds(product, p.high);
  return (
    products / p.common.unfusedAttentionShare + (9 * work.scores * p.common.softmaxPasses) / p.memoryBytesPerSecond
  );
}

/** The fused backward pass has 2.5 times the forward FLOPs: it makes the scores again (arXiv 2307.08691, section 4.1). */
function backwardAttentionSeconds(work: AttentionWork, p: Pricing, forward: number): number {
  if (work.flashFlops > 0) return (2.5 * forward) / FIXED.flashBackwardShare;
  let products = 0;
  for (const product of work.backward) products += matmulSeconds(product, p.high);
  return (
    products / p.common.unfusedAttentionShare + (15 * work.scores * p.common.softmaxPasses) / p.memoryBytesPerSecond
  );
}

/** Short sequences and small heads keep the fused kernel from its best rate. */
function flashShape({ headDim, seqLen }: AttentionWork, common: CommonConstants): number {
  return (seqLen / (seqLen + FIXED.flashHalfSequence)) * Math.min(1, headDim / 128) ** common.headDimExponent;
}

export function priceEnds(work: EndCounts, p: Pricing): EndCosts {
  const embedding = work.embeddingBytes / p.memoryBytesPerSecond;
  const { head } = work;
  const loss = (work.lossBytes * p.common.lossPasses) / p.memoryBytesPerSecond;
  return {
    embeddingForward: embedding / 2,
    embeddingBackward: embedding / 2,
    headForward: matmulSeconds(head.forward, p.high) + loss / 2,
    headInput: matmulSeconds(head.input, p.high) + loss / 2,
    headWeight: matmulSeconds(head.weight, p.high),
  };
}
