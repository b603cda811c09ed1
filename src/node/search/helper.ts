/**
 * A second thread for large searches: both threads take the next part of the space from a shared counter, and what they
 * found is joined in the order of the parts, so that the answer is the same as of one thread.
 */
import { availableParallelism } from 'node:os';
import { type MessagePort, MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Part } from '../../engine/search/results';
import type { SearchProgress } from '../../engine/search/result';
import { type SearchRun, walkAll } from '../../engine/search/search';
import { CANCELLED, NEXT_PART, type SearchJob } from './job';

/**
 * Spaces of fewer points are done before a second thread has started. On two cores the compiler and the garbage
 * collector of the first one need the other.
 */
function pays({ candidates }: SearchRun): boolean {
  return candidates >= 20e6 && availableParallelism() > 2;
}

/** How long the other thread may take over its last part before this one walks it too. */
const MOST_WAIT_MILLISECONDS = 1000;

export class SearchHelper {
  private worker: Worker | null = null;

  constructor(
    /** The bundle of worker.ts. */
    private readonly workerUrl: URL,
    private readonly isWorthIt: (run: SearchRun) => boolean = pays,
  ) {}

  /** Walks the parts of a search; see Walker. */
  readonly walk = (run: SearchRun): Generator<SearchProgress, void> =>
    this.isWorthIt(run) ? this.walkWithHelp(run) : walkAll(run);

  async dispose(): Promise<void> {
    await this.worker?.terminate();
    this.worker = null;
  }

  private *walkWithHelp(run: SearchRun): Generator<SearchProgress, void> {
    const counter = new Int32Array(new SharedArrayBuffer(8));
    const port = this.ask(run, counter);
    const found = new Map<number, Part>();
    let taken = 0;
    const take = () => {
      for (let message = receiveMessageOnPort(port); message !== undefined; message = receiveMessageOnPort(port)) {
        const part = message.message as Part;
        found.set(part.part, part);
      }
      for (let part = found.get(taken); part !== undefined; part = found.get(++taken)) {
        run.take(part);
        found.delete(taken);
      }
    };
    try {
      for (let next = Atomics.add(counter, NEXT_PART, 1); next < run.parts; next = Atomics.add(counter, NEXT_PART, 1)) {
        found.set(next, yield* run.walk(next));
        take();
      }
      yield* this.await(run, take, () => taken === run.parts);
      while (taken < run.parts) {
        found.set(taken, yield* run.walk(taken));
        take();
      }
    } finally {
      Atomics.store(counter, CANCELLED, 1);
      port.close();
    }
  }

  /** Waits for the other thread's last part, not for ever: it may have died. */
  private *await(run: SearchRun, take: () => void, isDone: () => boolean): Generator<SearchProgress, void> {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const end = performance.now() + MOST_WAIT_MILLISECONDS;
    for (take(); !isDone() && performance.now() < end; take()) {
      Atomics.wait(pause, 0, 0, 1);
      yield run.progress();
    }
  }

  private ask(run: SearchRun, counter: Int32Array): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const job: SearchJob = { setup: run.setup, options: run.options, counter, port: port2 };
    this.worker ??= this.start();
    this.worker.postMessage(job, [port2]);
    return port1;
  }

  /** A thread that dies is forgotten; its parts are walked here. */
  private start(): Worker {
    const worker = new Worker(this.workerUrl);
    const forget = () => {
      if (this.worker === worker) this.worker = null;
    };
    worker.on('error', forget);
    worker.on('exit', forget);
    worker.unref();
    return worker;
  }
}
