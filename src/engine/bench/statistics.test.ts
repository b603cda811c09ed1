import assert from 'node:assert/strict';
import { compareTimes } from './compare';
import { isSettled, statistics } from './statistics';

describe('statistics of timings', () => {
  it('are the order statistics of the samples', () => {
    // By hand: 1..9 has median 5, quartiles 3 and 7, and 95 % at 8.6.
    const found = statistics([9, 1, 8, 2, 7, 3, 6, 4, 5]);
    assert.deepEqual([found.samples, found.medianSeconds, found.leastSeconds], [9, 5, 1]);
    assert.ok(Math.abs(found.p95Seconds - 8.6) < 1e-12 && Math.abs(found.spread - 0.8) < 1e-12);
  });

  it('know the median of equal samples, and not that of few', () => {
    assert.equal(isSettled(new Array<number>(20).fill(3)), true);
    assert.equal(isSettled([3, 3, 3]), false);
    assert.equal(statistics([]).medianWidth, 1);
  });

  it('cover the true median as often as they say', () => {
    // Exponential samples: their median is ln 2. A generator with a fixed seed (mulberry32).
    let state = 7;
    const random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
    let inside = 0;
    for (let round = 0; round < 400; round++) {
      const { medianSeconds: m, medianWidth: w } = statistics(
        Array.from({ length: 40 }, () => -Math.log(1 - random())),
      );
      // The interval need not be symmetric, so that its half width around the median is a little less sure.
      if (Math.abs(Math.LN2 - m) <= w * m) inside++;
    }
    assert.ok(inside >= 360 && inside < 400, `${inside} of 400`);
  });
});

describe('two runs beside each other', () => {
  const thing = (key: string, medianSeconds: number, medianWidth = 0.01) => ({ key, medianSeconds, medianWidth });
  it('tell a change from chance', () => {
    const { rows, onlyBefore, onlyAfter } = compareTimes(
      [thing('a', 1), thing('b', 1), thing('c', 1, 0.3), thing('gone', 1)],
      [thing('a', 1.02), thing('b', 0.8), thing('c', 1.3, 0.3), thing('new', 1)],
    );
    assert.deepEqual(
      rows.map(({ key, verdict }) => `${key} ${verdict}`),
      ['a same', 'b faster', 'c same'],
    );
    assert.deepEqual([onlyBefore, onlyAfter], [['gone'], ['new']]);
  });
});
