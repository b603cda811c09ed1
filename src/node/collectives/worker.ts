/** The worker thread of the collectives: runs ranks of a world of threads, or times the kernels as one rank. */
import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Program, Rank } from '../../engine/collectives/communicator';
import type { KernelMemory } from '../../engine/kernels/kernels';
import type { HeapLayout } from './heap';
import { RankThread } from './rankThread';
import { ThreadWorld } from './threadWorld';
import { timedProgram, type TimedOptions, timeRankThread } from './timed';

/** A module that exports a function of `args` which returns the ranks' program. */
export interface ThreadProgram {
  /** A URL that `import` takes. */
  readonly url: string;
  readonly name: string;
  readonly args: unknown;
}

export interface WorkerInput {
  readonly memory: KernelMemory;
  readonly layout: HeapLayout;
  readonly worker: number;
  readonly job:
    | { readonly kind: 'program'; readonly program: ThreadProgram }
    | { readonly kind: 'timed-program'; readonly options: TimedOptions }
    | { readonly kind: 'timed-kernels'; readonly options: TimedOptions };
  /** Core to stay on; null: where the system likes. */
  readonly core: number | null;
}

type Maker = (args: unknown) => (rank: Rank) => Program<unknown>;

async function load({ url, name, args }: ThreadProgram): Promise<(rank: Rank) => Program<unknown>> {
  const module = (await import(url)) as Record<string, Maker | undefined>;
  const make = module[name];
  if (!make) throw new Error(`${url} exports no ${name}`);
  return make(args);
}

/** Keeps this thread on a core, where the system has the means (Linux with taskset); else it runs unbound. */
function stayOn(core: number): void {
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').pop() ?? '';
    execFileSync('taskset', ['-pc', String(core), thread], { stdio: 'ignore' });
  } catch {
    // Unbound threads are correct, only slower now and then.
  }
}

async function main({ memory, layout, worker, job, core }: WorkerInput): Promise<void> {
  if (core !== null) stayOn(core);
  if (job.kind === 'timed-kernels') {
    const samples = timeRankThread(new RankThread(memory, layout, worker), worker, layout, memory, job.options);
    parentPort?.postMessage({ results: [{ rank: worker, value: samples }], open: [], finished: [worker] });
    return;
  }
  const program = job.kind === 'program' ? await load(job.program) : timedProgram(job.options);
  parentPort?.postMessage(new ThreadWorld<unknown>(memory, layout, worker, program).run());
}

void main(workerData as WorkerInput);
