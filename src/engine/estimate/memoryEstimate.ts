/** The peak of a plan's memory over its stages, as PyTorch counts it and as the device does, with its interval. */
import { stackOf, UNCERTAINTY } from '../hardware/calibration';
import type { ReadyPlan } from '../plan/ready';
import { peaks, type StageMemory } from './memory';
import type { Tables } from './prepare';
import { memoryByStage } from './stageMemory';

export interface MemoryEstimate {
  readonly capacityBytes: number | null;
  /** As the device's own tool shows it. */
  readonly peakBytes: number;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  readonly lowerBytes: number;
  readonly upperBytes: number;
  readonly peakStage: number;
  readonly fits: boolean | null;
  readonly uncertain: boolean | null;
  /** What the ranks of the fullest node keep on its host or NVMe; 0 where nothing is offloaded. */
  readonly hostBytes: number;
  readonly stages: readonly StageMemory[];
}

/** Needs no device; `fits` and `uncertain` are null where the capacity is. */
export function memoryEstimate(tables: Tables, plan: ReadyPlan, capacityBytes: number | null): MemoryEstimate {
  const stages = memoryByStage(tables, plan);
  const peakStage = stages.reduce((best, stage) => (stage.total > (stages[best]?.total ?? 0) ? stage.stage : best), 0);
  const fullest = stages[peakStage];
  const { allocated, reserved, device } = peaks(fullest, stackOf(plan.stack));
  const width = memoryWidth(plan.stack);
  const lowerBytes = device * Math.exp(-width);
  const upperBytes = device * Math.exp(width);
  return {
    capacityBytes,
    peakBytes: device,
    allocatedBytes: allocated,
    reservedBytes: reserved,
    lowerBytes,
    upperBytes,
    peakStage,
    fits: capacityBytes === null ? null : device <= capacityBytes,
    uncertain: capacityBytes === null ? null : lowerBytes <= capacityBytes && capacityBytes < upperBytes,
    hostBytes: hostBytes(tables, plan, stages),
    stages,
  };
}

/** Half-width of the interval on the logarithm: wider where the stack is not among the runs. */
export function memoryWidth(stack: string | null): number {
  return stackOf(stack).evidence === 'fitted' ? UNCERTAINTY.memory : UNCERTAINTY.memoryUnknownStack;
}

function hostBytes({ gpusPerNode }: Tables, { dp, tp, cp, pp }: ReadyPlan, stages: readonly StageMemory[]): number {
  return Math.min(dp * tp * cp * pp, gpusPerNode) * Math.max(...stages.map(({ offloaded }) => offloaded));
}
