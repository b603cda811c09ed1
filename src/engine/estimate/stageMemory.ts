/** What each stage of a plan holds in memory. */
import type { ReadyPlan } from '../plan/ready';
import {
  adapterParameters,
  denseParameters,
  expertParameters,
  type PlanContext,
  planContext,
  scheduleShape,
} from './context';
import { emptyStageMemory, type StageContents, type StageMemory, stageMemory } from './memory';
import type { Tables } from './prepare';
import { inFlight } from './schedule';
import { fullShareOf } from './stageSeconds';
import type { StageClass } from './stages';

/** The memory of every stage; needs no device. */
export function memoryByStage(tables: Tables, plan: ReadyPlan): StageMemory[] {
  const context = planContext(tables, plan);
  return Array.from(context.layout.classOfStage, (index, stage) =>
    memoryOf(context, context.layout.classes[index], stage, emptyStageMemory()),
  );
}

/** Gradients of a layer's activations that live at once in its backward pass, over what the forward pass saved. */
const GRADIENT_SHARE = 0.3;

const contents: StageContents = {
  stage: 0,
  denseParameters: 0,
  expertParameters: 0,
  denseRanks: 1,
  expertRanks: 1,
  activationBytes: 0,
  inFlight: 1,
  workingBytes: 0,
  gatheredParameters: 0,
  logits: 0,
  adapterParameters: 0,
};

/** Writes the memory of one stage of a class into `out`. */
export function memoryOf(context: PlanContext, view: StageClass, stage: number, out: StageMemory): StageMemory {
  const { plan, setting, work, tables } = context;
  const full = fullShareOf(setting.rule, view.layers);
  let [activations, working, gathered] = [0, 0, 0];
  for (let kind = 0; kind < view.kinds.length; kind++) {
    const count = view.kinds[kind];
    if (count === 0) continue;
    const layer = work.layers[kind];
    const kept = full * layer.inputBytes + (1 - full) * layer.keptBytes;
    activations += count * kept;
    const repeated = layer.savedBytes - (full > 0 ? layer.inputBytes : layer.keptBytes);
    working = Math.max(working, repeated + GRADIENT_SHARE * layer.savedBytes);
    gathered = Math.max(gathered, layer.denseParameters + layer.expertParameters);
  }
  contents.stage = stage;
  contents.denseParameters = denseParameters(context, view);
  contents.expertParameters = expertParameters(context, view);
  contents.denseRanks = context.shard.ranks;
  contents.expertRanks = context.experts.ranks;
  contents.activationBytes = activations;
  contents.inFlight = inFlight(tables.scheduleMemo, scheduleShape(plan), stage);
  contents.workingBytes = working + (view.isLast ? work.ends.headBytes : 0);
  contents.gatheredParameters = gathered;
  contents.adapterParameters = setting.adapters ? adapterParameters(context, view) : 0;
  contents.logits = view.isLast ? work.ends.logits : 0;
  return stageMemory(plan, setting.stack, contents, out);
}
