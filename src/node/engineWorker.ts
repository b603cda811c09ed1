/** The worker thread in which the engine runs under Node; large searches get a second thread. */
import { parentPort } from 'node:worker_threads';
import { Answering } from '../worker/answering';
import { SearchHelper } from './search/helper';

const port = parentPort;
const helper = new SearchHelper(new URL('searchWorker.mjs', import.meta.url));
const answering = new Answering({
  post: message => port?.postMessage(message),
  nextTurn: () => new Promise(resolve => setImmediate(resolve)),
  seconds: () => performance.now() / 1000,
  walk: helper.walk,
});
port?.on('message', answering.receive.bind(answering));
