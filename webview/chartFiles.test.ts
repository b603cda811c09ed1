import assert from 'node:assert/strict';
import { asCsv, asJson } from './chartFiles';

const data = {
  columns: ['part', 'seconds'],
  rows: [
    ['tp, exposed', 0.1 + 0.2],
    ['=1+1', null],
  ],
};

describe('the numbers behind a chart', () => {
  it('are CSV that a spreadsheet reads as text and numbers, unrounded', () => {
    assert.equal(asCsv(data), `part,seconds\r\n"tp, exposed",0.30000000000000004\r\n'=1+1,\r\n`);
  });

  it('are JSON with a key a column, unknown as null', () => {
    assert.deepEqual(JSON.parse(asJson(data)), [
      { part: 'tp, exposed', seconds: 0.30000000000000004 },
      { part: '=1+1', seconds: null },
    ]);
  });
});
