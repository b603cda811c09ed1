/**
 * What the points of one layout (dp, tp, cp, pp, ep) share, by chunking and sharding: the stages that differ, the bytes
 * of their states, and the seconds after the last backward pass.
 */
import type { PlanContext } from '../estimate/context';
import { emptyStageMemory, type StageContents, stageMemory } from '../estimate/memory';
import type { Priced } from '../estimate/stageSeconds';
import { writeActivations, writeStates } from '../estimate/stageMemory';
import type { Layout, StageClass } from '../estimate/stages';
import { emptyTail, tailSeconds } from '../estimate/tail';

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
  /** The same under a schedule whose ranks hold two stages. */
  readonly doubledBytes: Float64Array;
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
    doubledBytes: new Float64Array(length),
    tailSeconds: new Float64Array(length),
    reduceSeconds: new Float64Array(length),
  };
  states.forEach(({ context, priced }, state) => {
    classes.forEach((view, index) => {
      const at = index * states.length + state;
      writeStates(context, view, contents);
      contents.copies = 1;
      table.stateBytes[at] = stageMemory(context.plan, context.setting.stack, contents, memory).total;
      contents.copies = 2;
      table.doubledBytes[at] = stageMemory(context.plan, context.setting.stack, contents, memory).total;
      tailSeconds(priced, view, tail);
      table.tailSeconds[at] = tail.reduce + tail.tied + tail.optimizer + tail.gradNorm;
      table.reduceSeconds[at] = tail.reduce;
    });
  });
  return table;
}

const memory = emptyStageMemory();
const tail = emptyTail();
/** States alone: nothing in flight, no loss. */
const contents: StageContents = {
  stage: 0,
  copies: 1,
  denseParameters: 0,
  expertParameters: 0,
  layerParameters: 0,
  denseRanks: 1,
  expertRanks: 1,
  activationBytes: 0,
  inFlight: 0,
  workingBytes: 0,
  lossBytes: 0,
  gatheredParameters: 0,
  adapterParameters: 0,
  gradientShare: 1,
  pagesOptimizer: false,
};

const activations: StageContents = { ...contents };
const bytes = { each: 0, once: 0 };

/** Bytes of a stage's tensors that are no states: what one micro-batch in flight adds, and what is there once. */
export function activationBytes(
  context: PlanContext,
  view: StageClass,
): { readonly each: number; readonly once: number } {
  writeActivations(context, view, activations);
  const share = 1 + context.setting.stack.allocatorSlack;
  bytes.each = activations.activationBytes * share;
  bytes.once = Math.max(activations.workingBytes, activations.lossBytes) * share;
  return bytes;
}
