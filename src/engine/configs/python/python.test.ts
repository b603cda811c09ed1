import assert from 'node:assert/strict';
import { evaluatePython, PythonEvaluator } from './evaluate';
import { PythonModule } from './module';
import { fieldAt, plainPython } from './value';

const plain = (text: string) => plainPython(evaluatePython(text));

function result(text: string, name = 'f') {
  return new PythonEvaluator(new PythonModule('a.py', text)).result(name);
}

describe('literal Python', () => {
  it('evaluates numbers, strings, lists and operators', () => {
    assert.equal(plain('2 * (3 + 4) // 5 ** 1 - -1_000'), 1002);
    assert.equal(plain('-7 % 3'), 2);
    assert.equal(plain('"a" "b" + \'c\\n\''), 'abc\n');
    assert.deepEqual(plain('[0]*2 + [1, [2]]'), [0, 0, 1, [2]]);
    assert.equal(plain('3 if 2 in [1, 2] and not None else 4'), 3);
    assert.equal(plain('int(8.0) + len'), undefined);
  });

  it('does not run what it cannot know', () => {
    for (const text of ['open("x").read()', 'f"{x}"', '1 / 0', '[x for x in y]', 'lambda: 1', '10 ** 400', '(']) {
      assert.equal(plain(text), undefined, text);
    }
  });

  it('follows functions, defaults, keywords and constants', () => {
    const text =
      'N: int = 4\ndef g(a, b: int = 2, *, c=N):\n    return dict(a=a, b=b, c=c)\ndef f():\n    return g(1, c=9)\n';
    const value = result(text);
    assert.deepEqual(
      ['a', 'b', 'c'].map(key => plainPython(fieldAt(value, key))),
      [1, 2, 9],
    );
    assert.deepEqual(fieldAt(value, 'b')?.source, { file: 'a.py', line: 2, column: 19, endLine: 2, endColumn: 20 });
  });

  it('sets attributes on objects that nobody defined', () => {
    const value = result(
      'def f():\n    cfg = base()\n    cfg.model.tp = 4\n    cfg.model.pp = cfg.model.tp * 2\n    return cfg\n',
    );
    assert.equal(plainPython(fieldAt(value, 'model', 'tp')), 4);
    assert.equal(plainPython(fieldAt(value, 'model', 'pp')), 8);
  });

  it('takes known branches, and forgets what unknown ones assign', () => {
    const text =
      'def f(fast=False, x=None):\n    a = 1\n    if fast:\n        a = 2\n    if x is None:\n        b = 3\n    if q():\n        a = 4\n    return dict(a=a, b=b)\n';
    const value = result(text);
    assert.equal(fieldAt(value, 'a')?.kind, 'unknown');
    assert.equal(plainPython(fieldAt(value, 'b')), 3);
  });

  it('spreads known dictionaries', () => {
    const value = result('def f():\n    k = {"a": 1}\n    return C(**{**k, "b": 2})\n');
    assert.deepEqual([plainPython(fieldAt(value, 'a')), plainPython(fieldAt(value, 'b'))], [1, 2]);
  });

  it('ends on recursion and on deep nesting', () => {
    assert.equal(result('def f():\n    return f()\n')?.kind, 'unknown');
    assert.equal(plain(`${'('.repeat(2000)}1${')'.repeat(2000)}`), undefined);
  });
});
