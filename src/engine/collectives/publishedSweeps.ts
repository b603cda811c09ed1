/**
 * All-reduces by size as others have published them, from tables of nccl-tests and its like. Times of the look-up table
 * of V100s with 4, 6 and 7 GPUs contradict each other by their wiring; each stands as it was published.
 */

export interface PublishedSweep {
  /** Catalogue id, and the name that the source gives. */
  readonly gpu: string;
  readonly name: string;
  readonly gpus: number;
  readonly nodes: number;
  readonly source: string;
  /** Where in the source: repository, commit, file, lines. */
  readonly locator: string;
  readonly note: string;
  readonly points: readonly { readonly bytes: number; readonly seconds: number }[];
}

/** Microseconds of 2^first bytes, of twice as many, and so on. */
const doubling = (first: number, microseconds: readonly number[]): PublishedSweep['points'] =>
  microseconds.map((time, i) => ({ bytes: 2 ** (first + i), seconds: time / 1e6 }));

export const PUBLISHED_ALL_REDUCES: readonly PublishedSweep[] = [
  {
    gpu: 'a100-80',
    name: 'A100-SXM',
    gpus: 2,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/a100/AR_GPU2_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [44.21, 53.43, 61.18, 86.9, 131.9, 230, 404.7, 763.6, 1455.8, 2838.4, 5442.8]),
  },
  {
    gpu: 'a100-80',
    name: 'A100-SXM',
    gpus: 4,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/a100/AR_GPU4_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [51.4, 55.74, 77.32, 116.8, 179.6, 284.2, 543.8, 998.6, 1929, 3720, 7259.4]),
  },
  {
    gpu: 'a100-80',
    name: 'A100-SXM',
    gpus: 5,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/a100/AR_GPU5_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [62.77, 61.18, 78.62, 123.8, 198.8, 322.2, 568.3, 1066.7, 2037, 3935.8, 7653.2]),
  },
  {
    gpu: 'a100-80',
    name: 'A100-SXM',
    gpus: 6,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/a100/AR_GPU6_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [73, 74.61, 82.55, 126.7, 203.2, 304, 565.7, 1120.8, 2115.9, 4020.6, 7883.3]),
  },
  {
    gpu: 'a100-80',
    name: 'A100-SXM',
    gpus: 7,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/a100/AR_GPU7_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [77.96, 78.25, 84.18, 134.4, 227.6, 332.8, 599.9, 1147.4, 2190.9, 4106, 8112.8]),
  },
  {
    gpu: 'a100-80',
    name: 'A100-SXM',
    gpus: 8,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/a100/AR_GPU8_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [92.79, 93.25, 95.8, 134.3, 232.4, 358.1, 579.9, 1162, 2162.3, 4191.5, 8193]),
  },
  {
    gpu: 'v100-32',
    name: 'V100-SXM',
    gpus: 4,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/v100/AR_GPU4_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [67.26, 95.26, 142.1, 177.8, 324.2, 618.4, 1202.1, 2364.8, 4714, 9437.4, 18869]),
  },
  {
    gpu: 'v100-32',
    name: 'V100-SXM',
    gpus: 6,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/v100/AR_GPU6_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [99.48, 144.7, 194.7, 333.3, 635.9, 1247.6, 2471.4, 4915.7, 9803.2, 19579, 39121]),
  },
  {
    gpu: 'v100-32',
    name: 'V100-SXM',
    gpus: 7,
    nodes: 1,
    source: 'vTrain nccl-tests look-up table',
    locator: 'VIA-Research/vTrain@f8dda847:trace/v100/AR_GPU7_1M_1024M_LUT',
    note: 'out of place, float',
    points: doubling(20, [81.74, 110.1, 157.8, 271, 365.7, 705.2, 1365.7, 2674.7, 5343.6, 10623, 21156]),
  },
  {
    gpu: 'h200-sxm',
    name: 'H200-SXM',
    gpus: 8,
    nodes: 1,
    source: 'stas00/ml-engineering all_reduce_bench',
    locator: 'stas00/ml-engineering@744d01e1:network/README.md L1257–L1276',
    note: 'NCCL with NVLS from 2 MiB on',
    points: doubling(
      15,
      [
        39.82, 39.14, 40.03, 39.08, 38.33, 45.96, 56.87, 68.5, 94.39, 133.52, 212.88, 338.92, 584.38, 1077.07, 2086.49,
        4053.34, 8010.1, 15887.11, 31484.73, 62341.42,
      ],
    ),
  },
  {
    gpu: 'b200',
    name: 'B200',
    gpus: 8,
    nodes: 1,
    source: 'stas00/ml-engineering all_reduce_bench',
    locator: 'stas00/ml-engineering@744d01e1:network/README.md L1404–L1423',
    note: 'AWS P6-B200, NCCL 2.27.7',
    points: doubling(
      15,
      [
        47.79, 52.85, 47.2, 48.09, 49.04, 50.89, 58.17, 95.97, 116.06, 115.16, 180.14, 293.16, 413.25, 727.06, 1363.63,
        2597.74, 5113.27, 10148.24, 17915.53, 35551.42,
      ],
    ),
  },
  {
    gpu: 'b200',
    name: 'B200',
    gpus: 32,
    nodes: 4,
    source: 'stas00/ml-engineering all_reduce_bench',
    locator: 'stas00/ml-engineering@744d01e1:network/README.md L1406–L1423',
    note: 'AWS P6-B200, NCCL 2.27.7',
    points: doubling(
      17,
      [
        564.34, 381.88, 357.68, 378.33, 391.45, 429.97, 462.78, 504.51, 712.93, 829.55, 1313.77, 2270.26, 3181.97,
        5747.05, 11172.2, 22053.05, 43752.46, 87181.76,
      ],
    ),
  },
];
