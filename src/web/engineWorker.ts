/** The web worker in which the engine runs where there is no Node. Memory is not shared there: one thread does all. */
import type { ToEngine } from '../protocol/engine';
import { Answering } from '../worker/answering';

// A timer would be held up for four milliseconds at each turn; a message to oneself is not.
const turns: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => turns.shift()?.();

const answering = new Answering({
  post: message => self.postMessage(message),
  nextTurn: () =>
    new Promise(resolve => {
      turns.push(resolve);
      port2.postMessage(null);
    }),
  seconds: () => performance.now() / 1000,
});
self.onmessage = ({ data }: MessageEvent<ToEngine>) => answering.receive(data);
