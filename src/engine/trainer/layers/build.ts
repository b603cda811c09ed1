/** The blocks of a layout as programs, with recomputation where the plan asks for it. */
import type { Program } from '../../collectives/communicator';
import type { Tensor } from '../heap';
import type { BlockSpec } from '../layout';
import type { Network } from '../network';
import type { TrainPlan } from '../trainPlan';
import { type BackwardResult, type Block, type Forwarded, freeAll } from './block';
import { decoderLayer } from './decoderLayer';
import { embeddingBlock } from './embedding';
import { headBlock } from './head';
import { geluLayer, rowsBlock, squareBlock } from './mlp';

export function buildBlock(spec: BlockSpec, network: Network, plan: TrainPlan, seed: number): Block {
  switch (spec.kind) {
    case 'rows':
      return rowsBlock(seed);
    case 'square':
      return squareBlock();
    case 'embedding':
      return embeddingBlock(spec.units);
    case 'head':
      return headBlock(spec.units);
    case 'layer': {
      const layer = network.kind === 'mlp' ? geluLayer(spec.name, spec.units) : decoderLayer(spec.name, spec.units);
      return plan.recompute === 'full' ? recomputed(layer) : layer;
    }
  }
}

/** Keeps the block's input alone and runs the forward pass again before the backward (Chen et al., arXiv 1604.06174). */
function recomputed(block: Block): Block {
  return {
    units: block.units,
    *forward(rank, state, micro, x): Program<Forwarded> {
      const input = state.heap.buffer((x as Tensor).length);
      input.data.set((x as Tensor).data);
      state.isTransient = true;
      const { y, saved } = yield* block.forward(rank, state, micro, x);
      state.isTransient = false;
      freeAll(saved);
      return { y, saved: [input.keep()] };
    },
    *backward(rank, state, micro, { saved }, dy): Program<BackwardResult> {
      state.isTransient = true;
      const again = yield* block.forward(rank, state, micro, saved[0]);
      state.isTransient = false;
      again.y?.free();
      return yield* block.backward(rank, state, micro, again, dy);
    },
  };
}
