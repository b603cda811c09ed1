/**
 * Seconds of a collective from its closed form and a link profile.
 *
 * Legend: S bytes · α seconds a hop · B bytes/s · a protocol has its own start, α and share of B: the low-latency one
 * wins for short messages, the bulk one for long ones (NCCL's LL and Simple). T = min over protocols of
 * start + Σ hops · α + S · fraction / B.
 */
import { segmentsFor } from './build';
import type { LinkProfile } from './linkProfiles';
import type { Algorithm, CollectiveOp } from './schedule';
import type { Shape } from './shapeParts';
import { shapeOf } from './shapes';
import type { Wires } from './wires';

/** Where a group's ranks stand and on what hardware. */
export interface GroupNetwork {
  readonly ranks: number;
  /** Ranks of the group in one scale-up domain. */
  readonly ranksPerDomain: number;
  /** Datasheet rates of one rank in one direction. */
  readonly linkBytesPerSecond: number;
  readonly nicBytesPerSecond: number | null;
  readonly profile: LinkProfile;
}

export const PROTOCOLS = ['low-latency', 'bulk'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** The wires of a group under one protocol. */
export function wiresOf(network: GroupNetwork, protocol: Protocol): Wires {
  const { profile, ranksPerDomain, ranks, linkBytesPerSecond, nicBytesPerSecond } = network;
  const fast = protocol === 'low-latency';
  const wire = (bytesPerSecond: number, link: LinkProfile['scaleUp']) => ({
    alphaSeconds: fast ? link.lowLatencyAlphaSeconds : link.bulkAlphaSeconds,
    bytesPerSecond: bytesPerSecond * link.efficiency * (fast ? profile.lowLatencyShare : 1),
  });
  const far = ranks > ranksPerDomain && nicBytesPerSecond !== null;
  return {
    ranksPerDomain,
    scaleUp: wire(linkBytesPerSecond, profile.scaleUp),
    scaleOut: far ? wire(nicBytesPerSecond, profile.scaleOut) : null,
    toSwitch: profile.inSwitch ? wire(linkBytesPerSecond, profile.inSwitch) : null,
  };
}

/** Seconds of a shape on wires, without the start of the call. */
export function secondsOf(shape: Shape, bytes: number, wires: Wires): number {
  const { scaleUp, scaleOut, toSwitch, ranksPerDomain } = wires;
  const out = scaleOut
    ? (bytes * shape.outFraction) / (scaleOut.bytesPerSecond * (shape.railed ? ranksPerDomain : 1))
    : 0;
  const near =
    (bytes * shape.upFraction) / scaleUp.bytesPerSecond +
    (toSwitch ? (bytes * shape.switchFraction) / toSwitch.bytesPerSecond : 0);
  const latency =
    shape.upHops * scaleUp.alphaSeconds +
    shape.outHops * (scaleOut?.alphaSeconds ?? 0) +
    shape.switchHops * (toSwitch?.alphaSeconds ?? 0);
  return latency + Math.max(near, out) + (1 - shape.overlap) * Math.min(near, out);
}

/** Seconds of one call: the better protocol with its start. Null where the algorithm is not on offer. */
export function collectiveSeconds(
  op: CollectiveOp,
  algorithm: Algorithm,
  bytes: number,
  network: GroupNetwork,
): number | null {
  const { profile, ranks, ranksPerDomain } = network;
  const needsSwitch = algorithm === 'in-switch';
  if (needsSwitch && (!profile.inSwitch || ranks < profile.inSwitch.minimumRanks)) return null;
  const shape = shapeOf(op, algorithm, ranks, ranksPerDomain, {
    inSwitch: hierarchyUsesSwitch(op, network),
    segments: segmentsFor(bytes),
  });
  if (!shape || (ranks > ranksPerDomain && network.nicBytesPerSecond === null)) return null;
  if (ranks === 1) return 0;
  let best = Number.POSITIVE_INFINITY;
  for (const protocol of PROTOCOLS) {
    const wires = wiresOf(network, protocol);
    const start = protocol === 'bulk' ? profile.bulkStartSeconds : profile.startSeconds;
    const far =
      shape.outHops > 0 ? (protocol === 'bulk' ? profile.scaleOut.bulkStartSeconds : profile.scaleOut.startSeconds) : 0;
    const peers = shape.peers * (protocol === 'bulk' ? profile.bulkPeerSeconds : profile.peerSeconds);
    best = Math.min(best, start + far + peers + secondsOf(shape, op === 'barrier' ? 0 : bytes, wires));
  }
  return best;
}

/** Whether the inner level of `hierarchical` reduces in the switch. */
export function hierarchyUsesSwitch(op: CollectiveOp, { profile, ranksPerDomain }: GroupNetwork): boolean {
  const sums = op === 'all-reduce' || op === 'reduce-scatter' || op === 'all-gather';
  return sums && profile.inSwitch !== null && ranksPerDomain >= profile.inSwitch.minimumRanks;
}
