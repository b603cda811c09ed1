/** The fitted constants by architecture and by stack, with what stands in where nothing was fitted. */
import type { Accelerator } from './accelerators';
import { CALIBRATION } from './calibration.generated';
import type { Calibration, DeviceConstants, FittedStack, StackConstants } from './constants';
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

/** Share of the best product ever measured on a device that its steps sustain: 0.94 on A100, 0.90 on H100, 0.77 on B200. */
const SUSTAINED = 0.88;

/** Textbook values, and never more than what was measured where anything was. */
function assumedConstants({ attainableFlopsPerSecond: best, peakFlopsPerSecond: peak }: Accelerator): DeviceConstants {
  const reached = (best.bf16 ?? NaN) / (peak.bf16 ?? NaN);
  const reached8 = (best.fp8 ?? NaN) / (peak.fp8 ?? NaN);
  const ceiling = Math.min(ASSUMED.matmulCeiling, known(SUSTAINED * reached, ASSUMED.matmulCeiling));
  return {
    ...ASSUMED,
    matmulCeiling: ceiling,
    // Fused attention is made of the same products.
    flashEfficiency: (ASSUMED.flashEfficiency * ceiling) / ASSUMED.matmulCeiling,
    fp8Share: Math.min(1, known(reached8 / reached, ASSUMED.fp8Share)),
  };
}

function known(value: number, fallback: number): number {
  return Number.isFinite(value) ? value : fallback;
}

export interface FittedDevice extends DeviceConstants {
  readonly evidence: 'fitted' | 'assumed';
}

export function deviceConstants(device: Accelerator, calibration: Calibration = CALIBRATION): FittedDevice {
  const { architecture } = device;
  const fitted = Object.hasOwn(calibration.devices, architecture) ? calibration.devices[architecture] : undefined;
  return fitted === undefined
    ? { ...assumedConstants(device), evidence: 'assumed' }
    : { ...fitted, evidence: 'fitted' };
}

/** A stack: its facts with its two fitted numbers. */
export interface Stack extends StackFacts, StackConstants {
  readonly name: string;
  readonly evidence: 'fitted' | 'assumed';
}

/**
 * The bias of a family on an architecture. Where it was not fitted to runs on that architecture, part of it is the
 * machines that it was fitted to, and its logarithm counts S/(S + 1) for S sources: what is left of the mean of S
 * sources that vary among themselves as stacks do (shrinkage, Efron and Morris 1975, JASA 70, 311).
 */
export function biasOn({ bias, evidence }: FittedStack, architecture: string): number {
  if (evidence === undefined || evidence.architectures.includes(architecture)) return bias;
  return bias ** (evidence.sources / (evidence.sources + 1));
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
    hostFactor: fitted?.hostFactor ?? facts.assumedHostFactor,
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
