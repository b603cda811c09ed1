/**
 * Groups of ranks on links, and the time of a collective among them.
 *
 * Legend: n ranks of a group, `stride` ranks between neighbours (axes nest tp, cp, dp, pp from the inside), S bytes of
 * the whole tensor, α latency, B bandwidth of one rank and direction. Ring: all-gather and reduce-scatter cost
 * α + (n−1)/n·S/B each, all-reduce both (Thakur et al. 2005, section 4).
 */

/** Where a group lies; depends on no constants. */
export interface Group {
  readonly ranks: number;
  /** Of these, in one fast-link domain. */
  readonly local: number;
  readonly crossesNodes: boolean;
}

/** What groups are placed on. */
export interface Topology {
  /** GPUs that the fast link joins. */
  readonly domainSize: number;
  /** Datasheet rate of the fast link, per GPU and direction. */
  readonly linkBytesPerSecond: number;
  /** Datasheet rate of the network, per GPU and direction. */
  readonly networkBytesPerSecond: number;
  /** Where each GPU has its own wires to this many others and no switch; 0 with a switch. */
  readonly directPeers: number;
}

/** Rates as collectives reach them in a step. */
export interface Rates {
  readonly linkBytesPerSecond: number;
  readonly networkBytesPerSecond: number;
  readonly linkLatencySeconds: number;
  /** Latency that each further rank of a ring inside a domain adds. */
  readonly linkHopSeconds: number;
  readonly networkLatencySeconds: number;
  /** Latency that each further rank of a ring over the network adds. */
  readonly ringHopSeconds: number;
  readonly directPeers: number;
}

/** Where a group of `ranks` ranks, `stride` apart, lies. Rings over several nodes use the NICs of all local members. */
export function placeGroup(domainSize: number, ranks: number, stride: number): Group {
  const local = Math.max(1, Math.min(ranks, Math.floor(domainSize / stride)));
  return { ranks, local, crossesNodes: ranks > local };
}

/** Rate of one rank in a ring. */
export function ringRate(group: Group, rates: Rates): number {
  const link = linkRate(group.local, rates);
  return group.crossesNodes ? Math.min(link, rates.networkBytesPerSecond * group.local) : link;
}

/** Rate of the fast link of one rank among `local` neighbours: without a switch only the wires to these. */
function linkRate(local: number, { linkBytesPerSecond, directPeers }: Rates): number {
  return directPeers === 0
    ? linkBytesPerSecond
    : linkBytesPerSecond * Math.min(1, Math.max(1, local - 1) / directPeers);
}

export function ringLatency(group: Group, rates: Rates): number {
  return group.crossesNodes
    ? rates.networkLatencySeconds + rates.ringHopSeconds * group.ranks
    : rates.linkLatencySeconds + rates.linkHopSeconds * hops(group.local);
}

/** Steps of a ring; trees take over in domains larger than a board of 8. */
function hops(ranks: number): number {
  return ranks <= BOARD ? ranks - 1 : (BOARD - 1) * (1 + Math.log2(ranks / BOARD));
}

const BOARD = 8;

/** All-gather or reduce-scatter of S bytes in total. */
export function gatherSeconds(group: Group, rates: Rates, bytes: number): number {
  const { ranks } = group;
  if (ranks <= 1 || bytes === 0) return 0;
  return ringLatency(group, rates) + (((ranks - 1) / ranks) * bytes) / ringRate(group, rates);
}

export function allReduceSeconds(group: Group, rates: Rates, bytes: number): number {
  return 2 * gatherSeconds(group, rates, bytes);
}

/**
 * Each rank holds `copies` rows of `rowBytes` and sends (n−1)/n of them. Over the network a row goes once to each node
 * that it visits where the kernels send it so (`once`, DeepEP), else once for each copy.
 */
export function allToAllSeconds(
  group: Group,
  rates: Rates,
  rows: number,
  copies: number,
  rowBytes: number,
  once: boolean,
): number {
  const { ranks, local } = group;
  if (ranks <= 1 || rows === 0) return 0;
  const bytes = rows * rowBytes;
  const link = linkRate(local, rates);
  const localSeconds = (((ranks - 1) / ranks) * copies * bytes) / link;
  const nodes = ranks / local;
  const visited = once
    ? nodes * (1 - (1 - 1 / nodes) ** Math.min(copies, MOST_NODES)) * (1 - 1 / nodes)
    : (copies * (nodes - 1)) / nodes;
  const remoteSeconds = (visited * bytes) / Math.min(rates.networkBytesPerSecond, link);
  return Math.max(localSeconds, remoteSeconds) + 4 * rates.linkLatencySeconds;
}

/** Nodes that a token may visit under group-limited routing (DeepSeek-V3, arXiv 2412.19437, section 2.1.2). */
const MOST_NODES = 4;

/** One message to a neighbour. */
export function sendSeconds(crossesNodes: boolean, rates: Rates, bytes: number): number {
  return crossesNodes
    ? rates.networkLatencySeconds + bytes / Math.min(rates.networkBytesPerSecond, linkRate(2, rates))
    : rates.linkLatencySeconds + bytes / linkRate(2, rates);
}
