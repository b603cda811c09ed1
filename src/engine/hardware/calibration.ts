/** The fitted constants by architecture and by stack, with what stands in where nothing was fitted. */
import { CALIBRATION } from './calibration.generated';
import type { Calibration, DeviceConstants, StackConstants } from './constants';
import { type StackFacts, stackFacts } from './stacks';

export { UNCERTAINTY } from './calibration.generated';

/** For architectures without runs: textbook values. */
const ASSUMED: DeviceConstants = {
  matmulCeiling: 0.7,
  halfK: 250,
  flashEfficiency: 0.4,
  linkShare: 0.65,
  fp8Share: 0.85,
};

export interface FittedDevice extends DeviceConstants {
  readonly evidence: 'fitted' | 'assumed';
}

export function deviceConstants(architecture: string, calibration: Calibration = CALIBRATION): FittedDevice {
  const known = Object.hasOwn(calibration.devices, architecture) ? calibration.devices[architecture] : undefined;
  return known === undefined ? { ...ASSUMED, evidence: 'assumed' } : { ...known, evidence: 'fitted' };
}

/** A stack: its facts with its two fitted numbers. */
export interface Stack extends StackFacts, StackConstants {
  readonly name: string;
  readonly evidence: 'fitted' | 'assumed';
}

const stacks = new Map<string | null, Stack>();

/** The stack of a name; the generic one where it is unknown. */
export function stackOf(name: string | null): Stack {
  const known = stacks.get(name);
  if (known !== undefined) return known;
  const facts = stackFacts(name);
  const fitted = Object.hasOwn(CALIBRATION.stacks, facts.family) ? CALIBRATION.stacks[facts.family] : undefined;
  const stack: Stack = {
    ...facts,
    name: name ?? 'generic',
    bias: fitted?.bias ?? 1,
    hostFactor: fitted?.hostFactor ?? 1,
    evidence: fitted === undefined ? 'assumed' : 'fitted',
  };
  stacks.set(name, stack);
  return stack;
}

/** Memory beyond tensors, in bytes and as a share. */
export const MEMORY_CONSTANTS = {
  allocatedOverheadBytes: 0.3 * 2 ** 30,
  reservedOverheadBytes: 1.0 * 2 ** 30,
  /** CUDA context, kernels and libraries with the reserved overhead, as nvidia-smi shows them. */
  contextBytes: 1.5 * 2 ** 30,
  /** Channels and buffers of one kind of group. */
  communicatorBytes: 0.5 * 2 ** 30,
} as const;
