/** Made by `npm run calibrate`; the report is in calibrationReport.generated.ts. */
import type { Calibration } from './constants';

export const CALIBRATION: Calibration = {
  "devices": {
    "ampere": {
      "matmulCeiling": 0.8014,
      "halfK": 235.6,
      "flashEfficiency": 0.3996,
      "linkShare": 0.8078,
      "fp8Share": 1
    },
    "blackwell": {
      "matmulCeiling": 0.5893,
      "halfK": 281,
      "flashEfficiency": 0.3477,
      "linkShare": 0.6215,
      "fp8Share": 0.9467
    },
    "hopper": {
      "matmulCeiling": 0.7211,
      "halfK": 263.3,
      "flashEfficiency": 0.2062,
      "linkShare": 0.6915,
      "fp8Share": 0.9678
    },
    "volta": {
      "matmulCeiling": 0.7792,
      "halfK": 185.3,
      "flashEfficiency": 0.4,
      "linkShare": 0.7058,
      "fp8Share": 1
    }
  },
  "common": {
    "memoryShare": 0.8194,
    "pointwisePasses": 1.209,
    "compiledShare": 0.5963,
    "fusedShare": 0.7103,
    "unfusedNormBytes": 69.53,
    "headDimExponent": 0.1934,
    "flash1Share": 0.6381,
    "cudnnShare": 1.557,
    "unfusedAttentionShare": 0.7041,
    "softmaxPasses": 0.7174,
    "lossPasses": 0.9805,
    "alignmentLoss": 0.1869,
    "powerExponent": 0.3613,
    "castPasses": 0.9207,
    "networkShare": 0.7108,
    "linkLatencySeconds": 0.00001286,
    "linkHopSeconds": 0.000002222,
    "networkLatencySeconds": 0.00002449,
    "ringHopSeconds": 0.000002015,
    "fragmentedRanks": 33.56,
    "launchSeconds": 0.000009657,
    "checkpointSeconds": 0.0009056,
    "microBatchSeconds": 0.0009934,
    "stepSeconds": 0.01389,
    "optimizerBytes": 33.75,
    "accumulationPasses": 0.989,
    "dataParallelOverlap": 0.4507,
    "fsdpOverlap": 0.6733,
    "tensorExposed": 0.2277,
    "contextExposed": 0.2813,
    "dispatchPasses": 3.98,
    "p2pShare": 0.7879,
    "stragglerPerDoubling": 0.007092,
    "thrash": 1.649
  },
  "stacks": {
    "aleph-alpha": {
      "bias": 1.067,
      "hostFactor": 1.008
    },
    "internevo": {
      "bias": 1.014,
      "hostFactor": 1.001
    },
    "llm-foundry": {
      "bias": 1.003,
      "hostFactor": 1.009
    },
    "llm-foundry-2023q1": {
      "bias": 1.174,
      "hostFactor": 1.006
    },
    "llm-foundry-2023q2": {
      "bias": 1.021,
      "hostFactor": 0.9995
    },
    "maxtext": {
      "bias": 0.9472,
      "hostFactor": 0.9999
    },
    "megatron-2021": {
      "bias": 0.9605,
      "hostFactor": 0.9838
    },
    "megatron-2022": {
      "bias": 0.898,
      "hostFactor": 0.9661
    },
    "megatron-core": {
      "bias": 1.079,
      "hostFactor": 1.038
    },
    "megatron-deepspeed-2021": {
      "bias": 1.119,
      "hostFactor": 1.026
    },
    "megatron-deepspeed-2023": {
      "bias": 0.9182,
      "hostFactor": 1.803
    },
    "nemo": {
      "bias": 0.9656,
      "hostFactor": 1.043
    },
    "nemo-dgxc": {
      "bias": 0.8836,
      "hostFactor": 0.9309
    },
    "stas": {
      "bias": 1.016,
      "hostFactor": 1.002
    },
    "torchtitan": {
      "bias": 0.996,
      "hostFactor": 1.006
    }
  }
};

/** Half-widths of the intervals on logarithms: of a step time from runs left out of the fit, of a memory peak. */
export const UNCERTAINTY = {"coverage":0.8,"knownStack":0.122,"unknownStack":0.228,"memory":0.124} as const;
