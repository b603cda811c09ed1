/** Made by `npm run calibrate`; the report is in calibrationReport.generated.ts. */
import type { Calibration } from './constants';

export const CALIBRATION: Calibration = {
  "devices": {
    "ampere": {
      "matmulCeiling": 0.7966,
      "halfK": 237.2,
      "flashEfficiency": 0.5181,
      "linkShare": 0.7913,
      "fp8Share": 1
    },
    "blackwell": {
      "matmulCeiling": 0.5987,
      "halfK": 275.1,
      "flashEfficiency": 0.3555,
      "linkShare": 0.6541,
      "fp8Share": 0.9696
    },
    "hopper": {
      "matmulCeiling": 0.7099,
      "halfK": 257.6,
      "flashEfficiency": 0.2661,
      "linkShare": 0.7048,
      "fp8Share": 0.9765
    },
    "volta": {
      "matmulCeiling": 0.7723,
      "halfK": 184.5,
      "flashEfficiency": 0.4,
      "linkShare": 0.7011,
      "fp8Share": 1
    }
  },
  "common": {
    "memoryShare": 0.8119,
    "pointwisePasses": 1.27,
    "compiledShare": 0.5905,
    "fusedShare": 0.7373,
    "unfusedNormBytes": 65.49,
    "headDimExponent": 0.1714,
    "flash1Share": 0.7182,
    "cudnnShare": 1.413,
    "unfusedAttentionShare": 0.7269,
    "softmaxPasses": 0.726,
    "lossPasses": 0.9889,
    "alignmentLoss": 0.1509,
    "powerExponent": 0.363,
    "castPasses": 1.144,
    "networkShare": 0.6901,
    "linkLatencySeconds": 0.00001362,
    "linkHopSeconds": 0.000002368,
    "networkLatencySeconds": 0.00002445,
    "ringHopSeconds": 0.000002074,
    "fragmentedRanks": 50.53,
    "launchSeconds": 0.00001025,
    "checkpointSeconds": 0.0008887,
    "microBatchSeconds": 0.0009745,
    "stepSeconds": 0.0268,
    "optimizerBytes": 35.53,
    "accumulationPasses": 0.9769,
    "dataParallelOverlap": 0.6139,
    "fsdpOverlap": 0.6906,
    "tensorExposed": 0.2235,
    "contextExposed": 0.2817,
    "dispatchPasses": 3.715,
    "p2pShare": 0.7905,
    "stragglerPerDoubling": 0.007119,
    "retrySeconds": 0.07218
  },
  "stacks": {
    "aleph-alpha": {
      "bias": 1.034,
      "hostFactor": 1.005
    },
    "internevo": {
      "bias": 1.03,
      "hostFactor": 1.002
    },
    "llm-foundry": {
      "bias": 0.9694,
      "hostFactor": 1.003
    },
    "llm-foundry-2023q1": {
      "bias": 1.172,
      "hostFactor": 1.01
    },
    "llm-foundry-2023q2": {
      "bias": 0.9953,
      "hostFactor": 0.9977
    },
    "maxtext": {
      "bias": 0.9501,
      "hostFactor": 0.9999
    },
    "megatron-2021": {
      "bias": 0.9523,
      "hostFactor": 0.9917
    },
    "megatron-2022": {
      "bias": 0.9002,
      "hostFactor": 0.9653
    },
    "megatron-core": {
      "bias": 1.089,
      "hostFactor": 1.043
    },
    "megatron-deepspeed-2021": {
      "bias": 1.12,
      "hostFactor": 1.032
    },
    "megatron-deepspeed-2023": {
      "bias": 0.9082,
      "hostFactor": 1.936
    },
    "nemo": {
      "bias": 0.9781,
      "hostFactor": 1.021
    },
    "nemo-dgxc": {
      "bias": 0.8951,
      "hostFactor": 0.9324
    },
    "stas": {
      "bias": 1.012,
      "hostFactor": 1.001
    },
    "torchtitan": {
      "bias": 1.029,
      "hostFactor": 1.005
    }
  }
};

/** Half-widths of the intervals on logarithms: of a step time from runs left out of the fit, of a memory peak. */
export const UNCERTAINTY = {"coverage":0.8,"knownStack":0.129,"unknownStack":0.26,"memory":0.128,"memoryUnknownStack":0.212} as const;
