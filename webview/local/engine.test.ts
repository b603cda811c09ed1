import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { estimateDocument } from '../../src/documents/build';
import { packSetup, type SetupData, unpackSetup } from '../../src/documents/setupData';
import { estimate } from '../../src/engine/estimate/estimate';
import type { DashboardState } from '../../src/protocol/dashboard';
import { sliderValues } from '../whatIf/values';
import { estimateChange, inspect } from './engine';

function fixture(name: string): DashboardState & { setup: NonNullable<DashboardState['setup']> } {
  const file = path.join(import.meta.dirname, `../../test/fixtures/dashboard/${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof fixture>;
}

const nothing = { plan: {}, gpus: null };

describe('the engine of the page', () => {
  it('says of an unchanged setup, sent as JSON, what the host says', () => {
    for (const name of ['complete', 'huge', 'experts', 'out-of-memory']) {
      const setup = unpackSetup(fixture(name).setup);
      const host = estimateDocument(estimate(setup));
      const data = JSON.parse(JSON.stringify(packSetup(setup))) as SetupData;
      assert.deepEqual(estimateChange(data, nothing, host), host);
    }
  });

  it('lets dp follow the world: 64 GPUs with tp 4 and pp 4 leave 4', () => {
    const { setup, estimate } = fixture('complete');
    const { plan, cluster } = estimateChange(setup, { plan: { tp: 4 }, gpus: null }, estimate).setup;
    assert.deepEqual([plan.dp, plan.tp, plan.pp, cluster.gpus], [4, 4, 4, 64]);
  });

  it('lets dp follow another number of GPUs, with the same batch', () => {
    const { setup, estimate } = fixture('complete');
    const { plan, cluster } = estimateChange(setup, { plan: { tp: 4 }, gpus: 256 }, estimate).setup;
    assert.deepEqual([plan.dp, plan.tp, plan.pp, cluster.gpus, plan.globalBatch], [16, 4, 4, 256, 256]);
  });

  it('says what a plan breaks instead of numbers', () => {
    const { setup, estimate } = fixture('complete');
    const { problems, throughput } = estimateChange(setup, { plan: { tp: 64 }, gpus: null }, estimate);
    assert.ok(problems.some(({ code }) => code === 'heads-tp'));
    assert.equal(throughput.stepSeconds, null);
  });
});

describe('what is inside a plan', () => {
  const near = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected), `${actual} is not ${expected}`);

  it('names the terms of each stage’s activations and buffers: they add up to the estimate', () => {
    const sharded = { plan: { sharding: 'zero3', pp: 1 } as const, gpus: null };
    for (const [name, change] of [
      ['complete', nothing],
      ['complete', sharded],
      ['experts', nothing],
      ['stages-16', nothing],
    ] as const) {
      const { setup, estimate } = fixture(name);
      const { stages } = estimateChange(setup, change, estimate).memory;
      const terms = inspect(setup, change).memory ?? [];
      assert.equal(terms.length, stages.length);
      assert.ok(stages.length > 0, name);
      stages.forEach(({ activations, buffers }, stage) => {
        const { kept, inFlight, working, loss, gathered, buckets } = terms[stage];
        near(inFlight * kept + working, activations);
        near(gathered + buckets + loss, buffers);
      });
    }
  });
});

describe('the values of the sliders', () => {
  it('hold the present one and rise', () => {
    for (const name of ['complete', 'huge', 'experts', 'stages-16']) {
      const { estimate } = fixture(name);
      for (const key of ['dp', 'tp', 'cp', 'pp', 'vpp', 'ep', 'microBatch', 'globalBatch', 'seqLen'] as const) {
        const values = sliderValues(key, estimate);
        assert.ok(values.includes(estimate.setup.plan[key] ?? values[0]), `${name} ${key}`);
        assert.ok(values.every((value, i) => i === 0 || value > values[i - 1]));
      }
    }
  });

  it('of tp divide the GPUs and the heads: 64 GPUs and 32 heads', () => {
    assert.deepEqual(sliderValues('tp', fixture('complete').estimate), [1, 2, 4, 8, 16, 32]);
  });
});
