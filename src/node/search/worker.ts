/** The second thread of a search: walks parts of the space for as long as there are any. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { SearchOptions } from '../../engine/search/result';
import { SearchRun, searchRun } from '../../engine/search/search';
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

parentPort?.on('message', ({ setup, options, counter, port }: SearchJob) => {
  const run = searchRun(setup, options);
  if (!(run instanceof SearchRun)) return;
  for (let part = Atomics.add(counter, NEXT_PART, 1); part < run.parts; part = Atomics.add(counter, NEXT_PART, 1)) {
    const steps = run.walk(part);
    let step = steps.next();
    while (step.done !== true && Atomics.load(counter, CANCELLED) === 0) step = steps.next();
    if (step.done !== true) return;
    port.postMessage(step.value);
  }
});
