/** Keeps a program's started communication within what a world of threads can show at once. */
import type { Handle, Program, Reply } from '../../engine/collectives/communicator';

/** Fewer than the slots of a rank (src/node/collectives/heap.ts): one more call may be made beside those started. */
const MOST_STARTED = 24;

/** Before one more communication is started, waits for the oldest that is not known to be done. */
export function* windowed<T>(program: Program<T>): Program<T> {
  const started: Handle[] = [];
  let reply: Reply = undefined;
  for (;;) {
    const next = program.next(reply);
    if (next.done) return next.value;
    const request = next.value;
    if (request.kind === 'start' && started.length === MOST_STARTED)
      yield { kind: 'wait', handle: started.shift() as Handle };
    reply = yield request;
    if (request.kind === 'start') started.push(reply as Handle);
    if (request.kind === 'wait' && started.includes(request.handle)) started.splice(started.indexOf(request.handle), 1);
  }
}
