/**
 * The two exchanges of DeepSpeed-Ulysses (arXiv 2309.14509, section 3): from a part of the sequence with all heads to
 * the whole sequence with a part of the heads, and back.
 *
 * Legend: c ranks, n = s/c positions with b sequences each, w columns (heads · d) of which a rank gets w/c.
 */
import type { Program, Rank } from '../../collectives/communicator';
import type { Real, Tensor } from '../heap';
import type { RankState } from '../state';

/** (n·b, w) → (c·n·b, w/c) */
export function* sequenceToHeads(rank: Rank, state: RankState, x: Tensor): Program<Tensor> {
  const { cp } = state.place;
  const width = x.length / state.rows;
  const parts = deal(x.data, state.rows, width, cp.size, state.heap.buffer(x.length).data);
  return state.heap.adopt('buffers', (yield* rank.allToAll(parts, { group: cp.group })) as Real);
}

/** (c·n·b, w/c) → (n·b, w) */
export function* headsToSequence(rank: Rank, state: RankState, x: Tensor): Program<Tensor> {
  const { cp } = state.place;
  const width = x.length / state.rows;
  const parts = state.heap.adopt('buffers', (yield* rank.allToAll(x.data, { group: cp.group })) as Real);
  const y = state.heap.buffer(x.length);
  collect(parts.data, state.rows, width, cp.size, y.data);
  return y;
}

/** Columns by part: out[part][row][column of the part]. */
export function deal(x: Real, rows: number, width: number, parts: number, out: Real): Real {
  const part = width / parts;
  for (let p = 0, at = 0; p < parts; p++)
    for (let r = 0; r < rows; r++) for (let i = 0; i < part; i++, at++) out[at] = x[r * width + p * part + i];
  return out;
}

/** The opposite of `deal`. */
export function collect(x: Real, rows: number, width: number, parts: number, out: Real): Real {
  const part = width / parts;
  for (let p = 0, at = 0; p < parts; p++)
    for (let r = 0; r < rows; r++) for (let i = 0; i < part; i++, at++) out[r * width + p * part + i] = x[at];
  return out;
}
