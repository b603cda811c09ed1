/**
 * One worker's side of a world of threads: it runs the programs of its ranks until all wait, meets the other workers,
 * does its ranks' share of every communication that is complete, meets them again, and lets the ranks go on.
 * Deadlock is a round in which no worker could go on.
 */
import {
  type CollectiveRequest,
  type Handle,
  type Program,
  Rank,
  type Reply,
  type Request,
} from '../../engine/collectives/communicator';
import { partition } from '../../engine/collectives/layout';
import type { Dtype } from '../../engine/collectives/numbers';
import { type KernelMemory, loadSharedKernels } from '../../engine/kernels/kernels';
import { invariant } from '../../engine/problem';
import { type Call, type Caller, Calls } from './calls';
import { Arena, type HeapLayout, viewOf } from './heap';
import { Lockstep } from './lockstep';
import type { WorkerOutcome } from './outcome';
import { Rounds } from './rounds';

interface Process<T> extends Caller {
  readonly generator: Program<T>;
  readonly calls: WeakMap<Handle, Call>;
  /** What it waits for: a call, or a request in lockstep with all other ranks. */
  blockedOn: Call | null;
  lockstep: CollectiveRequest | null;
  reply: Reply;
  done: boolean;
  value: T | undefined;
}

export class ThreadWorld<T> {
  private readonly processes: readonly Process<T>[];
  private readonly calls: Calls;
  private readonly lockstep: Lockstep;
  private readonly rounds: Rounds;
  private readonly runnable: Process<T>[];
  private handles = 0;

  constructor(
    private readonly memory: KernelMemory,
    private readonly layout: HeapLayout,
    worker: number,
    program: (rank: Rank) => Program<T>,
  ) {
    const kernels = loadSharedKernels(memory);
    const words = new Int32Array(memory.buffer);
    const shares = partition(layout.ranks, layout.workers);
    const first = shares.slice(0, worker).reduce((a, b) => a + b, 0);
    this.lockstep = new Lockstep(memory, kernels, words, layout, first, shares[worker]);
    this.calls = new Calls(memory, kernels, words, layout, worker, this.lockstep);
    this.rounds = new Rounds(kernels, words, layout, worker);
    this.processes = Array.from({ length: shares[worker] }, (_, i) => this.process(first + i, program));
    this.runnable = [...this.processes].reverse();
  }

  private process(rank: number, program: (rank: Rank) => Program<T>): Process<T> {
    const arena = new Arena(this.layout.arenas + rank * this.layout.arenaBytes, this.layout.arenaBytes);
    const onHeap = (dtype: Dtype, length: number) => viewOf(this.memory, dtype, arena.keep(dtype, length), length);
    return {
      rank,
      generator: program(new Rank(rank, this.layout.ranks, onHeap)),
      arena,
      sequences: new Map(),
      calls: new WeakMap(),
      underWay: 0,
      blockedOn: null,
      lockstep: null,
      reply: undefined,
      done: false,
      value: undefined,
    };
  }

  /** Runs to the end, or until nobody can go on. */
  run(): WorkerOutcome<T> {
    for (;;) {
      for (let process = this.runnable.pop(); process; process = this.runnable.pop()) this.resume(process);
      const code = this.calls.pending.length > 0 ? 0 : this.lockstep.sharedCode;
      if (code === 0) this.post();
      this.rounds.announce(code, this.lockstep.elements);
      this.rounds.meet();
      this.calls.freeOld();
      const verdict = this.rounds.verdict();
      if (verdict === 'together') {
        if (this.lockstep.perform()) this.rounds.meet();
        this.goOnTogether();
        continue;
      }
      if (verdict === 'not-posted') {
        this.post();
        this.rounds.meet();
      }
      const goingOn = this.calls.performReady();
      this.rounds.report(goingOn);
      this.rounds.meet();
      if (!this.rounds.someoneGoesOn()) return this.outcome();
      if (goingOn > 0) this.goOn();
    }
  }

  private resume(process: Process<T>): void {
    for (;;) {
      const { reply } = process;
      process.reply = undefined;
      const next = process.generator.next(reply);
      if (next.done) {
        process.done = true;
        process.value = next.value;
        return;
      }
      if (!this.serve(process, next.value)) return;
    }
  }

  /** Answers a request; false where the rank must wait for others. */
  private serve(process: Process<T>, request: Request): boolean {
    switch (request.kind) {
      case 'compute':
        return true;
      case 'start': {
        const handle = { id: this.handles++ };
        process.calls.set(handle, this.calls.make(process, request.request));
        process.reply = handle;
        return true;
      }
      case 'wait': {
        const call = process.calls.get(request.handle);
        invariant(call !== undefined, `rank ${process.rank} waits for a handle that it did not start`);
        process.reply = call.output ?? undefined;
        process.blockedOn = call.output ? null : call;
        return call.output !== null;
      }
      default:
        if (request.kind === 'collective' && this.lockstep.join(process.rank, request)) process.lockstep = request;
        else process.blockedOn = this.calls.make(process, request);
        return false;
    }
  }

  /** Makes calls of the requests that wait in lockstep, and shows all calls to the other workers. */
  private post(): void {
    this.lockstep.leave();
    for (const process of this.processes) {
      if (process.lockstep === null) continue;
      process.blockedOn = this.calls.make(process, process.lockstep);
      process.lockstep = null;
    }
    this.calls.show();
  }

  /** Lets all ranks go on, of which each waits in lockstep. */
  private goOnTogether(): void {
    for (let i = this.processes.length - 1; i >= 0; i--) {
      const process = this.processes[i];
      if (process.lockstep === null) continue;
      process.reply = this.lockstep.outputOf(process.lockstep);
      process.lockstep = null;
      this.runnable.push(process);
    }
  }

  /** Lets the ranks go on that wait for calls which are done. */
  private goOn(): void {
    for (const call of this.calls.takeReady()) {
      const process = this.processes[call.rank - this.processes[0].rank];
      process.underWay--;
      if (process.blockedOn !== call) continue;
      process.blockedOn = null;
      process.reply = call.output ?? undefined;
      this.runnable.push(process);
    }
  }

  private outcome(): WorkerOutcome<T> {
    const finished = this.processes.filter(process => process.done);
    return {
      results: finished.map(({ rank, value }) => ({ rank, value: value as T })),
      finished: finished.map(({ rank }) => rank),
      open: this.calls.open(),
    };
  }
}
