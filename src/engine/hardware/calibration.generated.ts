/** Made by `npm run calibrate`; the report is in calibrationReport.generated.ts. */
import type { Calibration } from './calibration';

export const CALIBRATION: Calibration = {
  devices: {
    ampere: {
      matmulCeiling: 0.7994,
      halfK: 238.4,
      flashEfficiency: 0.3991,
      linkShare: 0.7524,
      fp8Share: 1,
    },
    blackwell: {
      matmulCeiling: 0.5857,
      halfK: 280.2,
      flashEfficiency: 0.3523,
      linkShare: 0.599,
      fp8Share: 0.9492,
    },
    hopper: {
      matmulCeiling: 0.7199,
      halfK: 263.3,
      flashEfficiency: 0.2058,
      linkShare: 0.6924,
      fp8Share: 0.9681,
    },
    volta: {
      matmulCeiling: 0.7776,
      halfK: 188.1,
      flashEfficiency: 0.4,
      linkShare: 0.7043,
      fp8Share: 1,
    },
  },
  common: {
    memoryShare: 0.8214,
    pointwisePasses: 1.224,
    compiledShare: 0.5962,
    fusedShare: 0.7144,
    unfusedNormBytes: 69.11,
    headDimExponent: 0.1952,
    flash1Share: 0.6393,
    cudnnShare: 1.572,
    unfusedAttentionShare: 0.7138,
    softmaxPasses: 0.7061,
    lossPasses: 0.9789,
    alignmentLoss: 0.1867,
    powerExponent: 0.38,
    castPasses: 0.9212,
    networkShare: 0.7112,
    linkLatencySeconds: 0.0000134,
    linkHopSeconds: 0.000005447,
    networkLatencySeconds: 0.00002452,
    ringHopSeconds: 0.000002014,
    fragmentedRanks: 33.69,
    launchSeconds: 0.00001009,
    checkpointSeconds: 0.001297,
    microBatchSeconds: 0.001045,
    stepSeconds: 0.01193,
    optimizerBytes: 33.97,
    accumulationPasses: 0.9925,
    dataParallelOverlap: 0.4522,
    fsdpOverlap: 0.6743,
    tensorExposed: 0.2384,
    contextExposed: 0.2821,
    dispatchPasses: 3.903,
    p2pShare: 0.7882,
    stragglerPerDoubling: 0.007287,
    thrash: 1.648,
  },
  stacks: {
    'aleph-alpha': {
      bias: 1.068,
      hostFactor: 1.012,
    },
    internevo: {
      bias: 1.012,
      hostFactor: 1.003,
    },
    'llm-foundry': {
      bias: 1.001,
      hostFactor: 1.113,
    },
    'llm-foundry-2023q1': {
      bias: 1.171,
      hostFactor: 1.05,
    },
    'llm-foundry-2023q2': {
      bias: 1.019,
      hostFactor: 1.007,
    },
    maxtext: {
      bias: 0.9466,
      hostFactor: 0.998,
    },
    'megatron-2021': {
      bias: 0.9644,
      hostFactor: 0.9794,
    },
    'megatron-2022': {
      bias: 0.9096,
      hostFactor: 0.97,
    },
    'megatron-core': {
      bias: 1.08,
      hostFactor: 1.178,
    },
    'megatron-deepspeed-2021': {
      bias: 1.118,
      hostFactor: 1.062,
    },
    'megatron-deepspeed-2023': {
      bias: 0.9168,
      hostFactor: 1.399,
    },
    nemo: {
      bias: 0.9638,
      hostFactor: 1.025,
    },
    'nemo-dgxc': {
      bias: 0.8849,
      hostFactor: 0.9188,
    },
    stas: {
      bias: 1.017,
      hostFactor: 1.025,
    },
    torchtitan: {
      bias: 0.9934,
      hostFactor: 1.093,
    },
  },
};

/** Half-widths of the interval on the logarithm of a step time, from runs left out of the fit. */
export const TIME_UNCERTAINTY = { coverage: 0.8, knownStack: 0.131, unknownStack: 0.233 } as const;
