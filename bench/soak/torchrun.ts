/**
 * The script of a cluster at length under torchrun with gloo: each size that was measured is predicted by a fit to the
 * others of its operation and group. Half of them within 20 % is the goal, with two processes and with four.
 */
import { fitLinks, linkSeconds } from '../../src/engine/bench/fit/alphaBeta';
import type { CollectiveRecord } from '../../src/engine/bench/records';
import { pythonWithTorch, torchRun } from '../torchrun';

const GOAL = 0.2;

export function soakTorchrun(say: (line: string) => void, every: number): number {
  const python = pythonWithTorch();
  if (python === null) {
    say('skipped: no python3 here has PyTorch');
    return 0;
  }
  let failed = 0;
  for (const ranks of [2, 4]) {
    const { records } = torchRun(python, ranks, 60 / every, 2 ** 24);
    const all = records.filter((one): one is CollectiveRecord => one.kind === 'collective');
    const errors = all.flatMap(one => leftOut(one, all)).sort((a, b) => a - b);
    const median = errors[errors.length >> 1] ?? Infinity;
    const reduces = all.filter(one => one.op === 'all-reduce' && one.ranks === ranks);
    const own = reduces.map(one => `${one.bytes} B ${percent(leftOut(one, all)[0])}`).join(', ');
    say(`${ranks} processes: ${errors.length} sizes left out, median error ${percent(median)}; all-reduce: ${own}`);
    if (!(median <= GOAL)) failed++;
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
