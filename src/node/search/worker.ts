/** The second thread of a search: walks parts of the space for as long as there are any. */
import { parentPort } from 'node:worker_threads';
import { SearchRun, searchRun } from '../../engine/search/search';
import { CANCELLED, NEXT_PART, type SearchJob } from './job';

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
