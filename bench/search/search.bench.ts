/**
 * Speed of the search, beside a plain loop in the same run: `npx tsx bench/search/search.bench.ts`. Seconds are wall
 * clock and, in brackets, of the processor: on a shared machine the second is the fairer. Calculon (SC'23) reaches 112
 * to 285 evaluations a core-second as shipped, 755 to 1,606 with its logger off (see CONTRIBUTING.md for the machine).
 */
import { DEFAULT_OPTIONS, type SearchOptions, type SearchResult } from '../../src/engine/search/result';
import { search } from '../../src/engine/search/search';
import type { TrainingSetup } from '../../src/engine/setup/setup';
import { CASES } from './cases';

interface Timing {
  readonly result: SearchResult;
  readonly first: number;
  readonly wall: number;
  readonly cpu: number;
  readonly longest: number;
}

function timed(setup: TrainingSetup, options: Partial<SearchOptions> = {}): Timing {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let [first, last, longest] = [NaN, 0, 0];
  const run = search(setup, { ...DEFAULT_OPTIONS, ...options });
  let step = run.next();
  while (step.done !== true) {
    const now = performance.now();
    const used = process.cpuUsage(cpu).user / 1e3;
    longest = Math.max(longest, used - last);
    last = used;
    if (Number.isNaN(first) && step.value.stepSeconds !== null) first = (now - start) / 1000;
    step = run.next();
  }
  const used = process.cpuUsage(cpu);
  const wall = (performance.now() - start) / 1000;
  return {
    result: step.value,
    first,
    wall,
    cpu: (used.user + used.system) / 1e6,
    longest: Math.max(longest, used.user / 1e3 - last),
  };
}

/** Multiplications, additions and a comparison a turn: what a core does in the best case. */
function plainLoop(): number {
  const turns = 2e8;
  const cpu = process.cpuUsage();
  let [sum, x] = [0, 1];
  for (let i = 0; i < turns; i++) {
    x = x * 1.0000001 + 1e-9;
    if (x > sum) sum = x;
  }
  const used = process.cpuUsage(cpu);
  if (sum < 0) console.log(sum);
  return turns / ((used.user + used.system) / 1e6);
}

const millions = (n: number) => `${(n / 1e6).toFixed(2)} M`;

console.log(`plain loop: ${millions(plainLoop())} turns a core-second`);
for (const [name, setup] of Object.entries(CASES)) {
  for (const state of ['cold', 'warm', 'warm']) {
    const { result, first, wall, cpu, longest } = timed(setup);
    const { candidates, evaluated, feasible, bounded } = result;
    const memory = millions(process.memoryUsage().rss);
    console.log(
      `${name}, ${state}: ${millions(candidates)} points, ${millions(evaluated)} evaluated, ${millions(feasible)} fit, ${bounded} bounded; first answer ${(1e3 * first).toFixed(0)} ms, all ${wall.toFixed(2)} s (${cpu.toFixed(2)} s), ${millions(evaluated / cpu)} evaluations a core-second, longest pause ${longest.toFixed(0)} ms of the processor, ${memory}B`,
    );
  }
}
const dense = { offload: ['none', 'optimizer', 'params', 'optimizer+params'] } as const;
for (const state of ['cold', 'warm', 'warm']) {
  const { result, cpu } = timed(CASES['gpt-3-175b on 4,096'], { fixed: dense });
  console.log(`gpt-3-175b with every offload, ${state}: ${millions(result.evaluated / cpu)} evaluations a core-second`);
}
console.log(`plain loop: ${millions(plainLoop())} turns a core-second`);
