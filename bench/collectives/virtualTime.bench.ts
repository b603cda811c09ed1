/**
 * Messages a second of virtual time, timing only, over 1,024 ranks: the step list is made and timed anew in each run.
 * A message costs by the chunks in it: one in a ring, hundreds in a halving list, which therefore is shown by chunks too.
 */
import type { Algorithm, CollectiveOp, Schedule } from '../../src/engine/collectives/schedule';
import { buildSchedule } from '../../src/engine/collectives/build';
import { chunkStarts, evenBlocks } from '../../src/engine/collectives/layout';
import { timeSchedule } from '../../src/engine/collectives/timing';
import { goal, median } from '../peers';

const RANKS = 1024;
const RANKS_PER_DOMAIN = 8;
const LEAST = 1e7;
const wires = {
  scaleUp: { alphaSeconds: 1e-6, bytesPerSecond: 450e9 },
  scaleOut: { alphaSeconds: 5e-6, bytesPerSecond: 50e9 },
  toSwitch: { alphaSeconds: 1e-6, bytesPerSecond: 450e9 },
  ranksPerDomain: RANKS_PER_DOMAIN,
};

/** Messages a second of wall time and of CPU time, and chunks a second: medians of rounds of about the same length. */
function rates(schedule: Schedule) {
  const chunks = chunkStarts(schedule, evenBlocks(schedule, 2 ** 30));
  const rounds: { wall: number; cpu: number; chunks: number }[] = [];
  let moved = 0;
  for (const step of schedule.steps()) for (const { count } of step) moved += count;
  for (let round = 0; round < 5; round++) {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    let [messages, runs] = [0, 0];
    for (; messages < 1e6; runs++) messages += timeSchedule(schedule, chunks, wires).messages;
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    rounds.push({
      wall: messages / seconds,
      cpu: (messages * 1e6) / (user + system),
      chunks: (runs * moved) / seconds,
    });
  }
  return {
    wall: median(rounds.map(r => r.wall)),
    cpu: median(rounds.map(r => r.cpu)),
    chunks: median(rounds.map(r => r.chunks)),
  };
}

const millions = (rate: number) => `${(rate / 1e6).toFixed(1)} M`;

/** Those with a goal first; the others show what more chunks a message, or few messages a run, cost. */
const CASES: readonly (readonly [CollectiveOp, Algorithm, number | null])[] = [
  ['all-reduce', 'ring', LEAST],
  ['reduce-scatter', 'ring', LEAST],
  ['all-gather', 'ring', LEAST],
  ['all-reduce', 'bidirectional-ring', LEAST],
  ['all-gather', 'pairwise', null],
  ['all-reduce', 'binomial-tree', null],
  ['all-reduce', 'recursive-halving-doubling', null],
];
for (const [op, algorithm, least] of CASES) {
  const schedule = buildSchedule(op, algorithm, RANKS, { ranksPerDomain: RANKS_PER_DOMAIN });
  if (!schedule) throw new Error(`no ${algorithm} for ${op}`);
  const { wall, cpu, chunks } = rates(schedule);
  const text = `${op} ${algorithm}: ${millions(wall)} messages a second, ${millions(cpu)} a CPU second, ${millions(chunks)} chunks a second`;
  if (least === null) console.log(`     ${text}`);
  else goal(cpu >= least, `${text} (at least ${millions(least)} messages)`);
}
