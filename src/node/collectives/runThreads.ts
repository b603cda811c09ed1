/** Runs ranks' programs on worker threads over one shared memory: many ranks on few workers. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type CallShape, type Diagnosis, mismatch, type RankState } from '../../engine/collectives/diagnosis';
import { heapLayout, sharedMemory } from './heap';
import type { OpenCall, WorkerOutcome } from './threadWorld';
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

/** Why nobody goes on, from all calls that are open. */
function diagnose(open: readonly OpenCall[], finished: ReadonlySet<number>): Diagnosis[] {
  const meetings = new Map<string, OpenCall[]>();
  for (const call of open) {
    const key = `${call.group.axis} ${call.group.ranks.join()} ${call.sequence}`;
    meetings.set(key, [...(meetings.get(key) ?? []), call]);
  }
  const state = (rank: number): RankState => {
    const call = open.findLast(c => c.rank === rank);
    if (finished.has(rank) || !call) return { doing: 'finished' };
    if (call.request.kind === 'collective') return { doing: 'collective', op: call.request.op, axis: call.group.axis };
    return { doing: call.request.kind, peer: call.request.kind === 'send' ? call.request.to : call.request.from };
  };
  return [...meetings.values()].map(calls => diagnoseMeeting(calls, state));
}

function diagnoseMeeting(calls: readonly OpenCall[], state: (rank: number) => RankState): Diagnosis {
  const [first] = calls as readonly [OpenCall, ...OpenCall[]];
  const { request, rank, group, sequence } = first;
  if (request.kind === 'send') return { code: 'unmatched-send', from: rank, to: request.to, tag: request.tag };
  if (request.kind === 'receive') return { code: 'unmatched-receive', from: request.from, to: rank, tag: request.tag };
  const shapes = calls.map(shapeOf);
  for (const shape of shapes) {
    const wrong = mismatch(sequence, shapes[0], shape);
    if (wrong) return wrong;
  }
  const present = calls.map(c => c.rank).sort((a, b) => a - b);
  const missing = group.ranks.filter(r => !present.includes(r)).map(r => ({ rank: r, state: state(r) }));
  return { code: 'missing-rank', axis: group.axis, sequence, op: request.op, present, missing };
}

function shapeOf({ rank, group, request, dtype, elements }: OpenCall): CallShape {
  if (request.kind !== 'collective') throw new Error('a message is no collective');
  const { op, reduction, root, sendLengths } = request;
  return { rank, group, op, dtype, reduction, root, elements, sendLengths };
}
