/**
 * Messages between the extension and the dashboard. What goes to the dashboard is always a complete snapshot, never a
 * difference, so that a message that a hidden panel misses does no harm. What comes from it is untrusted and checked
 * against the schemas below.
 */
import * as v from 'valibot';
import type { BenchDocument, BenchOp } from '../documents/bench';
import type { OwnMeasurements } from '../documents/ownMeasurements';
import type { ProofDocument } from '../documents/proof';
import type { SetupData } from '../documents/setupData';
import type { Costs } from '../engine/configs/workspaceFile';
import type { EstimateDocument, FieldDocument, SearchDocument } from '../documents/types';
import { SearchAsk } from './searchAsk';

/** Everything that the dashboard shows of one setup. */
export interface DashboardState {
  /** Rises with every change, so that an old snapshot never replaces a newer one. */
  readonly version: number;
  /** Of the document whose dashboard this is: the page keeps it, so that the panel can be restored. */
  readonly uri: string;
  /** Names of the files of the setup, as the user knows them, the plan's file first. */
  readonly files: readonly string[];
  /** Framework that holds the plan; null where only a model is open. */
  readonly framework: string | null;
  /** The text is damaged; the estimate is that of the last good text. */
  readonly stale: boolean;
  readonly estimate: EstimateDocument;
  /** What the page evaluates changes of the plan on. */
  readonly setup?: SetupData;
  /** Prices of the user's settings. */
  readonly costs?: Costs;
  /** Where each value of the setup comes from. */
  readonly fields?: readonly FieldDocument[];
  readonly search: SearchState;
  readonly bench?: BenchState;
  readonly proof?: ProofState;
  /** Name of the user's own text that proofs learn; null: the trainer's own. */
  readonly proofText?: string | null;
  /** The user's own measurements. */
  readonly measured?: OwnMeasurements;
}

export type SearchState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly evaluated: number; readonly candidates: number }
  | { readonly phase: 'done'; readonly document: SearchDocument }
  | { readonly phase: 'failed'; readonly message: string };

export type ProofState =
  | { readonly phase: 'idle' }
  /** `planString` null: the plan of the file. Steps are counted from 0. */
  | { readonly phase: 'running'; readonly planString: string | null; readonly done: number; readonly total: number }
  | { readonly phase: 'done'; readonly document: ProofDocument }
  | { readonly phase: 'failed'; readonly message: string };

/** The benchmark of this machine; the last result stays while another one runs. */
export interface BenchState {
  readonly running: { readonly done: number; readonly operations: number; readonly op: BenchOp } | null;
  readonly failure: string | null;
  readonly result: BenchDocument | null;
  /** Why nothing can be measured here, as a sentence; null: it can. */
  readonly refusal?: string | null;
}

export type ToDashboard =
  | { readonly type: 'state'; readonly state: DashboardState }
  /** Brings a section into view; comes after a state. */
  | { readonly type: 'scrollTo'; readonly section: string };

/** Commands of measurements that the page offers. */
const MEASUREMENT_COMMANDS = [
  'writeClusterScript',
  'importMeasurements',
  'calibrate',
  'undoCalibration',
  'forgetMeasurements',
] as const;
export type MeasurementCommand = (typeof MEASUREMENT_COMMANDS)[number];

export const FromDashboard = v.variant('type', [
  /** The page has loaded and wants the state. */
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('search'), ask: SearchAsk }),
  v.object({ type: v.literal('cancelSearch') }),
  /** Runs a plan on the twin of the model; null: the plan of the file. */
  v.object({ type: v.literal('prove'), planString: v.nullable(v.pipe(v.string(), v.maxLength(2000))) }),
  v.object({ type: v.literal('cancelProof') }),
  /** Asks for the text that proofs learn, or goes back to the trainer's own. */
  v.object({ type: v.literal('chooseProofText') }),
  v.object({ type: v.literal('ownProofText') }),
  v.object({ type: v.literal('benchmark') }),
  v.object({ type: v.literal('cancelBenchmark') }),
  /** Shows the difference and offers to write it. */
  v.object({ type: v.literal('apply'), planString: v.pipe(v.string(), v.maxLength(2000)) }),
  v.object({ type: v.literal('chooseFiles') }),
  v.object({ type: v.literal('chooseCluster') }),
  /** Asks for values that are unknown (plan keys, comma-separated). */
  v.object({ type: v.literal('askValues') }),
  /** Opens the place of a problem. */
  v.object({
    type: v.literal('reveal'),
    file: v.pipe(v.string(), v.maxLength(4000)),
    line: v.pipe(v.number(), v.integer(), v.minValue(1)),
    column: v.pipe(v.number(), v.integer(), v.minValue(1)),
  }),
  v.object({ type: v.literal('measurements'), command: v.picklist(MEASUREMENT_COMMANDS) }),
  v.object({ type: v.literal('exportMarkdown') }),
  /** Opens the settings of prices. */
  v.object({ type: v.literal('setPrice') }),
  /** A file that the page has made: a page cannot save one itself. */
  v.object({
    type: v.literal('save'),
    name: v.pipe(v.string(), v.maxLength(200)),
    mime: v.pipe(v.string(), v.maxLength(100)),
    data: v.instance(Uint8Array),
  }),
  /** What the page shows, for tests: the text of its headline figures by name. */
  v.object({ type: v.literal('report'), figures: v.record(v.string(), v.string()) }),
]);
export type FromDashboard = v.InferOutput<typeof FromDashboard>;
