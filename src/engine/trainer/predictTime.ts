/**
 * The floating-point operations of each pass by the operator table, and the bubble that the pipeline simulator makes of
 * them.
 *
 * A backward costs for inputs and for weights what the forward's products cost, and twice the attention for inputs
 * (four products of the same size against two); full recomputation repeats the layers' forward before it.
 */
import { forwardFlops } from '../model/operator';
import { layerOperators } from '../model/operators';
import { simulate, type Simulation } from '../pipeline/simulate';
import type { BlockSpec, Layout } from './layout';
import { tableLayer, tableWork } from './predictMemory';
import { VIRTUAL_FLOPS_PER_SECOND } from './timeline';

interface BlockFlops {
  readonly products: number;
  readonly attention: number;
}

function flopsOf({ network, plan }: Layout, block: BlockSpec): BlockFlops {
  const T = (plan.microBatch * plan.seqLen) / plan.cp;
  switch (block.kind) {
    case 'rows':
    case 'square':
    case 'embedding':
      return { products: 0, attention: 0 };
    case 'head':
      return {
        products: network.kind === 'mlp' ? 0 : (2 * T * network.hidden * network.vocab) / plan.tp,
        attention: 0,
      };
    case 'layer': {
      if (network.kind === 'mlp') return { products: (2 * T * network.hidden ** 2) / plan.tp, attention: 0 };
      // The router sees the tokens that a rank deals, as with sequence parallelism.
      const sp = network.experts > 0 ? true : plan.sp;
      const operators = layerOperators(network.hidden, tableLayer(network), tableWork({ ...plan, sp }, true));
      const sum = (isCore: boolean) =>
        operators.reduce(
          (total, operator) => total + (isCore === (operator.part === 'core') ? forwardFlops(operator) : 0),
          0,
        );
      return { products: sum(false), attention: sum(true) };
    }
  }
}

/** The step's timeline as the simulator makes it from the plan. */
export function predictTimeline(layout: Layout): Simulation {
  const { order, blocks, plan } = layout;
  const seconds = (pass: 'forward' | 'input' | 'weight') =>
    Array.from({ length: order.stages }, (_, stage) =>
      Array.from({ length: order.chunks }, (_, chunk) => {
        const position = order.place.positionOf[stage * order.chunks + chunk];
        const flops = blocks[position].reduce((sum, block) => sum + passFlops(layout, block, pass, plan.recompute), 0);
        return flops / VIRTUAL_FLOPS_PER_SECOND;
      }),
    );
  const [forward, backwardInput, backwardWeight] = [seconds('forward'), seconds('input'), seconds('weight')];
  return simulate(order, { forward, backwardInput, backwardWeight });
}

function passFlops(layout: Layout, block: BlockSpec, pass: 'forward' | 'input' | 'weight', recompute: string): number {
  const { products, attention } = flopsOf(layout, block);
  if (pass === 'weight') return products;
  if (pass === 'forward') return products + attention;
  const again = recompute === 'full' && block.kind === 'layer' ? products + attention : 0;
  return products + 2 * attention + again;
}
