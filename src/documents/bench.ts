/** What `meshlens bench host|collectives|compare --json` print, and what the dashboard shows of them. */
import type { Cause } from '../engine/bench/causes';
import type { ProfileFit } from '../engine/bench/fit/profile';
import type { ComparedPart } from '../engine/bench/parts';
import type { BenchRecord } from '../engine/bench/records';
import type { RunSummary } from '../engine/bench/run';
import type { Statistics } from '../engine/bench/statistics';
import type { ClusterPlan } from '../engine/bench/torchScript/fill';
import type { LaunchLines } from '../engine/bench/torchScript/launch';
import type { ProfileEvidence } from '../engine/configs/hardwareFile';
import type { ProblemDocument, SCHEMA } from './types';

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
export interface BenchMeasurement extends Statistics {
  readonly op: BenchOp;
  /** As nccl-tests counts: all-gather total output, reduce-scatter and all-to-all total input, else the buffer. */
  readonly bytes: number;
  readonly ranks: number;
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

/** A product of (m × k) and (k × n) by the trainer's kernels. */
export interface HostProduct extends Statistics {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly dtype: 'f32' | 'f64';
  readonly flops: number;
  readonly flopsPerSecond: number;
}

/** A copy of so many bytes; bytesPerSecond counts those read and those written. */
export interface HostMemory extends Statistics {
  readonly op: 'copy';
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

export interface HostDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'bench';
  readonly kind: 'host';
  /** When the run ended, ISO 8601. */
  readonly date: string;
  readonly machine: BenchMachine;
  readonly load: BenchLoad;
  readonly ranks: number;
  readonly threads: number;
  readonly products: readonly HostProduct[];
  readonly memory: readonly HostMemory[];
  readonly collectives: readonly BenchMeasurement[];
  readonly latency: { readonly messageSeconds: number | null; readonly barrierSeconds: number | null };
}

/** One thing that two runs measured. */
interface ComparedRow {
  readonly key: string;
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
  /** after / before; over 1 is slower. */
  readonly ratio: number;
  /** Share by which medians of such samples differ by chance. */
  readonly noise: number;
  readonly verdict: 'faster' | 'slower' | 'same';
}

export interface CompareDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'bench';
  readonly kind: 'compare';
  readonly before: { readonly file: string; readonly date: string; readonly cpu: string };
  readonly after: { readonly file: string; readonly date: string; readonly cpu: string };
  readonly sameMachine: boolean;
  readonly rows: readonly ComparedRow[];
  /** Things that only one of them measured. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

export interface ClusterDocument extends ClusterPlan {
  readonly schema: typeof SCHEMA;
  readonly command: 'bench';
  readonly kind: 'cluster';
  /** The file that was written. */
  readonly script: string;
  readonly launch: LaunchLines;
  readonly problems: readonly ProblemDocument[];
}

export interface ImportDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'bench';
  readonly kind: 'import';
  readonly files: readonly {
    readonly file: string;
    /** null: no importer knows it. */
    readonly format: string | null;
    readonly records: readonly BenchRecord[];
    /** Of a training log; null where the file is none. */
    readonly run: RunSummary | null;
    readonly problems: readonly ProblemDocument[];
  }[];
  /** Of the configs. */
  readonly problems: readonly ProblemDocument[];
}

export interface FitDocument extends ProfileFit {
  readonly schema: typeof SCHEMA;
  readonly command: 'bench';
  readonly kind: 'fit';
  readonly gpu: string | null;
  /** What it was made of. */
  readonly measurements: ProfileEvidence['measurements'];
  readonly problems: readonly ProblemDocument[];
}

export interface BenchCheckDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'bench';
  readonly kind: 'check';
  readonly problems: readonly ProblemDocument[];
}

/** One run, predicted beside logged. */
export interface RunComparison {
  readonly name: string;
  readonly predicted: { readonly stepSeconds: number | null; readonly peakBytes: number | null };
  /** null: no step and no peak is logged. */
  readonly run: RunSummary | null;
  /** Logged over predicted. */
  readonly ratio: number | null;
  /** By the trainer's own timers; empty where the log has none. */
  readonly parts: readonly ComparedPart[];
  readonly causes: readonly (Cause & { readonly message: string })[];
  readonly problems: readonly ProblemDocument[];
}

/** The first run, and all of them. */
export interface CompareRunDocument extends Omit<RunComparison, 'name' | 'parts'> {
  readonly schema: typeof SCHEMA;
  readonly command: 'bench';
  readonly kind: 'compare-run';
  readonly runs: readonly RunComparison[];
}
