/**
 * Model FLOPs: what MFU counts. Recomputation is left out (that is HFU); the embedding look-up costs nothing, the head
 * counts. Reports differ in what else they count, so each way has a name.
 *
 * Legend: N parameters that multiply, P all active ones (with the embedding's table), L layers, a heads, d head
 * dimension, s sequence length. Forward 2N a token, backward 4N, or 2N where the weights are frozen and only adapters
 * train. Attention in full is 4·L·a·d·s forward (PaLM, arXiv 2204.02311, appendix B), half of it where the masked half
 * is not counted.
 */
import type { Model } from './architecture';
import { layerParameters } from './parameters';

interface ModelFlops {
  /** Parameters that multiply, and all active ones. */
  readonly multiplying: number;
  readonly active: number;
  /** Attention's scores and weighted sums in full, forward and backward, a token. */
  readonly attentionPerToken: number;
}

function modelFlops(model: Model, seqLen: number): ModelFlops {
  const table = model.vocab * model.embeddingWidth;
  let multiplying = table;
  let attention = 0;
  for (const { count, layer } of model.groups) {
    const part = layerParameters(model.hidden, layer);
    multiplying += count * (part.attention + part.feedForward + part.router + part.routedActive);
    const { mixer } = layer;
    const width = mixer.kind === 'latent' ? (mixer.nopeDim + mixer.ropeDim + mixer.valueDim) / 2 : mixer.headDim;
    const reach = mixer.window === null ? seqLen : Math.min(seqLen, mixer.window);
    attention += count * 12 * mixer.heads * width * reach;
  }
  return { multiplying, active: multiplying + (model.tied ? 0 : table), attentionPerToken: attention };
}

/** A way to count, with the FLOPs of a token. */
interface FlopsConvention {
  readonly name: string;
  readonly perToken: number;
}

/** The conventions of reports; the first is the product's own. `frozen`: only adapters train. */
export function flopsConventions(model: Model, seqLen: number, frozen: boolean): FlopsConvention[] {
  const { multiplying, active, attentionPerToken } = modelFlops(model, seqLen);
  const times = frozen ? 4 : 6;
  return [
    { name: `${times}N+12Lads`, perToken: times * multiplying + attentionPerToken },
    { name: `${times}N+6Lads`, perToken: times * multiplying + attentionPerToken / 2 },
    { name: `${times}N`, perToken: times * multiplying },
    { name: `${times}P+12Lads`, perToken: times * active + attentionPerToken },
  ];
}
