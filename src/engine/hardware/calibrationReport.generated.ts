/** Made by `npm run calibrate`: what was fitted to how much, and how well it predicts what it has not seen. */
export const CALIBRATION_REPORT = {
 "rows": 1790,
 "parameters": [
  {
   "name": "device.ampere.matmulCeiling",
   "value": 0.8017,
   "prior": 0.8,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.ampere.halfK",
   "value": 239.2,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.ampere.flashEfficiency",
   "value": 0.5174,
   "prior": 0.5,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.ampere.linkShare",
   "value": 0.8063,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.matmulCeiling",
   "value": 0.5989,
   "prior": 0.65,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.blackwell.halfK",
   "value": 273.7,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.blackwell.flashEfficiency",
   "value": 0.3566,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.blackwell.linkShare",
   "value": 0.6527,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.fp8Share",
   "value": 0.9677,
   "prior": 0.85,
   "low": 0.4,
   "high": 1.1
  },
  {
   "name": "device.hopper.matmulCeiling",
   "value": 0.7099,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.hopper.halfK",
   "value": 256.8,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.hopper.flashEfficiency",
   "value": 0.2662,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.hopper.linkShare",
   "value": 0.7061,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.hopper.fp8Share",
   "value": 0.9769,
   "prior": 0.85,
   "low": 0.4,
   "high": 1.1
  },
  {
   "name": "device.volta.matmulCeiling",
   "value": 0.7762,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.volta.halfK",
   "value": 189.6,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.volta.linkShare",
   "value": 0.7002,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "common.memoryShare",
   "value": 0.8142,
   "prior": 0.8,
   "low": 0.5,
   "high": 0.95
  },
  {
   "name": "common.pointwisePasses",
   "value": 1.268,
   "prior": 1.2,
   "low": 0.5,
   "high": 3
  },
  {
   "name": "common.compiledShare",
   "value": 0.5901,
   "prior": 0.5,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.fusedShare",
   "value": 0.7347,
   "prior": 0.8,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.unfusedNormBytes",
   "value": 65.94,
   "prior": 60,
   "low": 10,
   "high": 200
  },
  {
   "name": "common.headDimExponent",
   "value": 0.1692,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.flash1Share",
   "value": 0.7193,
   "prior": 0.65,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.cudnnShare",
   "value": 1.413,
   "prior": 1.4,
   "low": 1,
   "high": 2.5
  },
  {
   "name": "common.unfusedAttentionShare",
   "value": 0.7146,
   "prior": 0.6,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.softmaxPasses",
   "value": 0.7268,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.lossPasses",
   "value": 0.9713,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.alignmentLoss",
   "value": 0.1545,
   "prior": 0.1,
   "low": 0.01,
   "high": 0.4
  },
  {
   "name": "common.powerExponent",
   "value": 0.3627,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.6
  },
  {
   "name": "common.castPasses",
   "value": 1.149,
   "prior": 1,
   "low": 0.2,
   "high": 4
  },
  {
   "name": "common.networkShare",
   "value": 0.6922,
   "prior": 0.65,
   "low": 0.2,
   "high": 0.95
  },
  {
   "name": "common.linkLatencySeconds",
   "value": 0.0000136,
   "prior": 0.000012,
   "low": 0.000002,
   "high": 0.00006
  },
  {
   "name": "common.linkHopSeconds",
   "value": 0.000002289,
   "prior": 0.000002,
   "low": 2e-7,
   "high": 0.000008
  },
  {
   "name": "common.networkLatencySeconds",
   "value": 0.00002442,
   "prior": 0.000025,
   "low": 0.000005,
   "high": 0.0002
  },
  {
   "name": "common.ringHopSeconds",
   "value": 0.00000207,
   "prior": 0.000002,
   "low": 2e-7,
   "high": 0.00001
  },
  {
   "name": "common.fragmentedRanks",
   "value": 50.3,
   "prior": 64,
   "low": 4,
   "high": 1024
  },
  {
   "name": "common.launchSeconds",
   "value": 0.00001029,
   "prior": 0.000008,
   "low": 0.000002,
   "high": 0.00004
  },
  {
   "name": "common.checkpointSeconds",
   "value": 0.0008901,
   "prior": 0.0005,
   "low": 0.00002,
   "high": 0.005
  },
  {
   "name": "common.microBatchSeconds",
   "value": 0.0009523,
   "prior": 0.001,
   "low": 0.00005,
   "high": 0.01
  },
  {
   "name": "common.stepSeconds",
   "value": 0.02555,
   "prior": 0.015,
   "low": 0.001,
   "high": 0.1
  },
  {
   "name": "common.optimizerBytes",
   "value": 35.22,
   "prior": 32,
   "low": 12,
   "high": 80
  },
  {
   "name": "common.accumulationPasses",
   "value": 0.964,
   "prior": 1,
   "low": 0.3,
   "high": 2
  },
  {
   "name": "common.dataParallelOverlap",
   "value": 0.6111,
   "prior": 0.6,
   "low": 0.1,
   "high": 0.95
  },
  {
   "name": "common.fsdpOverlap",
   "value": 0.6999,
   "prior": 0.85,
   "low": 0.4,
   "high": 0.98
  },
  {
   "name": "common.tensorExposed",
   "value": 0.2238,
   "prior": 0.3,
   "low": 0.02,
   "high": 1
  },
  {
   "name": "common.contextExposed",
   "value": 0.2819,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.dispatchPasses",
   "value": 3.699,
   "prior": 4,
   "low": 1,
   "high": 12
  },
  {
   "name": "common.p2pShare",
   "value": 0.7933,
   "prior": 1,
   "low": 0.2,
   "high": 3
  },
  {
   "name": "common.stragglerPerDoubling",
   "value": 0.007176,
   "prior": 0.01,
   "low": 0.001,
   "high": 0.04
  },
  {
   "name": "common.retrySeconds",
   "value": 0.0569,
   "prior": 0.05,
   "low": 0.005,
   "high": 0.5
  },
  {
   "name": "stack.aleph-alpha.bias",
   "value": 1.035,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.aleph-alpha.hostFactor",
   "value": 1.005,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.internevo.bias",
   "value": 1.031,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.internevo.hostFactor",
   "value": 1.002,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.llm-foundry.bias",
   "value": 0.9711,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry.hostFactor",
   "value": 1.002,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.llm-foundry-2023q1.bias",
   "value": 1.169,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry-2023q1.hostFactor",
   "value": 1.01,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.llm-foundry-2023q2.bias",
   "value": 0.9966,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry-2023q2.hostFactor",
   "value": 0.9973,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.maxtext.bias",
   "value": 0.9504,
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
   "value": 0.951,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2021.hostFactor",
   "value": 0.9897,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-2022.bias",
   "value": 0.896,
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
   "value": 1.086,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-core.hostFactor",
   "value": 1.039,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2021.bias",
   "value": 1.116,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2021.hostFactor",
   "value": 1.031,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2023.bias",
   "value": 0.906,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2023.hostFactor",
   "value": 1.927,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo.bias",
   "value": 0.9786,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.nemo.hostFactor",
   "value": 1.02,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo-dgxc.bias",
   "value": 0.8962,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.nemo-dgxc.hostFactor",
   "value": 0.9342,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.stas.bias",
   "value": 1.012,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.stas.hostFactor",
   "value": 1.001,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.torchtitan.bias",
   "value": 1.032,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.torchtitan.hostFactor",
   "value": 1.005,
   "prior": 1,
   "low": 0.2,
   "high": 6
  }
 ],
 "errors": {
  "inSample": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.05627,
   "median": 0.04061,
   "within20": 0.9882,
   "bySource": {
    "simumax-a": 0.04528,
    "mbridge": 0.03408,
    "sc21t1": 0.01997,
    "sc21t2": 0.08505,
    "seqsel": 0.02354,
    "bloomcal": 0.06834,
    "bsv100": 0.04751,
    "bs1b3": 0.1347,
    "internevo": 0.06006,
    "vtrain": 0.04292,
    "mosaic-v3": 0.04189,
    "mosaic-v2": 0.02645,
    "mosaic-v1": 0.114,
    "titan": 0.05229,
    "titan-pr": 0.1048,
    "gpu-rec": 0.02135,
    "aleph": 0.05734,
    "torchao": 0.1803,
    "stas": 0.04061,
    "dgxc": 0.05128,
    "vtrain1n": 0.07752
   }
  },
  "groupLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.06876,
   "median": 0.04667,
   "within20": 0.9765,
   "bySource": {
    "simumax-a": 0.06987,
    "mbridge": 0.03978,
    "sc21t1": 0.02423,
    "sc21t2": 0.1413,
    "seqsel": 0.0308,
    "bloomcal": 0.08652,
    "bsv100": 0.05609,
    "bs1b3": 0.1818,
    "internevo": 0.07564,
    "vtrain": 0.04822,
    "mosaic-v3": 0.04513,
    "mosaic-v2": 0.03044,
    "mosaic-v1": 0.122,
    "titan": 0.07306,
    "titan-pr": 0.1132,
    "gpu-rec": 0.07634,
    "aleph": 0.0634,
    "torchao": 0.2169,
    "stas": 0.04936,
    "dgxc": 0.06753,
    "vtrain1n": 0.0831
   }
  },
  "sourceLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.1216,
   "median": 0.1071,
   "within20": 0.9176,
   "bySource": {
    "simumax-a": 0.1494,
    "mbridge": 0.03978,
    "sc21t1": 0.09587,
    "sc21t2": 0.09158,
    "seqsel": 0.1422,
    "bloomcal": 0.1674,
    "bsv100": 0.05716,
    "bs1b3": 0.1821,
    "internevo": 0.07564,
    "vtrain": 0.04889,
    "mosaic-v3": 0.07319,
    "mosaic-v2": 0.02924,
    "mosaic-v1": 0.2222,
    "titan": 0.1174,
    "titan-pr": 0.1132,
    "gpu-rec": 0.06583,
    "aleph": 0.07917,
    "torchao": 0.217,
    "stas": 0.04936,
    "dgxc": 0.186,
    "vtrain1n": 0.224
   }
  }
 },
 "uncertainty": {
  "coverage": 0.8,
  "knownStack": 0.123,
  "unknownStack": 0.249,
  "memory": 0.128,
  "memoryUnknownStack": 0.212
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
