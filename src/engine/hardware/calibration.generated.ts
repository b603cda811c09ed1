/** Made by `npm run calibrate`; the report is in calibrationReport.generated.ts. */
import type { Calibration } from './constants';

export const CALIBRATION: Calibration = {
  "devices": {
    "ampere": {
      "matmulCeiling": 0.8017,
      "halfK": 239.2,
      "flashEfficiency": 0.5174,
      "linkShare": 0.8063,
      "fp8Share": 1
    },
    "blackwell": {
      "matmulCeiling": 0.5989,
      "halfK": 273.7,
      "flashEfficiency": 0.3566,
      "linkShare": 0.6527,
      "fp8Share": 0.9677
    },
    "hopper": {
      "matmulCeiling": 0.7099,
      "halfK": 256.8,
      "flashEfficiency": 0.2662,
      "linkShare": 0.7061,
      "fp8Share": 0.9769
    },
    "volta": {
      "matmulCeiling": 0.7762,
      "halfK": 189.6,
      "flashEfficiency": 0.4,
      "linkShare": 0.7002,
      "fp8Share": 1
    }
  },
  "common": {
    "memoryShare": 0.8142,
    "pointwisePasses": 1.268,
    "compiledShare": 0.5901,
    "fusedShare": 0.7347,
    "unfusedNormBytes": 65.94,
    "headDimExponent": 0.1692,
    "flash1Share": 0.7193,
    "cudnnShare": 1.413,
    "unfusedAttentionShare": 0.7146,
    "softmaxPasses": 0.7268,
    "lossPasses": 0.9713,
    "alignmentLoss": 0.1545,
    "powerExponent": 0.3627,
    "castPasses": 1.149,
    "networkShare": 0.6922,
    "linkLatencySeconds": 0.0000136,
    "linkHopSeconds": 0.000002289,
    "networkLatencySeconds": 0.00002442,
    "ringHopSeconds": 0.00000207,
    "fragmentedRanks": 50.3,
    "launchSeconds": 0.00001029,
    "checkpointSeconds": 0.0008901,
    "microBatchSeconds": 0.0009523,
    "stepSeconds": 0.02555,
    "optimizerBytes": 35.22,
    "accumulationPasses": 0.964,
    "dataParallelOverlap": 0.6111,
    "fsdpOverlap": 0.6999,
    "tensorExposed": 0.2238,
    "contextExposed": 0.2819,
    "dispatchPasses": 3.699,
    "p2pShare": 0.7933,
    "stragglerPerDoubling": 0.007176,
    "retrySeconds": 0.0569
  },
  "stacks": {
    "aleph-alpha": {
      "bias": 1.035,
      "hostFactor": 1.005
    },
    "internevo": {
      "bias": 1.031,
      "hostFactor": 1.002
    },
    "llm-foundry": {
      "bias": 0.9711,
      "hostFactor": 1.002
    },
    "llm-foundry-2023q1": {
      "bias": 1.169,
      "hostFactor": 1.01
    },
    "llm-foundry-2023q2": {
      "bias": 0.9966,
      "hostFactor": 0.9973
    },
    "maxtext": {
      "bias": 0.9504,
      "hostFactor": 0.9999
    },
    "megatron-2021": {
      "bias": 0.951,
      "hostFactor": 0.9897
    },
    "megatron-2022": {
      "bias": 0.896,
      "hostFactor": 0.9661
    },
    "megatron-core": {
      "bias": 1.086,
      "hostFactor": 1.039
    },
    "megatron-deepspeed-2021": {
      "bias": 1.116,
      "hostFactor": 1.031
    },
    "megatron-deepspeed-2023": {
      "bias": 0.906,
      "hostFactor": 1.927
    },
    "nemo": {
      "bias": 0.9786,
      "hostFactor": 1.02
    },
    "nemo-dgxc": {
      "bias": 0.8962,
      "hostFactor": 0.9342
    },
    "stas": {
      "bias": 1.012,
      "hostFactor": 1.001
    },
    "torchtitan": {
      "bias": 1.032,
      "hostFactor": 1.005
    }
  }
};

/** Half-widths of the intervals on logarithms: of a step time from runs left out of the fit, of a memory peak. */
export const UNCERTAINTY = {"coverage":0.8,"knownStack":0.123,"unknownStack":0.249,"memory":0.128,"memoryUnknownStack":0.212} as const;
