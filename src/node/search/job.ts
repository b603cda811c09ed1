/**
 * What the two threads of a search share. It stands apart from the second thread's program, which listens as soon as it is
 * loaded: whoever imports that has its listener.
 */
import type { MessagePort } from 'node:worker_threads';
import type { SearchOptions } from '../../engine/search/result';
import type { TrainingSetup } from '../../engine/setup/setup';

/** Places in the shared counter. */
export const NEXT_PART = 0;
export const CANCELLED = 1;

export interface SearchJob {
  readonly setup: TrainingSetup;
  readonly options: SearchOptions;
  readonly counter: Int32Array;
  /** Takes each part when it is walked. */
  readonly port: MessagePort;
}
