import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DashboardState } from '../src/protocol/dashboard';
import { axisRows, groupSeconds, memoryRows, reportFigures, timeRows, waste } from './figures';

function read(name: string) {
  const file = path.join(import.meta.dirname, '../test/fixtures/dashboard', `${name}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as DashboardState).estimate;
}

const close = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) <= 1e-9 * expected);
const sum = (rows: readonly { readonly seconds: number }[]) => rows.reduce((total, { seconds }) => total + seconds, 0);

describe('figures of the dashboard', () => {
  it('rows and groups of time add up to the step', () => {
    for (const name of ['complete', 'stages-16', 'out-of-memory']) {
      const estimate = read(name);
      const step = estimate.throughput.stepSeconds ?? 0;
      close(sum(timeRows(estimate)), step);
      close(sum(groupSeconds(estimate)), step);
    }
  });

  it('each row of time starts where the one before it ends', () => {
    let end = 0;
    for (const { start, seconds } of timeRows(read('complete'))) {
      assert.equal(start, end);
      end = start + seconds;
    }
  });

  it('waste is what is neither forward nor backward', () => {
    const { time, throughput } = read('complete');
    const step = throughput.stepSeconds ?? 0;
    close(waste(read('complete'))?.fraction ?? 0, 1 - ((time.forward ?? 0) + (time.backward ?? 0)) / step);
    assert.equal(waste(read('complete'))?.largest, 'bubble');
  });

  it('many stages become at most 32 rows, each its fullest stage', () => {
    const { memory } = read('stages-64');
    const rows = memoryRows(memory);
    assert.equal(rows.length, 32);
    assert.deepEqual([rows[0].from, rows[0].to, rows[31].from, rows[31].to], [0, 1, 62, 63]);
    assert.equal(rows[31].total, Math.max(memory.stages[62].total, memory.stages[63].total));
    for (const { parts, total } of rows)
      close(
        parts.reduce((a, b) => a + b),
        total,
      );
  });

  it('what is unknown has no rows and reports null', () => {
    const estimate = read('unknown');
    assert.deepEqual(timeRows(estimate), []);
    assert.deepEqual(memoryRows(estimate.memory), []);
    assert.deepEqual(axisRows(estimate), []);
    assert.equal(waste(estimate), null);
    assert.equal(reportFigures(estimate)['fits'], 'null');
  });
});
