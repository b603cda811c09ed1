/**
 * Feed-forward parts: down(silu(x·gate) ∘ x·up), or down(gelu(x·up)). Over tp the first products are column-parallel
 * and the last row-parallel, so that one reduction is enough (Megatron-LM, arXiv 1909.08053, section 3).
 */
import type { Tensor } from '../heap';
import { gatedBackward, gatedForward, geluBackward, geluForward } from '../pointwise';
import type { RankState } from '../state';

export interface FeedForward {
  /** The rank's part of the output, to be summed over tp. */
  readonly out: Tensor;
  /** Pre-activations (gate where there is one, up) and their product. */
  readonly saved: readonly Tensor[];
}

/** Of rows x with the weights called `${name}.gate`, `.up` and `.down`. */
export function feedForward(state: RankState, name: string, x: Tensor): FeedForward {
  const up = state.multiply(x, `${name}.up`);
  const product = state.heap.buffer(up.length);
  if (!state.decoder.gated) {
    geluForward(product.data, up.data);
    return { out: state.multiply(product, `${name}.down`), saved: [up, product] };
  }
  const gate = state.multiply(x, `${name}.gate`);
  gatedForward(product.data, gate.data, up.data);
  return { out: state.multiply(product, `${name}.down`), saved: [up, product, gate] };
}

/** dx as this rank's part; the gradients of the weights are added by `weights`, given x again. */
export function feedForwardBackward(
  state: RankState,
  name: string,
  saved: readonly Tensor[],
  dOut: Tensor,
): { dx: Tensor; weights: (x: Tensor) => void } {
  const { heap } = state;
  const [up, product, gate] = saved as [Tensor, Tensor, Tensor | undefined];
  const dProduct = state.multiplyBack(dOut, `${name}.down`);
  const dUp = heap.buffer(up.length);
  const dGate = gate && heap.buffer(up.length);
  if (gate && dGate) gatedBackward(dGate.data, dUp.data, dProduct.data, gate.data, up.data);
  else geluBackward(dUp.data, dProduct.data, up.data);
  const dx = state.multiplyBack(dUp, `${name}.up`);
  if (dGate) state.multiplyBack(dGate, `${name}.gate`, dx);
  const weights = (x: Tensor) => {
    state.addGradient(product, dOut, `${name}.down`);
    state.addGradient(x, dUp, `${name}.up`);
    if (dGate) state.addGradient(x, dGate, `${name}.gate`);
  };
  return { dx, weights };
}
