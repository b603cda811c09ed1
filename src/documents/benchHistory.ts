/** Results of benchmarks of machines over time: what was measured, when, where, and what changed since the time before. */
import { compareTimes, type TimedThing } from '../engine/bench/compare';
import type { BenchDocument, BenchMachine, HostDocument } from './bench';

export const isSameMachine = (a: BenchMachine, b: BenchMachine): boolean =>
  a.cpu === b.cpu && a.logicalCores === b.logicalCores;

export function thingsOf(document: BenchDocument | HostDocument): TimedThing[] {
  const collectives = document.kind === 'host' ? document.collectives : document.measurements;
  const things: TimedThing[] = collectives.map(one => ({ ...one, key: `${one.op} ${one.bytes} B × ${one.ranks}` }));
  if (document.kind === 'collectives') return things;
  return [
    ...document.products.map(one => ({ ...one, key: `product ${one.m}×${one.k}×${one.n} ${one.dtype}` })),
    ...document.memory.map(one => ({ ...one, key: `copy ${one.bytes} B` })),
    ...things,
  ];
}

/** One result as the dashboard lists it. */
export interface BenchEntry {
  /** ISO 8601. */
  readonly date: string;
  readonly cpu: string;
  readonly ranks: number;
  readonly threads: number;
  readonly busy: boolean;
  /** Largest bus bandwidth of an all-reduce, bytes/s. */
  readonly allReduceBusbw: number | null;
  /** Of the smallest message that was sent. */
  readonly messageSeconds: number | null;
  /** Against the result before on the same machine with as many ranks; null: there is none. */
  readonly change: { readonly faster: number; readonly slower: number; readonly same: number } | null;
}

/** Of results in the order of time; the latest last. */
export function benchEntries(results: readonly BenchDocument[]): BenchEntry[] {
  return results.map((result, at) => {
    const before = results
      .slice(0, at)
      .reverse()
      .find(one => isSameMachine(one.machine, result.machine) && one.ranks === result.ranks);
    return { ...figures(result), change: before === undefined ? null : changeOf(before, result) };
  });
}

function figures({ date, machine, ranks, threads, load, measurements }: BenchDocument): Omit<BenchEntry, 'change'> {
  const rates = measurements.flatMap(({ op, busbw }) => (op === 'all-reduce' && busbw !== null ? [busbw] : []));
  const [message] = measurements.filter(({ op }) => op === 'send-recv').sort((a, b) => a.bytes - b.bytes);
  return {
    date,
    cpu: machine.cpu,
    ranks,
    threads,
    busy: load.busy,
    allReduceBusbw: rates.length === 0 ? null : Math.max(...rates),
    messageSeconds: message?.medianSeconds ?? null,
  };
}

function changeOf(before: BenchDocument, after: BenchDocument): BenchEntry['change'] {
  const count = { faster: 0, slower: 0, same: 0 };
  for (const { verdict } of compareTimes(thingsOf(before), thingsOf(after)).rows) count[verdict]++;
  return count;
}
