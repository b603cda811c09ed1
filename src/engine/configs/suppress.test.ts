import { strict as assert } from 'node:assert';
import { type ProblemCode, problem } from '../problem';
import { withoutSuppressed } from './suppress';

const at = (code: ProblemCode, line: number, file = 'a.yaml') =>
  problem(code, {}, { source: { file, line, column: 1, endLine: line, endColumn: 2 } });

const left = (text: string, ...problems: ReturnType<typeof at>[]) =>
  withoutSuppressed(problems, [{ file: 'a.yaml', text }]).map(({ code, source }) => `${code}:${source?.line}`);

describe('suppression by comment', () => {
  it('of the next line, by code', () => {
    const text = 'a: 1\n# meshlens-disable-next-line option-ignored\nb: 2\nc: 3\n';
    assert.deepEqual(left(text, at('option-ignored', 3), at('heads-tp', 3), at('option-ignored', 4)), [
      'heads-tp:3',
      'option-ignored:4',
    ]);
  });

  it('of the whole file, several codes, in any comment of the formats', () => {
    for (const text of [
      '# meshlens-disable heads-tp, option-ignored\n',
      '// meshlens-disable heads-tp option-ignored',
      'x = 1  # meshlens-disable heads-tp option-ignored\n',
    ])
      assert.deepEqual(
        left(text, at('option-ignored', 9), at('heads-tp', 1), at('world-size', 2)),
        ['world-size:2'],
        text,
      );
  });

  it('of everything where no code is named, but never of damage', () => {
    assert.deepEqual(left('#meshlens-disable\n', at('heads-tp', 5), at('syntax', 2)), ['syntax:2']);
  });

  it('touches other files, and texts that are no comment, not at all', () => {
    assert.deepEqual(left('name: meshlens-disable heads-tp\n', at('heads-tp', 1)), ['heads-tp:1']);
    assert.deepEqual(
      withoutSuppressed([at('heads-tp', 1, 'b.yaml')], [{ file: 'a.yaml', text: '# meshlens-disable' }]).length,
      1,
    );
  });
});
