import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildOrder } from '../pipeline/buildOrder';
import { simulate } from '../pipeline/simulate';
import type { ScheduleName } from '../plan/keys';
import { CriticalPaths, longestPath } from './criticalPaths';
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
    fc.assert(
      fc.property(
        shape,
        fc.array(stage, { minLength: 6, maxLength: 6 }),
        fc.constantFrom(...SIMULATED),
        ({ m, stages }, others, name) => {
          const v = TWO_CHUNKS.has(name) ? 2 : 1;
          const found = simulated(name, m, v, stages);
          const other = simulated(name, m, v, others.slice(0, stages.length));
          if (found === null || other === null) return;
          const paths = new CriticalPaths().of(
            { name, stages: stages.length, microBatches: m, virtual: v },
            other.times,
          );
          const bound = longestPath(paths, stages.length, found.times);
          assert.ok(bound <= found.makespan * (1 + 1e-12), `${name} ${bound} ${found.makespan}`);
          const own = longestPath(paths, stages.length, other.times);
          assert.ok(Math.abs(own / other.makespan - 1) < 1e-9, 'the path of the same times is the makespan');
        },
      ),
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
