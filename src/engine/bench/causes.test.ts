import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { likelyCauses } from './causes';
import { importText } from './import';
import { summarizeRun } from './run';

describe('why a run is slow', () => {
  const read = (file: string) => importText(file, readFileSync(`test/fixtures/bench/${file}`, 'utf8')).records;

  it('is told by the trainer’s timers: the gradients of 180 ms where 60 were predicted', () => {
    const records = read('megatron-timers.txt');
    const run = summarizeRun(records, null);
    assert.ok(run !== null);
    const causes = likelyCauses(records, run, 0.06);
    assert.deepEqual(
      causes.map(({ code }) => code),
      ['slow-link'],
    );
    assert.ok(Math.abs((causes[0]?.seconds ?? 0) - 0.12) < 1e-12);
    assert.deepEqual(likelyCauses(records, run, 0.15), []);
  });

  it('is a power cap where the driver says so', () => {
    const records = [...read('nvidia-smi-q.txt'), ...read('megatron.txt')];
    const run = summarizeRun(records, null);
    assert.ok(run !== null);
    assert.deepEqual(
      likelyCauses(records, run, null).find(({ code }) => code === 'power-cap')?.evidence,
      'SW Power Cap',
    );
  });
});
