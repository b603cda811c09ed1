/** Made by `npm run calibrate`; the report is in calibrationReport.generated.ts. */
import type { Calibration } from './constants';

export const CALIBRATION: Calibration = {
  "devices": {
    "ampere": {
      "matmulCeiling": 0.7957,
      "halfK": 232.5,
      "flashEfficiency": 0.5186,
      "linkShare": 0.7803,
      "fp8Share": 1
    },
    "blackwell": {
      "matmulCeiling": 0.5993,
      "halfK": 276.6,
      "flashEfficiency": 0.3539,
      "linkShare": 0.6503,
      "fp8Share": 0.9692
    },
    "hopper": {
      "matmulCeiling": 0.7099,
      "halfK": 257.2,
      "flashEfficiency": 0.266,
      "linkShare": 0.7039,
      "fp8Share": 0.9787
    },
    "volta": {
      "matmulCeiling": 0.7772,
      "halfK": 179.7,
      "flashEfficiency": 0.4,
      "linkShare": 0.7105,
      "fp8Share": 1
    }
  },
  "common": {
    "memoryShare": 0.8147,
    "pointwisePasses": 1.265,
    "compiledShare": 0.5908,
    "fusedShare": 0.7291,
    "unfusedNormBytes": 65.47,
    "headDimExponent": 0.1744,
    "flash1Share": 0.7184,
    "cudnnShare": 1.411,
    "unfusedAttentionShare": 0.7266,
    "softmaxPasses": 0.7246,
    "lossPasses": 0.9868,
    "alignmentLoss": 0.1503,
    "powerExponent": 0.3632,
    "castPasses": 1.148,
    "networkShare": 0.6899,
    "linkLatencySeconds": 0.00001316,
    "linkHopSeconds": 0.00001479,
    "networkLatencySeconds": 0.00002445,
    "ringHopSeconds": 0.000002076,
    "fragmentedRanks": 50.9,
    "launchSeconds": 0.00001032,
    "checkpointSeconds": 0.0008854,
    "microBatchSeconds": 0.0009255,
    "stepSeconds": 0.028,
    "optimizerBytes": 34.03,
    "accumulationPasses": 0.9635,
    "dataParallelOverlap": 0.6147,
    "fsdpOverlap": 0.6936,
    "tensorExposed": 0.2278,
    "contextExposed": 0.2832,
    "dispatchPasses": 3.749,
    "p2pShare": 0.7928,
    "stragglerPerDoubling": 0.007253,
    "retrySeconds": 0.07224
  },
  "stacks": {
    "aleph-alpha": {
      "bias": 1.031,
      "hostFactor": 1.005,
      "evidence": {
        "sources": 1,
        "architectures": [
          "ampere"
        ]
      }
    },
    "internevo": {
      "bias": 1.029,
      "hostFactor": 1.002,
      "evidence": {
        "sources": 1,
        "architectures": [
          "ampere"
        ]
      }
    },
    "llm-foundry": {
      "bias": 0.97,
      "hostFactor": 1.003,
      "evidence": {
        "sources": 1,
        "architectures": [
          "ampere",
          "hopper"
        ]
      }
    },
    "llm-foundry-2023q1": {
      "bias": 1.173,
      "hostFactor": 1.01,
      "evidence": {
        "sources": 1,
        "architectures": [
          "ampere"
        ]
      }
    },
    "llm-foundry-2023q2": {
      "bias": 0.9957,
      "hostFactor": 0.9978,
      "evidence": {
        "sources": 1,
        "architectures": [
          "ampere"
        ]
      }
    },
    "maxtext": {
      "bias": 0.9498,
      "hostFactor": 0.9999,
      "evidence": {
        "sources": 1,
        "architectures": [
          "blackwell"
        ]
      }
    },
    "megatron-2021": {
      "bias": 0.9548,
      "hostFactor": 0.9925,
      "evidence": {
        "sources": 2,
        "architectures": [
          "ampere"
        ]
      }
    },
    "megatron-2022": {
      "bias": 0.9042,
      "hostFactor": 0.9664,
      "evidence": {
        "sources": 1,
        "architectures": [
          "ampere"
        ]
      }
    },
    "megatron-core": {
      "bias": 1.088,
      "hostFactor": 1.043,
      "evidence": {
        "sources": 1,
        "architectures": [
          "blackwell"
        ]
      }
    },
    "megatron-deepspeed-2021": {
      "bias": 1.118,
      "hostFactor": 1.022,
      "evidence": {
        "sources": 3,
        "architectures": [
          "ampere",
          "volta"
        ]
      }
    },
    "megatron-deepspeed-2023": {
      "bias": 0.9026,
      "hostFactor": 1.886,
      "evidence": {
        "sources": 2,
        "architectures": [
          "ampere"
        ]
      }
    },
    "nemo": {
      "bias": 0.9776,
      "hostFactor": 1.019,
      "evidence": {
        "sources": 2,
        "architectures": [
          "blackwell",
          "hopper"
        ]
      }
    },
    "nemo-dgxc": {
      "bias": 0.8948,
      "hostFactor": 0.9354,
      "evidence": {
        "sources": 1,
        "architectures": [
          "hopper"
        ]
      }
    },
    "stas": {
      "bias": 1.012,
      "hostFactor": 1.001,
      "evidence": {
        "sources": 1,
        "architectures": [
          "blackwell"
        ]
      }
    },
    "torchtitan": {
      "bias": 1.029,
      "hostFactor": 1.005,
      "evidence": {
        "sources": 3,
        "architectures": [
          "ampere",
          "hopper"
        ]
      }
    }
  }
};

/** Half-widths of the intervals on logarithms: of a step time from runs left out of the fit, of a memory peak. */
export const UNCERTAINTY = {"coverage":0.8,"knownStack":0.122,"unknownStack":0.249,"memory":0.064,"memoryUnknownStack":0.231} as const;
