/** What a virtual world's messages cross, and which algorithm a group takes there. */
import type { Group } from './communicator';
import { algorithmsFor, segmentsFor } from './build';
import { rankAlgorithms } from './choose';
import { type GroupNetwork, hierarchyUsesSwitch, secondsOf, wiresOf } from './cost';
import type { LinkProfile } from './linkProfiles';
import type { Algorithm, CollectiveOp } from './schedule';
import { shapeOf } from './shapes';
import type { Wires } from './wires';

export interface WorldNetwork {
  readonly domainSize: number;
  readonly linkBytesPerSecond: number;
  readonly nicBytesPerSecond: number | null;
  readonly profile: LinkProfile;
  /** An algorithm to take where it can do the operation, in the place of the automatic choice. */
  readonly algorithm?: Algorithm;
}

export interface CollectivePlan {
  readonly algorithm: Algorithm;
  readonly ranksPerDomain: number;
  readonly inSwitch: boolean;
  /** Null: no time passes. */
  readonly wires: Wires | null;
  readonly startSeconds: number;
}

/** The wires, the algorithm and the start of one call. Without a network the first algorithm of the book is taken. */
export function planCollective(
  network: WorldNetwork | null,
  group: Group,
  op: CollectiveOp,
  bytes: number,
): CollectivePlan {
  const ranks = group.ranks.length;
  if (!network) return { algorithm: usual(op), ranksPerDomain: ranks, inSwitch: false, wires: null, startSeconds: 0 };
  const placed: GroupNetwork = { ...network, ranks, ranksPerDomain: sharedDomain(group.ranks, network.domainSize) };
  const ranked = rankAlgorithms(op, bytes, placed);
  const asked = ranked.find(a => a.algorithm === network.algorithm);
  const algorithm = (asked ?? ranked.find(a => a.offered))?.algorithm ?? usual(op);
  return {
    algorithm,
    ranksPerDomain: placed.ranksPerDomain,
    inSwitch: hierarchyUsesSwitch(op, placed),
    ...protocolOf(op, algorithm, bytes, placed),
  };
}

const usual = (op: CollectiveOp): Algorithm => algorithmsFor(op)[0];

/** The better protocol's wires and start. */
function protocolOf(op: CollectiveOp, algorithm: Algorithm, bytes: number, network: GroupNetwork) {
  const { profile, ranks, ranksPerDomain } = network;
  const options = { inSwitch: hierarchyUsesSwitch(op, network), segments: segmentsFor(bytes) };
  const shape = shapeOf(op, algorithm, ranks, ranksPerDomain, options);
  const far = ranks > ranksPerDomain;
  const short = {
    wires: wiresOf(network, 'low-latency'),
    startSeconds: profile.startSeconds + (far ? profile.scaleOut.startSeconds : 0),
  };
  const long = {
    wires: wiresOf(network, 'bulk'),
    startSeconds: profile.bulkStartSeconds + (far ? profile.scaleOut.bulkStartSeconds : 0),
  };
  if (!shape || ranks === 1) return { wires: short.wires, startSeconds: 0 };
  const seconds = (p: typeof short) => p.startSeconds + secondsOf(shape, bytes, p.wires);
  return seconds(short) <= seconds(long) ? short : long;
}

/** Ranks of a group in each domain where all domains hold the same number, neighbours in the group; else one. */
function sharedDomain(ranks: readonly number[], domainSize: number): number {
  const domain = (rank: number | undefined) => Math.floor((rank ?? 0) / domainSize);
  let g = 1;
  while (g < ranks.length && domain(ranks[g]) === domain(ranks[0])) g++;
  const even = ranks.length % g === 0 && ranks.every((rank, i) => domain(rank) === domain(ranks[i - (i % g)]));
  return even ? g : 1;
}

/** Seconds of one message between two ranks. */
export function pairSeconds(network: WorldNetwork | null, from: number, to: number, bytes: number): number {
  if (!network || from === to) return 0;
  const near = Math.floor(from / network.domainSize) === Math.floor(to / network.domainSize);
  const group: Group = { axis: 'p2p', ranks: near ? [0, 1] : [0, network.domainSize] };
  const { wires, startSeconds } = planCollective(network, group, 'send-recv', bytes);
  const wire = near ? wires?.scaleUp : (wires?.scaleOut ?? wires?.scaleUp);
  return wire ? startSeconds + wire.alphaSeconds + bytes / wire.bytesPerSecond : 0;
}
