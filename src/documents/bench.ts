/** What `meshlens bench collectives --json` prints, and what the dashboard shows of it. */
import type { SCHEMA } from './types';

/** Operations that can be measured, each of which moves bytes but the barrier. */
export type BenchOp =
  | 'all-reduce'
  | 'reduce-scatter'
  | 'all-gather'
  | 'all-to-all'
  | 'broadcast'
  | 'send-recv'
  | 'barrier';

/** Seconds of one call, by the slowest rank of each sample. */
export interface BenchMeasurement {
  readonly op: BenchOp;
  /** As nccl-tests counts: all-gather total output, reduce-scatter and all-to-all total input, else the buffer. */
  readonly bytes: number;
  readonly ranks: number;
  readonly samples: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
  readonly leastSeconds: number;
  readonly slowestRank: number;
  readonly source: 'measured';
  readonly transport: 'shared-memory-threads';
  /** bytes/s; null for a barrier, which moves none. */
  readonly algbw: number | null;
  readonly busbw: number | null;
  /** busbw in units of 1e9 bytes/s and of 2^30 bytes/s. */
  readonly busbwGB: number | null;
  readonly busbwGiB: number | null;
  /** What the lecture's code would print (GiB/s under the name of GB/s), and by what it must be multiplied to be busbw. */
  readonly lecture: {
    readonly printedGiB: number;
    readonly factor: number;
    readonly code: 'same-as-busbw' | 'counts-output-bytes';
  } | null;
}

export interface BenchMachine {
  readonly cpu: string;
  readonly logicalCores: number;
  /** Threads that this process may run at once. */
  readonly parallelism: number;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly architecture: string;
  readonly runtime: string;
}

/** How busy others kept the machine: times measured on a busy one are too long. */
export interface BenchLoad {
  /** Share of all cores' time in a moment before and one after the run. */
  readonly beforeFraction: number;
  readonly afterFraction: number;
  /** Processes that wanted to run, mean of the last minute before; null where the system does not count them. */
  readonly oneMinute: number | null;
  /** Too busy for the figures to say what the machine can do. */
  readonly busy: boolean;
}

export interface BenchDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'bench';
  readonly kind: 'collectives';
  /** When the run ended, ISO 8601. */
  readonly date: string;
  readonly machine: BenchMachine;
  readonly load: BenchLoad;
  readonly ranks: number;
  /** Threads that carry the ranks: fewer than ranks where there are fewer cores, and then slower by far. */
  readonly threads: number;
  readonly warmups: number;
  readonly measurements: readonly BenchMeasurement[];
}
