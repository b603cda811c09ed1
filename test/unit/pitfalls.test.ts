/**
 * The defects of the lecture's code (stanford-cs336, lecture 8 of 2024 and 2025) and of its printed results, one fixture
 * each, and none in a careful script. Lines were counted by hand.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { importText } from '../../src/engine/bench/import';
import { scriptPitfalls } from '../../src/engine/bench/pitfalls/script';
import type { Problem } from '../../src/engine/problem';
import { PITFALLS } from '../../src/words/pitfalls';
import { problemMessage } from '../../src/words/problems';

const SCRIPTS: Readonly<Record<string, readonly number[]>> = {
  'no-warm-up': [11],
  'single-sample': [13],
  'no-sync': [13],
  'sync-without-device': [13],
  'reduce-scatter-output': [7],
  'gib-as-gb': [5],
  'reseeded-shards': [5],
  'shard-scale': [12, 17],
  'range-skips-first': [5],
};

const script = (name: string) =>
  scriptPitfalls(name, readFileSync(`test/fixtures/pitfalls/${name}.py`, 'utf8')).map(told);
const told = ({ args, source }: Problem) => `${String(args.what)} ${source?.line}`;

describe('pitfalls', () => {
  for (const [name, lines] of Object.entries(SCRIPTS))
    it(`of a script: ${name}`, () => {
      const found = script(name);
      // What is timed without a warm-up is timed once, too.
      const expected = lines.map(line => `${name} ${line}`);
      assert.deepEqual(found, name === 'no-warm-up' ? [...expected, 'single-sample 11'] : expected);
    });

  it('of printed results: reduce-scatter by its output (2025), durations of 0.00ms (an earlier commit)', () => {
    const results = (file: string) =>
      importText(file, readFileSync(`test/fixtures/bench/${file}`, 'utf8')).problems.map(({ args }) => args.what);
    assert.deepEqual(results('lecture-2025.txt'), ['reduce-scatter-output']);
    assert.deepEqual(results('lecture-2025-zero.txt'), ['duration-zero', 'duration-zero', 'reduce-scatter-output']);
    assert.deepEqual(results('lecture-2026.txt'), []);
  });

  it('each have a fixture, and words with their numbers', () => {
    assert.deepEqual(Object.keys(PITFALLS).sort(), [...Object.keys(SCRIPTS), 'duration-zero'].sort());
    const problems = scriptPitfalls('x.py', readFileSync('test/fixtures/pitfalls/shard-scale.py', 'utf8'));
    assert.match(problemMessage(problems[0]), /scaled by the size of the shard \(part\)/);
  });

  it('are none in the corrected script', () => {
    assert.deepEqual(script('careful'), []);
  });

  it('of the lecture of 2026 are those alone that its code still has', () => {
    assert.deepEqual(script('lecture-2026').sort(), [
      'gib-as-gb 29',
      'reseeded-shards 39',
      'shard-scale 35',
      'single-sample 22',
      'sync-without-device 19',
    ]);
  });
});
