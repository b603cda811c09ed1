import assert from 'node:assert/strict';
import expected from '../../../test/fixtures/trainer/forward.json' with { type: 'json' };
import { batch, classic, routed, small, smallPlan } from '../../../test/fixtures/trainer/small';
import type { Initial } from './parameters';
import { Trainer } from './trainer';

/** Weights that the fixture's program can make too. */
const byFormula: Initial = (spec, _seed, index) => {
  const k = [...spec.name].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  return (spec.std === null ? 1 : 0) + 0.3 * Math.sin(0.7 * index + k);
};

describe('the forward passes', () => {
  // Expected: test/fixtures/trainer/forward.py, a second implementation in NumPy.
  for (const [name, network] of Object.entries({ small, classic, routed }))
    it(`of the ${name} network give the loss of a second implementation`, () => {
      for (const plan of [{}, { tp: 2, cp: 2 }]) {
        const trained = smallPlan(network, { ...plan, globalBatch: 2 });
        const run = new Trainer({ network, plan: trained, type: 'f64', seed: 0, batch, initial: () => byFormula });
        const { loss } = run.step();
        assert.ok(Math.abs(loss - expected[name as keyof typeof expected]) < 1e-12, `${loss}`);
      }
    });
});
