import assert from 'node:assert/strict';
import { mustRun, uniform } from './testPipelines';
import { chromeTrace } from './trace';

describe('Chrome trace of a timeline', () => {
  it('has each pass of the simulation as a complete event of its stage', () => {
    const { order, simulation } = mustRun(uniform('zb-v', 4, 8, { virtual: 2, times: [1.5, 1, 0.5, 0.1] }));
    const { traceEvents, displayTimeUnit } = chromeTrace(simulation, order, 3);
    assert.equal(displayTimeUnit, 'ms');
    const passes = traceEvents.filter(({ ph }) => ph === 'X');
    assert.equal(passes.length, order.pass.length);
    for (const [slot, event] of passes.entries()) {
      assert.deepEqual(event, {
        name: `${'FBW'[order.pass[slot]]}${order.microBatch[slot]}`,
        ph: 'X',
        pid: 3,
        tid: order.stageOfKey[order.key[slot]],
        ts: simulation.start[slot] * 1e6,
        dur: (simulation.end[slot] - simulation.start[slot]) * 1e6,
        cat: 'FBW'[order.pass[slot]],
        args: { microBatch: order.microBatch[slot], chunk: order.chunk[slot] },
      });
    }
  });

  it('is valid JSON of the Trace Event Format: names, and times that are numbers', () => {
    const { order, simulation } = mustRun(uniform('1f1b', 2, 3));
    const { traceEvents } = JSON.parse(JSON.stringify(chromeTrace(simulation, order))) as ReturnType<
      typeof chromeTrace
    >;
    for (const { name, ph, pid, tid, ts, dur } of traceEvents) {
      assert.ok(name !== '' && Number.isInteger(pid) && Number.isInteger(tid));
      if (ph === 'X') assert.ok(Number.isFinite(ts) && Number.isFinite(dur) && dur! >= 0);
      else assert.equal(ph, 'M');
    }
    const threads = traceEvents.filter(({ name }) => name === 'thread_name').map(({ args }) => args['name']);
    assert.deepEqual(threads, ['Stage 0', 'Stage 1']);
    // Typed by hand: 2 stages, F = 1, BW = 2.
    const stage1 = traceEvents
      .filter(({ ph, tid }) => ph === 'X' && tid === 1)
      .map(({ name, ts }) => `${name} ${ts! / 1e6}`);
    assert.deepEqual(stage1, ['F0 1', 'BW0 2', 'F1 4', 'BW1 5', 'F2 7', 'BW2 8']);
  });
});
