/**
 * The script of a cluster at length under torchrun with gloo, with two processes and with four: each size that was
 * measured is predicted by a fit to the others of its operation and group. In the middle one of several runs, half of
 * them must come within 20 %, since one run may fall into a minute in which others use the machine.
 */
import { fitLinks, linkSeconds } from '../../src/engine/bench/fit/alphaBeta';
import type { CollectiveRecord } from '../../src/engine/bench/records';
import { median } from '../peers';
import { pythonWithTorch, torchRun } from '../torchrun';

const GOAL = 0.2;
const RUNS = 3;
const SECONDS = 30;

export function soakTorchrun(say: (line: string) => void, every: number): number {
  const python = pythonWithTorch();
  if (python === null) {
    say('skipped: no python3 here has PyTorch');
    return 0;
  }
  let failed = 0;
  for (const ranks of [2, 4]) {
    const medians: number[] = [];
    for (let run = 0; run < RUNS; run += every) {
      const started = performance.now();
      const { records } = torchRun(python, ranks, SECONDS, 2 ** 24);
      const all = records.filter((one): one is CollectiveRecord => one.kind === 'collective');
      const errors = all.flatMap(one => leftOut(one, all));
      const reduces = all.filter(one => one.op === 'all-reduce' && one.ranks === ranks);
      const own = reduces.map(one => `${one.bytes} B ${percent(leftOut(one, all)[0])}`).join(', ');
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      medians.push(errors.length === 0 ? Infinity : median(errors));
      say(
        `${ranks} processes, ${seconds} s: ${errors.length} sizes left out, median error ${percent(medians.at(-1))}; all-reduce: ${own}`,
      );
    }
    const middle = median(medians);
    say(`${ranks} processes: ${percent(middle)} in the middle run, goal ${percent(GOAL)}`);
    if (!(middle <= GOAL)) failed++;
  }
  return failed;
}

/** |predicted / measured − 1| of a size between others, by the fit to these; nothing at either end. */
function leftOut(one: CollectiveRecord, all: readonly CollectiveRecord[]): number[] {
  const alike = all.filter(({ op, ranks, nodes }) => op === one.op && ranks === one.ranks && nodes === one.nodes);
  const others = alike.filter(({ bytes }) => bytes !== one.bytes);
  const isBetween = others.some(({ bytes }) => bytes < one.bytes) && others.some(({ bytes }) => bytes > one.bytes);
  const [fit] = isBetween ? fitLinks(others) : [];
  return fit === undefined ? [] : [Math.abs(linkSeconds(fit, one.bytes) / one.seconds - 1)];
}

const percent = (share: number | undefined) => (share === undefined ? '–' : `${(100 * share).toFixed(0)} %`);
