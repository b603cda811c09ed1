/**
 * Seconds of what lies in the host's memory or on its disks: gradients that leave for it, an optimizer that runs there,
 * weights that come back.
 *
 * Legend: P parameters that a device answers for, B bytes/s between it and the host in one direction, R parameters/s
 * that its share of the host's cores updates, D bytes/s of its share of the disks.
 *   gradients down 2P/B · Adam P/R, with its states read from disk and written back 24P/D · weights up 2P/B under it.
 */
import type { ReadyPlan } from '../plan/ready';

/** One device's share of its host. */
export interface HostRates {
  readonly linkBytesPerSecond: number;
  readonly adamParametersPerSecond: number;
  readonly diskBytesPerSecond: number;
}

/** A vectorised Adam on both sockets of a node: 10⁹ parameters in 0.24 s, 10¹⁰ in 2.58 s (ZeRO-Offload, arXiv 2101.06840, table 4). */
const NODE_ADAM = 4e9;

/** NVMe bandwidth of one device's share of a node (ZeRO-Infinity, arXiv 2104.07857, section 3). */
const DISK = 1.6e9;

/** Devices on a coherent link to a CPU with memory of 500 GB/s; Adam by that bandwidth over 30 bytes a parameter: assumed. */
const COHERENT: Readonly<Record<string, Omit<HostRates, 'diskBytesPerSecond'>>> = {
  gh200: { linkBytesPerSecond: 375e9, adamParametersPerSecond: 12e9 },
  gb200: { linkBytesPerSecond: 190e9, adamParametersPerSecond: 6e9 },
  gb300: { linkBytesPerSecond: 190e9, adamParametersPerSecond: 6e9 },
};

/** `devices`: of one node, which share its cores. */
export function hostRates(id: string | null, pcieBytesPerSecond: number, devices: number): HostRates {
  const coherent = id !== null && Object.hasOwn(COHERENT, id) ? COHERENT[id] : null;
  return {
    linkBytesPerSecond: coherent?.linkBytesPerSecond ?? pcieBytesPerSecond,
    adamParametersPerSecond: coherent?.adamParametersPerSecond ?? NODE_ADAM / Math.max(1, devices),
    diskBytesPerSecond: DISK,
  };
}

export function offloadsOptimizer({ offload }: Pick<ReadyPlan, 'offload'>): boolean {
  return offload === 'optimizer' || offload === 'optimizer+params';
}

export function offloadsWeights({ offload }: Pick<ReadyPlan, 'offload'>): boolean {
  return offload === 'params' || offload === 'optimizer+params';
}

/** Gradients of a device's parameters on their way to the host, as they are reduced. */
export function downSeconds(plan: ReadyPlan, host: HostRates, parameters: number): number {
  return offloadsOptimizer(plan) ? (2 * parameters) / host.linkBytesPerSecond : 0;
}

/** The update of a device's parameters on the host; `share` of Adam's bytes that the optimizer moves. */
export function hostOptimizerSeconds(plan: ReadyPlan, host: HostRates, parameters: number, share: number): number {
  const disk = plan.offloadDevice === 'nvme' ? (24 * parameters * share) / host.diskBytesPerSecond : 0;
  const update = (parameters * share) / host.adamParametersPerSecond + disk;
  return Math.max(update, (2 * parameters) / host.linkBytesPerSecond);
}

/** One fetch of a device's share of 16-bit weights from where they lie. */
export function fetchSeconds(plan: ReadyPlan, host: HostRates, parameters: number): number {
  if (!offloadsWeights(plan)) return 0;
  const rate =
    plan.offloadDevice === 'nvme'
      ? Math.min(host.diskBytesPerSecond, host.linkBytesPerSecond)
      : host.linkBytesPerSecond;
  return (2 * parameters) / rate;
}
