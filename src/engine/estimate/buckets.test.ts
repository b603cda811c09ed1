import { strict as assert } from 'node:assert';
import { bestBucketBytes, exposedSeconds } from './buckets';

// The handout's numbers: 8 GB of gradients at 100 GB/s, 50 µs a call.
const INPUT = { gradientBytes: 8e9, bytesPerSecond: 1e11, callSeconds: 50e-6 };

describe('buckets of gradients', () => {
  it('are best at 200 MB, where 4 ms stay visible', () => {
    assert.ok(Math.abs(bestBucketBytes(INPUT) - 200e6) < 1);
    assert.ok(Math.abs(exposedSeconds(INPUT, 40) - 4e-3) < 1e-12);
  });

  it('a sweep over their number has its least there', () => {
    const numbers = Array.from({ length: 400 }, (_, i) => i + 1);
    const best = numbers.reduce((a, b) => (exposedSeconds(INPUT, b) < exposedSeconds(INPUT, a) ? b : a));
    assert.ok(Math.abs(best - INPUT.gradientBytes / bestBucketBytes(INPUT)) <= 1);
  });

  it('are never larger than all there is', () => {
    assert.equal(bestBucketBytes({ ...INPUT, gradientBytes: 1e5 }), 1e5);
  });
});
