/** Made by `npm run calibrate`: what was fitted to how much, and how well it predicts what it has not seen. */
export const CALIBRATION_REPORT = {
 "rows": 1790,
 "parameters": [
  {
   "name": "device.ampere.matmulCeiling",
   "value": 0.7992,
   "prior": 0.8,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.ampere.halfK",
   "value": 238.6,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.ampere.flashEfficiency",
   "value": 0.3991,
   "prior": 0.5,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.ampere.linkShare",
   "value": 0.7525,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.matmulCeiling",
   "value": 0.5856,
   "prior": 0.65,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.blackwell.halfK",
   "value": 280.9,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.blackwell.flashEfficiency",
   "value": 0.353,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.blackwell.linkShare",
   "value": 0.5982,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.blackwell.fp8Share",
   "value": 0.9489,
   "prior": 0.85,
   "low": 0.4,
   "high": 1.1
  },
  {
   "name": "device.hopper.matmulCeiling",
   "value": 0.7195,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.9
  },
  {
   "name": "device.hopper.halfK",
   "value": 263.4,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.hopper.flashEfficiency",
   "value": 0.2057,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.9
  },
  {
   "name": "device.hopper.linkShare",
   "value": 0.6918,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.hopper.fp8Share",
   "value": 0.9686,
   "prior": 0.85,
   "low": 0.4,
   "high": 1.1
  },
  {
   "name": "device.volta.matmulCeiling",
   "value": 0.778,
   "prior": 0.7,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "device.volta.halfK",
   "value": 187.8,
   "prior": 250,
   "low": 50,
   "high": 1000
  },
  {
   "name": "device.volta.linkShare",
   "value": 0.7049,
   "prior": 0.75,
   "low": 0.3,
   "high": 0.95
  },
  {
   "name": "common.memoryShare",
   "value": 0.8213,
   "prior": 0.8,
   "low": 0.5,
   "high": 0.95
  },
  {
   "name": "common.pointwisePasses",
   "value": 1.222,
   "prior": 1.2,
   "low": 0.5,
   "high": 3
  },
  {
   "name": "common.compiledShare",
   "value": 0.5969,
   "prior": 0.5,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.fusedShare",
   "value": 0.7153,
   "prior": 0.8,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.unfusedNormBytes",
   "value": 69.26,
   "prior": 60,
   "low": 10,
   "high": 200
  },
  {
   "name": "common.headDimExponent",
   "value": 0.1949,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.flash1Share",
   "value": 0.6394,
   "prior": 0.65,
   "low": 0.3,
   "high": 1
  },
  {
   "name": "common.cudnnShare",
   "value": 1.571,
   "prior": 1.4,
   "low": 1,
   "high": 2.5
  },
  {
   "name": "common.unfusedAttentionShare",
   "value": 0.7142,
   "prior": 0.6,
   "low": 0.2,
   "high": 1
  },
  {
   "name": "common.softmaxPasses",
   "value": 0.705,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.lossPasses",
   "value": 0.9759,
   "prior": 1,
   "low": 0.3,
   "high": 3
  },
  {
   "name": "common.alignmentLoss",
   "value": 0.1865,
   "prior": 0.1,
   "low": 0.01,
   "high": 0.4
  },
  {
   "name": "common.powerExponent",
   "value": 0.3614,
   "prior": 0.35,
   "low": 0.1,
   "high": 0.6
  },
  {
   "name": "common.castPasses",
   "value": 0.9221,
   "prior": 1,
   "low": 0.2,
   "high": 4
  },
  {
   "name": "common.networkShare",
   "value": 0.7124,
   "prior": 0.65,
   "low": 0.2,
   "high": 0.95
  },
  {
   "name": "common.linkLatencySeconds",
   "value": 0.00001337,
   "prior": 0.000012,
   "low": 0.000002,
   "high": 0.00006
  },
  {
   "name": "common.linkHopSeconds",
   "value": 0.000005378,
   "prior": 0.000004,
   "low": 3e-7,
   "high": 0.000015
  },
  {
   "name": "common.networkLatencySeconds",
   "value": 0.00002451,
   "prior": 0.000025,
   "low": 0.000005,
   "high": 0.0002
  },
  {
   "name": "common.ringHopSeconds",
   "value": 0.000002014,
   "prior": 0.000002,
   "low": 2e-7,
   "high": 0.00001
  },
  {
   "name": "common.fragmentedRanks",
   "value": 33.58,
   "prior": 64,
   "low": 4,
   "high": 1024
  },
  {
   "name": "common.launchSeconds",
   "value": 0.000009933,
   "prior": 0.000008,
   "low": 0.000002,
   "high": 0.00004
  },
  {
   "name": "common.checkpointSeconds",
   "value": 0.0008774,
   "prior": 0.0005,
   "low": 0.00002,
   "high": 0.005
  },
  {
   "name": "common.microBatchSeconds",
   "value": 0.00101,
   "prior": 0.001,
   "low": 0.00005,
   "high": 0.01
  },
  {
   "name": "common.stepSeconds",
   "value": 0.01412,
   "prior": 0.015,
   "low": 0.001,
   "high": 0.1
  },
  {
   "name": "common.optimizerBytes",
   "value": 34,
   "prior": 32,
   "low": 12,
   "high": 80
  },
  {
   "name": "common.accumulationPasses",
   "value": 0.9946,
   "prior": 1,
   "low": 0.3,
   "high": 2
  },
  {
   "name": "common.dataParallelOverlap",
   "value": 0.4526,
   "prior": 0.6,
   "low": 0.1,
   "high": 0.95
  },
  {
   "name": "common.fsdpOverlap",
   "value": 0.675,
   "prior": 0.85,
   "low": 0.4,
   "high": 0.98
  },
  {
   "name": "common.tensorExposed",
   "value": 0.2385,
   "prior": 0.3,
   "low": 0.02,
   "high": 1
  },
  {
   "name": "common.contextExposed",
   "value": 0.2821,
   "prior": 0.3,
   "low": 0.05,
   "high": 1
  },
  {
   "name": "common.dispatchPasses",
   "value": 3.908,
   "prior": 4,
   "low": 1,
   "high": 12
  },
  {
   "name": "common.p2pShare",
   "value": 0.7891,
   "prior": 1,
   "low": 0.2,
   "high": 3
  },
  {
   "name": "common.stragglerPerDoubling",
   "value": 0.00726,
   "prior": 0.01,
   "low": 0.001,
   "high": 0.04
  },
  {
   "name": "common.thrash",
   "value": 1.648,
   "prior": 1.5,
   "low": 0.1,
   "high": 5
  },
  {
   "name": "stack.aleph-alpha.bias",
   "value": 1.068,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.aleph-alpha.hostFactor",
   "value": 1.01,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.internevo.bias",
   "value": 1.011,
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
   "value": 1.001,
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
   "value": 1.171,
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
   "value": 1.018,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.llm-foundry-2023q2.hostFactor",
   "value": 0.9994,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.maxtext.bias",
   "value": 0.9468,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.maxtext.hostFactor",
   "value": 0.9998,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-2021.bias",
   "value": 0.9644,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2021.hostFactor",
   "value": 0.9896,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-2022.bias",
   "value": 0.9094,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-2022.hostFactor",
   "value": 0.9653,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-core.bias",
   "value": 1.082,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-core.hostFactor",
   "value": 1.053,
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
   "value": 1.028,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.megatron-deepspeed-2023.bias",
   "value": 0.9179,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.megatron-deepspeed-2023.hostFactor",
   "value": 1.819,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo.bias",
   "value": 0.9636,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.nemo.hostFactor",
   "value": 1.041,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.nemo-dgxc.bias",
   "value": 0.8845,
   "prior": 1,
   "low": 0.7,
   "high": 1.4
  },
  {
   "name": "stack.nemo-dgxc.hostFactor",
   "value": 0.932,
   "prior": 1,
   "low": 0.2,
   "high": 6
  },
  {
   "name": "stack.stas.bias",
   "value": 1.015,
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
   "value": 0.9942,
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
   "mean": 0.06283,
   "median": 0.0427,
   "within20": 0.9765,
   "bySource": {
    "simumax-a": 0.05819,
    "mbridge": 0.03567,
    "sc21t1": 0.02075,
    "sc21t2": 0.1274,
    "seqsel": 0.02022,
    "bloomcal": 0.06992,
    "bsv100": 0.04795,
    "bs1b3": 0.1257,
    "internevo": 0.06282,
    "vtrain": 0.03924,
    "mosaic-v3": 0.04526,
    "mosaic-v2": 0.02936,
    "mosaic-v1": 0.1355,
    "titan": 0.05593,
    "titan-pr": 0.1348,
    "gpu-rec": 0.03144,
    "aleph": 0.07494,
    "torchao": 0.2057,
    "stas": 0.04091,
    "dgxc": 0.04541,
    "vtrain1n": 0.0823
   }
  },
  "groupLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.07821,
   "median": 0.051,
   "within20": 0.9294,
   "bySource": {
    "simumax-a": 0.09784,
    "mbridge": 0.05045,
    "sc21t1": 0.02466,
    "sc21t2": 0.1991,
    "seqsel": 0.02662,
    "bloomcal": 0.08996,
    "bsv100": 0.05665,
    "bs1b3": 0.1715,
    "internevo": 0.06369,
    "vtrain": 0.04663,
    "mosaic-v3": 0.04796,
    "mosaic-v2": 0.03139,
    "mosaic-v1": 0.1585,
    "titan": 0.07442,
    "titan-pr": 0.1385,
    "gpu-rec": 0.09905,
    "aleph": 0.08423,
    "torchao": 0.2377,
    "stas": 0.05294,
    "dgxc": 0.05618,
    "vtrain1n": 0.0899
   }
  },
  "sourceLeftOut": {
   "rows": 1790,
   "groups": 85,
   "mean": 0.132,
   "median": 0.1269,
   "within20": 0.8588,
   "bySource": {
    "simumax-a": 0.1542,
    "mbridge": 0.05045,
    "sc21t1": 0.1419,
    "sc21t2": 0.2641,
    "seqsel": 0.1194,
    "bloomcal": 0.1721,
    "bsv100": 0.05194,
    "bs1b3": 0.1715,
    "internevo": 0.06369,
    "vtrain": 0.04568,
    "mosaic-v3": 0.0576,
    "mosaic-v2": 0.0341,
    "mosaic-v1": 0.2252,
    "titan": 0.1598,
    "titan-pr": 0.1385,
    "gpu-rec": 0.08684,
    "aleph": 0.1251,
    "torchao": 0.2377,
    "stas": 0.05294,
    "dgxc": 0.2095,
    "vtrain1n": 0.1868
   }
  }
 },
 "uncertainty": {
  "coverage": 0.8,
  "knownStack": 0.126,
  "unknownStack": 0.233
 }
} as const;
