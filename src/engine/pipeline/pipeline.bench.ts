/**
 * Speed of the simulator, as a ratio to a plain loop over the same arrays in the same run.
 */
import { costTable } from './costs';
import type { Order } from './order';
import { interleaved } from './schedules/looped';
import { createSimulation, simulateInto, type Simulation } from './simulate';

export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The plain loop, in the same unit. */
  readonly reference: number;
  /** value / reference. */
  readonly ratio: number;
}

const CASES = [
  [8, 64, 2],
  [16, 256, 2],
  [64, 1024, 4],
] as const;

/** `now` gives milliseconds. */
export function benchPipeline(now: () => number = Date.now): Measurement[] {
  return CASES.flatMap(([stages, microBatches, virtual]) => {
    const name = `${stages} stages × ${microBatches} micro-batches × ${virtual} chunks`;
    const order = interleaved(stages, microBatches, virtual);
    const table = costTable(order.place, { forward: 1, backwardInput: 1, backwardWeight: 1, p2p: 0.1 });
    const out = createSimulation(order);
    const plain = fastest(now, () => plainLoop(order, table.seconds, out));
    const simulated = fastest(now, () => simulateInto(order, table, out));
    const built = fastest(now, () => interleaved(stages, microBatches, virtual));
    const rate = (milliseconds: number) => order.pass.length / (milliseconds / 1e3);
    return [
      measurement(`simulate ${name}`, 'passes/s', rate(simulated), rate(plain)),
      measurement(`simulate ${name}`, 'ms', simulated, plain),
      measurement(`build the order of ${name}`, 'ms', built, plain),
    ];
  });
}

function measurement(name: string, unit: string, value: number, reference: number): Measurement {
  return { name, value, unit, reference, ratio: value / reference };
}

/** Reads and writes what the simulator does, without its decisions. */
function plainLoop({ sequence, after, key }: Order, seconds: Float64Array, { start, end }: Simulation): void {
  let time = 0;
  for (let i = 0; i < sequence.length; i++) {
    const slot = sequence[i];
    start[slot] = time;
    time += seconds[key[slot]] + after[slot];
    end[slot] = time;
  }
}

/** Milliseconds of the fastest of five batches, each long enough for the clock. */
function fastest(now: () => number, run: () => void): number {
  const BATCH_MILLISECONDS = 60;
  let best = Infinity;
  for (let batch = 0; batch < 5; batch++) {
    const begin = now();
    let runs = 0;
    let elapsed = 0;
    for (; elapsed < BATCH_MILLISECONDS; runs++, elapsed = now() - begin) run();
    best = Math.min(best, elapsed / runs);
  }
  return best;
}
