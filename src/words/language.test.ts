import assert from 'node:assert/strict';
import { fill, inLanguage, language, plural, translated, useLanguage } from './language';

describe('the language of words', () => {
  afterEach(() => useLanguage('en'));

  it('is English for whoever reads another language than these', () => {
    for (const tag of ['de', 'zh-cn', '', 'not a tag']) {
      useLanguage(tag);
      assert.equal(language(), 'en', tag);
    }
    useLanguage('SK-sk');
    assert.equal(language(), 'sk');
  });

  it('looks words up when they are needed, also within another language', () => {
    const words = translated({ yes: 'yes' }, { yes: 'áno' });
    assert.equal(words.yes, 'yes');
    assert.equal(
      inLanguage('sk', () => words.yes),
      'áno',
    );
    assert.throws(() =>
      inLanguage('sk', () => {
        throw new Error('broken off');
      }),
    );
    assert.equal(language(), 'en');
  });

  // CLDR, plural rules of English and of Slovak: one 1; few 2–4; many with decimals; other 0, 5–.
  it('chooses the form that goes with the count', () => {
    const nodes = (count: number | string) => plural(count, 'uzol', 'uzly', 'uzla', 'uzlov');
    assert.deepEqual([0, 1, 2, 4, 5, 22, 101, 1.5].map(nodes), [
      'uzlov',
      'uzol',
      'uzly',
      'uzly',
      'uzlov',
      'uzlov',
      'uzlov',
      'uzla',
    ]);
    assert.deepEqual(
      [0, 1, 2].map(count => plural(count, 'node', 'nodes')),
      ['nodes', 'node', 'nodes'],
    );
  });

  it('takes a count as it is printed', () => {
    const template = '{count} {count:uzol|uzly|uzla|uzlov}';
    const printed = ['1', '3', '1,5', '1 024', '8,03 mld.'];
    assert.deepEqual(
      printed.map(count => inLanguage('sk', () => fill(template, { count }))),
      ['1 uzol', '3 uzly', '1,5 uzla', '1 024 uzlov', '8,03 mld. uzlov'],
    );
    assert.equal(fill('{count} {count:node|nodes}', { count: '1,001' }), '1,001 nodes');
  });

  it('demands each entry in both languages and none besides', () => {
    // @ts-expect-error: no Slovak entry
    translated({ yes: 'yes', no: 'no' }, { yes: 'áno' });
    // @ts-expect-error: no English entry
    translated({ yes: 'yes' }, { yes: 'áno', no: 'nie' });
    // @ts-expect-error: another type
    translated({ yes: (count: number) => `${count}` }, { yes: 'áno' });
  });

  it('leaves a place open whose value is missing', () => {
    assert.equal(fill('{here} and {there}', { here: 1 }), '1 and {there}');
  });
});
