import assert from 'node:assert/strict';
import { type Fact, factsOf, isWarning } from './facts';
import { mustRun, uniform } from './testPipelines';

const UNEQUAL = [1, 1.2, 0.8, 0.04];

function fact<C extends Fact['code']>(
  run: ReturnType<typeof mustRun>,
  code: C,
): Extract<Fact, { code: C }> | undefined {
  return factsOf(run).find((found): found is Extract<Fact, { code: C }> => found.code === code);
}

function near(actual: number | undefined, expected: number, tolerance: number): void {
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= tolerance, `${actual}, not ${expected}`);
}

describe('facts that a schedule’s name does not tell', () => {
  it('a barrier makes ZB-2p as slow as ZB-1p at twice the activations', () => {
    const run = mustRun(uniform('zb-2p', 8, 32));
    const twin = fact(run, 'barrier-twin');
    near(twin?.bubble, 0.068, 5e-5);
    near(twin?.otherBubble, 0.068, 5e-5);
    assert.equal(twin?.makespan, twin?.otherMakespan);
    near(twin!.peak / twin!.otherPeak, 2, 0.01);
    const barrier = fact(run, 'barrier');
    near(barrier?.bubble, 0.068, 5e-5);
    assert.equal(barrier?.spanBubble, 0);
  });

  it('a barrier takes from ZB-V what its spans promise', () => {
    const barrier = fact(mustRun(uniform('zb-v', 8, 32, { virtual: 2, times: UNEQUAL })), 'barrier');
    near(barrier?.bubble, 0.055, 6e-4);
    near(barrier?.spanBubble, 0.041, 6e-4);
  });

  it('V-Min loses to 1F1B where F, B and W differ', () => {
    const unequal = fact(mustRun(uniform('v-min', 8, 32, { virtual: 2, times: UNEQUAL })), 'unequal-passes');
    near(unequal?.bubble, 0.297, 6e-4);
    near(unequal?.baselineBubble, 0.198, 6e-4);
    near(unequal?.inputRatio, 1.2, 1e-9);
    near(unequal?.weightRatio, 0.8, 1e-9);
    assert.equal(unequal?.isSlower, true);
    assert.ok(isWarning(unequal));
    assert.ok(unequal.equalBubble < unequal.bubble);
  });

  it('V-Half stays ahead of 1F1B, but loses some', () => {
    const unequal = fact(mustRun(uniform('v-half', 8, 32, { virtual: 2, times: UNEQUAL })), 'unequal-passes');
    near(unequal?.bubble, 0.121, 6e-4);
    assert.equal(unequal?.isSlower, false);
  });

  it('a wrong memory split hides that ZB-2p runs out of memory', () => {
    const times = [18.546, 18.097, 9.321, 0.762];
    // Room for the 2p micro-batches that the schedule is allowed.
    const run = mustRun(uniform('zb-2p', 8, 64, { times, bytes: 1e9, capacity: 16.1e9 }));
    const split = fact(run, 'memory-split');
    assert.ok(split!.believed <= 16e9 && split!.real > 28e9);
    assert.equal(split!.hidesOutOfMemory, true);
    assert.equal(fact(run, 'over-capacity'), undefined);
    const without = fact(mustRun(uniform('zb-2p', 8, 64, { times })), 'memory-split');
    assert.equal(without?.isBytes, false);
    assert.equal(without?.hidesOutOfMemory, false);
  });

  it('says what the activations exceed', () => {
    const run = mustRun(uniform('1f1b', 4, 8, { bytes: 10, capacity: 35 }));
    assert.deepEqual(factsOf(run), [{ code: 'over-capacity', stage: 0, bytes: 40, capacityBytes: 35 }]);
  });

  it('keeps silent where nothing applies', () => {
    assert.deepEqual(factsOf(mustRun(uniform('1f1b', 8, 32, { times: UNEQUAL, bytes: 1, capacity: 100 }))), []);
    assert.equal(fact(mustRun(uniform('v-min', 8, 32, { virtual: 2 })), 'unequal-passes'), undefined);
    assert.equal(fact(mustRun(uniform('interleaved-1f1b', 8, 32, { virtual: 2 })), 'memory-split'), undefined);
  });
});
