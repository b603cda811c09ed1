/**
 * Final norm, projection to the vocabulary and cross-entropy, with the vocabulary cut over tp: the ranks share each
 * row's largest logit, and the sum of exponentials with the target's logit, never the logits (Megatron-LM,
 * arXiv 1909.08053, section 3).
 *
 * Legend: T rows, V/t columns of logits here, share = 1 / tokens of a data-parallel rank in the step.
 */
import type { Program, Rank } from '../../collectives/communicator';
import { gemm } from '../gemm';
import type { Real, Tensor } from '../heap';
import { normBackward, normWeightGradient } from '../norms';
import type { MicroBatch, RankState } from '../state';
import { type BackwardResult, type Block, type Forwarded, freeAll } from './block';
import { norm, normGradients, normWeights } from './decoderLayer';
import { eachToken } from './embedding';
import { gatherTokens, reduceTokens } from './tensorParallel';

export function headBlock(units: readonly string[]): Block {
  return {
    units,
    *forward(rank, state, micro, x): Program<Forwarded> {
      const input = x as Tensor;
      const scope = state.heap.open();
      const normed = norm(state, 'head.norm', input);
      const full = yield* gatherTokens(rank, state, normed);
      const logits = project(state, full);
      const loss = yield* softmaxLoss(rank, state, micro, logits);
      const saved = [input, normed, logits];
      scope.end(...saved);
      scope.free();
      for (const tensor of saved) state.keep(tensor);
      return { y: null, saved, loss };
    },
    *backward(rank, state, micro, { saved }): Program<BackwardResult> {
      const [input, normed, softmax] = saved;
      const scope = state.heap.open();
      const dLogits = logitGradient(state, micro, softmax);
      const part = projectBack(state, dLogits);
      const dNormed = yield* reduceTokens(rank, state, part);
      const full = yield* gatherTokens(rank, state, normed);
      const dx = state.heap.buffer(input.length);
      normBackward(dx.data, dNormed.data, input.data, normWeights(state, 'head.norm'));
      scope.end(dx);
      return {
        dx,
        weights: () => {
          addTableGradient(state, dLogits, full);
          normWeightGradient(normGradients(state, 'head.norm'), dNormed.data, input.data);
        },
        free: () => {
          scope.free();
          freeAll(saved);
        },
      };
    },
  };
}

/** The head's weights are stored as the embedding's are, (V/t, h). */
const tableName = (state: RankState) => (state.decoder.tied ? 'embedding' : 'head');

/** Legend of the products: logits (T, v) = x (T, h) · tableᵀ. */
function sizes(state: RankState) {
  const { rows: v, cols: h } = state.shape(tableName(state));
  state.flops += 2 * state.rows * v * h;
  return { T: state.rows, v, h };
}

function project(state: RankState, x: Tensor): Tensor {
  const { T, v, h } = sizes(state);
  const logits = state.heap.buffer(T * v);
  gemm(logits.data, x.data, state.weight(tableName(state)), { m: T, n: v, k: h, transB: true });
  return logits;
}

function projectBack(state: RankState, dLogits: Tensor): Tensor {
  const { T, v, h } = sizes(state);
  const dx = state.heap.buffer(T * h);
  gemm(dx.data, dLogits.data, state.weight(tableName(state)), { m: T, n: h, k: v });
  return dx;
}

function addTableGradient(state: RankState, dLogits: Tensor, x: Tensor): void {
  const { T, v, h } = sizes(state);
  const gradient = state.gradient(tableName(state));
  gemm(gradient, dLogits.data, x.data, { m: v, n: h, k: T, transA: true, accumulate: true });
}

/** Turns the logits into this rank's part of the soft-max in place; returns the micro-batch's part of the mean loss. */
function* softmaxLoss(rank: Rank, state: RankState, micro: MicroBatch, logits: Tensor): Program<number> {
  const { data } = logits;
  const T = state.rows;
  const v = data.length / T;
  const most = yield* overVocabulary(rank, state, rowMaxima(state, data, T, v), 'max');
  const sums = state.heap.buffer(2 * T);
  eachTarget(state, micro, v, (row, at) => (sums.data[T + row] = data[at] - most.data[row]));
  for (let r = 0; r < T; r++)
    for (let i = r * v; i < (r + 1) * v; i++) {
      data[i] = Math.exp(data[i] - most.data[r]);
      sums.data[r] += data[i];
    }
  const totals = (yield* overVocabulary(rank, state, sums, 'sum')).data;
  let loss = 0;
  for (let r = 0; r < T; r++) {
    for (let i = r * v; i < (r + 1) * v; i++) data[i] /= totals[r];
    loss += (Math.log(totals[r]) - totals[T + r]) * micro.share;
  }
  return loss;
}

function rowMaxima(state: RankState, data: Real, T: number, v: number): Tensor {
  const most = state.heap.buffer(T);
  most.data.fill(-Infinity);
  for (let i = 0; i < T * v; i++) most.data[Math.floor(i / v)] = Math.max(most.data[Math.floor(i / v)], data[i]);
  return most;
}

function* overVocabulary(rank: Rank, state: RankState, x: Tensor, reduction: 'max' | 'sum'): Program<Tensor> {
  const { tp } = state.place;
  if (tp.size === 1) return x;
  return state.heap.adopt('buffers', (yield* rank.allReduce(x.data, { group: tp.group, reduction })) as Real);
}

/** Calls f with each row whose target is among this rank's columns, and the target's index in the logits. */
function eachTarget(state: RankState, micro: MicroBatch, v: number, f: (row: number, at: number) => void): void {
  const first = v * state.place.tp.index;
  eachToken(state, micro, 1, (row, token) => {
    if (token >= first && token < first + v) f(row, row * v + token - first);
  });
}

/** (soft-max − target) · share */
function logitGradient(state: RankState, micro: MicroBatch, softmax: Tensor): Tensor {
  const d = state.heap.buffer(softmax.length);
  const { data } = softmax;
  for (let i = 0; i < data.length; i++) d.data[i] = data[i] * micro.share;
  eachTarget(state, micro, data.length / state.rows, (_, at) => (d.data[at] -= micro.share));
  return d;
}
