import assert from 'node:assert/strict';
import { type ParsedText, parseJson } from './json';
import { parseRelaxedJson } from './relaxedJson';
import { parseToml } from './toml';
import { entryAt, nodeAt, plainValue } from './tree';
import { parseYaml } from './yaml';

const values = ({ root }: ParsedText): unknown => plainValue(root);
const codes = ({ problems }: ParsedText): string[] => problems.map(({ code }) => code);

/** The text that a value's range covers. */
function covered(text: string, { root }: ParsedText, ...path: string[]): string {
  const source = nodeAt(root, ...path)?.source;
  assert.ok(source !== undefined);
  const lines = text.split('\n');
  assert.equal(source.line, source.endLine);
  return (lines[source.line - 1] ?? '').slice(source.column - 1, source.endColumn - 1);
}

describe('YAML', () => {
  const text = 'a: 1\nb:\n  c: "two" # three\n  d: [4, 5]\ne: yes\nf: 0x10\ng: 1e-5\nh:\ni: 2001-01-01\n';

  it('reads values as PyYAML does, with their places', () => {
    const parsed = parseYaml('x.yaml', text);
    assert.deepEqual(codes(parsed), []);
    assert.deepEqual(values(parsed), {
      a: 1,
      b: { c: 'two', d: [4, 5] },
      e: true,
      f: 16,
      g: 1e-5,
      h: null,
      i: '2001-01-01',
    });
    assert.equal(covered(text, parsed, 'b', 'c'), '"two"');
    assert.deepEqual(entryAt(parsed.root, 'b', 'd')?.key, {
      file: 'x.yaml',
      line: 4,
      column: 3,
      endLine: 4,
      endColumn: 4,
    });
  });

  it('follows anchors and merges from behind', () => {
    const parsed = parseYaml('x.yaml', 'base: &base {x: 1, y: 2}\nown:\n  <<: *base\n  y: 3\nn: &n 7\nm: *n\n');
    assert.deepEqual(values(parsed), { base: { x: 1, y: 2 }, own: { y: 3, x: 1 }, n: 7, m: 7 });
    assert.equal(entryAt(parsed.root, 'own', 'x')?.inherited, true);
    assert.equal(nodeAt(parsed.root, 'm')?.source.line, 6);
  });

  it('says what is wrong where it is, and keeps the rest', () => {
    const cases: [text: string, code: string, line: number, rest: unknown][] = [
      ['a: 1\na: 2\n', 'duplicate-key', 2, { a: 2 }],
      ['a: *none\nb: 1\n', 'syntax', 1, { a: null, b: 1 }],
      ['a: &a [*a]\n', 'syntax', 1, { a: [null] }],
      ['a: 1\n---\nb: 2\n', 'syntax', 2, { a: 1 }],
    ];
    for (const [broken, code, line, rest] of cases) {
      const parsed = parseYaml('x.yaml', broken);
      assert.deepEqual([codes(parsed), parsed.problems[0]?.source?.line], [[code], line], broken);
      assert.deepEqual(values(parsed), rest);
    }
    assert.deepEqual(parseYaml('x.yaml', '# nothing\n'), { root: null, problems: [] });
  });
});

describe('TOML', () => {
  it('reads tables, dotted keys and lists of tables with their places', () => {
    const text = 'a = 1\n[b.c]\nd = "x" # y\ne.f = true\n[[g]]\nh = [1,\n 2]\n[[g]]\n';
    const parsed = parseToml('x.toml', text);
    assert.deepEqual(values(parsed), { a: 1, b: { c: { d: 'x', e: { f: true } } }, g: [{ h: [1, 2] }, {}] });
    assert.equal(covered(text, parsed, 'b', 'c', 'd'), '"x"');
  });

  it('sets a damaged line aside', () => {
    for (const [text, line] of [
      ['a = 1\na = 2\nb = 3\n', 2],
      ['a =\nb = 3\n', 1],
      ['= 1\nb = 3\n', 1],
      ['a = "open\nb = 3\n', 1],
    ] as const) {
      const parsed = parseToml('x.toml', text);
      assert.deepEqual([codes(parsed), parsed.problems[0]?.source?.line], [['syntax'], line], text);
      assert.equal((values(parsed) as { b: number }).b, 3, text);
    }
  });
});

describe('JSON', () => {
  it('is strict, and keeps what it can', () => {
    const parsed = parseJson('x.json', '{"a": 1,\n "b": [2, {"c": null}],\n}');
    assert.deepEqual(values(parsed), { a: 1, b: [2, { c: null }] });
    assert.deepEqual(codes(parsed), ['syntax']);
    assert.deepEqual(codes(parseJson('x.json', '{"a": 1, "a": 2}')), ['duplicate-key']);
  });
});

describe('JSON of DeepSpeed', () => {
  it('takes comments, commas and bare words as Hjson does', () => {
    const text = `{
  # one
  a: 1, // two
  "b": [1, 2, 3,], /* three */
  c: some text, with a comma
  d: true
  'e': 'single',
  f: '''
many lines''',
  g: -1.5e3
}`;
    const parsed = parseRelaxedJson('x.json', text);
    assert.deepEqual(codes(parsed), []);
    assert.deepEqual(values(parsed), {
      a: 1,
      b: [1, 2, 3],
      c: 'some text, with a comma',
      d: true,
      e: 'single',
      f: '\nmany lines',
      g: -1500,
    });
    assert.equal(covered(text, parsed, 'g'), '-1.5e3');
  });

  it('refuses a key that is written twice, and stops at a mistake', () => {
    const twice = parseRelaxedJson('x.json', '{"a": 1, "a": 2}');
    assert.deepEqual(
      twice.problems.map(({ code, severity }) => [code, severity]),
      [['duplicate-key', 'error']],
    );
    const open = parseRelaxedJson('x.json', '{"a": 1,\n"b": {"c": 2');
    assert.deepEqual(codes(open), ['syntax']);
    assert.deepEqual(values(open), { a: 1, b: { c: 2 } });
    assert.equal(parseRelaxedJson('x.json', 'just text').root, null);
  });
});

describe('a row of open brackets', () => {
  // 100,000 took the parser of YAML 4 s and that of TOML 1 s, to say that a bracket is missing.
  // 50,000 dashes took 1 s, as many dotted keys 0.6 s.
  const bombs = {
    yaml: `a: ${'['.repeat(1e5)}`,
    maps: 'a: {'.repeat(5e4),
    dashes: `a:\n  ${'- '.repeat(5e4)}`,
    questions: '? '.repeat(5e4),
    toml: `a = ${'['.repeat(1e5)}`,
    dots: `${'a.'.repeat(5e4)}b = 1`,
    json: `/*"*/${'['.repeat(1e5)}`,
  };

  it('is refused where it grows too deep, before anything is parsed', () => {
    for (const parsed of [
      parseYaml('x.yaml', bombs.yaml),
      parseYaml('x.yaml', bombs.maps),
      parseYaml('x.yaml', bombs.dashes),
      parseYaml('x.yaml', bombs.questions),
      parseToml('x.toml', bombs.toml),
      parseToml('x.toml', bombs.dots),
      parseJson('x.json', bombs.json),
    ]) {
      assert.equal(parsed.root, null);
      assert.deepEqual(codes(parsed), ['too-deep']);
    }
    assert.equal(parseYaml('x.yaml', bombs.yaml).problems[0]?.source?.column, 3 + 2001);
  });

  it('may be long where each is closed', () => {
    assert.deepEqual(codes(parseYaml('x.yaml', `a: [${'[],'.repeat(3000)}]`)), []);
    assert.deepEqual(codes(parseToml('x.toml', `a = [${'[],'.repeat(3000)}]`)), []);
    assert.deepEqual(codes(parseYaml('x.yaml', `a: ${'--- '.repeat(300)}# ${'- '.repeat(150)}`)), []);
    assert.deepEqual(
      codes(parseToml('x.toml', `# ${'.'.repeat(300)}\n${'a.b = 1 # '.repeat(1)}${'a. '.repeat(150)}`)),
      [],
    );
  });
});
