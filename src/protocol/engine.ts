/**
 * Messages between the extension and its worker. Every request bears an id that the answer repeats; the asker drops
 * answers for a text that has changed since.
 */
import type { FitDocument, RunComparison } from '../documents/bench';
import type { ExerciseDocument } from '../documents/exercise';
import type { LectureScene, SceneDemo } from '../documents/lectureScenes';
import type { ProofDocument } from '../documents/proof';
import type { SetupData } from '../documents/setupData';
import type {
  ApplyDocument,
  EstimateDocument,
  ExportDocument,
  FieldDocument,
  ProblemDocument,
  SearchDocument,
} from '../documents/types';
import type { RunSummary } from '../engine/bench/run';
import type { LaunchLines } from '../engine/bench/torchScript/launch';
import type { ProfileInUse } from '../engine/configs/hardwareFile';
import type { ExportKind } from '../engine/configs/export/targets';
import type { Costs } from '../engine/configs/workspaceFile';
import type { ExerciseName } from '../engine/exercises/exercises';
import type { PlanKey } from '../engine/plan/keys';
import type { Fixed } from '../engine/search/points';
import type { SearchAsk } from './searchAsk';
import type { Alternative } from '../engine/search/alternatives';
import type { Language } from '../words/language';

/** Steps of a proof: enough for the losses to fall and for what one step writes to matter in the next. */
export const PROOF_STEPS = 5;

export interface EngineFile {
  readonly file: string;
  readonly text: string;
}

/**
 * The file at hand first, then the other configs of its folder, of which the engine takes what belongs to it. The
 * user's own values (settings, meshlens.json, answers) apply over them in this order.
 */
export interface EngineInput {
  readonly files: readonly EngineFile[];
  readonly values: Pairs;
  /** The nearest meshlens.json, the file at hand as it is called from there, the hardware file that it names; over `values`. */
  readonly workspace: (EngineFile & { readonly config: string; readonly hardware: EngineFile | null }) | null;
  /** Answers to questions; over all others. */
  readonly answers: Pairs;
  readonly costs: Costs;
  /** The files that the user chose for this setup; else those of the list that belong to the first. */
  readonly chosen?: readonly string[] | null;
}

type Pairs = readonly (readonly [key: string, value: string])[];

interface FileAnswer {
  readonly file: string;
  readonly kind: string | null;
  readonly damaged: boolean;
  readonly writable: boolean;
}

export interface EstimateAnswer {
  /** Of the setup: the file at hand first. */
  readonly files: readonly FileAnswer[];
  readonly document: EstimateDocument;
  readonly fields: readonly FieldDocument[];
  /** Files that the setup names and that were not given: where each may lie, the likeliest path first. */
  readonly wanted: readonly (readonly string[])[];
  /** As read, with the user's own values, before defaults: what a change is made to. */
  readonly setup: SetupData;
  /** Of the settings and the workspace's own file. */
  readonly costs: Costs;
  /** Own measurements that the numbers stand on. */
  readonly profile: ProfileInUse | null;
}

/** The logs of one run with what is known of the config that made it. */
export interface LoggedFiles {
  readonly name: string;
  readonly logs: readonly EngineFile[];
  readonly input: EngineInput;
}

/** What a text of measurements says. */
export interface MeasurementsAnswer {
  readonly file: string;
  /** null: no importer knows it. */
  readonly format: string | null;
  readonly records: number;
  /** Of a training log; null where the text is none. */
  readonly run: RunSummary | null;
  readonly problems: readonly ProblemDocument[];
}

export type EngineCall =
  | ({ readonly type: 'estimate' } & EngineInput)
  | ({ readonly type: 'search'; readonly ask: SearchAsk; readonly fixed?: Fixed } & EngineInput)
  | { readonly type: 'exercise'; readonly exercise: ExerciseName; readonly text: string }
  | { readonly type: 'lecture'; readonly demo: SceneDemo }
  | ({ readonly type: 'alternatives'; readonly key: PlanKey } & EngineInput)
  | ({ readonly type: 'measurements'; readonly measured: EngineFile } & EngineInput)
  | { readonly type: 'pitfalls'; readonly script: EngineFile }
  | { readonly type: 'compareRuns'; readonly runs: readonly LoggedFiles[] }
  | ({
      readonly type: 'calibrate';
      readonly measured: readonly EngineFile[];
      readonly runs: readonly LoggedFiles[];
      /** Of the file that is made, ISO 8601. */
      readonly date: string;
    } & EngineInput)
  | ({ readonly type: 'clusterScript'; readonly script: string } & EngineInput)
  /** `planString` null: the setup's own plan. */
  | ({ readonly type: 'prove'; readonly planString: string | null; readonly text: Uint8Array | null } & EngineInput)
  | ({ readonly type: 'export'; readonly to: ExportKind } & EngineInput)
  | ({ readonly type: 'apply'; readonly target: string; readonly planString: string } & EngineInput);

export interface EngineResults {
  estimate: EstimateAnswer;
  search: SearchDocument;
  prove: ProofDocument;
  exercise: ExerciseDocument;
  lecture: readonly LectureScene[];
  apply: ApplyDocument;
  export: ExportDocument;
  alternatives: readonly Alternative[];
  measurements: MeasurementsAnswer;
  pitfalls: readonly ProblemDocument[];
  compareRuns: readonly RunComparison[];
  /** `text`: the hardware file. */
  calibrate: { readonly document: FitDocument; readonly text: string };
  clusterScript: { readonly text: string; readonly launch: LaunchLines };
}

/** Version of the asking document; the answer repeats it and a stale one is dropped. Language: of the answer's sentences. */
export type ToEngine =
  | { readonly id: number; readonly version: number; readonly language: Language; readonly call: EngineCall }
  | { readonly id: number; readonly cancel: true }
  /** Answered at once by a worker that takes messages. */
  | { readonly ping: true };

/** What a long call tells on its way. */
export interface EngineProgress {
  estimate: never;
  search: { readonly candidates: number; readonly evaluated: number };
  /** Steps of training. */
  prove: { readonly done: number; readonly total: number };
  apply: never;
  export: never;
  alternatives: never;
  exercise: never;
  lecture: never;
  measurements: never;
  pitfalls: never;
  compareRuns: never;
  calibrate: never;
  clusterScript: never;
}

export type FromEngine =
  | { readonly id: number; readonly version: number; readonly result: EngineResults[keyof EngineResults] }
  | { readonly id: number; readonly progress: EngineProgress[keyof EngineProgress] }
  | { readonly id: number; readonly error: string }
  | { readonly pong: true };
