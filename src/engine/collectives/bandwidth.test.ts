import assert from 'node:assert/strict';
import { bandwidthOf, lectureBandwidth } from './bandwidth';

const GIB = 2 ** 30;
const S = 100 * 1024 * 1024 * 4;

// Durations and printed figures of four ranks: Stanford CS336 lecture 8, 2025 (HEAD bbdbc9c) and 2026.
describe('bandwidth of the lecture', () => {
  const printed = (op: 'all-reduce' | 'reduce-scatter', bytes: number, ms: number[]) =>
    ms.map(t => lectureBandwidth(op, bytes, t / 1000, 4).bytesPerSecond / GIB);
  const near = (actual: number[], expected: number[], tolerance: number) =>
    actual.forEach((v, i) => assert.ok(Math.abs(v - expected[i]) <= tolerance, `${v} ${expected[i]}`));

  it('gives the printed figures of 2025 from the durations', () => {
    near(printed('all-reduce', S, [2.14, 2.16, 2.11, 2.11]), [273, 272, 278, 278], 1);
    near(printed('reduce-scatter', 4 * S, [4.06, 4.03, 3.92, 3.92]), [72, 73, 75, 75], 1);
  });

  it('gives bus bandwidth with its factor: n times for reduce-scatter, once for all-reduce', () => {
    assert.equal(lectureBandwidth('reduce-scatter', 4 * S, 4e-3, 4).factor, 4);
    const seconds = [4.06, 4.03, 3.92, 3.92].map(ms => ms / 1000);
    near(
      seconds.map(t => (bandwidthOf('reduce-scatter', 4 * S, t, 4).busbw as number) / GIB),
      [288.6, 290.8, 298.9, 298.9],
      0.5,
    );
    for (const op of ['all-reduce', 'reduce-scatter'] as const) {
      const { bytesPerSecond, factor } = lectureBandwidth(op, 4 * S, 4e-3, 4);
      assert.ok(Math.abs(bytesPerSecond * factor - (bandwidthOf(op, 4 * S, 4e-3, 4).busbw as number)) < 1);
    }
  });

  it('gives the figures of 2026, whose formula counts input bytes', () => {
    near(
      [2.61, 2.47, 2.39, 2.39].map(ms => (bandwidthOf('reduce-scatter', 4 * S, ms / 1000, 4).busbw as number) / GIB),
      [450, 475, 490, 490],
      2,
    );
    near(
      [1.6, 1.5, 1.38, 1.38].map(ms => (bandwidthOf('all-reduce', S, ms / 1000, 4).busbw as number) / GIB),
      [366, 390, 426, 425],
      2,
    );
  });

  it('knows no bandwidth where no time passed', () =>
    assert.deepEqual(bandwidthOf('all-reduce', S, 0, 4), { algbw: null, busbw: null }));
});
