import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildOrder } from '../pipeline/buildOrder';
import { simulate } from '../pipeline/simulate';
import type { ScheduleName } from '../plan/keys';
import { longestPath, pathsOf } from './criticalPaths';
import { makespanBound } from './makespans';
import { closedMakespan, isClosed } from '../estimate/closedMakespan';

const seconds = fc.double({ min: 0.5, max: 4, noNaN: true });
const stage = fc.tuple(seconds, seconds, seconds);

const SIMULATED: readonly ScheduleName[] = [
  'eager-1f1b',
  'gpipe',
  'zb-h1',
  'zb-h2',
  'zb-1p',
  'zb-2p',
  'zb-v',
  'v-half',
  'v-min',
  'dualpipe',
  'dualpipe-v',
  'breadth-first',
];
const TWO_CHUNKS: ReadonlySet<ScheduleName> = new Set(['zb-v', 'v-half', 'v-min']);

function simulated(name: ScheduleName, m: number, v: number, stages: readonly (readonly number[])[]) {
  const [forward, backwardInput, backwardWeight] = [0, 1, 2].map(i => Float64Array.from(stages, times => times[i]));
  const order = buildOrder(name, { stages: stages.length, microBatches: m, virtual: v });
  if ('code' in order) return null;
  const costs = { forward: [...forward], backwardInput: [...backwardInput], backwardWeight: [...backwardWeight] };
  return { makespan: simulate(order, costs).makespan, times: { forward, backwardInput, backwardWeight } };
}

describe('makespans of the search', () => {
  const shape = fc.record({
    m: fc.integer({ min: 1, max: 12 }),
    stages: fc.array(stage, { minLength: 2, maxLength: 6 }),
  });

  it('in closed form are those of the simulator', () => {
    fc.assert(
      fc.property(
        shape,
        fc.constantFrom('naive', 'gpipe', 'breadth-first' as const),
        fc.integer({ min: 1, max: 3 }),
        ({ m, stages }, name, chunks) => {
          const v = name === 'breadth-first' ? chunks : 1;
          if (!isClosed(name, stages.length, m, v)) return;
          const found = simulated(name, m, v, stages);
          assert.ok(found !== null);
          const closed = closedMakespan({ name, stages: stages.length, microBatches: m, virtual: v }, found.times);
          assert.ok(Math.abs(closed / found.makespan - 1) < 1e-12, `${closed} ${found.makespan}`);
        },
      ),
    );
  });

  it('are never below a path that was critical under other times', () => {
    const layers = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(shape, layers, fc.constantFrom(...SIMULATED), ({ m, stages }, counts, name) => {
        const p = stages.length;
        const v = TWO_CHUNKS.has(name) ? 2 : 1;
        const found = simulated(name, m, v, stages);
        if (found === null) return;
        const ofLayers = counts.slice(0, p);
        const paths = pathsOf({ name, stages: p, microBatches: m, virtual: v }, ofLayers);
        const bound = longestPath(paths, p, found.times);
        assert.ok(bound <= found.makespan * (1 + 1e-12), `${name} ${bound} ${found.makespan}`);
        // The head counts for half of a layer where paths are looked for.
        const weights = ofLayers.map((count, k) => count + (k === p - 1 ? 0.5 : 0));
        const own = simulated(
          name,
          m,
          v,
          weights.map(weight => [weight, weight, weight]),
        );
        assert.ok(own !== null);
        const same = longestPath(paths, p, own.times);
        assert.ok(Math.abs(same / own.makespan - 1) < 1e-9, 'the path of the same times is the makespan');
      }),
      { numRuns: 200 },
    );
  });

  it('are never below their bound', () => {
    fc.assert(
      fc.property(shape, fc.constantFrom(...SIMULATED), ({ m, stages }, name) => {
        const v = TWO_CHUNKS.has(name) ? 2 : 1;
        const found = simulated(name, m, v, stages);
        if (found === null) return;
        const bound = makespanBound({ name, stages: stages.length, microBatches: m, virtual: v }, found.times);
        assert.ok(bound <= found.makespan * (1 + 1e-12), `${name} ${bound} ${found.makespan}`);
      }),
      { numRuns: 300 },
    );
  });
});
