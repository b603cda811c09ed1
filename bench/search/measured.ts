/** What `search.bench.ts` measures, in a process of its own: one space (`one` or `two` threads), or estimates. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEFAULT_OPTIONS, type SearchResult } from '../../src/engine/search/result';
import { search, SearchRun, searchRun, type Walker, walkAll } from '../../src/engine/search/search';
import type { TrainingSetup } from '../../src/engine/setup/setup';
import { SearchHelper } from '../../src/node/search/helper';
import { CASES } from './cases';
import { estimateRates } from './estimateRates';

/** Milliseconds between two looks at the messages, as in src/node/engineWorker.ts. */
const SLICE = 20;

interface Timing {
  readonly result: SearchResult;
  readonly wall: number;
  readonly cpu: number;
  readonly first: number;
  /** Longest time without a look at the messages, in milliseconds. */
  readonly longest: number;
}

function timed(setup: TrainingSetup, walk: Walker): Timing {
  const cpu = process.cpuUsage();
  const used = () => (process.cpuUsage(cpu).user + process.cpuUsage(cpu).system) / 1e6;
  const start = performance.now();
  let [first, looked, longest] = [NaN, 0, 0];
  const run = search(setup, DEFAULT_OPTIONS, walk);
  let step = run.next();
  for (; step.done !== true; step = run.next()) {
    const now = performance.now() - start;
    if (Number.isNaN(first) && step.value.stepSeconds !== null) first = now;
    if (now - looked < SLICE) continue;
    longest = Math.max(longest, now - looked);
    looked = now;
  }
  longest = Math.max(longest, performance.now() - start - looked);
  return { result: step.value, wall: (performance.now() - start) / 1e3, cpu: used(), first, longest };
}

/** Points a core-second whose time and memory were computed, in a walk through a space whose work is all priced. */
function walkRate(setup: TrainingSetup): number {
  const run = searchRun(setup, DEFAULT_OPTIONS);
  if (!(run instanceof SearchRun)) return NaN;
  const cpu = process.cpuUsage();
  const steps = walkAll(run);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { user, system } = process.cpuUsage(cpu);
  return run.progress().evaluated / ((user + system) / 1e6);
}

const millions = (n: number) => `${(n / 1e6).toFixed(2)} M`;

/** The goals; a line that begins with MISS misses one. */
const GOALS = { completeSeconds: 2, firstMilliseconds: 200, cancelMilliseconds: 100, bytes: 500e6, rate: 5e6 };
const miss = (isMissed: boolean) => (isMissed ? 'MISS' : '    ');

function report(state: string, { result, wall, cpu, first, longest }: Timing): void {
  const { candidates, evaluated, bounded } = result;
  const { completeSeconds, firstMilliseconds, cancelMilliseconds } = GOALS;
  const isMissed = wall > completeSeconds || first > firstMilliseconds || longest > cancelMilliseconds;
  console.log(
    `${miss(isMissed)} ${state}: ${millions(candidates)} points, ${millions(evaluated)} computed in full, ${bounded} by a bound; ` +
      `first answer ${first.toFixed(0)} ms, complete ${wall.toFixed(2)} s (${cpu.toFixed(2)} s), ` +
      `${millions(evaluated / cpu)} evaluations a core-second; longest without a look at a cancel ${longest.toFixed(0)} ms`,
  );
}

function benchSpace(name: string): void {
  const setup = CASES[name];
  for (const state of ['cold', 'warm', 'warm']) report(state, timed(setup, walkAll));
  const peak = process.resourceUsage().maxRSS * 1024;
  const rates = [0, 1, 2].map(() => walkRate(setup)).sort((a, b) => a - b);
  console.log(
    `${miss(rates[1] < GOALS.rate || peak > GOALS.bytes)} walk alone, everything priced: ${millions(rates[1])} evaluations a core-second; peak memory ${millions(peak)}B`,
  );
}

/** The same spaces with a second thread, which is forced here; the product takes it where there are three cores. */
async function benchThreads(name: string): Promise<void> {
  const helper = new SearchHelper(pathToFileURL(path.join(__dirname, 'worker.mjs')), () => true);
  for (const state of ['cold', 'warm', 'warm']) report(`${state}, two threads`, timed(CASES[name], helper.walk));
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(`${miss(peak > GOALS.bytes)} peak memory of both ${millions(peak)}B`);
  await helper.dispose();
}

const [name, mode] = process.argv.slice(2);
if (name === 'estimates') for (const line of estimateRates()) console.log(line);
else if (mode === 'two') void benchThreads(name);
else benchSpace(name);
