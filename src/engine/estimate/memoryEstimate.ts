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
  readonly stages: readonly StageMemory[];
}

/** Needs no device; `fits` and `uncertain` are null where the capacity is. */
export function memoryEstimate(tables: Tables, plan: ReadyPlan, capacityBytes: number | null): MemoryEstimate {
  const stages = memoryByStage(tables, plan);
  const peakStage = stages.reduce((best, stage) => (stage.total > (stages[best]?.total ?? 0) ? stage.stage : best), 0);
  const fullest = stages[peakStage];
  const { allocated, reserved, device } = peaks(fullest, stackOf(plan.stack));
  const lowerBytes = device * Math.exp(-UNCERTAINTY.memory);
  const upperBytes = device * Math.exp(UNCERTAINTY.memory);
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
    stages,
  };
}
