/**
 * Counts of the pieces from which layers and towers are made.
 *
 * Legend: h width, f feed-forward width, k kernel.
 */

/** A matrix with its bias. */
export const linear = (inputs: number, outputs: number, bias = true): number => inputs * outputs + (bias ? outputs : 0);

export const layerNorm = (width: number): number => 2 * width;

/** A convolution over patches or frames of so many values. */
export const patches = (values: number, width: number, bias = true): number => linear(values, width, bias);

export const depthwise = (width: number, kernel: number, bias: boolean): number => width * kernel + (bias ? width : 0);

/** The plain encoder layer of BERT, CLIP and ViT: attention, two LayerNorms and an ungated MLP, biases everywhere. */
export function encoderLayer(h: number, f: number): number {
  return 4 * linear(h, h) + linear(h, f) + linear(f, h) + 2 * layerNorm(h);
}

/** Attention whose keys have no bias, as in Whisper. */
export function whisperAttention(h: number): number {
  return 4 * h * h + 3 * h;
}

export interface StateSpace {
  readonly hidden: number;
  readonly inner: number;
  readonly state: number;
  readonly kernel: number;
  readonly bias: boolean;
  readonly convolutionBias: boolean;
}

/** Mamba's mixer (arXiv 2312.00752): in, convolution, the step's low rank, A, D, out. */
export function mamba1(sizes: StateSpace & { rank: number; norms: boolean }): number {
  const { hidden, inner, state, kernel, rank, bias, convolutionBias } = sizes;
  const selection = linear(inner, rank + 2 * state, false) + linear(rank, inner);
  const norms = sizes.norms ? rank + 2 * state : 0;
  const projections = linear(hidden, 2 * inner, bias) + linear(inner, hidden, bias);
  return projections + depthwise(inner, kernel, convolutionBias) + selection + inner * state + inner + norms;
}

/** Mamba-2's mixer (arXiv 2405.21060): one projection in, a gated norm before the projection out. */
export function mamba2(sizes: StateSpace & { heads: number; groups: number }): number {
  const { hidden, inner, state, kernel, heads, groups, bias, convolutionBias } = sizes;
  const convolved = inner + 2 * groups * state;
  const projections = linear(hidden, inner + convolved + heads, bias) + linear(inner, hidden, bias);
  return projections + depthwise(convolved, kernel, convolutionBias) + 3 * heads + inner;
}

/** Gated delta-rule attention (arXiv 2412.06464) as in Qwen3-Next: q, k, v with gate z, decay and step by head. */
export function gatedDelta(h: number, keyWidth: number, valueWidth: number, valueHeads: number, kernel: number) {
  const convolved = 2 * keyWidth + valueWidth;
  const projections = linear(h, convolved + valueWidth + 2 * valueHeads, false) + linear(valueWidth, h, false);
  return projections + depthwise(convolved, kernel, false) + 2 * valueHeads + valueWidth / valueHeads;
}

/** The lightning indexer of sparse attention (DeepSeek-V3.2): its own queries and one key, norm and head weights. */
export function indexer(h: number, queryRank: number, heads: number, width: number): number {
  return linear(queryRank, heads * width, false) + linear(h, width, false) + layerNorm(width) + linear(h, heads, false);
}
