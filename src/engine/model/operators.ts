/**
 * The operator table: what one rank does with one micro-batch in one layer, in the embedding and in the head. The cost
 * model, the memory model and the trainer all read it.
 *
 * Legend: b sequences of a micro-batch, s sequence length, c cp, t tp, T = b·s/c tokens a rank, h hidden, a heads,
 * g kv heads, d head dimension, f feed-forward width, V vocabulary, E experts, k experts a token, e ep.
 *
 * FLOPs: a product (M×K)·(K×N) costs 2·M·N·K. Attention costs 4·s·a·d a token in full, half of it where a causal
 * kernel skips the masked half (FlashAttention-2, arXiv 2307.08691, section 3.1).
 * Saved bytes: what the backward pass needs, after Korthikanti et al., arXiv 2205.05198, section 4.1, without dropout.
 */
import type { Model } from './architecture';
import type { Attention, Experts, LatentAttention, Layer, Mlp } from './layer';

export interface Workload {
  /** b */
  readonly microBatch: number;
  /** s, of the whole sequence */
  readonly seqLen: number;
  readonly tp: number;
  readonly sp: boolean;
  readonly cp: number;
  readonly ep: number;
  readonly etp: number;
  readonly flash: boolean;
  /** Tokens of the fullest expert over the mean. */
  readonly expertImbalance: number;
}

/** A product (m×k)·(k×n), `batch` of them at once. */
export interface MatmulShape {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly batch: number;
}

export interface SavedTensor {
  readonly name: string;
  readonly bytes: number;
  /** Selective recomputation does not keep it (the scores of unfused attention). */
  readonly selective: boolean;
  /** Repeating any of these parts makes it anew, so that it need not be kept. */
  readonly madeBy: readonly LayerPart[];
  /** Bytes over those in 16 bits where products run in FP8. */
  readonly fp8Shares: Fp8Shares;
}

interface Fp8Shares {
  /** Where the inputs of products are kept as they were cast. */
  readonly inputs: number;
  /** Where what activations read is kept in 8 bits too, and attention's output in 12. */
  readonly all: number;
}

/** What recomputation can be asked to repeat: the pieces of a layer. */
export const LAYER_PARTS = [
  'norm',
  'qkv',
  'latent-up',
  'rotary',
  'core',
  'out',
  'mlp',
  'activation',
  'router',
  'dispatch',
  'experts',
  'expert-activation',
  'shared-experts',
] as const;
export type LayerPart = (typeof LAYER_PARTS)[number];

export type Operator = {
  readonly name: string;
  /** null: not in a layer (embedding, head). */
  readonly part: LayerPart | null;
  readonly saved: readonly SavedTensor[];
} & (
  | {
      readonly kind: 'matmul';
      readonly shape: MatmulShape;
      /** Columns of the products that unfused code runs one by one (q, k, v; gate, up); their sum is n. */
      readonly outputs: readonly number[];
    }
  | {
      /** Fused: one kernel whose scores never reach memory. */
      readonly kind: 'flash-attention';
      /** Forward, masked half skipped. */
      readonly flops: number;
      readonly headDim: number;
      readonly seqLen: number;
    }
  | {
      /** Scores and soft-max in memory; `scores` counts their elements. */
      readonly kind: 'unfused-attention';
      readonly shapes: readonly MatmulShape[];
      readonly scores: number;
    }
  | { readonly kind: 'pointwise'; readonly bytes: number }
);

const BYTES = 2;

export function tokensPerRank({ microBatch, seqLen, cp }: Workload): number {
  return (microBatch * seqLen) / cp;
}

/** FLOPs of an operator's forward pass. */
export function forwardFlops(operator: Operator): number {
  switch (operator.kind) {
    case 'matmul':
      return matmulFlops(operator.shape);
    case 'flash-attention':
      return operator.flops;
    case 'unfused-attention':
      return operator.shapes.reduce((sum, shape) => sum + matmulFlops(shape), 0);
    case 'pointwise':
      return 0;
  }
}

export function matmulFlops({ m, n, k, batch }: MatmulShape): number {
  return 2 * m * n * k * batch;
}

/** Bytes that a product moves when each matrix is touched once: 2(MK + KN + MN). */
export function matmulBytes({ m, n, k, batch }: MatmulShape, bytesPerElement = BYTES): number {
  return bytesPerElement * batch * (m * k + k * n + m * n);
}

/** Bytes that an operator's forward pass moves through device memory. */
export function forwardBytes(operator: Operator): number {
  switch (operator.kind) {
    case 'matmul':
      return matmulBytes(operator.shape);
    case 'flash-attention':
      return operator.saved.reduce((sum, tensor) => sum + tensor.bytes, 0);
    case 'unfused-attention':
      return operator.shapes.reduce((sum, shape) => sum + matmulBytes(shape), 0) + 9 * operator.scores;
    case 'pointwise':
      return operator.bytes;
  }
}

export function layerOperators(hidden: number, layer: Layer, work: Workload): Operator[] {
  const { mixer, feedForward } = layer;
  return [
    norms(hidden, layer, work),
    ...(mixer.kind === 'latent' ? latentOperators(hidden, mixer, work) : attentionOperators(hidden, mixer, work)),
    ...(feedForward.kind === 'moe'
      ? expertOperators(hidden, feedForward, work)
      : mlpOperators('mlp', 'mlp', hidden, feedForward, work)),
  ];
}

/** Norms and residual additions: about ten passes over T·h; their inputs are kept, in the sharded layout where sp. */
function norms(hidden: number, layer: Layer, work: Workload): Operator {
  const width = sharded(tokensPerRank(work) * hidden, work);
  const inputs = layer.norms === 1 ? 1 : 2;
  return {
    name: 'norms',
    part: 'norm',
    kind: 'pointwise',
    bytes: 10 * BYTES * width,
    saved: [kept('norm inputs', inputs * BYTES * width)],
  };
}

function attentionOperators(hidden: number, mixer: Attention, work: Workload): Operator[] {
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

function latentOperators(hidden: number, mixer: LatentAttention, work: Workload): Operator[] {
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
export function attended(seqLen: number, window: number | null): number {
  if (window === null || window >= seqLen) return seqLen / 2;
  return window - (window * window) / (2 * seqLen);
}

function mlpOperators(
  name: string,
  part: LayerPart,
  hidden: number,
  { width, gated }: Pick<Mlp, 'width' | 'gated'>,
  work: Workload,
): Operator[] {
  const tokens = tokensPerRank(work);
  const local = width / work.tp;
  const branches = gated ? 2 : 1;
  return [
    split(
      linear(`${name} in`, part, tokens, branches * local, hidden, [
        kept(`${name} input`, BYTES * sharded(tokens * hidden, work), ['norm', part], INPUT_FP8),
      ]),
      new Array<number>(branches).fill(local),
    ),
    activation(name, part === 'mlp' ? 'activation' : part, part, tokens, local, gated),
    linear(`${name} out`, part, tokens, hidden, local, [
      kept(`${name} product`, BYTES * tokens * local, [part === 'mlp' ? 'activation' : part], INPUT_FP8),
    ]),
  ];
}

function activation(
  name: string,
  part: LayerPart,
  before: LayerPart,
  rows: number,
  width: number,
  gated: boolean,
): Operator {
  const branches = gated ? 2 : 1;
  return {
    name: `${name} activation`,
    part,
    kind: 'pointwise',
    bytes: (branches + 1) * BYTES * rows * width,
    saved: [kept(`${name} pre-activation`, branches * BYTES * rows * width, [before], ACTIVATION_FP8)],
  };
}

/** Router, exchange buffers, the rank's share of routed experts and the shared experts. */
function expertOperators(hidden: number, moe: Experts, work: Workload): Operator[] {
  const tokens = tokensPerRank(work);
  const local = Math.max(1, moe.experts / work.ep);
  const routed = ((tokens * moe.topK * work.etp) / work.tp) * work.expertImbalance;
  const width = moe.width / work.etp;
  const branches = moe.gated ? 2 : 1;
  const perExpert = routed / local;
  const shared = { width: moe.sharedWidth, gated: moe.gated };
  return [
    linear('router', 'router', sharded(tokens, work), moe.experts, hidden, [
      kept('moe input', BYTES * sharded(tokens * hidden, work), ['norm']),
      kept('router logits', 4 * sharded(tokens * moe.experts, work), ['router']),
    ]),
    // Permutation, padding and combination: about 4.4 passes over every routed row.
    {
      name: 'dispatch and combine',
      part: 'dispatch',
      kind: 'pointwise',
      bytes: 4.4 * BYTES * routed * hidden,
      saved: [kept('dispatched rows', BYTES * routed * hidden, ['dispatch'], INPUT_FP8)],
    },
    linear('expert in', 'experts', perExpert, branches * width, hidden, [], local),
    activation('expert', 'expert-activation', 'experts', routed, width, moe.gated),
    linear(
      'expert out',
      'experts',
      perExpert,
      hidden,
      width,
      [kept('expert product', BYTES * routed * width, ['expert-activation'], INPUT_FP8)],
      local,
    ),
    ...(moe.sharedWidth === 0 ? [] : mlpOperators('shared expert', 'shared-experts', hidden, shared, work)),
  ];
}

/** Look-up and addition of positions; in the stage that holds the embedding. */
export function embeddingOperators(model: Model, work: Workload): Operator[] {
  return [
    {
      name: 'embedding',
      part: null,
      kind: 'pointwise',
      bytes: 6 * BYTES * tokensPerRank(work) * model.hidden,
      saved: [],
    },
  ];
}

/** Final norm, projection to the vocabulary and loss; in the stage that holds the head. `vocab` is the padded one. */
export function headOperators(model: Model, vocab: number, work: Workload): Operator[] {
  const tokens = tokensPerRank(work);
  const logits = (tokens * vocab) / work.tp;
  return [
    linear('vocabulary projection', null, tokens, vocab / work.tp, model.hidden, [
      kept('head input', 2 * BYTES * sharded(tokens * model.hidden, work)),
    ]),
    // Soft-max, loss and their gradient in fp32: 16 bytes a logit over forward and backward.
    { name: 'loss', part: null, kind: 'pointwise', bytes: 16 * logits, saved: [] },
  ];
}

function linear(
  name: string,
  part: LayerPart | null,
  m: number,
  n: number,
  k: number,
  saved: SavedTensor[],
  batch = 1,
): Operator {
  return { name, part, kind: 'matmul', shape: { m, n, k, batch }, saved, outputs: [n] };
}

/** A product that unfused code runs as several. */
function split(operator: Operator, outputs: readonly number[]): Operator {
  return operator.kind === 'matmul' ? { ...operator, outputs } : operator;
}

/** Of an input that only a product reads; of attention's output, which the next product casts again; of a latent and its norm. */
const WHOLE: Fp8Shares = { inputs: 1, all: 1 };
const INPUT_FP8: Fp8Shares = { inputs: 1 / 2, all: 1 / 2 };
const ACTIVATION_FP8: Fp8Shares = { inputs: 1, all: 1 / 2 };
const OUTPUT_FP8: Fp8Shares = { inputs: 3 / 2, all: 3 / 4 };
const LATENT_FP8: Fp8Shares = { inputs: 3 / 4, all: 3 / 4 };

function kept(name: string, bytes: number, madeBy: readonly LayerPart[] = [], fp8Shares = WHOLE): SavedTensor {
  return { name, bytes, selective: false, madeBy, fp8Shares };
}

function attentionInput(elements: number, work: Workload): SavedTensor {
  return kept('attention input', BYTES * sharded(elements, work), ['norm'], INPUT_FP8);
}

/** Megatron's sequence parallelism splits what tensor parallelism would replicate. */
function sharded(elements: number, { sp, tp }: Workload): number {
  return sp ? elements / tp : elements;
}

/** Bytes kept for the backward pass by one layer and micro-batch on one rank. */
export function savedBytes(operators: readonly Operator[], recompute: 'none' | 'selective'): number {
  let sum = 0;
  for (const { saved } of operators) {
    for (const tensor of saved) if (recompute === 'none' || !tensor.selective) sum += tensor.bytes;
  }
  return sum;
}
