/**
 * The embedding with its rows cut over tp (Megatron-LM, arXiv 1909.08053, section 3): each rank looks up what it has.
 *
 * Legend: T = b·s/c rows, position-major: row i·b + j is position i of sequence j; V/t rows of the table here.
 */
import type { Program } from '../../collectives/communicator';
import type { Real, Tensor } from '../heap';
import type { MicroBatch, RankState } from '../state';
import type { BackwardResult, Block, Forwarded } from './block';
import { gatherTokens, reduceTokens } from './tensorParallel';

export function embeddingBlock(units: readonly string[]): Block {
  return {
    units,
    *forward(rank, state, micro): Program<Forwarded> {
      const scope = state.heap.open();
      const part = state.heap.buffer(state.rows * state.decoder.hidden);
      eachOwnRow(state, micro, (row, from) => part.data.set(tableRow(state, state.weight('embedding'), from), row));
      let y = yield* reduceTokens(rank, state, part);
      if (state.decoder.positionRows > 0) y = addPositions(state, y);
      scope.end(y);
      scope.free();
      return { y, saved: [] };
    },
    *backward(rank, state, micro, _, dy): Program<BackwardResult> {
      const scope = state.heap.open();
      const whole = yield* gatherTokens(rank, state, dy as Tensor);
      scope.end();
      return {
        dx: null,
        weights: () => {
          addRows(state, micro, whole);
          if (state.decoder.positionRows > 0) addPositionGradients(state, dy as Tensor);
        },
        free: () => {
          scope.free();
          dy?.free();
        },
      };
    },
  };
}

const tableRow = ({ decoder: { hidden } }: RankState, table: Real, row: number) =>
  table.subarray(row * hidden, (row + 1) * hidden);

/** Calls f with the offset of each row in (T, h) whose token is in this rank's part of the table, and the table's row. */
function eachOwnRow(state: RankState, micro: MicroBatch, f: (offset: number, tableRow: number) => void): void {
  const { rows: own } = state.shape('embedding');
  const first = own * state.place.tp.index;
  const h = state.decoder.hidden;
  eachToken(state, micro, 0, (row, token) => {
    if (token >= first && token < first + own) f(row * h, token - first);
  });
}

/** Calls f with each row and its token, or with the token `ahead` places after it. */
export function eachToken(
  state: RankState,
  { firstSequence, batch }: MicroBatch,
  ahead: number,
  f: (row: number, token: number) => void,
): void {
  const { microBatch: b, seqLen, cp } = state.layout.plan;
  const first = (state.place.cp.index * seqLen) / cp;
  for (let row = 0; row < state.rows; row++)
    f(row, batch.token(firstSequence + (row % b), first + Math.floor(row / b) + ahead));
}

function addRows(state: RankState, micro: MicroBatch, dx: Tensor): void {
  const gradient = state.gradient('embedding');
  const h = state.decoder.hidden;
  const { data } = dx;
  eachOwnRow(state, micro, (offset, row) => {
    for (let i = 0; i < h; i++) gradient[row * h + i] += data[offset + i];
  });
}

/** The position of the first of this rank's rows in the sequence, times b: rows are cut over cp and, with sp, over tp. */
function firstRow(state: RankState, rows: number): number {
  const { cp, tp } = state.place;
  return cp.index * state.rows + (state.layout.plan.sp ? tp.index * rows : 0);
}

function addPositions(state: RankState, x: Tensor): Tensor {
  const { hidden } = state.decoder;
  const { microBatch } = state.layout.plan;
  const y = state.heap.buffer(x.length);
  const table = state.weight('positions');
  const first = firstRow(state, x.length / hidden);
  for (let i = 0; i < x.length; i++) {
    const position = Math.floor((first + Math.floor(i / hidden)) / microBatch);
    y.data[i] = x.data[i] + table[position * hidden + (i % hidden)];
  }
  return y;
}

function addPositionGradients(state: RankState, dy: Tensor): void {
  const { hidden } = state.decoder;
  const { microBatch } = state.layout.plan;
  const gradient = state.gradient('positions');
  const first = firstRow(state, dy.length / hidden);
  const { data } = dy;
  for (let i = 0; i < data.length; i++) {
    const position = Math.floor((first + Math.floor(i / hidden)) / microBatch);
    gradient[position * hidden + (i % hidden)] += data[i];
  }
}
