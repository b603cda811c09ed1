/**
 * What of a plan changes which kernels run and what they keep, apart from the degrees: plans that share it share costs.
 */
import { type Stack, stackOf } from '../hardware/calibration';
import type { ReadyPlan } from '../plan/ready';
import { type RecomputeRule, recomputeRule } from './recompute';

export interface Setting {
  readonly plan: ReadyPlan;
  readonly index: number;
  readonly stack: Stack;
  readonly rule: RecomputeRule;
  readonly fp8: boolean;
  readonly fp4: boolean;
  readonly fp32: boolean;
  /** Bytes of an activation over the 2 of the operator table. */
  readonly activationScale: number;
  /** Only adapters are trained. */
  readonly adapters: boolean;
  readonly rowwise: boolean;
  readonly compiled: boolean;
  readonly fusedNorms: boolean;
  readonly eagerOperators: boolean;
  readonly fusedPointwise: boolean;
  /** Bytes a token and hidden unit that norms keep beyond their inputs (fp32 copies of input and result). */
  readonly normKeptBytes: number;
  /** What is kept in 8 bits. */
  readonly savesFp8: Stack['savesFp8'];
  /** Bytes a logit at the peak of the loss. */
  readonly logitBytes: number;
  /** The optimizer steps a layer in the backward pass and frees its gradients, so that they are never whole. */
  readonly stepsInBackward: boolean;
  /** Optimizer states lie in memory that the driver pages to the host (bitsandbytes' paged optimizers). */
  readonly pagesOptimizer: boolean;
  readonly flash1: boolean;
  readonly cudnn: boolean;
  readonly fusedCasts: boolean;
  /** Expert traffic runs under compute. */
  readonly expertOverlap: boolean;
  /** A row goes once to each node (DeepEP). */
  readonly expertOnce: boolean;
  readonly tensorOverlap: boolean;
  /** The host launches a step as CUDA graphs. */
  readonly graphs: boolean;
}

/** The setting of a plan; `known` grows by one where it is new. */
export function settingOf(known: Setting[], plan: ReadyPlan): Setting {
  for (const setting of known) if (isSame(setting.plan, plan)) return setting;
  const setting = makeSetting(plan, known.length);
  known.push(setting);
  return setting;
}

function isSame(a: ReadyPlan, b: ReadyPlan): boolean {
  return (
    a === b ||
    (a.seqLen === b.seqLen &&
      a.recompute === b.recompute &&
      a.sp === b.sp &&
      a.dtype === b.dtype &&
      a.attention === b.attention &&
      a.compiled === b.compiled &&
      a.tpOverlap === b.tpOverlap &&
      a.recomputeOps === b.recomputeOps &&
      a.recomputeLayers === b.recomputeLayers &&
      a.fp8Recipe === b.fp8Recipe &&
      a.expertImbalance === b.expertImbalance &&
      a.etp === b.etp &&
      a.kernels === b.kernels &&
      a.adapter === b.adapter &&
      a.stack === b.stack)
  );
}

function makeSetting(plan: ReadyPlan, index: number): Setting {
  const stack = stackOf(plan.stack);
  const kernels = new Set((plan.kernels ?? '').split('+'));
  return {
    plan: { ...plan },
    index,
    stack,
    rule: recomputeRule(plan),
    fp8: plan.dtype === 'fp8' || plan.dtype === 'nvfp4',
    fp4: plan.dtype === 'nvfp4',
    fp32: plan.dtype === 'fp32',
    activationScale: plan.dtype === 'fp32' ? 2 : 1,
    adapters: plan.adapter !== 'none',
    rowwise: plan.fp8Recipe === 'rowwise',
    compiled: plan.compiled === true,
    fusedPointwise: stack.fusedPointwise,
    fusedNorms: stack.fusedNorms || kernels.has('fused-rmsnorm'),
    eagerOperators: stack.eagerOperators && plan.compiled !== true && !kernels.has('fused-rmsnorm'),
    normKeptBytes:
      plan.compiled === true || plan.dtype === 'fp32' || kernels.has('fused-rmsnorm') ? 0 : stack.normKeptBytes,
    savesFp8: plan.dtype === 'fp8' || plan.dtype === 'nvfp4' ? stack.savesFp8 : 'none',
    logitBytes: logitBytes(stack, plan, kernels),
    stepsInBackward: kernels.has('optimizer-in-backward'),
    pagesOptimizer: kernels.has('paged-optimizer'),
    flash1: kernels.has('flash-v1') || (stack.oldAttention && !kernels.has('flash-v2')),
    cudnn: stack.cudnnAttention || kernels.has('flash-v3') || kernels.has('cudnn'),
    fusedCasts: stack.fusedCasts,
    expertOverlap: kernels.has('ep-overlap'),
    expertOnce: kernels.has('deepep') || kernels.has('hybridep'),
    graphs: kernels.has('cuda-graphs'),
    tensorOverlap: plan.sp && (plan.tpOverlap === true || stack.overlapsTensor),
  };
}

/**
 * A loss in chunks has the logits of all of them in 16 bits, and of its own copies and gradients those of one chunk in
 * eight (torchtune and torchtitan by default; torchtune/modules/loss/cross_entropy_loss.py).
 */
const LOSS_CHUNKS = 8;
const LOGIT_BYTES = 2;
/** A logit and its gradient in 16 bits. */
const LEAST_LOGIT_BYTES = 4;

function logitBytes(stack: Stack, { compiled }: ReadyPlan, kernels: ReadonlySet<string>): number {
  if (kernels.has('fused-linear-loss')) return 0;
  const whole = compiled === true && stack.compilesLoss ? LEAST_LOGIT_BYTES : stack.logitBytes;
  return kernels.has('chunked-loss') ? LOGIT_BYTES + (whole - LOGIT_BYTES) / LOSS_CHUNKS : whole;
}
