import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { changedSetup } from '../configs/changedSetup';
import { mergeReadings } from '../configs/merge';
import { readConfig } from '../configs/registry';
import { estimate } from '../estimate/estimate';
import { override } from '../setup/override';
import type { TrainingSetup } from '../setup/setup';
import { alternatives } from './alternatives';

function example(): TrainingSetup {
  const readings = ['train.json', 'config.json'].map(name => {
    const file = `examples/llama-3.1-8b/${name}`;
    return readConfig(file, readFileSync(file, 'utf8'));
  });
  const setup = override(mergeReadings(readings).setup, 'gpu', 'h100-sxm');
  if ('code' in setup) throw new Error(setup.code);
  return setup;
}

describe('alternatives', () => {
  const setup = example();

  it('of tensor parallelism: the powers of two of the world that the heads allow, one of them the present', () => {
    const rows = alternatives(setup, 'tp');
    const { gpus } = setup.cluster;
    assert.ok(rows.every(({ value }) => Number(gpus ?? 64) % Number(value) === 0));
    assert.deepEqual(
      rows.filter(({ isPresent }) => isPresent).map(({ value }) => value),
      [setup.plan.tp],
    );
    // Llama-3.1-8B has 8 key-value heads: 16 ranks cannot share them in this framework.
    for (const { value, refusedBy } of rows) assert.equal(refusedBy !== null, Number(value) > 8, String(value));
  });

  it('say what the estimate says of the changed plan', () => {
    for (const key of ['tp', 'pp', 'microBatch', 'recompute'] as const) {
      for (const row of alternatives(setup, key)) {
        const { throughput, memory } = estimate(changedSetup(setup, { [key]: row.value }));
        assert.equal(row.stepSeconds, throughput?.stepSeconds ?? null);
        assert.equal(row.peakBytes, memory?.peakBytes ?? null);
      }
    }
  });

  it('a refused value has no time', () => {
    const refused = alternatives(setup, 'tp').filter(({ refusedBy }) => refusedBy !== null);
    assert.ok(refused.every(({ stepSeconds }) => stepSeconds === null));
  });

  it('a key without a list of values has none', () => {
    assert.deepEqual(alternatives(setup, 'stack'), []);
  });
});
