/** Messages a second of the timed step list alone, over 1,024 ranks (one chunk a message; others cost by the chunk): npx tsx bench/collectives/virtualTime.ts */
import { performance } from 'node:perf_hooks';
import { buildSchedule } from '../../src/engine/collectives/build';
import { chunkStarts, evenBlocks } from '../../src/engine/collectives/layout';
import type { Algorithm, CollectiveOp, Schedule } from '../../src/engine/collectives/schedule';
import { timeSchedule } from '../../src/engine/collectives/timing';

const ranks = 1024;
const wires = {
  scaleUp: { alphaSeconds: 1e-6, bytesPerSecond: 450e9 },
  scaleOut: { alphaSeconds: 5e-6, bytesPerSecond: 50e9 },
  toSwitch: null,
  ranksPerDomain: 8,
};
const cases: [CollectiveOp, Algorithm][] = [
  ['all-reduce', 'ring'],
  ['all-gather', 'pairwise'],
];
for (const [op, algorithm] of cases) {
  const schedule = buildSchedule(op, algorithm, ranks, { ranksPerDomain: 8 }) as Schedule;
  const chunks = chunkStarts(schedule, evenBlocks(schedule, 2 ** 30));
  const rates: number[] = [];
  const cpuRates: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    const cpu = process.cpuUsage();
    const { messages } = timeSchedule(schedule, chunks, wires);
    rates.push(messages / (performance.now() - start) / 1000);
    const { user, system } = process.cpuUsage(cpu);
    cpuRates.push(messages / (user + system));
  }
  const median = (list: number[]) => list.sort((a, b) => a - b)[2].toFixed(1);
  console.log(
    `${op} ${algorithm}: ${median(rates)} million messages a second, ${median(cpuRates)} a CPU second (medians of 5)`,
  );
}
