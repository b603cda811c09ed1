/** What a cost depends on besides the plan: the device with its constants, and one kind of layer. */
import type { Accelerator } from '../hardware/accelerators';
import type { ArchitectureConstants } from '../hardware/calibration';
import type { Layer } from '../model/architecture';
import type { LayerParameters } from '../model/parameters';

export interface LayerKind {
  readonly layer: Layer;
  readonly parameters: LayerParameters;
}

export interface Device {
  readonly id: string;
  readonly accelerator: Accelerator;
  readonly constants: ArchitectureConstants;
  readonly capacityBytes: number;
}
