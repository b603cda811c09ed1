/**
 * Messages between the extension and its worker. Every request bears an id that the answer repeats; the asker drops
 * answers for a text that has changed since.
 */
import type { ApplyDocument, EstimateDocument, FieldDocument, SearchDocument } from '../documents/types';
import type { PlanKey } from '../engine/plan/keys';
import type { Alternative } from '../engine/search/alternatives';

interface EngineFile {
  readonly file: string;
  readonly text: string;
}

/**
 * The file at hand first, then the other configs of its folder, of which the engine takes what belongs to it. The
 * user's own values (settings, answers) apply over them in their order.
 */
export interface EngineInput {
  readonly files: readonly EngineFile[];
  readonly values: readonly (readonly [key: string, value: string])[];
  /** The files that the user chose for this setup; else those of the list that belong to the first. */
  readonly chosen?: readonly string[] | null;
}

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
}

export type EngineCall =
  | ({ readonly type: 'estimate' } & EngineInput)
  | ({ readonly type: 'search'; readonly freeBatch: boolean } & EngineInput)
  | ({ readonly type: 'apply'; readonly target: string; readonly planString: string } & EngineInput)
  | ({ readonly type: 'alternatives'; readonly key: PlanKey } & EngineInput);

export interface EngineResults {
  estimate: EstimateAnswer;
  search: SearchDocument;
  apply: ApplyDocument;
  alternatives: readonly Alternative[];
}

/** Version of the asking document; the answer repeats it and a stale one is dropped. */
export type ToEngine =
  | { readonly id: number; readonly version: number; readonly call: EngineCall }
  | { readonly id: number; readonly cancel: true };

export interface EngineProgress {
  readonly candidates: number;
  readonly evaluated: number;
}

export type FromEngine =
  | { readonly id: number; readonly version: number; readonly result: EngineResults[keyof EngineResults] }
  | { readonly id: number; readonly progress: EngineProgress }
  | { readonly id: number; readonly error: string };
