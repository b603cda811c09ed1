/**
 * The two edges of a tensor-parallel region. Without sequence parallelism: identity and all-reduce (f and g of
 * Megatron-LM, arXiv 1909.08053, figure 3). With it: all-gather and reduce-scatter over the tokens (g and ḡ of
 * Korthikanti et al., arXiv 2205.05198, figure 5). Each is the backward pass of the other.
 *
 * Legend: T rows, h columns, t tensor-parallel ranks.
 */
import type { Program, Rank } from '../../collectives/communicator';
import type { Real, Tensor } from '../heap';
import type { RankState } from '../state';

/** (T/t, h) → (T, h) with sequence parallelism, else the same tensor. */
export function* gatherTokens(rank: Rank, state: RankState, x: Tensor): Program<Tensor> {
  const { tp } = state.place;
  return state.layout.plan.sp ? yield* allGather(rank, state, x, tp.group) : x;
}

/** Sums the ranks' parts: (T, h) → (T/t, h) with sequence parallelism, else (T, h) on every rank. */
export function* reduceTokens(rank: Rank, state: RankState, x: Tensor): Program<Tensor> {
  const { tp } = state.place;
  if (tp.size === 1) return x;
  const { group } = tp;
  const sum = state.layout.plan.sp
    ? yield* rank.reduceScatter(x.data, { group })
    : yield* rank.allReduce(x.data, { group });
  return state.heap.adopt('buffers', sum as Real);
}

export function* allGather(
  rank: Rank,
  state: RankState,
  x: Tensor,
  group: RankState['place']['tp']['group'],
): Program<Tensor> {
  if (group.ranks.length === 1) return x;
  return state.heap.adopt('buffers', (yield* rank.allGather(x.data, { group })) as Real);
}
