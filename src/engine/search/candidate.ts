/** A plan with its step, as the estimate computes it. */
import { memoryWidth } from '../estimate/memoryEstimate';
import { OUT, TIME_PARTS, type TimePart } from '../estimate/output';
import type { Tables } from '../estimate/prepare';
import { evaluate } from '../estimate/step';
import { type Framework, inexpressible } from '../plan/frameworks';
import type { ReadyPlan } from '../plan/ready';

export interface Candidate {
  readonly plan: ReadyPlan;
  readonly stepSeconds: number;
  readonly tokensPerSecond: number;
  readonly peakBytes: number;
  /** Upper bound of its memory. */
  readonly upperBytes: number;
  readonly bubbleFraction: number;
  readonly time: Readonly<Record<TimePart, number>>;
  readonly expressible: boolean;
}

const out = new Float64Array(OUT.length);

/** The plan in full, its schedule simulated where it has no closed form. The tables must have a device. */
export function measure(tables: Tables, framework: Framework, plan: ReadyPlan): Candidate {
  evaluate(tables, plan, out);
  const stepSeconds = out[OUT.stepSeconds];
  const time = Object.fromEntries(TIME_PARTS.map((part, i) => [part, out[OUT.parts + i]]));
  return {
    plan,
    stepSeconds,
    tokensPerSecond: (plan.globalBatch * plan.seqLen) / stepSeconds,
    peakBytes: out[OUT.peakBytes],
    upperBytes: out[OUT.peakBytes] * Math.exp(memoryWidth(plan.stack)),
    bubbleFraction: out[OUT.bubbleFraction],
    time: time as Record<TimePart, number>,
    expressible: inexpressible(framework, plan).length === 0,
  };
}
