import assert from 'node:assert/strict';
import { isNothing, parseChange, withValue } from './change';

describe('the change that is tried out', () => {
  it('reads what it writes', () => {
    const text = withValue(withValue('', 'tp', '8', '2'), 'gpus', '128', '64');
    assert.equal(text, 'tp=8,gpus=128');
    assert.deepEqual(parseChange(text), { plan: { tp: 8 }, gpus: 128 });
  });

  it('forgets a key that is back at the value of the file', () => {
    assert.equal(withValue('tp=8,pp=4', 'tp', '2', '2'), 'pp=4');
    assert.ok(isNothing(parseChange(withValue('tp=8', 'tp', '2', '2'))));
  });

  it('leaves out what is no key or value', () => {
    assert.deepEqual(parseChange('tp=zero,color=red,gpus=-3,sharding=zero1,=,,'), {
      plan: { sharding: 'zero1' },
      gpus: null,
    });
  });
});
