/**
 * What one layer, the embedding and the head do on one rank with one micro-batch. `…Counts` are what pricing reads, once
 * for each workload: products by shape and bytes. `…Work` is what every evaluation reads: messages, parameters, what is
 * kept. Nothing here depends on a fitted constant.
 *
 * Legend: T tokens a rank and micro-batch, h hidden, t tp, g kv heads, d head dimension, k experts a token.
 */
import type { Model } from '../model/architecture';
import type { Layer } from '../model/layer';
import {
  LAYER_PARTS,
  type LayerPart,
  type MatmulShape,
  type Operator,
  tokensPerRank,
  type Workload,
} from '../model/operator';
import { embeddingOperators, headOperators, layerOperators } from '../model/operators';
import type { LayerKind } from './device';
import { type MatmulWork, matmulWork } from './matmul';
import type { Setting } from './setting';

/** A product with those of its backward pass. */
export interface LinearWork {
  /** Index in LAYER_PARTS; −1 outside layers. */
  readonly part: number;
  /** FP8 recipes leave the router and the head in 16 bits. */
  readonly lowPrecision: boolean;
  readonly forward: MatmulWork;
  readonly input: MatmulWork;
  readonly weight: MatmulWork;
  /** Elements of its input and output, which FP8 casts. */
  readonly inputElements: number;
  readonly outputElements: number;
}

export interface AttentionWork {
  /** Causal forward FLOPs of the fused kernel; 0 where it is not fused. */
  readonly flashFlops: number;
  readonly headDim: number;
  readonly seqLen: number;
  readonly forward: readonly MatmulWork[];
  readonly backward: readonly MatmulWork[];
  /** Elements of the score matrix where it is in memory. */
  readonly scores: number;
}

export interface LayerCounts {
  readonly operators: readonly Operator[];
  readonly linears: readonly LinearWork[];
  readonly attention: AttentionWork;
  /** Bytes of memory-bound operators forward, by part. */
  readonly pointwise: readonly number[];
  /** Bytes of permutation and combination for one pass. */
  readonly dispatchBytes: number;
  /** T·h, for norms that are not fused. */
  readonly tokenElements: number;
  /** Σ (k + n) of the products that adapters stand beside (q, k, v, gate and up by themselves): parameters of rank 1. */
  readonly adapterWidth: number;
  /** Σ m·(k + n) of them: elements that adapters read and write. */
  readonly adapterElements: number;
}

export interface LayerWork {
  /** Bytes of T·h in 16 bits: what tensor parallelism reduces. */
  readonly tensorBytes: number;
  /** Bytes of K and V of the whole sequence, which context parallelism exchanges. */
  readonly contextBytes: number;
  /** Rows that leave for experts, and bytes of one. */
  readonly expertRows: number;
  readonly expertCopies: number;
  readonly rowBytes: number;
  readonly isMoe: boolean;
  /** The scores of attention are in memory. */
  readonly isUnfused: boolean;
  /** Kept for the backward pass by one micro-batch, under the rule of recomputation. */
  readonly keptBytes: number;
  /** The same where nothing is recomputed, and where all of the layer is. */
  readonly savedBytes: number;
  readonly inputBytes: number;
  readonly adapterWidth: number;
  readonly adapterElements: number;
  /** Elements of the largest weight of a product. */
  readonly largestMatrix: number;
  /** Parameters that a rank holds before data-parallel sharding. */
  readonly denseParameters: number;
  readonly expertParameters: number;
}

export interface EndCounts {
  readonly embeddingBytes: number;
  readonly head: LinearWork;
  readonly lossBytes: number;
}

export interface EndWork {
  readonly tensorBytes: number;
  /** Kept by the head's input and final norm. */
  readonly headBytes: number;
  /** Elements of the logits on one rank. */
  readonly logits: number;
}

const PART_INDEX = new Map(LAYER_PARTS.map((part, index) => [part, index]));
const NORM = LAYER_PARTS.indexOf('norm');
const LATENT_UP = LAYER_PARTS.indexOf('latent-up');
const DISPATCH = LAYER_PARTS.indexOf('dispatch');

export function layerCounts(hidden: number, { layer }: LayerKind, work: Workload, sms: number | null): LayerCounts {
  const operators = layerOperators(hidden, layer, work);
  const pointwise = LAYER_PARTS.map(() => 0);
  const linears: LinearWork[] = [];
  let attention: AttentionWork = NO_ATTENTION;
  let [adapterWidth, adapterElements] = [0, 0];
  for (const operator of operators) {
    const part = operator.part === null ? -1 : (PART_INDEX.get(operator.part) ?? -1);
    if (operator.kind === 'pointwise') pointwise[part] += operator.bytes;
    else if (operator.kind === 'matmul') {
      linears.push(linearWork(operator.shape, part, operator.part !== 'router', sms));
      if (operator.part === 'router') continue;
      const { m, k, n, batch } = operator.shape;
      const width = (k * operator.outputs.length + n) * batch;
      adapterWidth += width;
      adapterElements += m * width;
    } else attention = attentionWork(operator, sms);
  }
  const dispatchBytes = pointwise[DISPATCH];
  pointwise[DISPATCH] = 0;
  const tokenElements = tokensPerRank(work) * hidden;
  return { operators, linears, attention, pointwise, adapterWidth, adapterElements, dispatchBytes, tokenElements };
}

export function layerWork(
  hidden: number,
  kind: LayerKind,
  work: Workload,
  { operators, attention, adapterWidth, adapterElements }: LayerCounts,
  setting: Pick<Setting, 'rule' | 'normKeptBytes' | 'savesFp8' | 'stack' | 'activationScale'>,
): LayerWork {
  const { normKeptBytes, activationScale } = setting;
  const tokens = tokensPerRank(work);
  const inputBytes = (2 * tokens * hidden) / (work.sp ? work.tp : 1);
  const held = keptBytes(
    operators,
    setting,
    (normKeptBytes * tokens * hidden) / (work.sp ? work.tp : 1),
    setting.stack.keepsProjection ? projectionBytes(kind.layer, work) : 0,
    inputBytes,
  );
  const messages = expertMessages(hidden, kind.layer, work);
  return {
    ...messages,
    tensorBytes: activationScale * 2 * tokens * hidden,
    contextBytes: activationScale * contextBytes(kind.layer, work),
    rowBytes: activationScale * messages.rowBytes,
    isUnfused: attention.scores > 0,
    keptBytes: activationScale * held.keptBytes,
    savedBytes: activationScale * held.savedBytes,
    inputBytes: activationScale * inputBytes,
    adapterWidth,
    adapterElements,
    largestMatrix: largestMatrix(operators),
    ...rankParameters(kind, work),
  };
}

const NO_ATTENTION: AttentionWork = { flashFlops: 0, headDim: 0, seqLen: 0, forward: [], backward: [], scores: 0 };

function linearWork(shape: MatmulShape, part: number, lowPrecision: boolean, sms: number | null): LinearWork {
  const { m, n, k, batch } = shape;
  return {
    part,
    lowPrecision,
    forward: matmulWork(shape, sms),
    input: matmulWork({ m, n: k, k: n, batch }, sms),
    weight: matmulWork({ m: n, n: k, k: m, batch }, sms),
    inputElements: m * k * batch,
    outputElements: m * n * batch,
  };
}

function attentionWork(
  operator: Extract<Operator, { kind: 'flash-attention' | 'unfused-attention' }>,
  sms: number | null,
): AttentionWork {
  if (operator.kind === 'flash-attention') {
    const { flops: flashFlops, headDim, seqLen } = operator;
    return { ...NO_ATTENTION, flashFlops, headDim, seqLen };
  }
  const products = operator.shapes.map(shape => matmulWork(shape, sms));
  // Each of the two products has two in the backward pass.
  return { ...NO_ATTENTION, forward: products, backward: [...products, ...products], scores: operator.scores };
}

function contextBytes({ mixer }: Layer, work: Workload): number {
  if (work.cp === 1) return 0;
  const width =
    mixer.kind === 'latent' ? mixer.heads * (mixer.nopeDim + mixer.valueDim) : 2 * mixer.kvHeads * mixer.headDim;
  return (2 * tokensPerRank(work) * width * work.cp) / work.tp;
}

function expertMessages(hidden: number, { feedForward }: Layer, work: Workload) {
  if (feedForward.kind !== 'moe') return { expertRows: 0, expertCopies: 0, rowBytes: 0, isMoe: false };
  const expertRows = work.ep === 1 ? 0 : (tokensPerRank(work) * work.etp) / work.tp;
  return { expertRows, expertCopies: feedForward.topK, rowBytes: 2 * hidden, isMoe: true };
}

function keptBytes(
  operators: readonly Operator[],
  { rule, savesFp8 }: Pick<Setting, 'rule' | 'savesFp8'>,
  normBytes: number,
  projectionBytes: number,
  inputBytes: number,
): { keptBytes: number; savedBytes: number } {
  let kept = normBytes * (1 - rule.repeated[NORM]) + projectionBytes * (1 - rule.repeated[LATENT_UP]);
  let saved = normBytes + projectionBytes;
  for (const { saved: tensors } of operators) {
    for (const { bytes, fp8Shares, selective, madeBy } of tensors) {
      const held = savesFp8 === 'none' ? bytes : bytes * fp8Shares[savesFp8];
      const repeats = (part: LayerPart) => rule.repeated[PART_INDEX.get(part) ?? 0] === 1;
      saved += held;
      if (selective ? !rule.dropsScores : !madeBy.some(repeats)) kept += held;
    }
  }
  return { keptBytes: rule.keepsOutputs ? inputBytes + keptOutputs(operators) : kept, savedBytes: saved };
}

function largestMatrix(operators: readonly Operator[]): number {
  let largest = 0;
  for (const operator of operators) {
    if (operator.kind === 'matmul') largest = Math.max(largest, operator.shape.k * Math.max(...operator.outputs));
  }
  return largest;
}

/** What stands beside v in the projection that it is a view of: q and k before their rotation, or a latent's keys. */
function projectionBytes({ mixer }: Layer, work: Workload): number {
  const { tp } = work;
  const columns =
    mixer.kind === 'latent'
      ? (mixer.heads * mixer.nopeDim) / tp
      : ((mixer.heads + Math.max(mixer.kvHeads, tp)) * mixer.headDim) / tp;
  return 2 * tokensPerRank(work) * columns;
}

/** Attention's output and that of every second product, as checkpointing by operator counts them: not the experts'. */
function keptOutputs(operators: readonly Operator[]): number {
  let [bytes, products] = [0, 0];
  for (const operator of operators) {
    if (operator.part === 'core') bytes += operator.saved.reduce((sum, tensor) => sum + tensor.bytes, 0);
    if (operator.kind !== 'matmul' || operator.part === 'router' || operator.part === 'experts') continue;
    for (const columns of operator.outputs) if (products++ % 2 === 0) bytes += 2 * operator.shape.m * columns;
  }
  return bytes;
}

function rankParameters({ parameters }: LayerKind, { tp, ep, etp }: Workload) {
  return {
    denseParameters: (parameters.attention + parameters.feedForward) / tp + parameters.norms + parameters.router,
    expertParameters: parameters.routed / (ep * etp),
  };
}

/** `vocab`: padded. */
export function endCounts(model: Model, vocab: number, work: Workload, sms: number | null): EndCounts {
  const [, loss] = headOperators(model, vocab, work);
  const [embedding] = embeddingOperators(model, work);
  const shape = { m: tokensPerRank(work), n: vocab / work.tp, k: model.hidden, batch: 1 };
  return { embeddingBytes: bytesOf(embedding), head: linearWork(shape, -1, false, sms), lossBytes: bytesOf(loss) };
}

/** `vocab`: padded. */
export function endWork(
  model: Model,
  vocab: number,
  work: Workload,
  { normKeptBytes, activationScale }: Pick<Setting, 'normKeptBytes' | 'activationScale'>,
): EndWork {
  const [projection] = headOperators(model, vocab, work);
  const tokens = tokensPerRank(work);
  return {
    tensorBytes: activationScale * 2 * tokens * model.hidden,
    // normKeptBytes are those of the two norms of a layer; the final norm is one.
    headBytes:
      activationScale * projection.saved.reduce((sum, { bytes }) => sum + bytes, 0) +
      ((normKeptBytes / 2) * tokens * model.hidden) / (work.sp ? work.tp : 1),
    logits: (tokens * vocab) / work.tp,
  };
}

function bytesOf(operator: Operator): number {
  return operator.kind === 'pointwise' ? operator.bytes : 0;
}
