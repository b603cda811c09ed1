/**
 * What an operator is: its kind with shapes and bytes, the part of a layer that it belongs to, and what it keeps for the
 * backward pass.
 *
 * Legend: b sequences of a micro-batch, s sequence length, c cp, t tp.
 *
 * FLOPs: a product (M×K)·(K×N) costs 2·M·N·K.
 * Saved bytes: what the backward pass needs, after Korthikanti et al., arXiv 2205.05198, section 4.1, without dropout.
 */
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

/** Of an element in 16 bits. */
export const BYTES = 2;

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

export function linear(
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
export function split(operator: Operator, outputs: readonly number[]): Operator {
  return operator.kind === 'matmul' ? { ...operator, outputs } : operator;
}

/** Of an input that only a product reads; of attention's output, which the next product casts again; of a latent and its norm. */
const WHOLE: Fp8Shares = { inputs: 1, all: 1 };
export const INPUT_FP8: Fp8Shares = { inputs: 1 / 2, all: 1 / 2 };
export const ACTIVATION_FP8: Fp8Shares = { inputs: 1, all: 1 / 2 };
export const OUTPUT_FP8: Fp8Shares = { inputs: 3 / 2, all: 3 / 4 };
export const LATENT_FP8: Fp8Shares = { inputs: 3 / 4, all: 3 / 4 };

export function kept(name: string, bytes: number, madeBy: readonly LayerPart[] = [], fp8Shares = WHOLE): SavedTensor {
  return { name, bytes, selective: false, madeBy, fp8Shares };
}

export function attentionInput(elements: number, work: Workload): SavedTensor {
  return kept('attention input', BYTES * sharded(elements, work), ['norm'], INPUT_FP8);
}

/** Megatron's sequence parallelism splits what tensor parallelism would replicate. */
export function sharded(elements: number, { sp, tp }: Workload): number {
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
