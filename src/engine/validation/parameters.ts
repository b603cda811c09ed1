/**
 * The fitted parameters: prior, spread and bounds of each, and the calibration that a vector of them makes. A prior is
 * a textbook or datasheet value; the spread is the standard deviation of the logarithm.
 *
 * At most 6 for a device and dtype, 2 for a stack, the rest shared by all.
 */
import type { Calibration, CommonConstants, DeviceConstants, StackConstants } from '../hardware/constants';

export interface Parameter {
  readonly name: string;
  readonly prior: number;
  readonly spread: number;
  readonly low: number;
  readonly high: number;
  /** Rows that it can move: an architecture, a family of stacks, or all. */
  readonly architecture: string | null;
  readonly family: string | null;
}

type Bounds = readonly [prior: number, spread: number, low: number, high: number];

const DEVICES: Readonly<Record<string, Readonly<Partial<Record<keyof DeviceConstants, Bounds>>>>> = {
  volta: {
    matmulCeiling: [0.7, 0.12, 0.3, 0.95],
    halfK: [250, 0.5, 50, 1000],
    linkShare: [0.75, 0.25, 0.3, 0.95],
  },
  ampere: {
    matmulCeiling: [0.8, 0.12, 0.3, 0.95],
    halfK: [250, 0.5, 50, 1000],
    flashEfficiency: [0.5, 0.3, 0.1, 0.9],
    linkShare: [0.75, 0.25, 0.3, 0.95],
  },
  hopper: {
    matmulCeiling: [0.7, 0.12, 0.3, 0.9],
    halfK: [250, 0.5, 50, 1000],
    flashEfficiency: [0.35, 0.3, 0.1, 0.9],
    linkShare: [0.7, 0.25, 0.3, 0.95],
    fp8Share: [0.85, 0.15, 0.4, 1.1],
  },
  blackwell: {
    matmulCeiling: [0.65, 0.12, 0.3, 0.9],
    halfK: [250, 0.5, 50, 1000],
    flashEfficiency: [0.35, 0.3, 0.1, 0.9],
    linkShare: [0.7, 0.25, 0.3, 0.95],
    fp8Share: [0.85, 0.15, 0.4, 1.1],
  },
};

const COMMON: Readonly<Record<keyof CommonConstants, Bounds>> = {
  memoryShare: [0.8, 0.1, 0.5, 0.95],
  pointwisePasses: [1.2, 0.4, 0.5, 3],
  compiledShare: [0.5, 0.3, 0.2, 1],
  fusedShare: [0.8, 0.25, 0.3, 1],
  unfusedNormBytes: [60, 0.5, 10, 200],
  headDimExponent: [0.3, 0.6, 0.05, 1],
  flash1Share: [0.65, 0.25, 0.3, 1],
  cudnnShare: [1.4, 0.2, 1, 2.5],
  unfusedAttentionShare: [0.6, 0.3, 0.2, 1],
  softmaxPasses: [1, 0.4, 0.3, 3],
  lossPasses: [1, 0.4, 0.3, 3],
  alignmentLoss: [0.1, 0.5, 0.01, 0.4],
  powerExponent: [0.35, 0.3, 0.1, 0.6],
  castPasses: [1, 0.5, 0.2, 4],
  networkShare: [0.65, 0.25, 0.2, 0.95],
  linkLatencySeconds: [12e-6, 0.5, 2e-6, 60e-6],
  linkHopSeconds: [10e-6, 0.6, 1e-6, 40e-6],
  networkLatencySeconds: [25e-6, 0.5, 5e-6, 200e-6],
  ringHopSeconds: [2e-6, 0.4, 0.2e-6, 10e-6],
  fragmentedRanks: [64, 1, 4, 1024],
  launchSeconds: [8e-6, 0.5, 2e-6, 40e-6],
  checkpointSeconds: [0.5e-3, 0.8, 0.02e-3, 5e-3],
  microBatchSeconds: [1e-3, 0.7, 0.05e-3, 10e-3],
  stepSeconds: [15e-3, 0.7, 1e-3, 100e-3],
  optimizerBytes: [32, 0.4, 12, 80],
  accumulationPasses: [1, 0.3, 0.3, 2],
  dataParallelOverlap: [0.6, 0.3, 0.1, 0.95],
  fsdpOverlap: [0.85, 0.15, 0.4, 0.98],
  tensorExposed: [0.3, 0.4, 0.02, 1],
  contextExposed: [0.3, 0.5, 0.05, 1],
  dispatchPasses: [4, 0.4, 1, 12],
  p2pShare: [1, 0.4, 0.2, 3],
  stragglerPerDoubling: [0.01, 0.6, 0.001, 0.04],
  retrySeconds: [0.05, 0.6, 0.005, 0.5],
};

const STACK: Readonly<Record<keyof StackConstants, Bounds>> = {
  bias: [1, 0.08, 0.7, 1.4],
  hostFactor: [1, 0.6, 0.2, 6],
};

/** The parameters that rows of these architectures and families inform. */
export function parametersFor(architectures: readonly string[], families: readonly string[]): Parameter[] {
  const device = architectures.flatMap(architecture =>
    Object.entries(DEVICES[architecture] ?? {}).map(([key, bounds]) =>
      parameter(`device.${architecture}.${key}`, bounds, architecture, null),
    ),
  );
  const common = Object.entries(COMMON).map(([key, bounds]) => parameter(`common.${key}`, bounds, null, null));
  const stack = families.flatMap(family =>
    Object.entries(STACK).map(([key, bounds]) => parameter(`stack.${family}.${key}`, bounds, null, family)),
  );
  return [...device, ...common, ...stack];
}

function parameter(
  name: string,
  [prior, spread, low, high]: Bounds,
  architecture: string | null,
  family: string | null,
): Parameter {
  return { name, prior, spread, low, high, architecture, family };
}

/** What a device does not fit: no fused attention ran on it, or it has no FP8. */
const UNFITTED: DeviceConstants = {
  matmulCeiling: 0.7,
  halfK: 250,
  flashEfficiency: 0.4,
  linkShare: 0.65,
  fp8Share: 1,
};

/** The calibration of values in the order of the parameters. */
export function calibrationOf(parameters: readonly Parameter[], values: readonly number[]): Calibration {
  const devices: Record<string, Record<string, number>> = {};
  const common: Record<string, number> = {};
  const stacks: Record<string, Record<string, number>> = {};
  parameters.forEach(({ name }, i) => {
    const [kind, second, third] = name.split('.');
    if (kind === 'common') common[second] = values[i];
    else if (kind === 'device') (devices[second] ??= { ...UNFITTED })[third] = values[i];
    else (stacks[second] ??= {})[third] = values[i];
  });
  return { devices, common, stacks } as unknown as Calibration;
}
