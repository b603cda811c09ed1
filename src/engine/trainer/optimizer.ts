/** Optimizers over flat buffers; each rank steps what it owns. */
import type { Real } from './heap';

export interface OptimizerOptions {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
}

/** torch.optim.AdamW's defaults, documentation of PyTorch 2.x. */
export const ADAMW: OptimizerOptions = {
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
};

/** Tensors of state as large as the weights. */
export const MOMENTS = { adamw: 2, sgd: 0 } as const;

/**
 * AdamW (Loshchilov and Hutter, arXiv 1711.05101, algorithm 2), in the order of torch's implementation; `step` from 1.
 */
export function adamw(
  weights: Real,
  gradient: Real,
  [first, second]: readonly Real[],
  step: number,
  { learningRate, beta1, beta2, epsilon, weightDecay }: OptimizerOptions,
): void {
  const size = learningRate / (1 - beta1 ** step);
  const root = Math.sqrt(1 - beta2 ** step);
  for (let i = 0; i < weights.length; i++) {
    const g = gradient[i];
    const m = beta1 * first[i] + (1 - beta1) * g;
    const v = beta2 * second[i] + (1 - beta2) * g * g;
    first[i] = m;
    second[i] = v;
    const decayed = weights[i] * (1 - learningRate * weightDecay);
    weights[i] = decayed - (size * m) / (Math.sqrt(v) / root + epsilon);
  }
}

export function sgd(weights: Real, gradient: Real, learningRate: number): void {
  for (let i = 0; i < weights.length; i++) weights[i] -= learningRate * gradient[i];
}

/** Factor that brings a gradient of this norm to at most `most` (torch.nn.utils.clip_grad_norm_). */
export const clipFactor = (norm: number, most: number) => Math.min(1, most / (norm + 1e-6));
