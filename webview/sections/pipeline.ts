/** The pipeline pass by pass: a place for the timeline, which draws itself (see ../timeline). */
import type { DashboardState } from '../../src/protocol/dashboard';
import { h, type VNode } from '../dom';
import { type Scene, section } from '../parts';
import type { TimelineInput } from '../timeline/run';
import { say } from '../words';

export const TIMELINE_BOX = 'timeline-box';

/** Nothing where there is no pipeline. */
export function pipelineSection({ state }: Scene): VNode | null {
  if (timelineInput(state) === null) return null;
  return section('pipeline', say('timelineHeading'), h('div', { id: TIMELINE_BOX, 'data-own': true }));
}

/** What the page says where there is no pipeline to draw. */
export function noPipeline({ state }: Scene): VNode {
  const { stages } = state.estimate.pipeline;
  return section('pipeline', say('timelineHeading'), h('p', {}, say(stages === 1 ? 'noPipeline' : 'speedUnknown')));
}

/** The plan's schedule with the seconds and activations of its stages; null where there is one stage or no time. */
export function timelineInput({ estimate }: DashboardState): TimelineInput | null {
  const { schedule, stages, microBatches, virtual, stageSeconds } = estimate.pipeline;
  const { memory, setup } = estimate;
  if (schedule === null || stages === null || stages < 2 || microBatches === null || stageSeconds === null) return null;
  const room = memory.stages.map(({ total, activations }) => (memory.capacityBytes ?? 0) - total + activations);
  return {
    schedule: setup.plan.schedule ?? '1f1b',
    stages,
    microBatches,
    virtual: virtual ?? 1,
    stageSeconds,
    // Messages between stages are part of the seconds of the stages.
    p2pSeconds: 0,
    activationBytesByStage: stageSeconds.activationBytes,
    capacityBytes: memory.capacityBytes === null ? null : Math.min(...room),
  };
}
