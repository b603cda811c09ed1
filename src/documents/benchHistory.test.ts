/** Results of one machine over time; what changed between two is counted by hand. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { BenchDocument } from './bench';
import { benchEntries } from './benchHistory';

const RESULT = JSON.parse(readFileSync('test/fixtures/dashboard/bench.json', 'utf8')) as BenchDocument;

/** The same results, those of one operation so many times as long, with medians that are well known. */
function result(day: number, times: number, more: Partial<BenchDocument> = {}): BenchDocument {
  const measurements = RESULT.measurements.map(one => ({
    ...one,
    medianWidth: 0.01,
    medianSeconds: one.medianSeconds * (one.op === 'all-reduce' ? times : 1),
    busbw: one.busbw === null || one.op !== 'all-reduce' ? one.busbw : one.busbw / times,
  }));
  return { ...RESULT, date: `2026-11-0${day}T08:00:00.000Z`, measurements, ...more };
}

const reduces = RESULT.measurements.filter(({ op }) => op === 'all-reduce');

describe('this machine over time', () => {
  it('tells what became slower and faster since the time before', () => {
    const entries = benchEntries([result(1, 1), result(2, 2), result(3, 1)]);
    const same = RESULT.measurements.length - reduces.length;
    assert.deepEqual(
      entries.map(({ change }) => change),
      [null, { faster: 0, slower: reduces.length, same }, { faster: reduces.length, slower: 0, same }],
    );
    const best = Math.max(...reduces.map(({ busbw }) => busbw ?? 0));
    assert.deepEqual(
      entries.map(({ allReduceBusbw }) => allReduceBusbw),
      [best, best / 2, best],
    );
  });

  it('compares with the same machine and as many ranks alone, however long ago', () => {
    const other = { ...RESULT.machine, cpu: 'another' };
    const entries = benchEntries([
      result(1, 1),
      result(2, 2, { machine: other }),
      result(3, 2, { ranks: RESULT.ranks + 1 }),
      result(4, 1),
    ]);
    assert.deepEqual(
      entries.map(({ change }) => change?.same ?? null),
      [null, null, null, RESULT.measurements.length],
    );
  });

  it('says that others kept the machine busy', () => {
    const [entry] = benchEntries([result(1, 1, { load: { ...RESULT.load, busy: true } })]);
    assert.deepEqual([entry?.busy, entry?.cpu], [true, RESULT.machine.cpu]);
  });
});
