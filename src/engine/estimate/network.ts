/**
 * Groups of ranks on links, and the time of a collective among them.
 *
 * Legend: n ranks of a group, `stride` ranks between neighbours (axes nest tp, cp, dp, pp from the inside), S bytes of
 * the whole tensor, α latency, B bandwidth of one rank and direction. Ring: all-gather and reduce-scatter cost
 * (n−1)α + (n−1)/n·S/B each, all-reduce both (Thakur et al. 2005, section 4).
 */
import { GLOBAL_CONSTANTS } from '../hardware/calibration';

export interface Network {
  /** Of the fast link, per GPU and direction, as collectives reach it. */
  readonly linkBytesPerSecond: number;
  /** Of the network, per GPU and direction, as collectives reach it. */
  readonly networkBytesPerSecond: number;
  /** GPUs that the fast link joins. */
  readonly domainSize: number;
  readonly linkLatencySeconds: number;
  readonly networkLatencySeconds: number;
}

export interface Group {
  readonly ranks: number;
  /** Of these, in one fast-link domain. */
  readonly local: number;
  readonly bytesPerSecond: number;
  readonly latencySeconds: number;
  readonly crossesNodes: boolean;
}

/** Where a group of `ranks` ranks, `stride` apart, lies. Rings over several nodes use the NICs of all local members. */
export function placeGroup(network: Network, ranks: number, stride: number): Group {
  const local = Math.max(1, Math.min(ranks, Math.floor(network.domainSize / stride)));
  const crossesNodes = ranks > local;
  const link = network.linkBytesPerSecond;
  return {
    ranks,
    local,
    crossesNodes,
    bytesPerSecond: crossesNodes ? Math.min(link, network.networkBytesPerSecond * local) : link,
    latencySeconds: crossesNodes
      ? network.networkLatencySeconds + GLOBAL_CONSTANTS.ringHopSeconds * ranks
      : network.linkLatencySeconds,
  };
}

/** All-gather or reduce-scatter of S bytes in total. */
export function gatherSeconds(group: Group, bytes: number): number {
  if (group.ranks <= 1 || bytes === 0) return 0;
  return group.latencySeconds + (((group.ranks - 1) / group.ranks) * bytes) / group.bytesPerSecond;
}

export function allReduceSeconds(group: Group, bytes: number): number {
  return 2 * gatherSeconds(group, bytes);
}

/** Each rank holds S bytes and sends (n−1)/n of them; the remote part goes over the rank's own share of the network. */
export function allToAllSeconds(group: Group, network: Network, bytes: number): number {
  const { ranks, local } = group;
  if (ranks <= 1 || bytes === 0) return 0;
  const localSeconds = (((local - 1) / ranks) * bytes) / network.linkBytesPerSecond;
  const remoteSeconds = (((ranks - local) / ranks) * bytes) / network.networkBytesPerSecond;
  return Math.max(localSeconds, remoteSeconds) + 4 * network.linkLatencySeconds;
}

/** One message to a neighbour. */
export function sendSeconds(group: Group, network: Network, bytes: number): number {
  const rate = group.crossesNodes ? network.networkBytesPerSecond : network.linkBytesPerSecond;
  return group.latencySeconds + bytes / rate;
}
