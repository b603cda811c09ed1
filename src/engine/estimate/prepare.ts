/**
 * What an evaluation looks up: the model's kinds of layers, the device, the network, and memos of the costs of a layer
 * under the degrees that it depends on. `prepare` is called once for a setup, `evaluate` for every plan.
 */
import { accelerator, isAcceleratorId } from '../hardware/accelerators';
import { ARCHITECTURE_CONSTANTS, ASSUMED_CONSTANTS, GLOBAL_CONSTANTS } from '../hardware/calibration';
import type { Model } from '../model/architecture';
import { embeddingParameters, headParameters, layerParameters, normParameters } from '../model/parameters';
import type { Cluster } from '../setup/setup';
import type { Device, LayerKind } from './device';
import type { EndCosts, LayerCosts } from './layerCosts';
import type { EndSizes, LayerSizes } from './layerSizes';
import type { Network } from './network';
import { createScheduleMemo, type ScheduleMemo } from './schedule';

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
  readonly network: Network | null;
  readonly gpusPerNode: number;
  readonly sizesMemo: Map<string, LayerSizes>;
  readonly endSizesMemo: Map<string, EndSizes>;
  readonly layerMemo: Map<string, LayerCosts>;
  readonly endMemo: Map<string, EndCosts>;
  readonly scheduleMemo: ScheduleMemo;
}

/** Tables of a model on a cluster; the cluster may be unknown. */
export function prepare(model: Model, cluster: Cluster): Tables {
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
  const device = prepareDevice(cluster);
  return {
    model,
    kinds,
    kindOfLayer,
    embeddingParameters: embeddingParameters(model),
    headParameters: headParameters(model),
    finalNormParameters: normParameters(model.finalNorm, model.hidden),
    device,
    network: device === null ? null : prepareNetwork(cluster, device),
    gpusPerNode: cluster.gpusPerNode ?? device?.accelerator.gpusPerNode ?? 8,
    sizesMemo: new Map(),
    endSizesMemo: new Map(),
    layerMemo: new Map(),
    endMemo: new Map(),
    scheduleMemo: createScheduleMemo(),
  };
}

function prepareDevice({ gpu, capacityBytes }: Cluster): Device | null {
  if (gpu === null || !isAcceleratorId(gpu)) return null;
  const entry = accelerator(gpu);
  return {
    id: gpu,
    accelerator: entry,
    constants: ARCHITECTURE_CONSTANTS[entry.architecture] ?? ASSUMED_CONSTANTS,
    capacityBytes: capacityBytes ?? entry.capacityBytes,
  };
}

/** Devices without a fast link talk over PCIe, which the GPUs of a node share with their NICs. */
function prepareNetwork(cluster: Cluster, { accelerator: entry, constants }: Device): Network {
  const pcie = entry.pcieBytesPerSecond ?? 12e9;
  const link = entry.link.bytesPerSecond ?? pcie;
  const network = cluster.nicBytesPerSecond ?? entry.nicBytesPerSecond ?? pcie / 4;
  const gpusPerNode = cluster.gpusPerNode ?? entry.gpusPerNode;
  const hasLink = entry.link.bytesPerSecond !== null;
  return {
    linkBytesPerSecond: link * constants.linkShare,
    networkBytesPerSecond: network * GLOBAL_CONSTANTS.networkShare,
    domainSize: hasLink ? (cluster.domainSize ?? entry.domainSize) : gpusPerNode,
    linkLatencySeconds: GLOBAL_CONSTANTS.linkLatencySeconds,
    networkLatencySeconds: GLOBAL_CONSTANTS.networkLatencySeconds,
  };
}
