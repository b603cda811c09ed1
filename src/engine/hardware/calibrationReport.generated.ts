/** Made by `npm run calibrate`: what was fitted to how much, and how well it predicts what it has not seen. */
export const CALIBRATION_REPORT = {
 "rows": 1790,
 "parameters": [
  {
   "name": "device.ampere.matmulCeiling",
   "value": 0.8014,
   "prior": 0.8,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.ampere.halfK",
   "value": 235.6,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.ampere.flashEfficiency",
   "value": 0.3996,
   "prior": 0.5,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.ampere.linkShare",
   "value": 0.8078,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.matmulCeiling",
   "value": 0.5893,
   "prior": 0.65,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.blackwell.halfK",
   "value": 281,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.blackwell.flashEfficiency",
   "value": 0.3477,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.blackwell.linkShare",
   "value": 0.6215,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.fp8Share",
   "value": 0.9467,
   "prior": 0.85,
   "low": 0.4,
   "high": 1.1
  },
  {
   "name": "device.hopper.matmulCeiling",
   "value": 0.7211,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.hopper.halfK",
   "value": 263.3,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.hopper.flashEfficiency",
   "value": 0.2062,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.hopper.linkShare",
   "value": 0.6915,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.hopper.fp8Share",
   "value": 0.9678,
   "prior": 0.85,
   "low": 0.4,
   "high": 1.1
  },
  {
   "name": "device.volta.matmulCeiling",
   "value": 0.7792,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.volta.halfK",
   "value": 185.3,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.volta.linkShare",
   "value": 0.7058,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "common.memoryShare",
   "value": 0.8194,
   "prior": 0.8,
   "low": 0.5,
   "high": 0.95
  },
  {
   "name": "common.pointwisePasses",
   "value": 1.209,
   "prior": 1.2,
   "low": 0.5,
   "high": 3
  },
  {
   "name": "common.compiledShare",
   "value": 0.5963,
   "prior": 0.5,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.fusedShare",
   "value": 0.7103,
   "prior": 0.8,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.unfusedNormBytes",
   "value": 69.53,
   "prior": 60,
   "low": 10,
   "high": 200
  },
  {
   "name": "common.headDimExponent",
   "value": 0.1934,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.flash1Share",
   "value": 0.6381,
   "prior": 0.65,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.cudnnShare",
   "value": 1.557,
   "prior": 1.4,
   "low": 1,
   "high": 2.5
  },
  {
   "name": "common.unfusedAttentionShare",
   "value": 0.7041,
   "prior": 0.6,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.softmaxPasses",
   "value": 0.7174,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.lossPasses",
   "value": 0.9805,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.alignmentLoss",
   "value": 0.1869,
   "prior": 0.1,
   "low": 0.01,
   "high": 0.4
  },
  {
   "name": "common.powerExponent",
   "value": 0.3613,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.6
  },
  {
   "name": "common.castPasses",
   "value": 0.9207,
   "prior": 1,
   "low": 0.2,
   "high": 4
  },
  {
   "name": "common.networkShare",
   "value": 0.7108,
   "prior": 0.65,
   "low": 0.2,
   "high": 0.95
  },
  {
   "name": "common.linkLatencySeconds",
   "value": 0.00001286,
   "prior": 0.000012,
   "low": 0.000002,
   "high": 0.00006
  },
  {
   "name": "common.linkHopSeconds",
   "value": 0.000002222,
   "prior": 0.000002,
   "low": 2e-7,
   "high": 0.000008
  },
  {
   "name": "common.networkLatencySeconds",
   "value": 0.00002449,
   "prior": 0.000025,
   "low": 0.000005,
   "high": 0.0002
  },
  {
   "name": "common.ringHopSeconds",
   "value": 0.000002015,
   "prior": 0.000002,
   "low": 2e-7,
   "high": 0.00001
  },
  {
   "name": "common.fragmentedRanks",
   "value": 33.56,
   "prior": 64,
   "low": 4,
   "high": 1024
  },
  {
   "name": "common.launchSeconds",
   "value": 0.000009657,
   "prior": 0.000008,
   "low": 0.000002,
   "high": 0.00004
  },
  {
   "name": "common.checkpointSeconds",
   "value": 0.0009056,
   "prior": 0.0005,
   "low": 0.00002,
   "high": 0.005
  },
  {
   "name": "common.microBatchSeconds",
   "value": 0.0009934,
   "prior": 0.001,
   "low": 0.00005,
   "high": 0.01
  },
  {
   "name": "common.stepSeconds",
   "value": 0.01389,
   "prior": 0.015,
   "low": 0.001,
   "high": 0.1
  },
  {
   "name": "common.optimizerBytes",
   "value": 33.75,
   "prior": 32,
   "low": 12,
   "high": 80
  },
  {
   "name": "common.accumulationPasses",
   "value": 0.989,
   "prior": 1,
   "low": 0.3,
   "high": 2
  },
  {
   "name": "common.dataParallelOverlap",
   "value": 0.4507,
   "prior": 0.6,
   "low": 0.1,
   "high": 0.95
  },
  {
   "name": "common.fsdpOverlap",
   "value": 0.6733,
   "prior": 0.85,
   "low": 0.4,
   "high": 0.98
  },
  {
   "name": "common.tensorExposed",
   "value": 0.2277,
   "prior": 0.3,
   "low": 0.02,
   "high": 1
  },
  {
   "name": "common.contextExposed",
   "value": 0.2813,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.dispatchPasses",
   "value": 3.98,
   "prior": 4,
   "low": 1,
   "high": 12
  },
  {
   "name": "common.p2pShare",
   "value": 0.7879,
   "prior": 1,
   "low": 0.2,
   "high": 3
  },
  {
   "name": "common.stragglerPerDoubling",
   "value": 0.007092,
   "prior": 0.01,
   "low": 0.001,
   "high": 0.04
  },
  {
   "name": "common.thrash",
   "value": 1.649,
   "prior": 1.5,
   "low": 0.1,
   "high": 5
  },
  {
   "name": "stack.aleph-alpha.bias",
   "value": 1.067,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.aleph-alpha.hostFactor",
   "value": 1.008,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.internevo.bias",
   "value": 1.014,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.internevo.hostFactor",
   "value": 1.001,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.llm-foundry.bias",
   "value": 1.003,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry.hostFactor",
   "value": 1.009,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.llm-foundry-2023q1.bias",
   "value": 1.174,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry-2023q1.hostFactor",
   "value": 1.006,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.llm-foundry-2023q2.bias",
   "value": 1.021,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry-2023q2.hostFactor",
   "value": 0.9995,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.maxtext.bias",
   "value": 0.9472,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.maxtext.hostFactor",
   "value": 0.9999,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-2021.bias",
   "value": 0.9605,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2021.hostFactor",
   "value": 0.9838,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-2022.bias",
   "value": 0.898,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2022.hostFactor",
   "value": 0.9661,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-core.bias",
   "value": 1.079,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-core.hostFactor",
   "value": 1.038,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2021.bias",
   "value": 1.119,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2021.hostFactor",
   "value": 1.026,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2023.bias",
   "value": 0.9182,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2023.hostFactor",
   "value": 1.803,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo.bias",
   "value": 0.9656,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.nemo.hostFactor",
   "value": 1.043,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo-dgxc.bias",
   "value": 0.8836,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.nemo-dgxc.hostFactor",
   "value": 0.9309,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.stas.bias",
   "value": 1.016,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.stas.hostFactor",
   "value": 1.002,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.torchtitan.bias",
   "value": 0.996,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.torchtitan.hostFactor",
   "value": 1.006,
   "prior": 1,
   "low": 0.2,
   "high": 6
  }
 ],
 "errors": {
  "inSample": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.06233,
   "median": 0.04287,
   "within20": 0.9765,
   "bySource": {
    "simumax-a": 0.0493,
    "mbridge": 0.03787,
    "sc21t1": 0.01943,
    "sc21t2": 0.1286,
    "seqsel": 0.02141,
    "bloomcal": 0.06523,
    "bsv100": 0.04792,
    "bs1b3": 0.1281,
    "internevo": 0.06288,
    "vtrain": 0.04245,
    "mosaic-v3": 0.04496,
    "mosaic-v2": 0.02943,
    "mosaic-v1": 0.1357,
    "titan": 0.05546,
    "titan-pr": 0.1338,
    "gpu-rec": 0.03203,
    "aleph": 0.07207,
    "torchao": 0.2043,
    "stas": 0.04138,
    "dgxc": 0.0484,
    "vtrain1n": 0.07786
   }
  },
  "groupLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.07763,
   "median": 0.05265,
   "within20": 0.9294,
   "bySource": {
    "simumax-a": 0.0821,
    "mbridge": 0.05323,
    "sc21t1": 0.02321,
    "sc21t2": 0.2002,
    "seqsel": 0.02821,
    "bloomcal": 0.08464,
    "bsv100": 0.05657,
    "bs1b3": 0.1729,
    "internevo": 0.06394,
    "vtrain": 0.04963,
    "mosaic-v3": 0.04761,
    "mosaic-v2": 0.0315,
    "mosaic-v1": 0.159,
    "titan": 0.07378,
    "titan-pr": 0.1377,
    "gpu-rec": 0.1001,
    "aleph": 0.08214,
    "torchao": 0.2361,
    "stas": 0.05428,
    "dgxc": 0.06017,
    "vtrain1n": 0.08528
   }
  },
  "sourceLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.1328,
   "median": 0.1277,
   "within20": 0.8588,
   "bySource": {
    "simumax-a": 0.1423,
    "mbridge": 0.05323,
    "sc21t1": 0.1438,
    "sc21t2": 0.2625,
    "seqsel": 0.1383,
    "bloomcal": 0.171,
    "bsv100": 0.05089,
    "bs1b3": 0.1732,
    "internevo": 0.06394,
    "vtrain": 0.05144,
    "mosaic-v3": 0.0574,
    "mosaic-v2": 0.03531,
    "mosaic-v1": 0.226,
    "titan": 0.1567,
    "titan-pr": 0.1377,
    "gpu-rec": 0.08632,
    "aleph": 0.1223,
    "torchao": 0.2362,
    "stas": 0.05428,
    "dgxc": 0.2153,
    "vtrain1n": 0.1808
   }
  }
 },
 "uncertainty": {
  "coverage": 0.8,
  "knownStack": 0.122,
  "unknownStack": 0.228,
  "memory": 0.124
 },
 "products": {
  "h800-sxm fp8": {
   "shapes": 43,
   "constants": {
    "ceiling": 0.7455,
    "halfK": 438.6,
    "memoryShare": 0.9951,
    "launchSeconds": 0.000004679
   },
   "medianError": 0.07867
  },
  "b200 bf16": {
   "shapes": 19,
   "constants": {
    "ceiling": 0.75,
    "halfK": 414.7,
    "memoryShare": 0.8,
    "launchSeconds": 9.054e-7
   },
   "medianError": 0.1217
  },
  "b200 fp8": {
   "shapes": 12,
   "constants": {
    "ceiling": 0.6565,
    "halfK": 22.54,
    "memoryShare": 0.7044,
    "launchSeconds": 0.000003127
   },
   "medianError": 0.04233
  }
 }
} as const;
