/** Seconds of one micro-batch on every stage: what the pipeline's timeline is drawn from. */
import type { ReadyPlan } from '../plan/ready';
import { type PlanContext, planContext } from './context';
import type { Tables } from './prepare';
import { StagePasses } from './stagePasses';
import type { StageClass } from './stages';
import { fullShareOf } from './stageSeconds';
import { pricedContext } from './step';

export interface StageTimes {
  readonly forward: readonly number[];
  readonly backwardInput: readonly number[];
  readonly backwardWeight: readonly number[];
  /** Kept for the backward pass by one micro-batch. */
  readonly activationBytes: readonly number[];
}

const passes = new StagePasses();

/** By stage, messages between stages included; null where the device is unknown. */
export function stageTimes(tables: Tables, plan: ReadyPlan): StageTimes | null {
  const context = planContext(tables, plan);
  const priced = pricedContext(context);
  if (priced === null) return null;
  const { classes, classOfStage } = context.layout;
  passes.enter(priced);
  passes.set(context.layout, plan.vpp);
  const byStage = (seconds: Float64Array) => Array.from(seconds.subarray(0, plan.pp));
  return {
    forward: byStage(passes.forward),
    backwardInput: byStage(passes.backwardInput),
    backwardWeight: byStage(passes.backwardWeight),
    activationBytes: Array.from(classOfStage, index => keptBytes(context, classes[index])),
  };
}

function keptBytes({ setting, work }: PlanContext, view: StageClass): number {
  const full = fullShareOf(setting.rule, view.layers);
  return work.layers.reduce(
    (sum, layer, kind) => sum + view.kinds[kind] * (full * layer.inputBytes + (1 - full) * layer.keptBytes),
    0,
  );
}
