/** Made by `npm run calibrate`: what was fitted to how much, and how well it predicts what it has not seen. */
export const CALIBRATION_REPORT = {
 "rows": 1790,
 "parameters": [
  {
   "name": "device.ampere.matmulCeiling",
   "value": 0.7957,
   "prior": 0.8,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.ampere.halfK",
   "value": 232.5,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.ampere.flashEfficiency",
   "value": 0.5186,
   "prior": 0.5,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.ampere.linkShare",
   "value": 0.7803,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.matmulCeiling",
   "value": 0.5993,
   "prior": 0.65,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.blackwell.halfK",
   "value": 276.6,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.blackwell.flashEfficiency",
   "value": 0.3539,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.blackwell.linkShare",
   "value": 0.6503,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.fp8Share",
   "value": 0.9692,
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
   "value": 257.2,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.hopper.flashEfficiency",
   "value": 0.266,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.hopper.linkShare",
   "value": 0.7039,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.hopper.fp8Share",
   "value": 0.9787,
   "prior": 0.85,
   "low": 0.4,
   "high": 1.1
  },
  {
   "name": "device.volta.matmulCeiling",
   "value": 0.7772,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.volta.halfK",
   "value": 179.7,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.volta.linkShare",
   "value": 0.7105,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "common.memoryShare",
   "value": 0.8147,
   "prior": 0.8,
   "low": 0.5,
   "high": 0.95
  },
  {
   "name": "common.pointwisePasses",
   "value": 1.265,
   "prior": 1.2,
   "low": 0.5,
   "high": 3
  },
  {
   "name": "common.compiledShare",
   "value": 0.5908,
   "prior": 0.5,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.fusedShare",
   "value": 0.7291,
   "prior": 0.8,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.unfusedNormBytes",
   "value": 65.47,
   "prior": 60,
   "low": 10,
   "high": 200
  },
  {
   "name": "common.headDimExponent",
   "value": 0.1744,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.flash1Share",
   "value": 0.7184,
   "prior": 0.65,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.cudnnShare",
   "value": 1.411,
   "prior": 1.4,
   "low": 1,
   "high": 2.5
  },
  {
   "name": "common.unfusedAttentionShare",
   "value": 0.7266,
   "prior": 0.6,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.softmaxPasses",
   "value": 0.7246,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.lossPasses",
   "value": 0.9868,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.alignmentLoss",
   "value": 0.1503,
   "prior": 0.1,
   "low": 0.01,
   "high": 0.4
  },
  {
   "name": "common.powerExponent",
   "value": 0.3632,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.6
  },
  {
   "name": "common.castPasses",
   "value": 1.148,
   "prior": 1,
   "low": 0.2,
   "high": 4
  },
  {
   "name": "common.networkShare",
   "value": 0.6899,
   "prior": 0.65,
   "low": 0.2,
   "high": 0.95
  },
  {
   "name": "common.linkLatencySeconds",
   "value": 0.00001316,
   "prior": 0.000012,
   "low": 0.000002,
   "high": 0.00006
  },
  {
   "name": "common.linkHopSeconds",
   "value": 0.00001479,
   "prior": 0.00001,
   "low": 0.000001,
   "high": 0.00004
  },
  {
   "name": "common.networkLatencySeconds",
   "value": 0.00002445,
   "prior": 0.000025,
   "low": 0.000005,
   "high": 0.0002
  },
  {
   "name": "common.ringHopSeconds",
   "value": 0.000002076,
   "prior": 0.000002,
   "low": 2e-7,
   "high": 0.00001
  },
  {
   "name": "common.fragmentedRanks",
   "value": 50.9,
   "prior": 64,
   "low": 4,
   "high": 1024
  },
  {
   "name": "common.launchSeconds",
   "value": 0.00001032,
   "prior": 0.000008,
   "low": 0.000002,
   "high": 0.00004
  },
  {
   "name": "common.checkpointSeconds",
   "value": 0.0008854,
   "prior": 0.0005,
   "low": 0.00002,
   "high": 0.005
  },
  {
   "name": "common.microBatchSeconds",
   "value": 0.0009255,
   "prior": 0.001,
   "low": 0.00005,
   "high": 0.01
  },
  {
   "name": "common.stepSeconds",
   "value": 0.028,
   "prior": 0.015,
   "low": 0.001,
   "high": 0.1
  },
  {
   "name": "common.optimizerBytes",
   "value": 34.03,
   "prior": 32,
   "low": 12,
   "high": 80
  },
  {
   "name": "common.accumulationPasses",
   "value": 0.9635,
   "prior": 1,
   "low": 0.3,
   "high": 2
  },
  {
   "name": "common.dataParallelOverlap",
   "value": 0.6147,
   "prior": 0.6,
   "low": 0.1,
   "high": 0.95
  },
  {
   "name": "common.fsdpOverlap",
   "value": 0.6936,
   "prior": 0.85,
   "low": 0.4,
   "high": 0.98
  },
  {
   "name": "common.tensorExposed",
   "value": 0.2278,
   "prior": 0.3,
   "low": 0.02,
   "high": 1
  },
  {
   "name": "common.contextExposed",
   "value": 0.2832,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.dispatchPasses",
   "value": 3.749,
   "prior": 4,
   "low": 1,
   "high": 12
  },
  {
   "name": "common.p2pShare",
   "value": 0.7928,
   "prior": 1,
   "low": 0.2,
   "high": 3
  },
  {
   "name": "common.stragglerPerDoubling",
   "value": 0.007253,
   "prior": 0.01,
   "low": 0.001,
   "high": 0.04
  },
  {
   "name": "common.retrySeconds",
   "value": 0.07224,
   "prior": 0.05,
   "low": 0.005,
   "high": 0.5
  },
  {
   "name": "stack.aleph-alpha.bias",
   "value": 1.031,
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
   "value": 1.029,
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
   "value": 0.97,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry.hostFactor",
   "value": 1.003,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.llm-foundry-2023q1.bias",
   "value": 1.173,
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
   "value": 0.9957,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry-2023q2.hostFactor",
   "value": 0.9978,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.maxtext.bias",
   "value": 0.9498,
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
   "value": 0.9548,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2021.hostFactor",
   "value": 0.9925,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-2022.bias",
   "value": 0.9042,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2022.hostFactor",
   "value": 0.9664,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-core.bias",
   "value": 1.088,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-core.hostFactor",
   "value": 1.043,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2021.bias",
   "value": 1.118,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2021.hostFactor",
   "value": 1.022,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2023.bias",
   "value": 0.9026,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2023.hostFactor",
   "value": 1.886,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo.bias",
   "value": 0.9776,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.nemo.hostFactor",
   "value": 1.019,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo-dgxc.bias",
   "value": 0.8948,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.nemo-dgxc.hostFactor",
   "value": 0.9354,
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
   "value": 1.029,
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
   "mean": 0.05793,
   "median": 0.04045,
   "within20": 0.9882,
   "bySource": {
    "simumax-a": 0.04248,
    "mbridge": 0.0342,
    "sc21t1": 0.02006,
    "sc21t2": 0.0845,
    "seqsel": 0.02257,
    "bloomcal": 0.07314,
    "bsv100": 0.04991,
    "bs1b3": 0.1224,
    "internevo": 0.06,
    "vtrain": 0.03916,
    "mosaic-v3": 0.04266,
    "mosaic-v2": 0.02644,
    "mosaic-v1": 0.1256,
    "titan": 0.05274,
    "titan-pr": 0.1065,
    "gpu-rec": 0.02137,
    "aleph": 0.05774,
    "torchao": 0.1801,
    "stas": 0.04045,
    "dgxc": 0.04939,
    "vtrain1n": 0.0759
   }
  },
  "groupLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.07222,
   "median": 0.04762,
   "within20": 0.9647,
   "bySource": {
    "simumax-a": 0.06873,
    "mbridge": 0.0404,
    "sc21t1": 0.02441,
    "sc21t2": 0.1411,
    "seqsel": 0.02986,
    "bloomcal": 0.08997,
    "bsv100": 0.05956,
    "bs1b3": 0.1679,
    "internevo": 0.07362,
    "vtrain": 0.04321,
    "mosaic-v3": 0.04585,
    "mosaic-v2": 0.02938,
    "mosaic-v1": 0.1463,
    "titan": 0.07372,
    "titan-pr": 0.1148,
    "gpu-rec": 0.07673,
    "aleph": 0.06343,
    "torchao": 0.2171,
    "stas": 0.04975,
    "dgxc": 0.06452,
    "vtrain1n": 0.08378
   }
  },
  "sourceLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.1222,
   "median": 0.1064,
   "within20": 0.8941,
   "bySource": {
    "simumax-a": 0.1532,
    "mbridge": 0.0404,
    "sc21t1": 0.09048,
    "sc21t2": 0.09081,
    "seqsel": 0.1274,
    "bloomcal": 0.1721,
    "bsv100": 0.04862,
    "bs1b3": 0.1681,
    "internevo": 0.07362,
    "vtrain": 0.04172,
    "mosaic-v3": 0.07361,
    "mosaic-v2": 0.02885,
    "mosaic-v1": 0.2422,
    "titan": 0.1194,
    "titan-pr": 0.1148,
    "gpu-rec": 0.06613,
    "aleph": 0.07673,
    "torchao": 0.2172,
    "stas": 0.04975,
    "dgxc": 0.1859,
    "vtrain1n": 0.2147
   }
  }
 },
 "uncertainty": {
  "coverage": 0.8,
  "knownStack": 0.122,
  "unknownStack": 0.249,
  "memory": 0.064,
  "memoryUnknownStack": 0.231
 },
 "products": {
  "h800-sxm fp8": {
   "shapes": 43,
   "constants": {
    "ceiling": 0.7164,
    "halfK": 401.2,
    "memoryShare": 0.9585,
    "launchSeconds": 0.000004508
   },
   "medianError": 0.06104
  },
  "b200 bf16": {
   "shapes": 19,
   "constants": {
    "ceiling": 0.75,
    "halfK": 438.8,
    "memoryShare": 0.8,
    "launchSeconds": 9.052e-7
   },
   "medianError": 0.09313
  },
  "b200 fp8": {
   "shapes": 12,
   "constants": {
    "ceiling": 0.7975,
    "halfK": 906.6,
    "memoryShare": 0.6687,
    "launchSeconds": 0.000002531
   },
   "medianError": 0.08623
  }
 }
} as const;
