/**
 * No regular expression of ours can be made slow. Those of regexes.json were found linear by recheck, which takes
 * minutes for all; the others are looked at here, and all of them again by `npm run soak regex`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { expressionsOfSources, slowness } from '../fixtures/regexes';

const KNOWN = new Set(JSON.parse(readFileSync('test/fixtures/regexes.json', 'utf8')) as string[]);

describe('regular expressions', () => {
  const { literals, assembled } = expressionsOfSources();

  it('are literals, which can be looked at', () => {
    assert.ok(literals.size > 200);
    assert.deepEqual(assembled, []);
  });

  it('take time linear in the text', async () => {
    const slow: string[] = [];
    for (const [text, one] of literals) if (!KNOWN.has(text)) slow.push((await slowness(one)) ?? '');
    assert.deepEqual(
      slow.filter(text => text !== ''),
      [],
    );
  });

  it('that are slow are told', async () => {
    for (const pattern of ['^(a+)+$', '\\s+$', '^\\s+(.+?)\\s+: (.+?)\\s*$'])
      assert.notEqual(await slowness({ pattern, flags: '', place: '' }), null, pattern);
  });
});
