/** Whose program runs in a thread: a rank may touch its own heap alone while it runs. */
import type { Program } from '../collectives/communicator';

/** Set round every resumption of a rank; null outside the ranks. */
export interface Turn {
  rank: number | null;
}

export function* inTurn<T>(program: Program<T>, rank: number, turn: Turn): Program<T> {
  let reply: Parameters<Program<T>['next']>[0] = undefined;
  for (;;) {
    turn.rank = rank;
    const next = program.next(reply);
    turn.rank = null;
    if (next.done) return next.value;
    reply = yield next.value;
  }
}
