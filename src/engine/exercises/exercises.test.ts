import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exerciseTemplate, findingMessage, exerciseOf } from '../../words/exercises';
import { BUCKETS, exposedSeconds } from './bucketSize';
import { EXERCISES, type ExerciseName, gradeExercise } from './exercises';
import type { FindingCode } from './grade';

const RIGHT: Readonly<Record<ExerciseName, string>> = {
  'tensor-backward': `
    dz = gelu_backward(own_columns(dy), z)   # of the rank's columns
    dw = matmul(transpose(x), dz)
    dx = all_reduce_sum(matmul(dz, transpose(w)))`,
  'pipeline-backward': `
    last: dy = divide(loss_gradient(y), micro_batches)
    not last: dy = receive(next)
    dz = gelu_backward(dy, z)
    gradient = add(gradient, matmul(transpose(x), dz))
    not first: send(previous, matmul(dz, transpose(w)))`,
  'alternate-ring': 'send(own, next, add)\nsend(received, next, add)\nsend(received, next, add)',
  'bucket-size': 'bucket_bytes = 200e6',
};

/** In each line of the right solution something else: a mistake that people make. */
const swapped = (name: ExerciseName, from: string, to: string) => {
  assert.ok(RIGHT[name].includes(from), from);
  return RIGHT[name].replace(from, to);
};

const WRONG: readonly [ExerciseName, string, FindingCode, string][] = [
  ['tensor-backward', 'all_reduce_sum(', 'input-gradient-partial', 'add(matmul(dz, transpose(w)), divide('],
  ['tensor-backward', 'all_reduce_sum', 'input-gradient-averaged', 'all_reduce_average'],
  ['tensor-backward', 'own_columns(dy)', 'shapes', 'dy'],
  ['tensor-backward', 'gelu_backward(own_columns(dy), z)', 'activation-skipped', 'own_columns(dy)'],
  [
    'tensor-backward',
    'dw = matmul(transpose(x), dz)',
    'weight-gradient-reduced',
    'dw = all_reduce_sum(matmul(transpose(x), dz))',
  ],
  ['tensor-backward', 'dx =', 'missing-result', 'dinput ='],
  ['pipeline-backward', 'add(gradient, matmul(transpose(x), dz))', 'last-micro-batch-only', 'matmul(transpose(x), dz)'],
  ['pipeline-backward', 'not first: send(previous, matmul(dz, transpose(w)))', 'deadlock', ''],
  ['pipeline-backward', 'divide(loss_gradient(y), micro_batches)', 'not-averaged', 'loss_gradient(y)'],
  ['pipeline-backward', 'matmul(dz, transpose(w))', 'earlier-stage', 'dz'],
  ['pipeline-backward', 'receive(next)', 'no-neighbour', 'receive(previous)'],
  ['pipeline-backward', 'gelu_backward(dy, z)', 'activation-skipped', 'dy'],
  ['alternate-ring', '\nsend(received, next, add)', 'contribution-missing', ''],
  [
    'alternate-ring',
    'send(received, next, add)\nsend(received',
    'contribution-repeated',
    'send(own, next, add)\nsend(own',
  ],
  ['alternate-ring', 'send(received, next, add)\nsend(received', 'sum-forwarded', 'send(sum, next, add)\nsend(sum'],
  ['alternate-ring', 'send(received, next, add)', 'sum-replaced', 'send(received, next, replace)'],
  ['alternate-ring', 'send(own', 'own-again', 'send(own, next, add)\nsend(received'],
  // The sum begins anew with what comes, and its own buffer comes round last.
  ['alternate-ring', 'send(own, next, add)', 'too-much-traffic', 'send(own, next, replace)\nsend(received, next, add)'],
  ['bucket-size', '200e6', 'megabytes', '200'],
  ['bucket-size', '200e6', 'count-not-bytes', '40'],
  ['bucket-size', '200e6', 'bucket-small', '25e6'],
  ['bucket-size', '200e6', 'bucket-large', '2e9'],
  ['bucket-size', '200e6', 'one-bucket', '8e9'],
];

describe('the exercises', () => {
  for (const name of EXERCISES)
    it(`${name}: the right solution passes, the text to fill in does not`, () => {
      const template = exerciseTemplate(name);
      assert.equal(exerciseOf(template), name);
      assert.notEqual(gradeExercise(name, template), null);
      assert.equal(gradeExercise(name, template + RIGHT[name]), null);
    });

  const messages = new Map<string, Set<string>>();
  for (const [name, from, code, to] of WRONG)
    it(`${name}: ${code}, in words of its own`, () => {
      // The one that leaves the reduction out keeps the parentheses even.
      const solution =
        code === 'input-gradient-partial'
          ? swapped(name, 'all_reduce_sum(matmul(dz, transpose(w)))', 'matmul(dz, transpose(w))')
          : swapped(name, from, to);
      const found = gradeExercise(name, solution);
      assert.equal(found?.code, code, JSON.stringify(found));
      const message = findingMessage(found);
      assert.doesNotMatch(message, /undefined|NaN|null/);
      const others = messages.get(name) ?? new Set();
      assert.ok(!others.has(message), `a message of its own: ${message}`);
      messages.set(name, others.add(message));
    });

  it('has five wrong solutions or more for each exercise', () => {
    for (const name of EXERCISES) assert.ok(WRONG.filter(([exercise]) => exercise === name).length >= 5, name);
  });

  it('says where a statement is none, and knows no operations but its own', () => {
    assert.deepEqual(gradeExercise('tensor-backward', '\ndw = (x'), {
      code: 'syntax',
      line: 2,
      args: { text: 'dw = (x' },
    });
    for (const operation of ['eval', 'constructor', 'toString', '__proto__', 'send'])
      assert.equal(gradeExercise('tensor-backward', `dw = ${operation}(x)`)?.code, 'unknown-operation', operation);
    assert.equal(gradeExercise('tensor-backward', 'dw = require')?.code, 'unknown-name');
    assert.equal(gradeExercise('tensor-backward', 'a = x\n'.repeat(500))?.code, 'too-long');
  });

  it('ends whatever is written', () => {
    const growing = `a = all_gather(x)\n${'a = all_gather(a)\n'.repeat(100)}`;
    assert.equal(gradeExercise('tensor-backward', growing)?.code, 'shapes');
    const deep = `dw = ${'transpose('.repeat(20)}x${')'.repeat(20)}`;
    assert.equal(gradeExercise('tensor-backward', deep)?.code, 'missing-result');
    const word = fc.constantFrom(
      'dw',
      'dx',
      'dy',
      'x',
      'w',
      'z',
      'matmul',
      '(',
      ')',
      ',',
      '=',
      'add',
      'first:',
      'send',
      'next',
      '3',
    );
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 8 }), { maxLength: 6 }), lines => {
        const text = lines.map(line => line.join(' ')).join('\n');
        for (const name of EXERCISES) gradeExercise(name, text);
      }),
      { numRuns: 200 },
    );
  });

  it('sends a ring’s traffic: three whole buffers a rank, and no more', () => {
    const wasteful =
      'send(own, next, add)\nsend(received, next, add)\nsend(received, next, add)\nsend(received, next, add)';
    assert.equal(gradeExercise('alternate-ring', wasteful)?.code, 'own-again');
    assert.equal(gradeExercise('alternate-ring', RIGHT['alternate-ring'].replaceAll('next', 'previous')), null);
  });

  it('finds the best bucket where the formula has it: 200 MB, 4 ms each for call and tail', () => {
    // s/(n·w) + n·o with s = 8e9, w = 1e11, o = 50 µs: least at √(s·w·o) = 200 MB, 40 buckets, 2 ms + 2 ms.
    const { bytes, bytesPerSecond, overheadSeconds } = BUCKETS;
    assert.ok(Math.abs(exposedSeconds(200e6) - 4e-3) < 1e-9);
    for (const count of [1, 2, 10, 40, 100, 1000]) {
      const formula = bytes / (count * bytesPerSecond) + count * overheadSeconds;
      assert.ok(Math.abs(exposedSeconds(bytes / count) / formula - 1) < 1e-9, String(count));
      assert.ok(exposedSeconds(bytes / count) >= exposedSeconds(200e6) - 1e-12);
    }
  });
});
