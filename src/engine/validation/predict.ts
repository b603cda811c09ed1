/** Predictions of published runs through the same functions that the product uses. */
import type { Calibration } from '../hardware/constants';
import { memoryEstimate } from '../estimate/memoryEstimate';
import { OUT } from '../estimate/output';
import { prepare } from '../estimate/prepare';
import { scheduleShape } from '../estimate/context';
import { scheduleProblem } from '../estimate/schedule';
import { evaluate } from '../estimate/step';
import { isReady } from '../plan/ready';
import { setupModel } from '../setup/setup';
import type { PublishedRun } from './runs';

export interface Prediction {
  readonly stepSeconds: number;
  readonly peakBytes: number;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  readonly lowerBytes: number;
  readonly upperBytes: number;
  readonly fits: boolean;
  /** The peak of the stages on the first node, as the device counts it. */
  readonly firstNodeBytes: number;
}

/** The prediction of a run, or why there is none. */
export function predictRun(run: PublishedRun, calibration?: Calibration): Prediction | string {
  const model = setupModel(run.setup);
  const { plan, cluster } = run.setup;
  if (run.reason !== null) return run.reason;
  if (model === null || !isReady(plan)) return 'plan-incomplete';
  const needsOrder = plan.schedule !== 'none' && plan.schedule !== '1f1b' && plan.schedule !== 'interleaved-1f1b';
  if (needsOrder && scheduleProblem(scheduleShape(plan)) !== null) return 'schedule-not-admitted';
  if (plan.pp * plan.vpp > model.layers) return 'fewer-layers-than-chunks';
  const tables = prepare(model, cluster, calibration);
  const out = new Float64Array(OUT.length);
  evaluate(tables, plan, out);
  const memory = memoryEstimate(tables, plan, cluster.capacityBytes);
  return {
    stepSeconds: out[OUT.stepSeconds],
    peakBytes: memory.peakBytes,
    allocatedBytes: memory.allocatedBytes,
    reservedBytes: memory.reservedBytes,
    lowerBytes: memory.lowerBytes,
    upperBytes: memory.upperBytes,
    fits: memory.fits ?? true,
    firstNodeBytes: Math.max(...memory.stages.slice(0, stagesOnFirstNode(run)).map(({ total }) => total)),
  };
}

/** Pipelines are the outermost axis of ranks. */
function stagesOnFirstNode({ setup: { plan, cluster } }: PublishedRun): number {
  const { gpus, gpusPerNode } = cluster;
  return gpus === null || gpusPerNode === null ? 1 : Math.ceil(((plan.pp ?? 1) * Math.min(gpus, gpusPerNode)) / gpus);
}
