/**
 * Outputs and logs in the line grammar of the public ones that index.json names, with numbers of our own; what is
 * expected was written with them, not printed by the importers.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { bandwidthOf, lectureBandwidth } from '../collectives/bandwidth';
import { importText } from './import';
import type { BenchRecord, CollectiveRecord, StepRecord } from './records';

interface Fixture {
  readonly file: string;
  readonly format: string;
  readonly source: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly first: Readonly<Record<string, unknown>>;
  readonly problems: readonly (readonly [line: number, code: string])[];
}

const FOLDER = 'test/fixtures/bench';
const FIXTURES = JSON.parse(readFileSync(`${FOLDER}/index.json`, 'utf8')) as Fixture[];
const read = (file: string) => importText(file, readFileSync(`${FOLDER}/${file}`, 'utf8'));

function like(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'number' || typeof actual !== 'number')
    return JSON.stringify(actual) === JSON.stringify(expected);
  return Math.abs(actual - expected) <= 1e-9 * Math.abs(expected);
}

describe('imported measurements', () => {
  it('have 60 fixtures of 12 formats or more', () => {
    assert.ok(FIXTURES.length >= 60 && new Set(FIXTURES.map(({ format }) => format)).size >= 12);
    for (const { file, source } of FIXTURES)
      assert.match(source, /[\w-]+\/[\w.-]+ (?:[0-9a-f]{7,}|pull request \d+)/, file);
  });

  for (const { file, format, counts, first, problems } of FIXTURES)
    it(`${file}`, () => {
      const found = read(file);
      assert.equal(found.format, format);
      const kinds: Record<string, number> = {};
      for (const { kind } of found.records) kinds[kind] = (kinds[kind] ?? 0) + 1;
      assert.deepEqual(kinds, counts);
      const [record] = found.records as (BenchRecord & Record<string, unknown>)[];
      for (const [key, value] of Object.entries(first))
        assert.ok(like(record?.[key], value), `${key}: ${String(record?.[key])} is not ${String(value)}`);
      assert.deepEqual(
        found.problems.map(({ source, code }) => [source?.line, code]),
        problems,
      );
    });

  it('are none of a text that is no measurement', () => {
    for (const text of ['', '{}', 'iteration 3 of the plan', '# size of the model\n1 2 3\n', '{"loss": 1}'])
      assert.deepEqual(importText('x', text).format, null, text);
  });

  it('tell the lecture’s reduce-scatter as nccl-tests counts it (2025: 289 to 299 GiB/s, printed 72 to 75)', () => {
    const scatters = read('lecture-2025.txt').records.filter(
      (one): one is CollectiveRecord => one.kind === 'collective' && one.op === 'reduce-scatter',
    );
    assert.equal(scatters.length, 4);
    for (const { bytes, seconds, ranks } of scatters) {
      assert.equal(bytes, 1600 * 2 ** 20);
      const gib = (bandwidthOf('reduce-scatter', bytes, seconds, ranks ?? 0).busbw ?? 0) / 2 ** 30;
      assert.ok(gib > 288 && gib < 300, String(gib));
      const printed = lectureBandwidth('reduce-scatter', bytes, seconds, ranks ?? 0).bytesPerSecond / 2 ** 30;
      assert.ok(printed > 71.5 && printed < 75.5);
    }
  });

  it('have the slowest and fastest ranks of a trainer’s timers, and its rates of tokens', () => {
    const parts = read('megatron-timers.txt').records.filter(one => one.kind === 'part');
    assert.deepEqual(parts[2], {
      kind: 'part',
      line: 5,
      name: 'batch-generator',
      leastSeconds: 0.00525,
      mostSeconds: 0.06075,
    });
    const steps = read('torchtitan-ansi.txt').records.filter((one): one is StepRecord => one.kind === 'step');
    assert.deepEqual([steps[0]?.step, steps[0]?.tokensPerSecondPerGpu, steps[0]?.mfu], [1990, 6785, 0.3973]);
  });

  it('take time linear in the length of a log, whatever stands in it', () => {
    const hostile = `${' '.repeat(3000)}\n${'|'.repeat(3000)}\n${'1 '.repeat(1500)}\n${"{'loss': ".repeat(300)}\n`;
    const text = `# OSU MPI Allreduce Latency Test v7\n${hostile.repeat(200)}`;
    const count = (times: number) => importText('x', text.repeat(times)).problems.length;
    assert.equal(count(4), 4 * count(1));
  });
});
