/** Made by `npm run calibrate`; the report is in calibrationReport.generated.ts. */
import type { Calibration } from './calibration';

export const CALIBRATION: Calibration = {
  "devices": {
    "ampere": {
      "matmulCeiling": 0.7992,
      "halfK": 238.6,
      "flashEfficiency": 0.3991,
      "linkShare": 0.7525,
      "fp8Share": 1
    },
    "blackwell": {
      "matmulCeiling": 0.5856,
      "halfK": 280.9,
      "flashEfficiency": 0.353,
      "linkShare": 0.5982,
      "fp8Share": 0.9489
    },
    "hopper": {
      "matmulCeiling": 0.7195,
      "halfK": 263.4,
      "flashEfficiency": 0.2057,
      "linkShare": 0.6918,
      "fp8Share": 0.9686
    },
    "volta": {
      "matmulCeiling": 0.778,
      "halfK": 187.8,
      "flashEfficiency": 0.4,
      "linkShare": 0.7049,
      "fp8Share": 1
    }
  },
  "common": {
    "memoryShare": 0.8213,
    "pointwisePasses": 1.222,
    "compiledShare": 0.5969,
    "fusedShare": 0.7153,
    "unfusedNormBytes": 69.26,
    "headDimExponent": 0.1949,
    "flash1Share": 0.6394,
    "cudnnShare": 1.571,
    "unfusedAttentionShare": 0.7142,
    "softmaxPasses": 0.705,
    "lossPasses": 0.9759,
    "alignmentLoss": 0.1865,
    "powerExponent": 0.3614,
    "castPasses": 0.9221,
    "networkShare": 0.7124,
    "linkLatencySeconds": 0.00001337,
    "linkHopSeconds": 0.000005378,
    "networkLatencySeconds": 0.00002451,
    "ringHopSeconds": 0.000002014,
    "fragmentedRanks": 33.58,
    "launchSeconds": 0.000009933,
    "checkpointSeconds": 0.0008774,
    "microBatchSeconds": 0.00101,
    "stepSeconds": 0.01412,
    "optimizerBytes": 34,
    "accumulationPasses": 0.9946,
    "dataParallelOverlap": 0.4526,
    "fsdpOverlap": 0.675,
    "tensorExposed": 0.2385,
    "contextExposed": 0.2821,
    "dispatchPasses": 3.908,
    "p2pShare": 0.7891,
    "stragglerPerDoubling": 0.00726,
    "thrash": 1.648
  },
  "stacks": {
    "aleph-alpha": {
      "bias": 1.068,
      "hostFactor": 1.01
    },
    "internevo": {
      "bias": 1.011,
      "hostFactor": 1.001
    },
    "llm-foundry": {
      "bias": 1.001,
      "hostFactor": 1.009
    },
    "llm-foundry-2023q1": {
      "bias": 1.171,
      "hostFactor": 1.006
    },
    "llm-foundry-2023q2": {
      "bias": 1.018,
      "hostFactor": 0.9994
    },
    "maxtext": {
      "bias": 0.9468,
      "hostFactor": 0.9998
    },
    "megatron-2021": {
      "bias": 0.9644,
      "hostFactor": 0.9896
    },
    "megatron-2022": {
      "bias": 0.9094,
      "hostFactor": 0.9653
    },
    "megatron-core": {
      "bias": 1.082,
      "hostFactor": 1.053
    },
    "megatron-deepspeed-2021": {
      "bias": 1.118,
      "hostFactor": 1.028
    },
    "megatron-deepspeed-2023": {
      "bias": 0.9179,
      "hostFactor": 1.819
    },
    "nemo": {
      "bias": 0.9636,
      "hostFactor": 1.041
    },
    "nemo-dgxc": {
      "bias": 0.8845,
      "hostFactor": 0.932
    },
    "stas": {
      "bias": 1.015,
      "hostFactor": 1.002
    },
    "torchtitan": {
      "bias": 0.9942,
      "hostFactor": 1.006
    }
  }
};

/** Half-widths of the interval on the logarithm of a step time, from runs left out of the fit. */
export const UNCERTAINTY = {"coverage":0.8,"knownStack":0.126,"unknownStack":0.233,"memory":0.12} as const;
