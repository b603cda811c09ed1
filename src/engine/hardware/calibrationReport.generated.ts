/** Made by `npm run calibrate`: what was fitted to how much, and how well it predicts what it has not seen. */
export const CALIBRATION_REPORT = {
 "rows": 1790,
 "parameters": [
  {
   "name": "device.ampere.matmulCeiling",
   "value": 0.8032,
   "prior": 0.8,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.ampere.halfK",
   "value": 226.7,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.ampere.flashEfficiency",
   "value": 0.3978,
   "prior": 0.5,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.ampere.linkShare",
   "value": 0.8498,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.matmulCeiling",
   "value": 0.5909,
   "prior": 0.65,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.blackwell.halfK",
   "value": 276.9,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.blackwell.flashEfficiency",
   "value": 0.349,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.blackwell.linkShare",
   "value": 0.622,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.fp8Share",
   "value": 0.9445,
   "prior": 0.85,
   "low": 0.4,
   "high": 1.1
  },
  {
   "name": "device.hopper.matmulCeiling",
   "value": 0.7218,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.hopper.halfK",
   "value": 263,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.hopper.flashEfficiency",
   "value": 0.2066,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.hopper.linkShare",
   "value": 0.7,
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
   "value": 0.7823,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.volta.halfK",
   "value": 183.3,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.volta.linkShare",
   "value": 0.7065,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "common.memoryShare",
   "value": 0.819,
   "prior": 0.8,
   "low": 0.5,
   "high": 0.95
  },
  {
   "name": "common.pointwisePasses",
   "value": 1.216,
   "prior": 1.2,
   "low": 0.5,
   "high": 3
  },
  {
   "name": "common.compiledShare",
   "value": 0.5979,
   "prior": 0.5,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.fusedShare",
   "value": 0.7159,
   "prior": 0.8,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.unfusedNormBytes",
   "value": 69.94,
   "prior": 60,
   "low": 10,
   "high": 200
  },
  {
   "name": "common.headDimExponent",
   "value": 0.1935,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.flash1Share",
   "value": 0.6382,
   "prior": 0.65,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.cudnnShare",
   "value": 1.562,
   "prior": 1.4,
   "low": 1,
   "high": 2.5
  },
  {
   "name": "common.unfusedAttentionShare",
   "value": 0.6919,
   "prior": 0.6,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.softmaxPasses",
   "value": 0.7212,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.lossPasses",
   "value": 0.9772,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.alignmentLoss",
   "value": 0.201,
   "prior": 0.1,
   "low": 0.01,
   "high": 0.4
  },
  {
   "name": "common.powerExponent",
   "value": 0.361,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.6
  },
  {
   "name": "common.castPasses",
   "value": 0.9215,
   "prior": 1,
   "low": 0.2,
   "high": 4
  },
  {
   "name": "common.networkShare",
   "value": 0.7093,
   "prior": 0.65,
   "low": 0.2,
   "high": 0.95
  },
  {
   "name": "common.linkLatencySeconds",
   "value": 0.00001288,
   "prior": 0.000012,
   "low": 0.000002,
   "high": 0.00006
  },
  {
   "name": "common.linkHopSeconds",
   "value": 0.000002269,
   "prior": 0.000002,
   "low": 2e-7,
   "high": 0.000008
  },
  {
   "name": "common.networkLatencySeconds",
   "value": 0.00002448,
   "prior": 0.000025,
   "low": 0.000005,
   "high": 0.0002
  },
  {
   "name": "common.ringHopSeconds",
   "value": 0.000002012,
   "prior": 0.000002,
   "low": 2e-7,
   "high": 0.00001
  },
  {
   "name": "common.fragmentedRanks",
   "value": 33.9,
   "prior": 64,
   "low": 4,
   "high": 1024
  },
  {
   "name": "common.launchSeconds",
   "value": 0.000009625,
   "prior": 0.000008,
   "low": 0.000002,
   "high": 0.00004
  },
  {
   "name": "common.checkpointSeconds",
   "value": 0.0009119,
   "prior": 0.0005,
   "low": 0.00002,
   "high": 0.005
  },
  {
   "name": "common.microBatchSeconds",
   "value": 0.0009881,
   "prior": 0.001,
   "low": 0.00005,
   "high": 0.01
  },
  {
   "name": "common.stepSeconds",
   "value": 0.0139,
   "prior": 0.015,
   "low": 0.001,
   "high": 0.1
  },
  {
   "name": "common.optimizerBytes",
   "value": 34.04,
   "prior": 32,
   "low": 12,
   "high": 80
  },
  {
   "name": "common.accumulationPasses",
   "value": 0.9854,
   "prior": 1,
   "low": 0.3,
   "high": 2
  },
  {
   "name": "common.dataParallelOverlap",
   "value": 0.4512,
   "prior": 0.6,
   "low": 0.1,
   "high": 0.95
  },
  {
   "name": "common.fsdpOverlap",
   "value": 0.7047,
   "prior": 0.85,
   "low": 0.4,
   "high": 0.98
  },
  {
   "name": "common.tensorExposed",
   "value": 0.2272,
   "prior": 0.3,
   "low": 0.02,
   "high": 1
  },
  {
   "name": "common.contextExposed",
   "value": 0.2812,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.dispatchPasses",
   "value": 3.942,
   "prior": 4,
   "low": 1,
   "high": 12
  },
  {
   "name": "common.p2pShare",
   "value": 0.7861,
   "prior": 1,
   "low": 0.2,
   "high": 3
  },
  {
   "name": "common.stragglerPerDoubling",
   "value": 0.007513,
   "prior": 0.01,
   "low": 0.001,
   "high": 0.04
  },
  {
   "name": "common.thrash",
   "value": 1.79,
   "prior": 1.5,
   "low": 0.1,
   "high": 5
  },
  {
   "name": "stack.aleph-alpha.bias",
   "value": 1.069,
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
   "value": 1.015,
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
   "value": 1.005,
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
   "value": 1.15,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry-2023q1.hostFactor",
   "value": 1.003,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.llm-foundry-2023q2.bias",
   "value": 1.023,
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
   "value": 0.9477,
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
   "value": 0.963,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2021.hostFactor",
   "value": 0.9837,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-2022.bias",
   "value": 0.9019,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2022.hostFactor",
   "value": 0.9662,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-core.bias",
   "value": 1.075,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-core.hostFactor",
   "value": 1.034,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2021.bias",
   "value": 1.12,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2021.hostFactor",
   "value": 1.025,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2023.bias",
   "value": 0.9207,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2023.hostFactor",
   "value": 1.801,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo.bias",
   "value": 0.9651,
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
   "value": 0.9313,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.stas.bias",
   "value": 1.017,
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
   "value": 0.9991,
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
   "mean": 0.0607,
   "median": 0.04214,
   "within20": 0.9765,
   "bySource": {
    "simumax-a": 0.05343,
    "mbridge": 0.03837,
    "sc21t1": 0.01838,
    "sc21t2": 0.1282,
    "seqsel": 0.02151,
    "bloomcal": 0.06404,
    "bsv100": 0.04791,
    "bs1b3": 0.1297,
    "internevo": 0.0633,
    "vtrain": 0.04187,
    "mosaic-v3": 0.04498,
    "mosaic-v2": 0.0291,
    "mosaic-v1": 0.1246,
    "titan": 0.0556,
    "titan-pr": 0.1344,
    "gpu-rec": 0.03192,
    "aleph": 0.07205,
    "torchao": 0.2065,
    "stas": 0.04177,
    "dgxc": 0.04843,
    "vtrain1n": 0.07753
   }
  },
  "groupLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.07528,
   "median": 0.05237,
   "within20": 0.9412,
   "bySource": {
    "simumax-a": 0.08855,
    "mbridge": 0.05435,
    "sc21t1": 0.02185,
    "sc21t2": 0.2,
    "seqsel": 0.02837,
    "bloomcal": 0.0836,
    "bsv100": 0.05665,
    "bs1b3": 0.175,
    "internevo": 0.06448,
    "vtrain": 0.04891,
    "mosaic-v3": 0.04765,
    "mosaic-v2": 0.03137,
    "mosaic-v1": 0.1425,
    "titan": 0.07383,
    "titan-pr": 0.1384,
    "gpu-rec": 0.09939,
    "aleph": 0.08236,
    "torchao": 0.2382,
    "stas": 0.05515,
    "dgxc": 0.06027,
    "vtrain1n": 0.08476
   }
  },
  "sourceLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.1296,
   "median": 0.1254,
   "within20": 0.8706,
   "bySource": {
    "simumax-a": 0.1363,
    "mbridge": 0.05435,
    "sc21t1": 0.1407,
    "sc21t2": 0.2589,
    "seqsel": 0.1318,
    "bloomcal": 0.1725,
    "bsv100": 0.05031,
    "bs1b3": 0.1754,
    "internevo": 0.06448,
    "vtrain": 0.05045,
    "mosaic-v3": 0.05698,
    "mosaic-v2": 0.03631,
    "mosaic-v1": 0.2084,
    "titan": 0.1557,
    "titan-pr": 0.1384,
    "gpu-rec": 0.086,
    "aleph": 0.1246,
    "torchao": 0.2383,
    "stas": 0.05515,
    "dgxc": 0.2156,
    "vtrain1n": 0.1812
   }
  }
 },
 "uncertainty": {
  "coverage": 0.8,
  "knownStack": 0.122,
  "unknownStack": 0.226,
  "memory": 0.123
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
