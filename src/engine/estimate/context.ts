/**
 * What evaluating one plan needs, looked up from the tables: work without a device, costs with one.
 *
 * Legend: p stages, m micro-batches a pipeline, N ranks that share or reduce something.
 */
import type { Workload } from '../model/operator';
import { microBatches, type ReadyPlan, shardGroup } from '../plan/ready';
import { priceEnds, priceLayer, type Pricing, pricing } from './layerCosts';
import { endCounts, endWork, layerCounts, layerWork } from './layerWork';
import { type Group, placeGroup } from './network';
import type { Counts, Tables, WorkEntry } from './prepare';
import type { ScheduleShape } from './closedMakespan';
import { type Setting, settingOf } from './setting';
import { type Layout, layoutOf, type StageClass } from './stages';

export interface PlanContext {
  readonly tables: Tables;
  readonly plan: ReadyPlan;
  readonly setting: Setting;
  readonly work: WorkEntry;
  readonly layout: Layout;
  /** Ranks that share dense states, and those that share an expert's. */
  readonly shard: Group;
  readonly dense: Group;
  readonly experts: Group;
  readonly m: number;
}

export function scheduleShape(plan: ReadyPlan): ScheduleShape {
  return { name: plan.schedule, stages: plan.pp, microBatches: microBatches(plan), virtual: plan.vpp };
}

export function planContext(tables: Tables, plan: ReadyPlan): PlanContext {
  const setting = settingOf(tables.settings, plan);
  const { domainSize } = tables.topology;
  const stride = plan.tp;
  const ranks = plan.dp * plan.cp;
  return {
    tables,
    plan,
    setting,
    work: workEntry(tables, plan, setting),
    layout: layoutEntry(tables, plan),
    shard: placeGroup(domainSize, shardGroup(plan, tables.gpusPerNode), stride),
    dense: placeGroup(domainSize, ranks, stride),
    experts: placeGroup(domainSize, Math.max(1, (ranks * plan.tp) / (plan.ep * plan.etp)), plan.ep * plan.etp),
    m: microBatches(plan),
  };
}

const DEGREES = 2 ** 11;
const BATCHES = 2 ** 12;

/** A number where the degrees are small, else a text. */
function workKey({ tp, cp, ep, microBatch }: ReadyPlan, setting: number): number | string {
  if (tp >= DEGREES || cp >= DEGREES || ep >= DEGREES || microBatch >= BATCHES || setting >= 2 ** 8) {
    return `${setting}|${tp}|${cp}|${ep}|${microBatch}`;
  }
  return (((setting * DEGREES + tp) * DEGREES + cp) * DEGREES + ep) * BATCHES + microBatch;
}

function workEntry(tables: Tables, plan: ReadyPlan, setting: Setting): WorkEntry {
  const key = workKey(plan, setting.index);
  let entry = tables.workMemo.get(key);
  if (entry === undefined) {
    entry = makeWork(tables, plan, setting);
    tables.workMemo.set(key, entry);
  }
  return entry;
}

function makeWork(tables: Tables, plan: ReadyPlan, setting: Setting): WorkEntry {
  const { model } = tables;
  const load = workload(plan);
  const counts = countsOf(tables, plan, setting);
  const layers = tables.kinds.map((kind, i) => layerWork(model.hidden, kind, load, counts.layers[i], setting));
  const ends = endWork(model, paddedVocab(model.vocab, plan.tp, setting.stack.padsVocabulary), load, setting);
  const price = pricingOf(tables, setting);
  if (price === null) return { layers, ends, costs: null, endCosts: null };
  const costs = counts.layers.map(layer =>
    priceLayer(layer, price, setting.rule, { forward: 0, backwardInput: 0, backwardWeight: 0, repeated: 0 }),
  );
  return { layers, ends, costs, endCosts: priceEnds(counts.ends, price) };
}

const MOST_COUNTS = 64;

/** What pricing reads of a plan's workload. */
export function countsOf(tables: Tables, plan: ReadyPlan, setting: Setting): Counts {
  const { model, device, kinds, countsMemo } = tables;
  const { padsVocabulary } = setting.stack;
  const load = workload(plan);
  const key = `${Object.values(load).join()},${padsVocabulary}`;
  let counts = countsMemo.get(key);
  if (counts === undefined) {
    const sms = device?.rates.sms ?? null;
    counts = {
      layers: kinds.map(kind => layerCounts(model.hidden, kind, load, sms)),
      ends: endCounts(model, paddedVocab(model.vocab, plan.tp, padsVocabulary), load, sms),
    };
    if (countsMemo.size >= MOST_COUNTS) countsMemo.clear();
    countsMemo.set(key, counts);
  }
  return counts;
}

export function pricingOf(tables: Tables, setting: Setting): Pricing | null {
  const { device, pricings } = tables;
  if (device === null) return null;
  return (pricings[setting.index] ??= pricing(device.rates, device.constants, tables.common, setting));
}

/** How a plan cuts the model into stages, remembered. */
export function layoutEntry(tables: Tables, plan: ReadyPlan): Layout {
  const { pp, vpp, stageLayers, stack } = plan;
  const key =
    stageLayers === null && stack !== 'picotron' ? pp * 4096 + vpp : `${pp}|${vpp}|${stack}|${stageLayers?.join()}`;
  let layout = tables.layoutMemo.get(key);
  if (layout === undefined) {
    layout = layoutOf(tables.model.layers, tables.kindOfLayer, tables.kinds.length, plan);
    tables.layoutMemo.set(key, layout);
  }
  return layout;
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

/** Dense parameters that a rank of this class would hold without data-parallel sharding. */
export function denseParameters({ work, tables, plan }: PlanContext, view: StageClass): number {
  let dense = 0;
  for (let kind = 0; kind < view.kinds.length; kind++) dense += view.kinds[kind] * work.layers[kind].denseParameters;
  if (view.isFirst) dense += tables.embeddingParameters / plan.tp;
  // A tied head is a second copy where it lies on another stage than the embedding.
  const tiedCopy = tables.model.tied && plan.pp > 1 ? tables.model.vocab * tables.model.embeddingWidth : 0;
  if (view.isLast) dense += (tables.headParameters + tiedCopy) / plan.tp + tables.finalNormParameters;
  return dense;
}

/** Parameters of the adapters on a rank of this class. */
export function adapterParameters({ work, plan }: PlanContext, view: StageClass): number {
  let width = 0;
  for (let kind = 0; kind < view.kinds.length; kind++) width += view.kinds[kind] * work.layers[kind].adapterWidth;
  return width * (plan.adapterRank ?? DEFAULT_ADAPTER_RANK);
}

/** The usual rank of a LoRA adapter (arXiv 2106.09685, section 7.2, and the default of most frameworks). */
const DEFAULT_ADAPTER_RANK = 16;

/** Parameters of routed experts that a rank of this class would hold without sharding. */
export function expertParameters({ work }: PlanContext, view: StageClass): number {
  let experts = 0;
  for (let kind = 0; kind < view.kinds.length; kind++) experts += view.kinds[kind] * work.layers[kind].expertParameters;
  return experts;
}

/** Megatron pads the vocabulary to a multiple of 128·tp; others split what they have. */
function paddedVocab(vocab: number, tp: number, pads: boolean): number {
  return pads || tp > 1 ? Math.ceil(vocab / (128 * tp)) * 128 * tp : vocab;
}
