/** What each stage of a plan holds in memory. */
import type { ReadyPlan } from '../plan/ready';
import { shardGroup } from '../plan/ready';
import { localParameters, type SizeContext, scheduleShape, sizeContext, type StageView } from './context';
import { type StageContents, type StageMemory, stageMemory } from './memory';
import type { Tables } from './prepare';
import { inFlight } from './schedule';

/** The memory of every stage; needs no device. */
export function memoryByStage(tables: Tables, plan: ReadyPlan): StageMemory[] {
  const context = sizeContext(tables, plan);
  return context.stages.map(view => memoryOf(context, view));
}

export function memoryOf(context: SizeContext, view: StageView): StageMemory {
  const { plan, sizes, endSizes, stack, tables } = context;
  const { dense, expert } = localParameters(context, view);
  let [activationBytes, workingBytes, gatheredParameters] = [0, 0, 0];
  view.kinds.forEach((count, kind) => {
    const layer = sizes[kind];
    if (count === 0 || layer === undefined) return;
    const kept = { none: layer.savedBytes, selective: layer.savedSelectiveBytes, full: layer.inputBytes }[
      plan.recompute
    ];
    activationBytes += count * kept;
    workingBytes = Math.max(workingBytes, layer.savedBytes - kept);
    gatheredParameters = Math.max(gatheredParameters, layer.denseParameters + layer.expertParameters);
  });
  const flights = inFlight(tables.scheduleMemo, scheduleShape(plan));
  const contents: StageContents = {
    stage: view.stage,
    denseParameters: dense,
    expertParameters: expert,
    denseRanks: shardGroup(plan, tables.gpusPerNode),
    expertRanks: context.expertRanks,
    activationBytes,
    inFlight: flights[view.stage] ?? 1,
    workingBytes: workingBytes + (view.isLast ? endSizes.headBytes : 0),
    gatheredParameters,
    logits: view.isLast ? endSizes.logits : 0,
  };
  return stageMemory(plan, stack, contents);
}
