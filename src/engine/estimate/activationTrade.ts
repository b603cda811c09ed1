/**
 * The ways that one layer's activations can reach its backward pass, each with bytes and seconds: kept, recomputed from
 * the layer's input, shared among the tensor-parallel ranks that hold copies, or offloaded to the host.
 *
 * Legend, of one micro-batch on one rank: A bytes that the layer saves, X bytes of its input, C of A those that all t
 * ranks of tensor parallelism hold alike, H bytes/s to the host.
 *   keep       holds A                 · 0 s
 *   recompute  holds X                 · the forward pass again (Chen et al. 2016, arXiv 1604.06174)
 *   share      holds A − C·(t − 1)/t   · one all-gather of C (partitioned activations of ZeRO-R, arXiv 1910.02054, section 6.1)
 *   offload    holds X                 · 2·(A − X)/H, there and back (ZeRO-R's P_a+cpu, same section)
 */
import type { ReadyPlan } from '../plan/ready';
import { planContext } from './context';
import { memoryEstimate } from './memoryEstimate';
import { gatherSeconds } from './network';
import type { Tables } from './prepare';
import type { StageClass } from './stages';
import { emptyStageSeconds, type Priced, type StageSeconds, stageSeconds } from './stageSeconds';
import { groupsOf, pricedContext } from './step';
import { UNIT_RATES } from './traffic';

/** One way; of one layer and micro-batch on one rank. */
export interface ActivationWay {
  readonly way: 'keep' | 'recompute' | 'share' | 'offload';
  readonly heldBytes: number;
  /** Received and sent over the link, without what the plan sends anyway. */
  readonly linkBytes: number;
  /** With nothing of it hidden under other work. */
  readonly seconds: number;
  /** On the device, were all layers of the plan to go this way. */
  readonly peakBytes: number;
  /** null where the capacity is not known. */
  readonly fits: boolean | null;
}

export interface ActivationTrade {
  /** The fullest stage when all is kept; the layer is of the kind that it holds most of. */
  readonly stage: number;
  /** `share` only where ranks hold copies. */
  readonly ways: readonly ActivationWay[];
  /** Of the ways that fit, the one with the fewest seconds; null where none does or the capacity is not known. */
  readonly cheapest: ActivationWay['way'] | null;
}

/** Whatever the plan recomputes now; null where the device is unknown or the fullest stage has no layer. */
export function activationTrade(tables: Tables, plan: ReadyPlan, capacityBytes: number | null): ActivationTrade | null {
  const keeping: ReadyPlan = { ...plan, recompute: 'none', recomputeOps: null, recomputeLayers: null };
  const repeating: ReadyPlan = { ...keeping, recompute: 'full' };
  const sharing: ReadyPlan = { ...keeping, sp: true };
  const context = planContext(tables, keeping);
  const kept = memoryEstimate(tables, keeping, capacityBytes);
  const { classes, classOfStage } = context.layout;
  const { kinds } = classes[classOfStage[kept.peakStage]];
  const kind = kinds.indexOf(Math.max(...kinds));
  const again = forwardAgain(tables, keeping, repeating, kind);
  if (again === null || kinds[kind] === 0) return null;

  const { savedBytes, inputBytes } = context.work.layers[kind];
  const freed = savedBytes - planContext(tables, sharing).work.layers[kind].savedBytes;
  const copies = (freed * plan.tp) / Math.max(1, plan.tp - 1);
  const toHost = 2 * (savedBytes - inputBytes);
  const peakOf = (changed: ReadyPlan) => memoryEstimate(tables, changed, capacityBytes).peakBytes;
  const repeatedPeak = peakOf(repeating);
  const way = (
    name: ActivationWay['way'],
    heldBytes: number,
    linkBytes: number,
    seconds: number,
    peakBytes: number,
  ) => ({
    ...{ way: name, heldBytes, linkBytes, seconds, peakBytes },
    fits: capacityBytes === null ? null : peakBytes <= capacityBytes,
  });
  const ways: ActivationWay[] = [
    way('keep', savedBytes, 0, 0, kept.peakBytes),
    way('recompute', inputBytes, again.linkBytes, again.seconds, repeatedPeak),
  ];
  if (freed > 0) {
    const seconds = gatherSeconds(groupsOf(context).tensorGroup, tables.rates, copies);
    ways.push(way('share', savedBytes - freed, freed, seconds, peakOf(sharing)));
  }
  // What stays on the device is what stays under recomputation, and so is the peak.
  ways.push(way('offload', inputBytes, toHost, toHost / tables.host.linkBytesPerSecond, repeatedPeak));
  const fitting = ways.filter(({ fits }) => fits === true);
  const cheapest = fitting.reduce<ActivationWay | null>(
    (best, one) => (best === null || one.seconds < best.seconds ? one : best),
    null,
  );
  return { stage: kept.peakStage, ways, cheapest: cheapest?.way ?? null };
}

/** What the second forward pass of a layer adds, by the estimate's own prices: its kernels and its messages. */
function forwardAgain(tables: Tables, keeping: ReadyPlan, repeating: ReadyPlan, kind: number) {
  const [before, after] = [keeping, repeating].map(plan => pricedContext(planContext(tables, plan)));
  if (before === null || after === null) return null;
  const [kept, repeated] = [oneLayer(before, kind), oneLayer(after, kind)];
  // At one byte a second, seconds are bytes.
  const [keptBytes, repeatedBytes] = [before, after].map(priced => oneLayer({ ...priced, rates: UNIT_RATES }, kind));
  return {
    seconds: repeated.recompute - kept.recompute + messages(repeated) - messages(kept),
    linkBytes: messages(repeatedBytes) - messages(keptBytes),
  };
}

function messages({ tp, tpHidden, ep, epHidden }: StageSeconds): number {
  return tp + tpHidden + ep + epHidden;
}

/** A stage of a single layer. */
function oneLayer(priced: Priced, kind: number): StageSeconds {
  const kinds = priced.costs.map((_, index) => (index === kind ? 1 : 0));
  const view: StageClass = { kinds, layers: 1, isFirst: false, isLast: false, firstStage: 0 };
  const seconds = emptyStageSeconds();
  stageSeconds(priced, view, seconds);
  return seconds;
}
