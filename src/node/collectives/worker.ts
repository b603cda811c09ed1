/** The worker thread of a world of threads: loads the program and runs this worker's ranks. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Program, Rank } from '../../engine/collectives/communicator';
import type { KernelMemory } from '../../engine/kernels/kernels';
import type { HeapLayout } from './heap';
import { ThreadWorld } from './threadWorld';

export interface ThreadProgram {
  /** Module that exports the program's maker, as a URL that `import` takes. */
  readonly url: string;
  /** Name of the export: a function of `args` that returns the program. */
  readonly name: string;
  readonly args: unknown;
}

export interface WorkerInput {
  readonly memory: KernelMemory;
  readonly layout: HeapLayout;
  readonly worker: number;
  readonly program: ThreadProgram;
}

type Maker = (args: unknown) => (rank: Rank) => Program<unknown>;

async function main({ memory, layout, worker, program }: WorkerInput): Promise<void> {
  const module = (await import(program.url)) as Record<string, Maker>;
  const make = module[program.name];
  if (!make) throw new Error(`${program.url} exports no ${program.name}`);
  parentPort?.postMessage(new ThreadWorld(memory, layout, worker, make(program.args)).run());
}

void main(workerData as WorkerInput);
