/**
 * What each axis of a plan sends over which link: the cost model read as bytes. With latencies of zero and one byte a
 * second its seconds are bytes, so bytes and times cannot disagree.
 *
 * Legend: n ranks of a group, l of them in one fast-link domain. A ring that crosses domains uses the NICs of its l
 * local members, so a GPU's own NIC carries 1/l of what its fast link carries.
 */
import { HIDDEN_PARTS, type HiddenPart } from './output';
import type { ReadyPlan } from '../plan/ready';
import { planContext } from './context';
import { type Group, placeGroup, type Rates } from './network';
import type { Tables } from './prepare';
import { emptyStageSeconds, type Priced, stageSeconds } from './stageSeconds';
import { pricedContext } from './step';
import { emptyTail, tailSeconds } from './tail';

export interface AxisTraffic {
  readonly axis: HiddenPart;
  readonly ranks: number;
  /** Of these, in one domain of the fast link. */
  readonly local: number;
  readonly crosses: boolean;
  /** That one GPU of the busiest stage sends in a step: over the fast link, and over its NIC. */
  readonly linkBytes: number;
  readonly networkBytes: number;
  /** What those bytes take at the rates that collectives reach. */
  readonly linkSeconds: number;
  readonly networkSeconds: number;
  /** The slower of the two links. */
  readonly binds: 'link' | 'network';
}

export interface Traffic {
  readonly gpusPerNode: number;
  readonly domainSize: number;
  /** As collectives reach them, per GPU and direction. */
  readonly linkBytesPerSecond: number;
  readonly networkBytesPerSecond: number;
  readonly axes: readonly AxisTraffic[];
}

/** One byte a second and no latency: the seconds of a message are its bytes. */
export const UNIT_RATES: Rates = {
  linkBytesPerSecond: 1,
  networkBytesPerSecond: Infinity,
  linkLatencySeconds: 0,
  linkHopSeconds: 0,
  networkLatencySeconds: 0,
  ringHopSeconds: 0,
  directPeers: 0,
};

/** Axes that send anything; null where the device is unknown. */
export function traffic(tables: Tables, plan: ReadyPlan): Traffic | null {
  const priced = pricedContext(planContext(tables, plan));
  if (priced === null) return null;
  const { rates, context } = priced;
  const bytes = bytesByAxis(priced);
  const groups: Readonly<Record<HiddenPart, Group>> = {
    tp: priced.tensorGroup,
    cp: priced.contextGroup,
    ep: priced.expertGroup,
    pp: placeGroup(tables.topology.domainSize, plan.pp === 1 ? 1 : 2, plan.tp * plan.cp * plan.dp),
    dp: plan.sharding === 'zero3' || plan.sharding === 'hsdp' ? context.shard : context.dense,
  };
  const axes = HIDDEN_PARTS.filter(axis => bytes[axis] > 0).map((axis): AxisTraffic => {
    const { ranks, local, crossesNodes } = groups[axis];
    const linkBytes = local > 1 ? bytes[axis] : 0;
    const networkBytes = crossesNodes ? bytes[axis] / local : 0;
    const linkSeconds = linkBytes / rates.linkBytesPerSecond;
    const networkSeconds = networkBytes / rates.networkBytesPerSecond;
    const binds = networkSeconds > linkSeconds ? 'network' : 'link';
    const size = axis === 'pp' ? plan.pp : ranks;
    return {
      axis,
      ranks: size,
      local,
      crosses: crossesNodes,
      linkBytes,
      networkBytes,
      linkSeconds,
      networkSeconds,
      binds,
    };
  });
  const { linkBytesPerSecond, networkBytesPerSecond } = rates;
  const { gpusPerNode, topology } = tables;
  return { gpusPerNode, domainSize: topology.domainSize, linkBytesPerSecond, networkBytesPerSecond, axes };
}

/** Bytes that a rank of the busiest stage sends in a step. */
function bytesByAxis(priced: Priced): Record<HiddenPart, number> {
  const { context, common } = priced;
  const { classes } = context.layout;
  const seconds = emptyStageSeconds();
  const busy = classes.map(view => {
    stageSeconds(priced, view, seconds);
    return seconds.busy;
  });
  const view = classes[busy.indexOf(Math.max(...busy))];
  // Fragmented gathers are slower, but send no more.
  const { setting } = context;
  const whole = { ...context, setting: { ...setting, stack: { ...setting.stack, fragmentedGathers: false } } };
  const counted = { ...priced, context: whole, rates: UNIT_RATES };
  stageSeconds(counted, view, seconds);
  const tail = emptyTail();
  tailSeconds(counted, view, tail);
  const { m } = context;
  return {
    tp: m * (seconds.tp + seconds.tpHidden),
    cp: m * (seconds.cp + seconds.cpHidden),
    ep: m * (seconds.ep + seconds.epHidden),
    pp: (m * seconds.pp) / common.p2pShare,
    dp: m * (seconds.dp + seconds.dpHidden) + tail.reduce + tail.tied,
  };
}
