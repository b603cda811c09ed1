import assert from 'node:assert/strict';
import { preparedPlan } from '../../../test/fixtures/llama8b';
import type { Plan } from '../plan/keys';
import { placeGroup, ringLatency } from './network';
import { planRules } from './planRules';

const PARAMETERS = 8_030_261_248;

function bucketRule(plan: Partial<Plan>) {
  const { tables, plan: ready } = preparedPlan({ gradDtype: 'fp32', bucketBytes: 25e6, ...plan });
  return { tables, rule: planRules(tables, ready, null).find(({ code }) => code === 'buckets') };
}

describe('the rule of buckets', () => {
  it('asks for √(s·w·o): all gradients of a rank at the rate of a ring, one latency a call', () => {
    const { tables, rule } = bucketRule({ dp: 8 });
    const { linkBytesPerSecond } = tables.rates;
    // An all-reduce of 8 ranks moves 14/8 of its bytes over each link.
    const w = (linkBytesPerSecond * 8) / 14;
    const o = ringLatency(placeGroup(8, 8, 1), tables.rates);
    const expected = Math.sqrt(4 * PARAMETERS * w * o);
    assert.ok(rule !== undefined && Math.abs(rule.right / expected - 1) < 1e-12);
    assert.equal(rule.left, 25e6);
  });

  it('counts the gradients that a rank holds: a quarter under tp 2 and pp 2', () => {
    const [whole, quarter] = [{ dp: 2 }, { dp: 2, tp: 2, pp: 2 }].map(plan => bucketRule(plan).rule?.right ?? NaN);
    assert.ok(Math.abs(quarter / whole - Math.sqrt(1 / 4)) < 1e-12, `${quarter / whole}`);
  });

  it('holds within a factor of two, and says nothing where nobody reduces all gradients', () => {
    const best = bucketRule({ dp: 8 }).rule?.right ?? NaN;
    const holds = (bucketBytes: number) => bucketRule({ dp: 8, bucketBytes }).rule?.holds;
    assert.deepEqual(
      [0.49, 0.51, 1.9, 2.1].map(factor => holds(factor * best)),
      [false, true, true, false],
    );
    for (const plan of [{ dp: 1 }, { dp: 8, sharding: 'zero3' }, { dp: 8, bucketBytes: null }] as const)
      assert.equal(bucketRule(plan).rule, undefined);
  });
});
