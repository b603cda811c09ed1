import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bestDataAxis,
  overlapBounds,
  overlapped,
  over,
  quantity,
  rulesOfThumb,
  sameDimension,
  tensorLimit,
  times,
  tokensToHide,
} from './rulesOfThumb';

describe('rules of thumb', () => {
  it('says how many tokens hide a gather on H100 (scaling book, GPU chapter: 990e12 / 450e9 = 2200; 400e9: 2475)', () => {
    assert.equal(Math.round(tokensToHide(990e12, 450e9).value), 2200);
    assert.equal(Math.round(tokensToHide(990e12, 400e9).value), 2475);
    assert.ok(sameDimension(tokensToHide(990e12, 450e9), quantity(1, { token: 1 })));
  });

  it('says how many tokens hide a gather on TPU v5p (scaling book: 4.59e14 over 1.8e11 = 2550, over three axes 850)', () => {
    assert.equal(Math.round(tokensToHide(4.59e14, 1.8e11).value), 2550);
    assert.equal(Math.round(tokensToHide(4.59e14, 3 * 1.8e11).value), 850);
  });

  it('limits tensor parallelism on H100 at F/2200 (scaling book, GPU chapter)', () => {
    assert.ok(Math.abs(tensorLimit(28672, 990e12, 450e9).value - 28672 / 2200) < 1e-9);
    assert.ok(sameDimension(tensorLimit(28672, 990e12, 450e9), quantity(1)));
  });

  it('splits devices best at √(B/F·N)', () => {
    assert.ok(Math.abs(bestDataAxis(48_000, 32_768, 64, 2, 1) - Math.sqrt((48_000 / 32_768) * 2 * 64)) < 1e-9);
  });

  it('refuses to compare different units', () => {
    const wrong = over(quantity(1, { byte: 1 }), quantity(1, { second: 1 }));
    assert.ok(!sameDimension(wrong, times(quantity(1, { flop: 1 }), quantity(1))));
  });

  it('gives the plan’s own numbers', () => {
    const rules = rulesOfThumb({
      flopsPerSecond: 990e12,
      linkBytesPerSecond: 450e9,
      networkBytesPerSecond: 50e9,
      tokensPerDevice: 8192,
      ffn: 14336,
      tp: 8,
      devicesPerNode: 8,
    });
    assert.deepEqual(
      rules.map(({ code, holds }) => [code, holds]),
      [
        ['data-parallel', true],
        ['tensor-parallel', false],
        ['across-nodes', true],
      ],
    );
  });

  it('keeps what overlaps between the longest and the sum', () => {
    const seconds = fc.double({ min: 0, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(seconds, seconds, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, contention) => {
        const { lower, upper } = overlapBounds(a, [b]);
        const t = overlapped(a, b, contention);
        assert.ok(t >= lower - 1e-9 && t <= upper + 1e-9);
        assert.ok(overlapped(a, b, contention / 2) <= t + 1e-9);
      }),
    );
  });

  it('reproduces the lecture’s streams: 164.3 and 112.6 ms at once take 164.3, one after another 276.9', () => {
    const { lower, upper } = overlapBounds(0.1643, [0.1126]);
    assert.ok(Math.abs(lower - 0.1643) < 1e-12 && Math.abs(upper - 0.2769) < 1e-12);
    assert.ok(Math.abs(overlapped(0.1643, 0.1126, 0) - 0.1643) < 1e-12);
  });
});
