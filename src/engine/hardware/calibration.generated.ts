import type { Calibration } from './calibration';

export const CALIBRATION: Calibration = {
  devices: {
    volta: { matmulCeiling: 0.86, halfK: 160, flashEfficiency: 0.4, linkShare: 0.72, fp8Share: 1 },
    ampere: { matmulCeiling: 0.83, halfK: 266, flashEfficiency: 0.48, linkShare: 0.72, fp8Share: 1 },
    hopper: { matmulCeiling: 0.73, halfK: 250, flashEfficiency: 0.27, linkShare: 0.62, fp8Share: 0.9 },
    blackwell: { matmulCeiling: 0.57, halfK: 265, flashEfficiency: 0.37, linkShare: 0.63, fp8Share: 0.9 },
  },
  common: {
    memoryShare: 0.85, pointwisePasses: 1.54, compiledShare: 0.59, fusedShare: 0.8, unfusedNormBytes: 75, headDimExponent: 0.18,
    flash1Share: 0.7, cudnnShare: 1.4, unfusedAttentionShare: 0.65, softmaxPasses: 0.7, lossPasses: 1.1, alignmentLoss: 0.1,
    lowPowerShare: 0.88, castPasses: 1, networkShare: 0.51, linkLatencySeconds: 12e-6, linkHopSeconds: 3e-6, networkLatencySeconds: 24e-6,
    ringHopSeconds: 2e-6, fragmentedRanks: 64, launchSeconds: 11.5e-6, checkpointSeconds: 0.5e-3, microBatchSeconds: 0.9e-3, stepSeconds: 14e-3,
    optimizerBytes: 32, accumulationPasses: 0.86, dataParallelOverlap: 0.6, fsdpOverlap: 0.8, tensorExposed: 0.15,
    contextExposed: 0.3, dispatchPasses: 4.4, p2pShare: 0.75, stragglerPerDoubling: 0.009, thrash: 1.5,
  },
  stacks: {},
};
