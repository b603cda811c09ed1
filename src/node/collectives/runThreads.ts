/** Runs ranks' programs on worker threads over one shared memory: many ranks on few workers. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Diagnosis } from '../../engine/collectives/diagnosis';
import { heapLayout, sharedMemory } from './heap';
import { diagnose, type WorkerOutcome } from './outcome';
import type { ThreadProgram, WorkerInput } from './worker';

/** Where and how threads run. */
export interface ThreadOptions {
  readonly ranks: number;
  /** At most one a core is of use; the default. */
  readonly workers?: number;
  /** Bytes of each rank's buffers under way and of those that it keeps on the shared heap. */
  readonly arenaBytes?: number;
  /** The bundle of worker.ts. */
  readonly workerUrl: URL;
  readonly signal?: AbortSignal;
  /** Keep worker w on core w. */
  readonly bound?: boolean;
}

export interface ThreadResult<T> {
  readonly diagnosis: readonly Diagnosis[] | null;
  readonly results: readonly (T | undefined)[];
}

const DEFAULT_ARENA_BYTES = 2 ** 24;

/** Runs a program's ranks. Rejects where it throws or the signal aborts; a world that cannot go on is a diagnosis. */
export function runThreads<T>(options: ThreadOptions & { readonly program: ThreadProgram }): Promise<ThreadResult<T>> {
  return runJob<T>(options, { kind: 'program', program: options.program });
}

/** As `runThreads`, for any job of the workers. */
export async function runJob<T>(options: ThreadOptions, job: WorkerInput['job']): Promise<ThreadResult<T>> {
  const { ranks, arenaBytes = DEFAULT_ARENA_BYTES, workerUrl, signal, bound = false } = options;
  const workers = Math.min(ranks, options.workers ?? availableParallelism());
  const layout = heapLayout(workers, ranks, arenaBytes);
  const memory = sharedMemory(layout);
  const threads: Worker[] = [];
  try {
    signal?.throwIfAborted();
    const outcomes = await Promise.all(
      Array.from({ length: workers }, (_, worker) => {
        const input: WorkerInput = { memory, layout, worker, job, core: bound ? worker : null };
        const thread = new Worker(workerUrl, { workerData: input });
        threads.push(thread);
        return outcomeOf<T>(thread, signal);
      }),
    );
    return joined(outcomes, ranks);
  } finally {
    await Promise.all(threads.map(thread => thread.terminate()));
  }
}

function outcomeOf<T>(thread: Worker, signal?: AbortSignal): Promise<WorkerOutcome<T>> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', code => reject(new Error(`a worker ended with code ${code} before its ranks did`)));
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function joined<T>(outcomes: readonly WorkerOutcome<T>[], ranks: number): ThreadResult<T> {
  const results = new Array<T | undefined>(ranks).fill(undefined);
  for (const { rank, value } of outcomes.flatMap(o => o.results)) results[rank] = value;
  const open = outcomes.flatMap(o => o.open);
  const finished = new Set(outcomes.flatMap(o => o.finished));
  return { diagnosis: open.length > 0 ? diagnose(open, finished) : null, results };
}
