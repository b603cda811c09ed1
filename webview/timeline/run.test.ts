import assert from 'node:assert/strict';
import { buildOrder } from '../../src/engine/pipeline/buildOrder';
import { SCHEDULES } from '../../src/engine/plan/keys';
import { choices, withSchedule } from './run';
import { uniform } from './testPipelines';
import { timeAxis } from './ticks';
import { Viewport } from './viewport';

describe('schedules that a shape admits', () => {
  it('are those that buildOrder builds, with its rule where it does not', () => {
    for (const [p, m, v] of [
      [1, 1, 1],
      [1, 4, 1],
      [2, 3, 1],
      [3, 8, 1],
      [4, 7, 2],
      [4, 8, 2],
      [4, 9, 2],
      [5, 12, 3],
      [6, 12, 1],
    ]) {
      const input = uniform('1f1b', p, m, { virtual: v });
      for (const { schedule, rule } of choices(input)) {
        const { virtual } = withSchedule(input, schedule);
        const order = buildOrder(schedule, { stages: p, microBatches: m, virtual });
        assert.equal(rule, 'code' in order ? order.args['rule'] : null, `${schedule} ${p} ${m} ${v}`);
      }
    }
  });

  it('name the rule for those that need an even number, and take the chunks that they need', () => {
    const input = uniform('1f1b', 3, 8);
    assert.equal(choices(input).length, SCHEDULES.length);
    assert.equal(choices(input).find(({ schedule }) => schedule === 'dualpipe')?.rule, 'stages-even');
    assert.equal(withSchedule(input, 'zb-v').virtual, 2);
    assert.equal(withSchedule({ ...input, virtual: 4 }, 'breadth-first').virtual, 4);
  });
});

describe('viewport', () => {
  it('stays within what there is, however one zooms and pans', () => {
    const view = new Viewport();
    view.setContent(10, 0.1);
    const whole = view.to;
    view.zoom(1e9, 3);
    assert.ok(Math.abs(view.span - 0.2) < 1e-12 && view.from < 3 && view.to > 3);
    view.pan(-1e9);
    assert.equal(view.from, 0);
    view.pan(1e9);
    assert.ok(Math.abs(view.to - whole) < 1e-9);
    view.zoom(1e-9);
    assert.ok(view.isWhole);
  });

  it('keeps what stands under the pointer, and a look that the user has chosen', () => {
    const view = new Viewport();
    view.setContent(10, 0.1);
    const share = (7 - view.from) / view.span;
    view.zoom(2, 7);
    assert.ok(Math.abs((7 - view.from) / view.span - share) < 1e-12);
    const { from, to } = view;
    view.setContent(12, 0.1);
    assert.deepEqual([view.from, view.to], [from, to]);
    view.fit();
    view.setContent(20, 0.1);
    assert.ok(view.to > 20);
  });

  it('moves as little as needed to show a pass', () => {
    const view = new Viewport();
    view.setContent(100, 1);
    view.zoom(10, 50);
    view.reveal(view.from + 2, view.from + 3);
    const { span } = view;
    view.reveal(80, 81);
    assert.ok(view.from < 80 && view.to > 81 && Math.abs(view.span - span) < 1e-9);
    view.reveal(10, 60);
    assert.ok(view.from < 10 && view.to > 60);
  });
});

describe('time axis', () => {
  it('has round ticks in one unit', () => {
    const { first, step, count, text } = timeAxis(0, 1.24, 10);
    assert.deepEqual([first, step, count, text(0.2)], [0, 0.2, 7, '0.2 s']);
    const close = timeAxis(0.0123451, 0.0123459, 5);
    assert.equal(close.text(close.first), '12.3452 ms');
  });
});
