import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { validateDocument } from './validate';

describe('meshlens validate', () => {
  const document = validateDocument(readFileSync('test/fixtures/validation/runs-sample.csv', 'utf8'));

  it('has a row for every run, with nulls for what is unknown', () => {
    assert.equal(document.schema, 'meshlens/1');
    const oom = document.rows.find(({ id }) => id === 'aleph-331');
    assert.ok(oom !== undefined);
    assert.equal(oom.status, 'scored');
    assert.equal(oom.measured.oom, true);
    assert.equal(oom.predicted.fits, false);
    assert.equal(oom.error.stepSeconds, null);
  });

  it('gives errors as (predicted − measured) / measured', () => {
    for (const { predicted, measured, error } of document.rows) {
      if (error.stepSeconds === null) continue;
      const [p, m] = [predicted.stepSeconds ?? NaN, measured.stepSeconds ?? NaN];
      assert.ok(Math.abs(error.stepSeconds - (p - m) / m) < 1e-12);
    }
  });

  it('sums up core rows and all rows', () => {
    const { core, all } = document.summary;
    assert.ok(core.rows <= all.rows && core.scored <= all.scored);
    assert.ok(core.time.mean !== null && core.time.mean < 0.15);
    assert.equal(JSON.stringify(document).includes('NaN'), false);
  });

  it('names the reason of a row that it cannot score', () => {
    const { rows } = validateDocument('id,source_key,gpu,gpus\nx,y,a100-80,8\n');
    assert.deepEqual([rows[0].status, rows[0].reason], ['skipped', 'model-sizes-unknown']);
  });
});
