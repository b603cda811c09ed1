/** What each stage of a plan holds in memory. */
import type { ScheduleName } from '../plan/keys';
import type { ReadyPlan } from '../plan/ready';
import {
  adapterParameters,
  denseParameters,
  expertParameters,
  type PlanContext,
  planContext,
  scheduleShape,
} from './context';
import {
  emptyStageMemory,
  type MemoryTerms,
  memoryTerms,
  makesGradientsLate,
  stateBytes,
  type StageContents,
  type StageMemory,
  stageMemory,
} from './memory';
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

/** What the activations and the buffers of every stage are made of. */
export function memoryTermsByStage(tables: Tables, plan: ReadyPlan): MemoryTerms[] {
  const context = planContext(tables, plan);
  return Array.from(context.layout.classOfStage, (index, stage) => {
    fill(context, context.layout.classes[index], stage);
    return memoryTerms(plan, context.setting.stack, contents);
  });
}

/** Gradients of a layer's activations that live at once in its backward pass, over what the forward pass saved. */
const GRADIENT_SHARE = 0.6;

const contents: StageContents = {
  stage: 0,
  copies: 1,
  denseParameters: 0,
  expertParameters: 0,
  layerParameters: 0,
  denseRanks: 1,
  expertRanks: 1,
  activationBytes: 0,
  inFlight: 1,
  workingBytes: 0,
  lossBytes: 0,
  gatheredParameters: 0,
  adapterParameters: 0,
  gradientShare: 1,
  pagesOptimizer: false,
};

/** Writes the memory of one stage of a class into `out`. */
export function memoryOf(context: PlanContext, view: StageClass, stage: number, out: StageMemory): StageMemory {
  fill(context, view, stage);
  return stageMemory(context.plan, context.setting.stack, contents, out);
}

function fill(context: PlanContext, view: StageClass, stage: number): void {
  const { plan, tables } = context;
  writeStates(context, view, contents);
  writeActivations(context, view, contents);
  contents.stage = stage;
  contents.copies = copiesOf(plan.schedule);
  contents.inFlight = inFlight(tables.scheduleMemo, scheduleShape(plan), stage);
}

/** Parameters of a stage that a rank holds, in stages (README of deepseek-ai/DualPipe: 2). */
export function copiesOf(schedule: ScheduleName): number {
  return schedule === 'dualpipe' ? 2 : 1;
}

/** What the stage keeps whatever runs on it: its parameters, and the ranks that share them. */
export function writeStates(context: PlanContext, view: StageClass, out: StageContents): void {
  const { setting, work } = context;
  let inLayers = 0;
  let gathered = 0;
  for (let kind = 0; kind < view.kinds.length; kind++) {
    const count = view.kinds[kind];
    if (count === 0) continue;
    const layer = work.layers[kind];
    const parameters = layer.denseParameters + layer.expertParameters;
    inLayers += count * parameters;
    gathered = Math.max(gathered, parameters);
  }
  out.denseParameters = denseParameters(context, view);
  out.expertParameters = expertParameters(context, view);
  out.denseRanks = context.shard.ranks;
  out.expertRanks = context.experts.ranks;
  out.layerParameters = inLayers;
  out.gatheredParameters = gathered;
  out.gradientShare = setting.stepsInBackward
    ? largestGradient(context, view, gathered, out.denseParameters + out.expertParameters)
    : 1;
  out.pagesOptimizer = setting.pagesOptimizer;
  out.adapterParameters = setting.adapters ? adapterParameters(context, view) : 0;
}

/** Share of a stage's parameters in the largest unit whose gradient is whole at once: a layer, or the table of the vocabulary. */
function largestGradient(
  { plan, tables: { model } }: PlanContext,
  { isLast }: StageClass,
  layer: number,
  all: number,
): number {
  const table = isLast ? (model.vocab * model.embeddingWidth) / plan.tp : 0;
  return Math.max(layer, table) / all;
}

/** What a micro-batch adds: kept bytes for each in flight, and the larger of the backward pass's and the loss's needs. */
export function writeActivations(context: PlanContext, view: StageClass, out: StageContents): void {
  const { plan, setting, work } = context;
  const { stack } = setting;
  const full = fullShareOf(setting.rule, view.layers);
  let kept = 0;
  let working = 0;
  for (let kind = 0; kind < view.kinds.length; kind++) {
    const count = view.kinds[kind];
    if (count === 0) continue;
    const layer = work.layers[kind];
    kept += count * (full * layer.inputBytes + (1 - full) * layer.keptBytes);
    const repeated = layer.savedBytes - (full > 0 ? layer.inputBytes : layer.keptBytes);
    // A matrix in 4 bits is read as one in 16.
    const read = plan.adapter === 'qlora' ? 2 * layer.largestMatrix : 0;
    working = Math.max(working, repeated + GRADIENT_SHARE * layer.savedBytes + read);
  }
  // At the loss there are no gradients yet; at the last layer to go back all of them, and no activations.
  const late =
    makesGradientsLate(plan, stack, context.m) && !setting.stepsInBackward ? stageGradients(context, view) : 0;
  out.activationBytes = kept;
  out.workingBytes = working - Math.min(kept, late);
  out.lossBytes =
    (view.isLast
      ? work.ends.headBytes + work.ends.logits * setting.logitBytes * (stack.shardsLogits ? 1 : plan.tp)
      : 0) - late;
}

function stageGradients(context: PlanContext, view: StageClass): number {
  const { gradient } = stateBytes(context.plan, context.setting.stack);
  return gradient * (denseParameters(context, view) + expertParameters(context, view));
}
