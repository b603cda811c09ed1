/** The worker thread in which the engine runs: one request at a time, long ones in slices so that they can be cancelled. */
import { parentPort } from 'node:worker_threads';
import { answerAlternatives, answerApply, answerEstimate, answerProof, answerSearch } from '../documents/answers';
import { exerciseDocument } from '../documents/exercise';
import { lectureScenes } from '../documents/lectureScenes';
import type { EngineCall, EngineProgress, EngineResults, FromEngine, ToEngine } from '../protocol/engine';
import { SearchHelper } from './search/helper';

/** Milliseconds of work between two looks at the messages: well under what a user notices as slow to cancel. */
const SLICE = 20;

const port = parentPort;
const helper = new SearchHelper(new URL('searchWorker.mjs', import.meta.url));
const cancelled = new Set<number>();

function post(message: FromEngine): void {
  port?.postMessage(message);
}

const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const seconds = (): number => performance.now() / 1000;

/** null: cancelled. */
async function run(id: number, call: EngineCall): Promise<EngineResults[keyof EngineResults] | null> {
  switch (call.type) {
    case 'estimate':
      return answerEstimate(call);
    case 'apply':
      return answerApply(call, call.target, call.planString);
    case 'alternatives':
      return answerAlternatives(call, call.key);
    case 'lecture':
      return lectureScenes(call.demo);
    case 'exercise':
      return exerciseDocument(call.exercise, call.text);
    case 'search':
      return inSlices(id, answerSearch(call, call.freeBatch, seconds, helper.walk, call.fixed));
    case 'prove':
      return inSlices(id, answerProof(call, call.planString));
  }
}

/** null: cancelled. */
async function inSlices<P extends EngineProgress[keyof EngineProgress], R>(
  id: number,
  steps: Generator<P, R>,
): Promise<R | null> {
  let sliceEnd = performance.now() + SLICE;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < sliceEnd) continue;
    post({ id, progress: step.value });
    await nextTurn();
    if (cancelled.delete(id)) {
      steps.return?.(null as R);
      return null;
    }
    sliceEnd = performance.now() + SLICE;
  }
}

async function answer({ id, version, call }: Exclude<ToEngine, { cancel: true }>): Promise<void> {
  try {
    const result = await run(id, call);
    if (result !== null) post({ id, version, result });
  } catch (error) {
    post({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

port?.on('message', (message: ToEngine) => {
  if ('cancel' in message) cancelled.add(message.id);
  else void answer(message);
});
