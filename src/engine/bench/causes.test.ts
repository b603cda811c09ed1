/** Logs of Megatron-LM's grammar in which one thing alone is wrong; the seconds that it costs are by hand. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { causeSentence } from '../../words/causes';
import { inLanguage } from '../../words/language';
import { emptyCluster } from '../setup/setup';
import { likelyCauses } from './causes';
import { fitLinkConstants } from './fit/links';
import { importText } from './import';
import type { CollectiveRecord } from './records';
import { summarizeRun } from './run';

const read = (file: string) => importText(file, readFileSync(`test/fixtures/bench/${file}`, 'utf8')).records;

/** Steps of so many milliseconds, each with timers (fastest and slowest rank). */
const logged = (steps: readonly number[], timers: Readonly<Record<string, readonly [number, number]>>) => {
  const list = Object.entries(timers).map(([name, [least, most]]) => `    ${name} ...: (${least}, ${most})\n`);
  const table = `(min, max) time across ranks (ms):\n${list.join('')}`;
  const lines = steps.map((ms, i) => ` iteration ${i + 1}/ 99 | elapsed time per iteration (ms): ${ms} |\n${table}`);
  return importText('train.log', lines.join('')).records;
};

/** @param gradientSeconds what is predicted for the reduction of gradients */
function causes(records: ReturnType<typeof read>, gradientSeconds: number | null = 0.06) {
  const run = summarizeRun(records, null);
  assert.ok(run !== null);
  return likelyCauses(records, run, gradientSeconds);
}

const STEADY = [2500, 2500, 2500, 2500, 2500];
const FINE = {
  'forward-backward': [2300, 2310],
  'batch-generator': [5, 20],
  'all-grads-sync': [58, 62],
} as const;

describe('why a run is slow', () => {
  it('is not asked of a run that goes as predicted', () => {
    assert.deepEqual(causes(logged(STEADY, FINE)), []);
  });

  it('a slow link: gradients of 180 ms where 60 were predicted', () => {
    const records = read('megatron-timers.txt');
    const [cause, ...others] = causes(records);
    assert.deepEqual([cause?.code, cause?.evidence, others.length], ['slow-link', 'all-grads-sync', 0]);
    assert.ok(Math.abs((cause?.seconds ?? 0) - 0.12) < 1e-12);
    assert.deepEqual(causes(records, 0.15), []);
  });

  it('a slow link: collectives that were measured reach a third of the rate that is usual', () => {
    const cluster = { ...emptyCluster(), gpu: 'h100-sxm', gpusPerNode: 8 };
    // The bus bandwidth of 400 GB/s of an 8-GPU node's NVLink, and a third of it; latencies as they are.
    const measured = (busbw: number) =>
      Array.from({ length: 12 }, (_, i): CollectiveRecord => {
        const bytes = 2 ** (20 + i);
        const seconds = 2e-5 + (bytes * 2 * 7) / 8 / busbw;
        return { kind: 'collective', line: 1, op: 'all-reduce', bytes, ranks: 8, nodes: 1, seconds };
      });
    const records = logged(STEADY, FINE);
    const run = summarizeRun(records, null);
    assert.ok(run !== null);
    const found = (busbw: number) => likelyCauses(records, run, 0.06, fitLinkConstants(measured(busbw), cluster));
    assert.deepEqual(found(360e9), []);
    const [cause, ...others] = found(120e9);
    assert.deepEqual([cause?.code, cause?.evidence, others.length], ['slow-link', 'linkShare', 0]);
    // 120 of 450 GB/s.
    assert.ok(Math.abs((cause?.shares?.measured ?? 0) - 120 / 450) < 0.03, JSON.stringify(cause));
    assert.match(causeSentence(cause), /reach 2\d(\.\d)? % of the datasheet/);
  });

  it('loading of data: 400 ms of a step of 2.5 s', () => {
    const found = causes(logged(STEADY, { ...FINE, 'batch-generator': [5, 400] }));
    assert.deepEqual(found, [{ code: 'data-loading', seconds: 0.4, evidence: 'batch-generator' }]);
  });

  it('imbalance: the passes of the fastest rank end 300 ms before those of the slowest', () => {
    const [cause, ...others] = causes(logged(STEADY, { ...FINE, 'forward-backward': [2000, 2300] }));
    assert.deepEqual([cause?.code, cause?.evidence, others.length], ['imbalance', 'forward-backward', 0]);
    assert.ok(Math.abs((cause?.seconds ?? 0) - 0.3) < 1e-12);
  });

  it('a power cap, where the driver says so', () => {
    const found = causes([...read('nvidia-smi-q.txt'), ...logged(STEADY, FINE)]);
    assert.deepEqual(found, [{ code: 'power-cap', seconds: null, evidence: 'SW Power Cap' }]);
  });

  it('unsteady steps, where no timer explains them', () => {
    const found = causes(logged([2500, 2500, 4000, 2500, 4100, 2500, 3900], FINE));
    assert.deepEqual(found, [{ code: 'unsteady', seconds: null, evidence: 'steps' }]);
  });

  it('several causes, the one that costs most first, in words of both languages', () => {
    const found = causes(
      logged(STEADY, { 'forward-backward': [2000, 2300], 'batch-generator': [5, 400], 'all-grads-sync': [58, 180] }),
    );
    assert.deepEqual(
      found.map(({ code }) => code),
      ['data-loading', 'imbalance', 'slow-link'],
    );
    assert.match(causeSentence(found[0]), /^Loading data .* \(400 ms a step\): timer batch-generator\.$/);
    assert.match(
      inLanguage('sk', () => causeSentence(found[0])),
      /^Načítanie dát .* \(400 ms na krok\): časovač batch-generator\.$/,
    );
  });
});
