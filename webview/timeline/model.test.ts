import assert from 'node:assert/strict';
import fc from 'fast-check';
import { heldByColumn } from './memoryStrip';
import {
  createColumns,
  createModel,
  heldDuring,
  type Model,
  nearestSlot,
  occupancy,
  OCCUPANTS,
  slotAt,
  stageOfSlot,
  visibleSlots,
} from './model';
import { navigate } from './navigation';
import { mustRun, uniform } from './testPipelines';

const INPUTS = [
  uniform('1f1b', 4, 8),
  uniform('interleaved-1f1b', 4, 8, { virtual: 3, times: [1, 1.3, 0.6, 0.1] }),
  uniform('zb-2p', 4, 9, { times: [1, 1.2, 0.8, 0.04] }),
  uniform('zb-v', 4, 8, { virtual: 2 }),
  uniform('dualpipe', 4, 10),
];
const models = INPUTS.map(input => createModel(mustRun(input)));

/** Passes of a stage that a plain look through all of them finds between two times. */
function seen({ run: { order, simulation } }: Model, stage: number, from: number, to: number): number[] {
  const slots = Array.from(order.pass.keys()).slice(order.firstSlot[stage], order.firstSlot[stage + 1]);
  return slots.filter(slot => simulation.end[slot] > from && simulation.start[slot] < to);
}

const anyWindow = fc.tuple(
  fc.nat({ max: models.length - 1 }),
  fc.nat({ max: 3 }),
  fc.double({ min: -0.2, max: 1.2, noNaN: true }),
  fc.double({ min: 0.001, max: 1.2, noNaN: true }),
);

describe('timeline model', () => {
  it('finds the passes of any window', () => {
    fc.assert(
      fc.property(anyWindow, ([index, stage, first, length]) => {
        const model = models[index];
        const from = first * model.makespan;
        const to = from + length * model.makespan;
        const [start, end] = visibleSlots(model, stage, from, to);
        assert.deepEqual(
          Array.from({ length: end - start }, (_, i) => start + i),
          seen(model, stage, from, to),
        );
      }),
    );
  });

  it('conserves busy time in any window and any number of columns', () => {
    fc.assert(
      fc.property(anyWindow, fc.integer({ min: 1, max: 300 }), ([index, stage, first, length], count) => {
        const model = models[index];
        const { start, end } = model.run.simulation;
        const from = first * model.makespan;
        const to = from + length * model.makespan;
        const columns = createColumns(count);
        occupancy(model, stage, from, to, columns);
        const busy = seen(model, stage, from, to).reduce(
          (sum, slot) => sum + Math.min(end[slot], to) - Math.max(start[slot], from),
          0,
        );
        const drawn = columns.seconds.reduce((sum, seconds) => sum + seconds, 0);
        assert.ok(Math.abs(drawn - busy) < 1e-9 * model.makespan);
        const columnSeconds = (to - from) / count;
        for (let column = 0; column < count; column++) {
          const parts = columns.seconds.slice(column * OCCUPANTS, (column + 1) * OCCUPANTS);
          assert.ok(Math.min(...parts) >= -1e-9 && parts.reduce((a, b) => a + b) <= columnSeconds * (1 + 1e-9));
        }
      }),
    );
  });

  it('conserves busy time from afar, where passes are summed up beforehand', () => {
    const model = createModel(mustRun(uniform('interleaved-1f1b', 4, 1024, { virtual: 4, times: [1, 1.2, 0.8, 0.1] })));
    assert.ok(model.overview !== null);
    const columns = createColumns(900);
    for (let stage = 0; stage < 4; stage++) {
      occupancy(model, stage, 0, model.makespan, columns);
      const drawn = columns.seconds.reduce((sum, seconds) => sum + seconds, 0);
      assert.ok(Math.abs(drawn / model.run.simulation.busy[stage] - 1) < 1e-12);
    }
  });

  it('holds at most what peakInFlight says, and nothing at the end', () => {
    for (const model of models) {
      const { order, inFlight } = model.run;
      for (let stage = 0; stage < order.stages; stage++) {
        const slots = seen(model, stage, -Infinity, Infinity);
        const peak = Math.max(...slots.map(slot => heldDuring(model, stage, slot)));
        assert.ok(Math.abs(peak - inFlight[stage]) < 1e-5, `${order.schedule} ${peak} ${inFlight[stage]}`);
        assert.ok(Math.abs(model.heldAfter[slots[slots.length - 1]]) < 1e-5);
        const columns = heldByColumn(model, stage, 0, model.makespan, 37);
        assert.ok(Math.abs(Math.max(...columns) - inFlight[stage]) < 1e-5);
      }
    }
  });

  it('finds the pass at a time, and the nearest', () => {
    const [model] = models;
    // 1F1B, 4 stages, F = 1, B + W = 2: stage 0 forwards until 4, idles until 10.
    assert.equal(slotAt(model, 0, 3.5), 3);
    assert.equal(slotAt(model, 0, 5), -1);
    assert.equal(nearestSlot(model, 0, 5), 3);
    assert.equal(nearestSlot(model, 0, 9), 4);
    assert.equal(nearestSlot(model, 0, 1e9), model.run.order.firstSlot[1] - 1);
  });

  it('walks by keys and never leaves the timeline', () => {
    const [model] = models;
    const walk = (slot: number, ...keys: string[]) =>
      keys.reduce((now, key) => navigate(model, now, key, 0) ?? assert.fail(key), slot);
    assert.equal(walk(-1, 'ArrowRight'), 0);
    assert.equal(walk(0, 'ArrowLeft', 'ArrowUp'), 0);
    assert.equal(walk(0, 'ArrowRight', 'ArrowRight'), 2);
    assert.equal(stageOfSlot(model, walk(0, 'ArrowDown', 'ArrowDown')), 2);
    assert.equal(walk(0, 'End'), model.run.order.firstSlot[1] - 1);
    assert.equal(walk(0, 'End', 'Home'), 0);
    const needed = walk(model.run.order.firstSlot[1], 'Enter');
    assert.equal(needed, 0);
    assert.equal(navigate(model, 0, 'a', 0), undefined);
  });
});
