/**
 * The lecture's network: rows of random numbers, layers x → gelu(x·W), loss mean(x²). Over tp a layer is column-parallel
 * and its output is gathered, as the lecture does it; the backward pass is what the lecture leaves as an exercise.
 *
 * Legend: b rows of a micro-batch, h columns, t tensor-parallel ranks.
 */
import type { Program, Rank } from '../../collectives/communicator';
import type { Tensor } from '../heap';
import { geluBackward, geluForward } from '../pointwise';
import { hashName, normal } from '../random';
import type { RankState } from '../state';
import { type BackwardResult, type Block, type Forwarded, freeAll } from './block';
import { collect } from './dealHeads';
import { allGather, reduceTokens } from './tensorParallel';

const ROWS = hashName('rows');

/** Element `column` of a row of the data. */
export const rowValue = (seed: number, row: number, column: number, width: number) =>
  normal(seed, ROWS, row * width + column);

export function rowsBlock(seed: number): Block {
  return {
    units: [],
    *forward(_rank, state, { firstSequence }): Program<Forwarded> {
      const { hidden } = state.layout.network;
      const y = state.heap.buffer(state.rows * hidden);
      for (let i = 0; i < y.length; i++)
        y.data[i] = rowValue(seed, firstSequence + Math.floor(i / hidden), i % hidden, hidden);
      return { y, saved: [] };
    },
    *backward(_rank, _state, _micro, _forwarded, dy): Program<BackwardResult> {
      return { dx: null, weights: () => undefined, free: () => dy?.free() };
    },
  };
}

export function geluLayer(name: string, units: readonly string[]): Block {
  const weight = `${name}.weight`;
  return {
    units,
    *forward(rank, state, _micro, x): Program<Forwarded> {
      const scope = state.heap.open();
      const z = state.multiply(x as Tensor, weight);
      const part = state.heap.buffer(z.length);
      geluForward(part.data, z.data);
      const y = yield* gatherColumns(rank, state, part);
      const saved = [x as Tensor, z];
      scope.end(y, ...saved);
      scope.free();
      for (const tensor of saved) state.keep(tensor);
      return { y, saved };
    },
    *backward(rank, state, _micro, { saved }, dy): Program<BackwardResult> {
      const [x, z] = saved;
      const scope = state.heap.open();
      const dz = state.heap.buffer(z.length);
      geluBackward(dz.data, ownColumns(state, dy as Tensor).data, z.data);
      const dx = yield* reduceTokens(rank, state, state.multiplyBack(dz, weight));
      scope.end(dx);
      return {
        dx,
        weights: () => state.addGradient(x, dz, weight),
        free: () => {
          scope.free();
          dy?.free();
          freeAll(saved);
        },
      };
    },
  };
}

/** (b, h/t) → (b, h) */
function* gatherColumns(rank: Rank, state: RankState, part: Tensor): Program<Tensor> {
  const { tp } = state.place;
  if (tp.size === 1) return part;
  const parts = yield* allGather(rank, state, part, tp.group);
  const y = state.heap.buffer(parts.length);
  collect(parts.data, state.rows, parts.length / state.rows, tp.size, y.data);
  return y;
}

function ownColumns(state: RankState, x: Tensor): Tensor {
  const { index, size } = state.place.tp;
  if (size === 1) return x;
  const width = x.length / state.rows;
  const part = width / size;
  const own = state.heap.buffer(x.length / size);
  for (let i = 0; i < own.length; i++) own.data[i] = x.data[Math.floor(i / part) * width + index * part + (i % part)];
  return own;
}

export function squareBlock(): Block {
  return {
    units: [],
    *forward(_rank, state, { share }, x): Program<Forwarded> {
      const { data } = x as Tensor;
      let loss = 0;
      for (let i = 0; i < data.length; i++) loss += data[i] * data[i] * share;
      return { y: null, saved: [state.keep(x as Tensor)], loss };
    },
    *backward(_rank, state, { share }, { saved }): Program<BackwardResult> {
      const [x] = saved;
      const dx = state.heap.buffer(x.length);
      for (let i = 0; i < x.length; i++) dx.data[i] = 2 * x.data[i] * share;
      return { dx, weights: () => undefined, free: () => freeAll(saved) };
    },
  };
}
