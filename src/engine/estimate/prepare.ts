/**
 * What an evaluation looks up: the model's kinds of layers, the device, the network, and memos of the costs of a layer
 * under the degrees that it depends on. `prepare` is called once for a setup, `evaluate` for every plan.
 */
import { accelerator, isAcceleratorId } from '../hardware/accelerators';
import { deviceConstants } from '../hardware/calibration';
import type { Calibration, CommonConstants } from '../hardware/constants';
import { CALIBRATION } from '../hardware/calibration.generated';
import type { Model } from '../model/architecture';
import { embeddingParameters, headParameters, layerParameters, normParameters } from '../model/parameters';
import type { Cluster } from '../setup/setup';
import { type Device, deviceRates, type LayerKind } from './device';
import { type HostRates, hostRates } from './hostMemory';
import type { EndCosts, LayerCosts, Pricing } from './layerCosts';
import type { EndCounts, EndWork, LayerCounts, LayerWork } from './layerWork';
import type { Rates, Topology } from './network';
import { createScheduleMemo, type ScheduleMemo } from './schedule';
import type { Setting } from './setting';
import type { Layout } from './stages';

/** What is priced of every kind of layer and of the ends under one workload. */
export interface Counts {
  readonly layers: readonly LayerCounts[];
  readonly ends: EndCounts;
}

/** The work of every kind of layer and of the ends under one workload, with its costs where there is a device. */
export interface WorkEntry {
  readonly layers: readonly LayerWork[];
  readonly ends: EndWork;
  readonly costs: readonly LayerCosts[] | null;
  readonly endCosts: EndCosts | null;
}

export interface Tables {
  readonly model: Model;
  readonly kinds: readonly LayerKind[];
  /** By layer: the index of its kind. */
  readonly kindOfLayer: Int32Array;
  readonly embeddingParameters: number;
  readonly headParameters: number;
  readonly finalNormParameters: number;
  /** null: only what needs no device (memory of states) can be computed. */
  readonly device: Device | null;
  readonly topology: Topology;
  readonly rates: Rates;
  readonly host: HostRates;
  readonly common: CommonConstants;
  /** By family of stacks. */
  readonly stacks: Calibration['stacks'];
  readonly gpusPerNode: number;
  readonly settings: Setting[];
  readonly pricings: (Pricing | undefined)[];
  /** Of the last workloads alone: plans that differ in what they recompute share them. */
  readonly countsMemo: Map<string, Counts>;
  readonly workMemo: Map<number | string, WorkEntry>;
  readonly layoutMemo: Map<number | string, Layout>;
  readonly scheduleMemo: ScheduleMemo;
}

/** Tables of a model on a cluster; the cluster may be unknown. */
export function prepare(model: Model, cluster: Cluster, calibration: Calibration = CALIBRATION): Tables {
  const kinds: LayerKind[] = [];
  const kindOfLayer = new Int32Array(model.layers);
  const indexOf = new Map<string, number>();
  let position = 0;
  for (const { count, layer } of model.groups) {
    const key = JSON.stringify(layer);
    let kind = indexOf.get(key);
    if (kind === undefined) {
      kind = kinds.length;
      indexOf.set(key, kind);
      kinds.push({ layer, parameters: layerParameters(model.hidden, layer) });
    }
    kindOfLayer.fill(kind, position, position + count);
    position += count;
  }
  const device = prepareDevice(cluster, calibration);
  const topology = prepareTopology(cluster, device);
  const gpusPerNode = cluster.gpusPerNode ?? device?.accelerator.gpusPerNode ?? 8;
  return {
    model,
    kinds,
    kindOfLayer,
    embeddingParameters: embeddingParameters(model),
    headParameters: headParameters(model),
    finalNormParameters: normParameters(model.finalNorm, model.hidden),
    device,
    topology,
    rates: networkRates(topology, device?.constants.linkShare ?? 1, calibration.common),
    common: calibration.common,
    stacks: calibration.stacks,
    host: hostRates(
      cluster.gpu,
      device?.accelerator.pcieBytesPerSecond ?? PCIE,
      Math.min(gpusPerNode, cluster.gpus ?? gpusPerNode),
    ),
    gpusPerNode,
    settings: [],
    pricings: [],
    countsMemo: new Map(),
    workMemo: new Map(),
    layoutMemo: new Map(),
    scheduleMemo: createScheduleMemo(),
  };
}

export function prepareDevice({ gpu, capacityBytes }: Cluster, calibration: Calibration): Device | null {
  if (gpu === null || !isAcceleratorId(gpu)) return null;
  const entry = accelerator(gpu);
  return {
    id: gpu,
    accelerator: entry,
    rates: deviceRates(gpu, entry),
    constants: deviceConstants(entry, calibration),
    capacityBytes: capacityBytes ?? entry.capacityBytes,
  };
}

/**
 * Others that each GPU has wires of its own to where there is no switch: V100 boards have 2 of 6 links for each of 3
 * neighbours, boards of Instinct a link for each of the 7 others.
 */
const DIRECT_PEERS: Readonly<Record<string, number>> = { volta: 3, cdna3: 7, cdna4: 7 };

/** A Gen3 slot, where the device's own is not known. */
const PCIE = 12e9;

/** Devices without a fast link talk over PCIe, which the GPUs of a node share with their NICs. */
export function prepareTopology(cluster: Cluster, device: Device | null): Topology {
  const entry = device?.accelerator;
  const pcie = entry?.pcieBytesPerSecond ?? PCIE;
  const link = entry?.link.bytesPerSecond ?? null;
  const gpusPerNode = cluster.gpusPerNode ?? entry?.gpusPerNode ?? 8;
  // A TPU slice is one fabric.
  const slice = entry?.link.kind === 'ici' ? (cluster.gpus ?? 1) : 1;
  const domain = Math.max(cluster.domainSize ?? entry?.domainSize ?? gpusPerNode, slice);
  return {
    domainSize: link === null ? gpusPerNode : Math.max(1, domain),
    linkBytesPerSecond: link ?? pcie,
    networkBytesPerSecond: cluster.nicBytesPerSecond ?? entry?.nicBytesPerSecond ?? pcie / 4,
    directPeers: link === null ? 0 : (DIRECT_PEERS[entry?.architecture ?? ''] ?? 0),
  };
}

export function networkRates(topology: Topology, linkShare: number, common: CommonConstants): Rates {
  return {
    linkBytesPerSecond: topology.linkBytesPerSecond * linkShare,
    networkBytesPerSecond: topology.networkBytesPerSecond * common.networkShare,
    linkLatencySeconds: common.linkLatencySeconds,
    linkHopSeconds: common.linkHopSeconds,
    networkLatencySeconds: common.networkLatencySeconds,
    ringHopSeconds: common.ringHopSeconds,
    directPeers: topology.directPeers,
  };
}
