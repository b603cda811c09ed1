/**
 * What the points of one layout (dp, tp, cp, pp, ep) share, by chunking and sharding: the stages that differ, the bytes
 * of their states, and the seconds after the last backward pass.
 */
import { adapterParameters, denseParameters, expertParameters, type PlanContext } from '../estimate/context';
import { emptyStageMemory, type StageContents, stageMemory } from '../estimate/memory';
import type { Priced } from '../estimate/stageSeconds';
import type { Layout } from '../estimate/stages';
import { emptyTail, tailSeconds } from '../estimate/tail';
import type { Stack } from '../hardware/calibration';

/** One way to cut the model into stages and chunks. */
export interface Chunking {
  /** What its value adds to a point's index. */
  readonly offset: number;
  readonly vpp: number;
  readonly stageLayers: readonly number[] | null;
  readonly expressible: boolean;
  readonly layout: Layout;
}

/** One value of sharding and offloading. */
export interface States {
  readonly offset: number;
  /** Of the sharding alone: part of the cell of a layout. */
  readonly sharding: number;
  readonly expressible: boolean;
  /** Index of the group of states that share the time of a stage: those whose weights are gathered alike. */
  readonly group: number;
  readonly context: PlanContext;
  readonly priced: Priced;
}

/** By class of stages and states (class · states + state). */
export interface StageTable {
  readonly classes: number;
  /** Bytes of states with what the device itself takes. */
  readonly stateBytes: Float64Array;
  /** Seconds after the last backward pass if nothing of them hides under it, and the reduction among them. */
  readonly tailSeconds: Float64Array;
  readonly reduceSeconds: Float64Array;
}

export function stageTable(chunking: Chunking, states: readonly States[]): StageTable {
  const { classes } = chunking.layout;
  const length = classes.length * states.length;
  const table = {
    classes: classes.length,
    stateBytes: new Float64Array(length),
    tailSeconds: new Float64Array(length),
    reduceSeconds: new Float64Array(length),
  };
  states.forEach(({ context, priced }, state) => {
    classes.forEach((view, index) => {
      const at = index * states.length + state;
      contents.denseParameters = denseParameters(context, view);
      contents.expertParameters = expertParameters(context, view);
      contents.denseRanks = context.shard.ranks;
      contents.expertRanks = context.experts.ranks;
      contents.gatheredParameters = largestLayer(context, view.kinds);
      contents.adapterParameters = context.setting.adapters ? adapterParameters(context, view) : 0;
      table.stateBytes[at] = stageMemory(context.plan, context.setting.stack, contents, memory).total;
      tailSeconds(priced, view, tail);
      table.tailSeconds[at] = tail.reduce + tail.tied + tail.optimizer + tail.gradNorm;
      table.reduceSeconds[at] = tail.reduce;
    });
  });
  return table;
}

const memory = emptyStageMemory();
const tail = emptyTail();
/** States alone: nothing in flight, no logits. */
const contents: StageContents = {
  stage: 0,
  denseParameters: 0,
  expertParameters: 0,
  denseRanks: 1,
  expertRanks: 1,
  activationBytes: 0,
  inFlight: 0,
  workingBytes: 0,
  gatheredParameters: 0,
  logits: 0,
  adapterParameters: 0,
};

function largestLayer({ work }: PlanContext, kinds: readonly number[]): number {
  let largest = 0;
  for (let kind = 0; kind < kinds.length; kind++) {
    if (kinds[kind] === 0) continue;
    largest = Math.max(largest, work.layers[kind].denseParameters + work.layers[kind].expertParameters);
  }
  return largest;
}

const bytes = { each: 0, once: 0 };

/** Bytes of a stage's tensors that are no states: what one micro-batch in flight adds, and what is there once. */
export function activationBytes(
  stack: Stack,
  tp: number,
  activations: number,
  working: number,
  logits: number,
): { readonly each: number; readonly once: number } {
  const share = 1 + stack.allocatorSlack;
  bytes.each = activations * share;
  bytes.once = (working + logits * stack.logitBytes * (stack.shardsLogits ? 1 : tp)) * share;
  return bytes;
}
