import assert from 'node:assert/strict';
import { llama8bOn, toEnd } from '../../../bench/search/testSetups';
import { searchDocument } from '../../documents/searchDocument';
import { footprint, statedFactors } from './footprint';
import { NO_GOAL, trainingOf } from './objective';
import { DEFAULT_OPTIONS, type SearchOptions } from './result';
import { fewestGpus, scaleCurve } from './scale';
import { search } from './search';
import { balancedChunks } from './split';

const LLAMA_8B = llama8bOn({
  gpu: 'h100-sxm',
  gpus: 512,
  globalBatch: 512,
  microBatch: 1,
  pp: 8,
  seqLen: 4096,
  sharding: 'zero1',
});
const ONE_LAYOUT: Partial<SearchOptions> = { fixed: { tp: [1], cp: [1], pp: [8], vpp: [1], schedule: ['1f1b'] } };

describe('goals of a search', () => {
  it('shows the batch as a resource: 512 GPUs, pp 8, dp 64, batch 512 of micro-batch 1', () => {
    const goal = { ...NO_GOAL, criticalBatch: 1e6 };
    const { batch, current } = searchDocument(
      toEnd(search(LLAMA_8B, { ...DEFAULT_OPTIONS, ...ONE_LAYOUT, goal })),
      [],
      0,
    );
    assert.ok(batch !== null);
    assert.deepEqual(
      [current.plan.dp, batch.microBatches, batch.idlePerBusy, batch.tokensPerStep, batch.beyondCritical],
      [64, 8, 0.875, 512 * 4096, true],
    );
    assert.ok(Math.abs(batch.idealBubbleFraction - 7 / 15) < 1e-15);
  });

  it('counts time and cost from what the user states, and nothing from what is blank', () => {
    const training = trainingOf({ ...NO_GOAL, tokens: 1e9, price: 3.6, deadline: 900 }, 1e6, 8, 1e6);
    assert.deepEqual(training, {
      trainingSeconds: 1000,
      cost: 8,
      costPerMillionTokens: 0.008,
      meetsDeadline: false,
    });
    assert.deepEqual(Object.values(trainingOf(NO_GOAL, 1e6, 8, 1e6)), [null, null, null, null]);
    // A batch as large as the critical one needs twice the tokens.
    assert.equal(trainingOf({ ...NO_GOAL, tokens: 1e9, criticalBatch: 1e6 }, 1e6, 8, 1e6).trainingSeconds, 2000);
  });

  it('makes a footprint that is linear in GPU-hours', () => {
    const nothing = { wattsPerGpu: null, powerUsage: null, gramsCo2PerKwh: null, litresPerKwh: null };
    assert.equal(statedFactors(nothing), undefined);
    const factors = { wattsPerGpu: 1000, powerUsage: 1.2, gramsCo2PerKwh: 400, litresPerKwh: 2 };
    assert.deepEqual(footprint(100, factors), { kilowattHours: 120, kilogramsCo2: 48, litresWater: 240 });
    assert.deepEqual(Object.values(footprint(100, nothing)), [null, null, null]);
    assert.equal(footprint(100, { ...factors, litresPerKwh: null }).litresWater, null);
  });

  it('scales: tokens a second rise with the GPUs, a GPU does no more than before, and the knee is on the curve', () => {
    const sizes = [8, 32, 128];
    const fixed = { tp: [1], cp: [1], pp: [1], recompute: ['full'] as const };
    const { points, kneeGpus } = toEnd(scaleCurve(LLAMA_8B, { scale: 'strong', fixed, goal: NO_GOAL, sizes }));
    const rates = points.map(({ best }) => best?.tokensPerSecond ?? 0);
    assert.ok(rates[0] < rates[1] && rates[1] < rates[2]);
    assert.ok(points.every(({ efficiency }) => (efficiency ?? 0) > 0 && (efficiency ?? 0) <= 1));
    assert.ok(sizes.includes(kneeGpus ?? 0));
    const goal = { ...NO_GOAL, tokens: 1e9, deadline: 1e9 / ((rates[0] + rates[1]) / 2) };
    assert.equal(toEnd(fewestGpus(LLAMA_8B, { fixed, goal, sizes }))?.gpus, 32);
  });

  it('scales inside of what the framework of the file can express', () => {
    const fixed = { cp: [1], pp: [1, 2] };
    const { points } = toEnd(
      scaleCurve({ ...LLAMA_8B, kinds: ['picotron'] }, { scale: 'weak', fixed, goal: NO_GOAL, sizes: [32] }),
    );
    const { best } = points[0];
    assert.deepEqual([best?.plan.sharding, best?.plan.sp, best?.expressible], ['none', false, true]);
  });

  it('takes layers from the ends first', () => {
    assert.deepEqual(balancedChunks(126, 16), [7, ...new Array<number>(14).fill(8), 7]);
    assert.deepEqual(balancedChunks(32, 4), [8, 9, 8, 7]);
    for (const [layers, chunks] of [
      [61, 16],
      [7, 4],
      [5, 5],
    ]) {
      assert.equal(
        balancedChunks(layers, chunks).reduce((a, b) => a + b, 0),
        layers,
      );
    }
  });
});
