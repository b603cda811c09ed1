/**
 * What every piece of the model is: a forward pass that keeps tensors, a backward pass for inputs, and the work for
 * weights that it leaves for later. Communication is explicit in them.
 */
import type { Program, Rank } from '../../collectives/communicator';
import type { Tensor } from '../heap';
import type { MicroBatch, RankState } from '../state';

export interface Forwarded {
  /** The input of the next block; null after the loss. */
  readonly y: Tensor | null;
  /** Tensors for the backward pass; the block's input is one of them where the block needs it. */
  readonly saved: readonly Tensor[];
  /** What the backward pass needs beside tensors. */
  readonly notes?: unknown;
  /** This micro-batch's part of the mean loss of a data-parallel rank. */
  readonly loss?: number;
}

export interface BackwardResult {
  /** Gradient of the block's input; null before the embedding. */
  readonly dx: Tensor | null;
  /** Adds the gradients of the weights; to be called once, then `free`. */
  readonly weights: () => void;
  readonly free: () => void;
}

export interface Block {
  readonly units: readonly string[];
  /** Takes x: keeps it in `saved` or frees it. */
  forward(rank: Rank, state: RankState, micro: MicroBatch, x: Tensor | null): Program<Forwarded>;
  /** Takes dy; what was saved is freed by the result's `free`. */
  backward(
    rank: Rank,
    state: RankState,
    micro: MicroBatch,
    forwarded: Forwarded,
    dy: Tensor | null,
  ): Program<BackwardResult>;
}

export const freeAll = (tensors: readonly Tensor[]) => tensors.forEach(tensor => tensor.free());
