/**
 * How much of a datasheet link a collective reaches, and what a hop costs, for each family of accelerators. Fitted to
 * published nccl-tests tables (named at each row); the search behind them is bench/collectives/validate.ts.
 * Shares are of the datasheet's rate in one direction, in the sense of bus bandwidth.
 */

export interface LinkFit {
  /** Seconds a hop. */
  readonly lowLatencyAlphaSeconds: number;
  readonly bulkAlphaSeconds: number;
  /** Share of the datasheet's bytes/s that long messages reach. */
  readonly efficiency: number;
}

export interface LinkProfile {
  /** Launch and synchronisation of one call, paid once, by protocol. */
  readonly startSeconds: number;
  readonly bulkStartSeconds: number;
  /** What each further peer of a port costs: a flag to look at, or, with the bulk protocol, a channel to set up. */
  readonly peerSeconds: number;
  readonly bulkPeerSeconds: number;
  /** Share of a link that the low-latency protocol uses (its flags travel with the data). */
  readonly lowLatencyShare: number;
  readonly scaleUp: LinkFit;
  /** What crossing the fabric adds once (proxy thread, registration), beside its hops. */
  readonly scaleOut: LinkFit & { readonly startSeconds: number; readonly bulkStartSeconds: number };
  /** Null where the domain's switch does not reduce. NCCL leaves small groups to the ring. */
  readonly inSwitch: (LinkFit & { readonly minimumRanks: number }) | null;
  readonly source: string;
}

const fabric = (startSeconds: number, bulkStartSeconds: number, efficiency: number): LinkProfile['scaleOut'] => ({
  lowLatencyAlphaSeconds: 6e-6,
  bulkAlphaSeconds: 8e-6,
  efficiency,
  startSeconds,
  bulkStartSeconds,
});

const volta: LinkProfile = {
  startSeconds: 20e-6,
  bulkStartSeconds: 34e-6,
  peerSeconds: 0.15e-6,
  bulkPeerSeconds: 4e-6,
  lowLatencyShare: 0.25,
  scaleUp: { lowLatencyAlphaSeconds: 1.5e-6, bulkAlphaSeconds: 3e-6, efficiency: 0.57 },
  scaleOut: fabric(40e-6, 150e-6, 0.93),
  inSwitch: null,
  source: 'vTrain nccl-tests tables for V100 (VIA-Research/vTrain f8dda847); JeanZay 4-GPU nodes (bigscience 9e64edec)',
};

const ampere: LinkProfile = {
  ...volta,
  scaleUp: { lowLatencyAlphaSeconds: 1.5e-6, bulkAlphaSeconds: 3e-6, efficiency: 0.77 },
  scaleOut: fabric(80e-6, 500e-6, 0.94),
  source: 'vTrain nccl-tests tables for A100, 2 to 8 GPUs; AWS p4de (awsome-distributed-training 7217859f); OCI RoCE',
};

const hopper: LinkProfile = {
  startSeconds: 16e-6,
  bulkStartSeconds: 34e-6,
  peerSeconds: 0.15e-6,
  bulkPeerSeconds: 4e-6,
  lowLatencyShare: 0.35,
  scaleUp: { lowLatencyAlphaSeconds: 1.5e-6, bulkAlphaSeconds: 3e-6, efficiency: 0.81 },
  scaleOut: fabric(50e-6, 280e-6, 0.94),
  inSwitch: { lowLatencyAlphaSeconds: 3e-6, bulkAlphaSeconds: 10e-6, efficiency: 0.68, minimumRanks: 5 },
  source: 'AWS p5 and NVIDIA dgxc-benchmarking (H100); stas00 ml-engineering (H200, 4 to 8 GPUs, ring and NVLS)',
};

const blackwell: LinkProfile = {
  ...hopper,
  startSeconds: 28e-6,
  bulkStartSeconds: 70e-6,
  scaleUp: { ...hopper.scaleUp, efficiency: 0.75 },
  scaleOut: fabric(150e-6, 300e-6, 0.94),
  inSwitch: { lowLatencyAlphaSeconds: 3e-6, bulkAlphaSeconds: 10e-6, efficiency: 0.6, minimumRanks: 5 },
  source: 'stas00 ml-engineering (B200); OCI quickstarts (B300, GB200, GB300)',
};

const cdna: LinkProfile = {
  ...hopper,
  scaleUp: { ...hopper.scaleUp, efficiency: 0.7 },
  inSwitch: null,
  source: 'OCI quickstarts (MI300X, MI355X); RCCL log of MI350X',
};

const pcie: LinkProfile = {
  ...ampere,
  scaleUp: { lowLatencyAlphaSeconds: 4e-6, bulkAlphaSeconds: 10e-6, efficiency: 0.6 },
  source: 'third-party CS336 assignment measurements on a PCIe machine (damek/cs336-assignment2-systems)',
};

export const LINK_PROFILES = { volta, ampere, hopper, blackwell, cdna, pcie } as const;
export type LinkFamily = keyof typeof LINK_PROFILES;

/** The family of a catalogue id (`gpu_id` of the hardware table). Unknown ids behave as Hopper. */
export function linkFamily(gpuId: string): LinkFamily {
  if (/^v100/.test(gpuId)) return 'volta';
  if (/^(a100-pcie|h100-pcie|h100-nvl|l40s|a10g|rtx)/.test(gpuId)) return 'pcie';
  if (/^(a100|a800)/.test(gpuId)) return 'ampere';
  if (/^(b|gb)\d/.test(gpuId)) return 'blackwell';
  if (/^mi\d/.test(gpuId)) return 'cdna';
  return 'hopper';
}
