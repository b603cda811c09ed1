/** The network that a group of ranks finds on a catalogue device. */
import { type Accelerator } from '../hardware/accelerators';
import type { GroupNetwork } from './cost';
import { LINK_PROFILES, linkFamily } from './linkProfiles';

export interface MachineOptions {
  readonly gpusPerNode?: number;
  readonly domainSize?: number;
  /** bytes/s per GPU and direction. */
  readonly nicBytesPerSecond?: number;
}

/**
 * Ranks 0 … n − 1 fill the domains in order. A device without a fast link, or with one that joins pairs only while the
 * group is larger, talks over PCIe inside its node.
 */
export function networkOf(
  gpuId: string,
  device: Accelerator,
  ranks: number,
  options: MachineOptions = {},
): GroupNetwork {
  const gpusPerNode = options.gpusPerNode ?? device.gpusPerNode;
  const joined = options.domainSize ?? (device.domainSize === device.gpusPerNode ? gpusPerNode : device.domainSize);
  const linked = device.link.bytesPerSecond !== null && (joined > 2 || ranks <= joined);
  const domain = linked ? joined : gpusPerNode;
  const link = linked ? device.link.bytesPerSecond : device.pcieBytesPerSecond;
  return {
    ranks,
    ranksPerDomain: Math.min(ranks, domain),
    linkBytesPerSecond: link ?? device.link.bytesPerSecond ?? 0,
    nicBytesPerSecond: options.nicBytesPerSecond ?? device.nicBytesPerSecond,
    profile: LINK_PROFILES[linked ? linkFamily(gpuId) : 'pcie'],
  };
}
