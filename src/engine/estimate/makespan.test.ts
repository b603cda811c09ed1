import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildOrder } from '../pipeline/buildOrder';
import { simulate } from '../pipeline/simulate';
import { interleavedMakespan, oneForwardOneBackward } from './makespan';

const seconds = fc.double({ min: 0.1, max: 10, noNaN: true });
const stages = fc.array(fc.record({ f: seconds, b: seconds, w: seconds }), { minLength: 2, maxLength: 12 });

function timesOf(list: readonly { f: number; b: number; w: number }[]) {
  return {
    forward: Float64Array.from(list, ({ f }) => f),
    backwardInput: Float64Array.from(list, ({ b }) => b),
    backwardWeight: Float64Array.from(list, ({ w }) => w),
  };
}

function simulated(name: '1f1b' | 'interleaved-1f1b', m: number, v: number, times: ReturnType<typeof timesOf>): number {
  const order = buildOrder(name, { stages: times.forward.length, microBatches: m, virtual: v });
  assert.ok(!('code' in order));
  const lists = Object.fromEntries(Object.entries(times).map(([key, list]) => [key, [...list]]));
  return simulate(order, lists as unknown as Parameters<typeof simulate>[1]).makespan;
}

describe('makespans without simulation', () => {
  it('is a longest path of the simulator for 1F1B, near the longest of all even where stages differ a hundredfold', () => {
    fc.assert(
      fc.property(stages, fc.integer({ min: 1, max: 40 }), (list, m) => {
        const times = timesOf(list);
        const exact = simulated('1f1b', m, 1, times);
        const formula = oneForwardOneBackward(list.length, m, times);
        assert.ok(formula <= exact * (1 + 1e-12), 'every path is a path of the simulation');
        assert.ok(formula >= exact * 0.8, `${formula} for ${exact}`);
      }),
    );
  });

  it('equals it exactly where stages differ by up to a half, as ends and rests of layers make them', () => {
    const mild = fc.array(fc.record({ f: fc.double({ min: 1, max: 1.5, noNaN: true }) }), {
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(mild, fc.integer({ min: 1, max: 40 }), (list, m) => {
        const times = timesOf(list.map(({ f }) => ({ f, b: f, w: f })));
        const exact = simulated('1f1b', m, 1, times);
        assert.ok(Math.abs(oneForwardOneBackward(list.length, m, times) - exact) <= 1e-9 * exact);
      }),
    );
  });

  it('equals it for interleaved equal stages, and comes near for unequal ones', () => {
    const parameters = [
      fc.integer({ min: 2, max: 8 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 2, max: 4 }),
    ] as const;
    fc.assert(
      fc.property(...parameters, fc.double({ min: 0, max: 0.5, noNaN: true }), (p, rounds, v, extra) => {
        const list = Array.from({ length: p }, (_, i) => {
          const t = 1 + (i === p - 1 ? extra : 0);
          return { f: t, b: t, w: t };
        });
        const exact = simulated('interleaved-1f1b', p * rounds, v, timesOf(list));
        const formula = interleavedMakespan(p, p * rounds, v, timesOf(list));
        assert.ok(Math.abs(formula / exact - 1) <= (extra === 0 ? 1e-9 : 0.1));
      }),
    );
  });
});
