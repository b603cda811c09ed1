import assert from 'node:assert/strict';
import { peakInFlight } from './memory';
import { breadthFirst, interleaved } from './schedules/looped';
import { eagerOneF1B, gpipe, naive, oneF1B } from './schedules/oneChunk';
import { simulate } from './simulate';

const THIRDS = { forward: 1, backwardInput: 1, backwardWeight: 1 };

/** (m + p − 1)(tf + tb) at tf = 1, tb = 2: Huang et al. 2019, arXiv 1811.06965, section 2.3; typed by hand. */
const CASES = [
  [2, 4, 15],
  [4, 4, 21],
  [4, 8, 33],
  [8, 8, 45],
  [8, 32, 117],
  [8, 64, 213],
] as const;

describe('pipeline schedules without split backward', () => {
  it('take the published makespans', () => {
    for (const [p, m, makespan] of CASES) {
      for (const order of [gpipe(p, m), oneF1B('1f1b', p, m), eagerOneF1B(p, m)]) {
        const result = simulate(order, THIRDS);
        assert.equal(result.makespan, makespan);
        assert.ok(Math.abs(result.bubbleFraction - (p - 1) / (m + p - 1)) < 1e-12);
      }
      assert.equal(simulate(naive(p, m), THIRDS).makespan, 3 * p * m);
    }
  });

  it('divide the bubble by v where p divides m', () => {
    for (const order of [interleaved(4, 8, 2), breadthFirst(4, 8, 2)]) {
      assert.equal(simulate(order, THIRDS).makespan, 8 * 3 + (3 * 3) / 2);
    }
  });

  it('hold the published number of micro-batches in flight', () => {
    assert.deepEqual([...peakInFlight(gpipe(4, 6))], [6, 6, 6, 6]);
    assert.deepEqual([...peakInFlight(oneF1B('1f1b', 4, 6))], [4, 3, 2, 1]);
    assert.deepEqual([...peakInFlight(eagerOneF1B(4, 6))], [6, 5, 3, 1]);
    assert.equal(peakInFlight(interleaved(8, 32, 2))[0], 8 * 1.4375);
  });
});
