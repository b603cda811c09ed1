/**
 * Model FLOPs: what MFU counts. Recomputation is left out (that is HFU); the embedding look-up costs nothing, the head
 * counts, attention is counted in full as in PaLM (arXiv 2204.02311, appendix B): 6N + 12·L·a·d·s a token, N being the
 * parameters that multiply.
 */
import type { Model } from './architecture';
import { layerParameters } from './parameters';

export const FLOPS_CONVENTION = '6N+12Lads';

export interface ModelFlops {
  /** Forward and backward, a token. */
  readonly perToken: number;
  /** Of these, attention's scores and weighted sums. */
  readonly attentionPerToken: number;
}

export function modelFlops(model: Model, seqLen: number): ModelFlops {
  let multiplying = model.vocab * model.embeddingWidth;
  let attention = 0;
  for (const { count, layer } of model.groups) {
    const part = layerParameters(model.hidden, layer);
    multiplying += count * (part.attention + part.feedForward + part.router + part.routedActive);
    const { mixer } = layer;
    const width = mixer.kind === 'latent' ? (mixer.nopeDim + mixer.ropeDim + mixer.valueDim) / 2 : mixer.headDim;
    const reach = mixer.window === null ? seqLen : Math.min(seqLen, mixer.window);
    attention += count * 12 * mixer.heads * width * reach;
  }
  return { perToken: 6 * multiplying + attention, attentionPerToken: attention };
}
