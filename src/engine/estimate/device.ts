/** What a cost depends on besides the plan: the device with its constants, and one kind of layer. */
import type { Accelerator } from '../hardware/accelerators';
import type { FittedDevice } from '../hardware/calibration';
import { clockRatio, exponentialRatio, powerRatio } from '../hardware/power';
import type { Layer } from '../model/layer';
import type { LayerParameters } from '../model/parameters';

export interface LayerKind {
  readonly layer: Layer;
  readonly parameters: LayerParameters;
}

/** Datasheet rates that the cost model reads. */
export interface DeviceRates {
  readonly architecture: string;
  readonly sms: number | null;
  readonly peak16: number;
  readonly peak8: number | null;
  readonly peak32: number;
  readonly memoryBytesPerSecond: number;
  readonly peak4: number | null;
  /** Power limit over that of the architecture's reference part. */
  readonly powerRatio: number;
  /** The peak at the reference's clock over the part's own (see power.ts). */
  readonly clockRatio: number;
  /** Exponentials a second of a multiprocessor over those of the architecture's reference part. */
  readonly exponentialRatio: number;
}

export interface Device {
  readonly id: string;
  readonly accelerator: Accelerator;
  readonly rates: DeviceRates;
  readonly constants: FittedDevice;
  readonly capacityBytes: number;
}

export function deviceRates(
  id: string,
  { architecture, sms, peakFlopsPerSecond: peak, memoryBytesPerSecond }: Accelerator,
): DeviceRates {
  const peak16 = peak.bf16 ?? peak.fp16 ?? peak.fp32 ?? 1e12;
  return {
    architecture,
    sms,
    peak16,
    peak8: peak.fp8,
    peak32: peak.tf32 ?? peak.fp32 ?? peak16 / 2,
    memoryBytesPerSecond,
    peak4: peak.fp4,
    powerRatio: powerRatio(id, architecture),
    clockRatio: clockRatio(architecture, sms, peak16),
    exponentialRatio: exponentialRatio(id),
  };
}
