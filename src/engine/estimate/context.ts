/**
 * What evaluating one plan needs, looked up from the tables: sizes without a device, costs with one.
 *
 * Legend: p stages, m micro-batches a pipeline, N ranks that share or reduce something.
 */
import { type Stack, stackOf } from '../hardware/calibration';
import type { Workload } from '../model/operators';
import { microBatches, type ReadyPlan } from '../plan/ready';
import type { Device } from './device';
import { type EndCosts, endCosts, type LayerCosts, layerCosts, type Precision } from './layerCosts';
import { type EndSizes, endSizes, type LayerSizes, layerSizes } from './layerSizes';
import { type Group, type Network, placeGroup } from './network';
import type { Tables } from './prepare';
import type { ScheduleShape } from './schedule';
import { kindsByStage, layersByStage } from './stages';

export interface StageView {
  readonly stage: number;
  /** Layers of the stage by kind. */
  readonly kinds: readonly number[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface SizeContext {
  readonly tables: Tables;
  readonly plan: ReadyPlan;
  readonly stack: Stack;
  readonly sizes: readonly LayerSizes[];
  readonly endSizes: EndSizes;
  readonly stages: readonly StageView[];
  /** Ranks that share an expert's states. */
  readonly expertRanks: number;
  readonly m: number;
}

export interface CostContext extends SizeContext {
  readonly device: Device;
  readonly network: Network;
  readonly costs: readonly LayerCosts[];
  readonly ends: EndCosts;
  readonly dp: Group;
  readonly experts: Group;
}

export function scheduleShape(plan: ReadyPlan): ScheduleShape {
  return { name: plan.schedule, stages: plan.pp, microBatches: microBatches(plan), virtual: plan.vpp };
}

export function sizeContext(tables: Tables, plan: ReadyPlan): SizeContext {
  const { model } = tables;
  const work = workload(plan);
  const key = Object.values(work).join();
  const counts = layersByStage(model.layers, plan);
  const kinds = kindsByStage(tables.kindOfLayer, tables.kinds.length, counts, plan.vpp);
  return {
    tables,
    plan,
    stack: stackOf(plan.stack),
    sizes: tables.kinds.map((kind, index) =>
      remember(tables.sizesMemo, `${index}|${key}`, () => layerSizes(model.hidden, kind, work)),
    ),
    endSizes: remember(tables.endSizesMemo, key, () => endSizes(model, paddedVocab(model.vocab, plan.tp), work)),
    stages: kinds.map((row, stage) => ({ stage, kinds: row, isFirst: stage === 0, isLast: stage === plan.pp - 1 })),
    expertRanks: Math.max(1, (plan.dp * plan.tp * plan.cp) / (plan.ep * plan.etp)),
    m: microBatches(plan),
  };
}

/** null where the device is unknown. */
export function costContext(tables: Tables, plan: ReadyPlan): CostContext | null {
  const { device, network, model } = tables;
  if (device === null || network === null) return null;
  const sizes = sizeContext(tables, plan);
  const work = workload(plan);
  const precision: Precision = {
    fp8: plan.dtype === 'fp8',
    fp32: plan.dtype === 'fp32',
    compiled: plan.compiled === true,
    fusedNorms: sizes.stack.fusedNorms,
  };
  const key = [...Object.values(work), ...Object.values(precision)].join();
  const vocab = paddedVocab(model.vocab, plan.tp);
  return {
    ...sizes,
    device,
    network,
    costs: tables.kinds.map((kind, index) =>
      remember(tables.layerMemo, `${index}|${key}`, () =>
        layerCosts(model.hidden, kind, work, precision, device, network),
      ),
    ),
    ends: remember(tables.endMemo, key, () => endCosts(model, vocab, work, precision, device, network)),
    dp: placeGroup(network, plan.dp * plan.cp, plan.tp),
    experts: placeGroup(network, sizes.expertRanks, plan.ep * plan.etp),
  };
}

export function workload(plan: ReadyPlan): Workload {
  return {
    microBatch: plan.microBatch,
    seqLen: plan.seqLen,
    tp: plan.tp,
    sp: plan.sp && plan.tp > 1,
    cp: plan.cp,
    ep: plan.ep,
    etp: plan.etp,
    flash: plan.attention === 'flash',
    expertImbalance: plan.expertImbalance ?? 1,
  };
}

/** Parameters that a rank of this stage would hold without data-parallel sharding. */
export function localParameters(
  { sizes, tables, plan }: SizeContext,
  view: StageView,
): { dense: number; expert: number } {
  let [dense, expert] = [0, 0];
  view.kinds.forEach((count, kind) => {
    dense += count * (sizes[kind]?.denseParameters ?? 0);
    expert += count * (sizes[kind]?.expertParameters ?? 0);
  });
  if (view.isFirst) dense += tables.embeddingParameters / plan.tp;
  // A tied head is a second copy where it lies on another stage than the embedding.
  const tiedCopy = tables.model.tied && plan.pp > 1 ? tables.model.vocab * tables.model.embeddingWidth : 0;
  if (view.isLast) dense += (tables.headParameters + tiedCopy) / plan.tp + tables.finalNormParameters;
  return { dense, expert };
}

function remember<T>(memo: Map<string, T>, key: string, compute: () => T): T {
  const known = memo.get(key);
  if (known !== undefined) return known;
  const value = compute();
  memo.set(key, value);
  return value;
}

/** Megatron pads the vocabulary to a multiple of 128·tp; others split what they have. */
function paddedVocab(vocab: number, tp: number): number {
  return tp === 1 ? vocab : Math.ceil(vocab / (128 * tp)) * 128 * tp;
}
