/**
 * A decoder layer: x + attention(norm(x)), then + feed-forward or experts of norm of that.
 *
 * Legend: T = b·s/c rows of this rank's part of the sequence, T/t between the parallel parts with sequence parallelism.
 */
import type { Program, Rank } from '../../collectives/communicator';
import type { Tensor } from '../heap';
import { normBackward, normForward, type NormWeights, normWeightGradient } from '../norms';
import { addInto } from '../pointwise';
import { rotate } from '../rotary';
import type { RankState } from '../state';
import type { BackwardResult, Block, Forwarded } from './block';
import { freeAll } from './block';
import { attentionBackward, attentionForward } from './contextParallel';
import { expertsBackward, expertsForward, type Routed } from './experts';
import { feedForward, feedForwardBackward } from './feedForward';
import { gatherTokens, reduceTokens } from './tensorParallel';

/** Tensors of the backward pass, in the order of `saved`. */
interface Kept {
  readonly x: Tensor;
  readonly n1: Tensor;
  readonly middle: Tensor;
  readonly n2: Tensor;
  readonly core: readonly Tensor[];
  readonly ffn: readonly Tensor[];
  readonly routed: Routed | null;
}

export function decoderLayer(name: string, units: readonly string[]): Block {
  return {
    units,
    *forward(rank, state, _micro, x): Program<Forwarded> {
      const input = x as Tensor;
      const scope = state.heap.open();
      const n1 = norm(state, `${name}.norm1`, input);
      const { out, core } = yield* attention(rank, state, name, n1);
      const middle = sum(state, input, out);
      const n2 = norm(state, `${name}.norm2`, middle);
      const second = yield* mix(rank, state, name, n2);
      const y = sum(state, middle, second.out);
      const kept: Kept = { x: input, n1, middle, n2, core, ffn: second.saved, routed: second.routed };
      const saved = [input, n1, middle, n2, ...core, ...second.saved];
      scope.end(y, ...saved);
      scope.free();
      for (const tensor of saved) state.keep(tensor);
      return { y, saved, notes: kept };
    },
    backward: (rank, state, _micro, forwarded, dy) => backward(rank, state, name, forwarded, dy as Tensor),
  };
}

function* attention(rank: Rank, state: RankState, name: string, n1: Tensor) {
  const full = yield* gatherTokens(rank, state, n1);
  const q = state.multiply(full, `${name}.q`);
  const k = state.multiply(full, `${name}.k`);
  const v = state.multiply(full, `${name}.v`);
  turn(state, q, 1);
  turn(state, k, 1);
  const { o, saved } = yield* attentionForward(rank, state, q, k, v);
  state.flops += coreFlops(state);
  const part = state.multiply(o, `${name}.o`);
  // All-to-all saves the output in the other layout; the product's gradient needs this one too.
  const core = saved.includes(o) ? saved : [...saved, o];
  return { out: yield* reduceTokens(rank, state, part), core };
}

/** Scores and weighted sum of a causal kernel, half the square on the mean: 4·T·(s/2)·a·d/t. */
function coreFlops(state: RankState): number {
  const { heads, headDim } = state.decoder;
  const { seqLen, tp } = state.layout.plan;
  return (2 * state.rows * seqLen * heads * headDim) / tp;
}

function* mix(rank: Rank, state: RankState, name: string, n2: Tensor) {
  if (state.decoder.experts > 0) {
    const { out, routed } = yield* expertsForward(rank, state, name, n2);
    return { out, saved: routed.saved, routed };
  }
  const full = yield* gatherTokens(rank, state, n2);
  const { out, saved } = feedForward(state, name, full);
  return { out: yield* reduceTokens(rank, state, out), saved, routed: null };
}

function* backward(
  rank: Rank,
  state: RankState,
  name: string,
  forwarded: Forwarded,
  dy: Tensor,
): Program<BackwardResult> {
  const kept = forwarded.notes as Kept;
  const scope = state.heap.open();
  const second = yield* mixBackward(rank, state, name, kept, dy);
  const dMiddle = normPlus(state, `${name}.norm2`, kept.middle, second.dx, dy);
  const first = yield* attentionGradient(rank, state, name, kept, dMiddle);
  const dx = normPlus(state, `${name}.norm1`, kept.x, first.dx, dMiddle);
  scope.end(dx);
  return {
    dx,
    weights: () => {
      second.weights();
      normWeightGradient(normGradients(state, `${name}.norm2`), second.dx.data, kept.middle.data);
      first.weights();
      normWeightGradient(normGradients(state, `${name}.norm1`), first.dx.data, kept.x.data);
    },
    free: () => {
      scope.free();
      dy.free();
      freeAll(forwarded.saved);
    },
  };
}

function* mixBackward(rank: Rank, state: RankState, name: string, kept: Kept, dy: Tensor) {
  if (kept.routed) return yield* expertsBackward(rank, state, name, kept.n2, kept.routed, dy);
  const dOut = yield* gatherTokens(rank, state, dy);
  const { dx, weights } = feedForwardBackward(state, name, kept.ffn, dOut);
  const total = yield* reduceTokens(rank, state, dx);
  // Gathered again rather than kept (arXiv 2205.05198, section 4.2.2).
  const input = yield* gatherTokens(rank, state, kept.n2);
  return { dx: total, weights: () => weights(input) };
}

function* attentionGradient(rank: Rank, state: RankState, name: string, kept: Kept, dy: Tensor) {
  const dOut = yield* gatherTokens(rank, state, dy);
  const dO = state.multiplyBack(dOut, `${name}.o`);
  const { dq, dk, dv } = yield* attentionBackward(rank, state, kept.core, dO);
  state.flops += 2 * coreFlops(state);
  turn(state, dq, -1);
  turn(state, dk, -1);
  const part = state.multiplyBack(dq, `${name}.q`);
  state.multiplyBack(dk, `${name}.k`, part);
  state.multiplyBack(dv, `${name}.v`, part);
  const dx = yield* reduceTokens(rank, state, part);
  const input = yield* gatherTokens(rank, state, kept.n1);
  const { cp, cpKind } = state.layout.plan;
  const o = cp > 1 && cpKind === 'all-to-all' ? (kept.core.at(-1) as Tensor) : kept.core[3];
  const weights = () => {
    state.addGradient(o, dOut, `${name}.o`);
    state.addGradient(input, dq, `${name}.q`);
    state.addGradient(input, dk, `${name}.k`);
    state.addGradient(input, dv, `${name}.v`);
  };
  return { dx, weights };
}

/** Rotary positions, where the network has them. */
function turn(state: RankState, x: Tensor, direction: 1 | -1): void {
  if (state.decoder.positionRows > 0) return;
  const { microBatch, seqLen, cp } = state.layout.plan;
  const d = state.decoder.headDim;
  const heads = x.length / state.rows / d;
  rotate(x.data, { b: microBatch, heads, d, start: (state.place.cp.index * seqLen) / cp }, direction);
}

export function normWeights(state: RankState, name: string): NormWeights {
  const shift = state.has(`${name}.shift`) ? state.weight(`${name}.shift`) : null;
  return { weight: state.weight(`${name}.weight`), shift };
}

export function normGradients(state: RankState, name: string): NormWeights {
  const shift = state.has(`${name}.shift`) ? state.gradient(`${name}.shift`) : null;
  return { weight: state.gradient(`${name}.weight`), shift };
}

export function norm(state: RankState, name: string, x: Tensor): Tensor {
  const y = state.heap.buffer(x.length);
  normForward(y.data, x.data, normWeights(state, name));
  return y;
}

/** The norm's dx, plus what comes past it on the residual. */
function normPlus(state: RankState, name: string, x: Tensor, dy: Tensor, past: Tensor): Tensor {
  const dx = state.heap.buffer(x.length);
  normBackward(dx.data, dy.data, x.data, normWeights(state, name));
  addInto(dx.data, past.data);
  return dx;
}

function sum(state: RankState, a: Tensor, b: Tensor): Tensor {
  const y = state.heap.buffer(a.length);
  addInto(y.data, a.data);
  addInto(y.data, b.data);
  return y;
}
