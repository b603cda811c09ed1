/** What a cost depends on besides the plan: the device with its constants, and one kind of layer. */
import type { Accelerator } from '../hardware/accelerators';
import type { FittedDevice } from '../hardware/calibration';
import type { Layer } from '../model/architecture';
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
  /** A part whose power limit is well below that of its chip's best part. */
  readonly lowPower: boolean;
}

export interface Device {
  readonly id: string;
  readonly accelerator: Accelerator;
  readonly rates: DeviceRates;
  readonly constants: FittedDevice;
  readonly capacityBytes: number;
}

/** 500 W parts of a 700 W chip. */
const LOW_POWER: ReadonlySet<string> = new Set(['h100-96-hbm2e', 'h100-95']);

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
    lowPower: LOW_POWER.has(id),
  };
}
