import assert from 'node:assert/strict';
import { matches, parseQuery, type Queried } from './query';

const row: Queried = {
  text: 'dp=4,tp=8,sharding=zero1,schedule=1f1b',
  field: column =>
    ({ tp: 8, mfu: 0.412, memory: 59.7, schedule: ['1f1b'], list: ['best', 'pareto'], ep: null })[column] ?? null,
};
const columns = new Set(['tp', 'mfu', 'memory', 'schedule', 'list', 'ep']);

const cases: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['  ', true],
  ['zero1', true],
  ['ZERO1', true],
  ['zero3', false],
  ['-zero3', true],
  ['-zero1', false],
  ['@tp:8', true],
  ['@TP:8', true],
  ['@tp:4', false],
  ['@tp:4|8', true],
  ['@tp:2..8', true],
  ['@tp:9..16', false],
  ['-@tp:8', false],
  ['@mfu:>0.4', true],
  ['@mfu:>41%', true],
  ['@mfu:41%', true],
  ['@mfu:41.2%', true],
  ['@mfu:41.3%', false],
  ['@mfu:>=0.5', false],
  ['@memory:60', true],
  ['@memory:59.6', false],
  ['@memory:<60 @tp:8', true],
  ['@memory:<60 @tp:4', false],
  ['@schedule:1f1b', true],
  ['@schedule:none|1f1b', true],
  ['@schedule:>1', false],
  ['@list:pareto', true],
  ['@list:elsewhere', false],
  ['@ep:1', false],
  ['"tp=8,sharding"', true],
  ['-', false],
];

const wrong: readonly (readonly [string, string, string])[] = [
  ['@cat:8', 'unknown-column', 'cat'],
  ['@', 'unknown-column', ''],
  ['@tp', 'no-value', 'tp'],
  ['@tp:', 'no-value', 'tp'],
  ['@tp:>x', 'no-number', 'x'],
  ['@tp:>', 'no-number', ''],
  ['@tp:1..x', 'no-number', '1..x'],
  ['@tp:8 "zero', 'open-quote', '@tp:8 "zero'],
];

describe('filter of layouts', () => {
  for (const [text, expected] of cases) {
    it(`${text} ${expected ? 'matches' : 'does not match'}`, () => {
      const query = parseQuery(text, columns);
      assert.ok(!('code' in query));
      assert.equal(matches(query, row), expected);
    });
  }
  for (const [text, code, about] of wrong) {
    it(`${text} is wrong: ${code}`, () => assert.deepEqual(parseQuery(text, columns), { code, text: about }));
  }
});
