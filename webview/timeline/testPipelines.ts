/** Pipelines for the unit tests: all stages alike. */
import type { ScheduleName } from '../../src/engine/plan/keys';
import { type Run, runSchedule, type TimelineInput } from './run';

/** `times` are F, B, W and a message. */
export function uniform(
  schedule: ScheduleName,
  stages: number,
  microBatches: number,
  {
    virtual = 1,
    times = [1, 1, 1, 0],
    bytes = null,
    capacity = null,
  }: { virtual?: number; times?: readonly number[]; bytes?: number | null; capacity?: number | null } = {},
): TimelineInput {
  const each = (value: number) => Array.from({ length: stages }, () => value);
  return {
    schedule,
    stages,
    microBatches,
    virtual,
    stageSeconds: { forward: each(times[0]), backwardInput: each(times[1]), backwardWeight: each(times[2]) },
    p2pSeconds: times[3],
    activationBytesByStage: bytes === null ? null : each(bytes),
    capacityBytes: capacity,
  };
}

export function mustRun(input: TimelineInput): Run {
  const run = runSchedule(input);
  if ('code' in run) throw new Error(`${input.schedule}: ${String(run.args['rule'])}`);
  return run;
}
