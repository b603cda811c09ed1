/**
 * Operators of attention: projections, rotary embedding, scores and weighted sum; the latent kind (DeepSeek-V2, arXiv
 * 2405.04434, section 2.1) beside the usual one.
 *
 * Legend: s sequence length, a heads, g kv heads, d head dimension, t tp.
 *
 * Attention costs 4·s·a·d a token in full, half of it where a causal kernel skips the masked half (FlashAttention-2,
 * arXiv 2307.08691, section 3.1).
 */
import type { Attention, LatentAttention } from './layer';
import {
  attentionInput,
  BYTES,
  kept,
  LATENT_FP8,
  linear,
  type Operator,
  OUTPUT_FP8,
  split,
  tokensPerRank,
  type Workload,
} from './operator';

export function attentionOperators(hidden: number, mixer: Attention, work: Workload): Operator[] {
  const { heads, kvHeads, headDim } = mixer;
  // Fewer kv heads than tp are replicated: each rank then holds one.
  const keyValue = Math.max(kvHeads / work.tp, 1) * headDim;
  const query = (heads * headDim) / work.tp;
  const tokens = tokensPerRank(work);
  const columns = query + 2 * keyValue;
  return [
    split(linear('qkv', 'qkv', tokens, columns, hidden, [attentionInput(tokens * hidden, work)]), [
      query,
      keyValue,
      keyValue,
    ]),
    {
      name: 'rotary and layout',
      part: 'rotary',
      kind: 'pointwise',
      bytes: 4 * BYTES * tokens * columns,
      saved: [kept('q, k, v', BYTES * tokens * columns)],
    },
    attentionCore(mixer.heads / work.tp, headDim, headDim, mixer.window, work),
    linear('attention out', 'out', tokens, hidden, query, []),
  ];
}

export function latentOperators(hidden: number, mixer: LatentAttention, work: Workload): Operator[] {
  const tokens = tokensPerRank(work);
  const { queryRank, kvRank, nopeDim, ropeDim, valueDim } = mixer;
  const heads = mixer.heads / work.tp;
  const queryWidth = heads * (nopeDim + ropeDim);
  const keyValueWidth = heads * (nopeDim + valueDim);
  const input = attentionInput(tokens * hidden, work);
  const query =
    queryRank === null
      ? [linear('query', 'qkv', tokens, queryWidth, hidden, [])]
      : [
          linear('query down', 'qkv', tokens, queryRank, hidden, []),
          linear('query up', 'latent-up', tokens, queryWidth, queryRank, [
            kept('query latent', 2 * BYTES * tokens * queryRank, [], LATENT_FP8),
          ]),
        ];
  return [
    ...query,
    linear('kv down', 'qkv', tokens, kvRank + ropeDim, hidden, [input]),
    linear('kv up', 'latent-up', tokens, keyValueWidth, kvRank, [
      kept('kv latent', 2 * BYTES * tokens * (kvRank + ropeDim), [], LATENT_FP8),
    ]),
    {
      name: 'rotary and layout',
      part: 'rotary',
      kind: 'pointwise',
      bytes: 4 * BYTES * tokens * (queryWidth + keyValueWidth),
      saved: [kept('q, k, v', BYTES * tokens * (2 * queryWidth + heads * valueDim), ['latent-up'])],
    },
    attentionCore(heads, nopeDim + ropeDim, valueDim, null, work),
    linear('attention out', 'out', tokens, hidden, heads * valueDim, []),
  ];
}

/** Scores, soft-max and the weighted sum. */
function attentionCore(
  heads: number,
  headDim: number,
  valueDim: number,
  window: number | null,
  work: Workload,
): Operator {
  const tokens = tokensPerRank(work);
  const { seqLen, microBatch } = work;
  const saved = [kept('attention output', BYTES * tokens * heads * valueDim, [], OUTPUT_FP8)];
  if (work.flash) {
    const flops = 2 * tokens * attended(seqLen, window) * heads * (headDim + valueDim);
    return {
      name: 'attention',
      part: 'core',
      kind: 'flash-attention',
      flops,
      headDim,
      seqLen,
      saved: [...saved, kept('log-sum-exp', 4 * tokens * heads, ['core'])],
    };
  }
  const batch = microBatch * heads;
  const rows = seqLen / work.cp;
  return {
    name: 'attention',
    part: 'core',
    kind: 'unfused-attention',
    shapes: [
      { m: rows, n: seqLen, k: headDim, batch },
      { m: rows, n: valueDim, k: seqLen, batch },
    ],
    scores: tokens * seqLen * heads,
    // Soft-max output, dropped-out scores and their mask: 5 bytes a score (2205.05198, section 4.1).
    saved: [...saved, { ...kept('scores', 5 * tokens * seqLen * heads, ['core']), selective: true }],
  };
}

/** Mean number of tokens that a causal query looks at. */
function attended(seqLen: number, window: number | null): number {
  if (window === null || window >= seqLen) return seqLen / 2;
  return window - (window * window) / (2 * seqLen);
}
