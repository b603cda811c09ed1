import assert from 'node:assert/strict';
import { biasOn } from './calibration';
import { calibrationWith } from './profile';

describe('the bias of a stack', () => {
  const fitted = (sources: number) => ({
    bias: 1.21,
    hostFactor: 1,
    evidence: { sources, architectures: ['ampere'] },
  });
  const near = (value: number, expected: number) => {
    assert.ok(Math.abs(value - expected) < 1e-9, `${value}, not ${expected}`);
  };

  it('is the fitted one on an architecture of its runs', () => {
    assert.equal(biasOn(fitted(1), 'ampere'), 1.21);
  });

  it('counts its root elsewhere where one source is all that it rests on, and more with every other source', () => {
    // By hand: 1.21^(1/2), 1.21^(3/4).
    near(biasOn(fitted(1), 'hopper'), 1.1);
    near(biasOn(fitted(3), 'hopper'), 1.1 ** 1.5);
  });

  it('of one’s own runs is not held', () => {
    assert.equal(biasOn({ bias: 1.21, hostFactor: 1 }, 'hopper'), 1.21);
    const own = calibrationWith({ devices: {}, common: {}, stacks: { 'megatron-core': { bias: 1.21 } } });
    assert.equal(biasOn(own.stacks['megatron-core'], 'hopper'), 1.21);
  });

  it('stays held where own runs moved the host’s time alone', () => {
    const { bias, evidence } = calibrationWith(null).stacks['megatron-core'];
    assert.deepEqual(evidence, { sources: 1, architectures: ['blackwell'] });
    const own = calibrationWith({ devices: {}, common: {}, stacks: { 'megatron-core': { hostFactor: 2 } } });
    near(biasOn(own.stacks['megatron-core'], 'hopper'), Math.sqrt(bias));
    assert.equal(own.stacks['megatron-core'].hostFactor, 2);
  });
});
