/**
 * Bytes and parameters of one layer and of the head on one rank; they depend on no device.
 *
 * Legend: T tokens a rank and micro-batch, h hidden, t tp.
 */
import type { Model } from '../model/architecture';
import { headOperators, layerOperators, savedBytes, tokensPerRank, type Workload } from '../model/operators';
import type { LayerKind } from './device';

export interface LayerSizes {
  /** Kept for the backward pass by one micro-batch. */
  readonly savedBytes: number;
  readonly savedSelectiveBytes: number;
  /** The input that full recomputation keeps. */
  readonly inputBytes: number;
  /** Parameters that a rank holds before data-parallel sharding. */
  readonly denseParameters: number;
  readonly expertParameters: number;
}

export interface EndSizes {
  readonly headBytes: number;
  /** Elements. */
  readonly logits: number;
}

export function layerSizes(hidden: number, kind: LayerKind, work: Workload): LayerSizes {
  const operators = layerOperators(hidden, kind.layer, work);
  const { parameters } = kind;
  return {
    savedBytes: savedBytes(operators, 'none'),
    savedSelectiveBytes: savedBytes(operators, 'selective'),
    inputBytes: (2 * tokensPerRank(work) * hidden) / (work.sp ? work.tp : 1),
    denseParameters: (parameters.attention + parameters.feedForward) / work.tp + parameters.norms + parameters.router,
    expertParameters: parameters.routed / (work.ep * work.etp),
  };
}

export function endSizes(model: Model, vocab: number, work: Workload): EndSizes {
  return {
    headBytes: savedBytes(headOperators(model, vocab, work), 'none'),
    logits: (tokensPerRank(work) * vocab) / work.tp,
  };
}
