import assert from 'node:assert/strict';
import { llama8bOn, toEnd } from '../../../bench/search/testSetups';
import { preparedOf } from '../estimate/prepared';
import { NO_GOAL } from './objective';
import { isClose, recommended } from './recommend';
import { DEFAULT_OPTIONS } from './result';
import { search } from './search';

const SETUP = llama8bOn({ gpus: 16, globalBatch: 64, seqLen: 4096 });

describe('the recommended plan', () => {
  const [plain] = toEnd(
    search(SETUP, { ...DEFAULT_OPTIONS, fixed: { tp: [1], cp: [1], pp: [1], recompute: ['full'] } }),
  ).best;
  const tables = preparedOf(SETUP)?.tables;
  assert.ok(tables !== undefined);
  const plan = (stepSeconds: number, peakBytes: number, upperBytes: number) => ({
    ...plain,
    stepSeconds,
    peakBytes,
    upperBytes,
  });
  const close = plan(1, 95, 108);
  const choose = (sureSeconds: number, goal = NO_GOAL) => {
    const sure = plan(sureSeconds, 80, 91);
    return recommended([close], [close, sure], { goal, tables, capacityBytes: 100 })?.stepSeconds;
  };

  it('surely fits where the fastest gains less than the model may err', () => assert.equal(choose(1.05), 1.05));
  // The interval of a step is a factor of 1.14 at least and 1.30 at most.
  it('is the fastest where that gains more', () => assert.equal(choose(1.35), 1));
  it('is the fastest where nothing surely fits, or where it surely fits itself', () => {
    const options = { goal: NO_GOAL, tables, capacityBytes: 100 };
    assert.equal(recommended([close], [close], options), close);
    assert.equal(recommended([close], [close, plan(1.05, 80, 91)], { ...options, capacityBytes: 200 }), close);
    assert.equal(recommended([], [], options), null);
  });
  it('is close only where the range reaches over the capacity', () => {
    assert.deepEqual(
      [90, 95, 107, 108].map(bytes => isClose(close, bytes)),
      [false, true, true, false],
    );
    assert.equal(isClose(close, null), false);
  });
});
