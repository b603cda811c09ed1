/** What a benchmark's output or a training log says, whatever its format: measurements with the line that they stand in. */
import type { Problem } from '../problem';

export type MeasuredCollective =
  | 'all-reduce'
  | 'all-gather'
  | 'reduce-scatter'
  | 'all-to-all'
  | 'broadcast'
  | 'reduce'
  | 'send-recv'
  | 'barrier';

/** Seconds of one call. Bytes as nccl-tests counts: all-gather total output, reduce-scatter and all-to-all total input. */
export interface CollectiveRecord {
  readonly kind: 'collective';
  readonly line: number;
  readonly op: MeasuredCollective;
  readonly bytes: number;
  readonly ranks: number | null;
  /** Nodes that the ranks lie on; null where the output does not say. */
  readonly nodes: number | null;
  readonly seconds: number;
}

/** A product of (m × k) and (k × n). */
export interface ProductRecord {
  readonly kind: 'product';
  readonly line: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly dtype: string | null;
  readonly seconds: number;
}

/** A copy of so many bytes; bytesPerSecond counts those read and those written. */
export interface MemoryRecord {
  readonly kind: 'memory';
  readonly line: number;
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

/** One training step, or the mean of several, as a trainer logs it. */
export interface StepRecord {
  readonly kind: 'step';
  readonly line: number;
  readonly step: number;
  readonly seconds: number | null;
  /** Of the whole run. */
  readonly tokensPerSecond: number | null;
  readonly tokensPerSecondPerGpu: number | null;
  readonly samplesPerSecond: number | null;
  readonly flopsPerSecondPerGpu: number | null;
  /** As the trainer counts it, from 0 to 1. */
  readonly mfu: number | null;
  readonly globalBatch: number | null;
}

/** Largest bytes of one device; each kind of peak is told apart. */
export interface PeakRecord {
  readonly kind: 'peak';
  readonly line: number;
  readonly rank: number | null;
  readonly allocatedBytes: number | null;
  readonly reservedBytes: number | null;
  readonly failures: number | null;
}

/** Seconds of one part of a step by the trainer's own timers; of the fastest and the slowest rank. */
export interface PartRecord {
  readonly kind: 'part';
  readonly line: number;
  readonly name: string;
  readonly leastSeconds: number;
  readonly mostSeconds: number;
}

/** A row of a profiler's table. */
export interface KernelRecord {
  readonly kind: 'kernel';
  readonly line: number;
  readonly name: string;
  readonly calls: number | null;
  readonly deviceSeconds: number | null;
  readonly hostSeconds: number | null;
}

/** A GPU as its driver describes it. */
export interface DeviceRecord {
  readonly kind: 'device';
  readonly line: number;
  readonly name: string;
  readonly memoryBytes: number | null;
  readonly powerWatts: number | null;
  readonly powerLimitWatts: number | null;
  readonly clockHertz: number | null;
  readonly mostClockHertz: number | null;
  /** What holds its clocks down, as the driver calls it. */
  readonly throttles: readonly string[];
}

/** NVLink joins of a node. */
export interface TopologyRecord {
  readonly kind: 'topology';
  readonly line: number;
  readonly gpus: number;
  readonly nics: number;
  readonly domainSize: number;
}

export type BenchRecord =
  | CollectiveRecord
  | ProductRecord
  | MemoryRecord
  | StepRecord
  | PeakRecord
  | PartRecord
  | KernelRecord
  | DeviceRecord
  | TopologyRecord;

/** A step of which nothing is known. */
export const NO_STEP: Omit<StepRecord, 'line' | 'step'> = {
  kind: 'step',
  seconds: null,
  tokensPerSecond: null,
  tokensPerSecondPerGpu: null,
  samplesPerSecond: null,
  flopsPerSecondPerGpu: null,
  mfu: null,
  globalBatch: null,
};

export interface Imported {
  readonly file: string;
  /** null: of no known format. */
  readonly format: string | null;
  readonly records: readonly BenchRecord[];
  readonly problems: readonly Problem[];
}
