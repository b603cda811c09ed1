/** Made by `npm run calibrate`; the report is in calibrationReport.generated.ts. */
import type { Calibration } from './constants';

export const CALIBRATION: Calibration = {
  "devices": {
    "ampere": {
      "matmulCeiling": 0.8032,
      "halfK": 226.7,
      "flashEfficiency": 0.3978,
      "linkShare": 0.8498,
      "fp8Share": 1
    },
    "blackwell": {
      "matmulCeiling": 0.5909,
      "halfK": 276.9,
      "flashEfficiency": 0.349,
      "linkShare": 0.622,
      "fp8Share": 0.9445
    },
    "hopper": {
      "matmulCeiling": 0.7218,
      "halfK": 263,
      "flashEfficiency": 0.2066,
      "linkShare": 0.7,
      "fp8Share": 0.9678
    },
    "volta": {
      "matmulCeiling": 0.7823,
      "halfK": 183.3,
      "flashEfficiency": 0.4,
      "linkShare": 0.7065,
      "fp8Share": 1
    }
  },
  "common": {
    "memoryShare": 0.819,
    "pointwisePasses": 1.216,
    "compiledShare": 0.5979,
    "fusedShare": 0.7159,
    "unfusedNormBytes": 69.94,
    "headDimExponent": 0.1935,
    "flash1Share": 0.6382,
    "cudnnShare": 1.562,
    "unfusedAttentionShare": 0.6919,
    "softmaxPasses": 0.7212,
    "lossPasses": 0.9772,
    "alignmentLoss": 0.201,
    "powerExponent": 0.361,
    "castPasses": 0.9215,
    "networkShare": 0.7093,
    "linkLatencySeconds": 0.00001288,
    "linkHopSeconds": 0.000002269,
    "networkLatencySeconds": 0.00002448,
    "ringHopSeconds": 0.000002012,
    "fragmentedRanks": 33.9,
    "launchSeconds": 0.000009625,
    "checkpointSeconds": 0.0009119,
    "microBatchSeconds": 0.0009881,
    "stepSeconds": 0.0139,
    "optimizerBytes": 34.04,
    "accumulationPasses": 0.9854,
    "dataParallelOverlap": 0.4512,
    "fsdpOverlap": 0.7047,
    "tensorExposed": 0.2272,
    "contextExposed": 0.2812,
    "dispatchPasses": 3.942,
    "p2pShare": 0.7861,
    "stragglerPerDoubling": 0.007513,
    "retrySeconds": 0.05
  },
  "stacks": {
    "aleph-alpha": {
      "bias": 1.069,
      "hostFactor": 1.008
    },
    "internevo": {
      "bias": 1.015,
      "hostFactor": 1.001
    },
    "llm-foundry": {
      "bias": 1.005,
      "hostFactor": 1.009
    },
    "llm-foundry-2023q1": {
      "bias": 1.15,
      "hostFactor": 1.003
    },
    "llm-foundry-2023q2": {
      "bias": 1.023,
      "hostFactor": 0.9995
    },
    "maxtext": {
      "bias": 0.9477,
      "hostFactor": 0.9999
    },
    "megatron-2021": {
      "bias": 0.963,
      "hostFactor": 0.9837
    },
    "megatron-2022": {
      "bias": 0.9019,
      "hostFactor": 0.9662
    },
    "megatron-core": {
      "bias": 1.075,
      "hostFactor": 1.034
    },
    "megatron-deepspeed-2021": {
      "bias": 1.12,
      "hostFactor": 1.025
    },
    "megatron-deepspeed-2023": {
      "bias": 0.9207,
      "hostFactor": 1.801
    },
    "nemo": {
      "bias": 0.9651,
      "hostFactor": 1.043
    },
    "nemo-dgxc": {
      "bias": 0.8836,
      "hostFactor": 0.9313
    },
    "stas": {
      "bias": 1.017,
      "hostFactor": 1.002
    },
    "torchtitan": {
      "bias": 0.9991,
      "hostFactor": 1.006
    }
  }
};

/** Half-widths of the intervals on logarithms: of a step time from runs left out of the fit, of a memory peak. */
export const UNCERTAINTY = {"coverage":0.8,"knownStack":0.122,"unknownStack":0.226,"memory":0.123} as const;
