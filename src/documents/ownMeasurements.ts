/** What a dashboard and its reports show of the user's own measurements of one config. */
import type { ProfileInUse } from '../engine/configs/hardwareFile';
import type { RunComparison } from './bench';
import type { BenchEntry } from './benchHistory';

export interface OwnMeasurements {
  /** What the numbers stand on; null: nothing of one's own. */
  readonly profile: ProfileInUse | null;
  /** Logged runs of this config beside their predictions. */
  readonly runs: readonly RunComparison[];
  /** Benchmarks of this machine in the order of time. */
  readonly history: readonly BenchEntry[];
  /** What was imported for this config. */
  readonly kept?: readonly KeptEntry[];
  /** Whether there is a calibration that can be taken back. */
  readonly canUndo?: boolean;
}

export interface KeptEntry {
  readonly name: string;
  readonly format: string;
  readonly records: number;
  /** When it was imported, ISO 8601. */
  readonly date: string;
}
