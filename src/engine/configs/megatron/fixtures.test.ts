/** Scripts and Python configs of our own with what they mean, typed from the sources that each file names. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { countParameters } from '../../model/parameters';
import { completeSetup } from '../../plan/complete';
import { checkPlan } from '../../plan/rules';
import { type FileReading, fieldValue, type FieldPath, setupModel } from '../../setup/setup';
import { readNemoPython } from '../nemoPython/read';
import { readTorchtitanPython } from '../torchtitanPython/read';
import { readMegatronScript } from './read';

type Expected = Readonly<Record<string, unknown>>;

const ROOT = 'test/fixtures/configs-code';
const expectations = JSON.parse(readFileSync(`${ROOT}/expected.json`, 'utf8')) as Record<string, Expected>;

function read(file: string, text: string): FileReading | null {
  if (!file.endsWith('.py')) return readMegatronScript(file, text);
  return (file.startsWith('torchtitan') ? readTorchtitanPython : readNemoPython)(file, text)?.reading ?? null;
}

describe('options of Megatron', () => {
  it('are named as the user wrote them', () => {
    const reading = readMegatronScript(
      't5.sh',
      'torchrun pretrain_t5.py --hidden-size 768 --num-attention-heads 12 --micro-batch-size 4 --encoder-seq-length 5x',
    );
    assert.deepEqual(
      reading?.problems.filter(({ code }) => code === 'value-invalid').map(({ args }) => args.key),
      ['--encoder-seq-length'],
    );
  });
});

describe('configs written as code', () => {
  for (const [file, { kind, parameters, problems, refuses, unknown, ...fields }] of Object.entries(expectations)) {
    it(file, () => {
      const reading = read(file, readFileSync(`${ROOT}/${file}`, 'utf8'));
      if (kind === null) {
        assert.equal(reading, null);
        return;
      }
      assert.ok(reading !== null && reading.setup !== null);
      const setup = completeSetup(reading.setup);
      for (const [path, value] of Object.entries(fields)) {
        assert.deepEqual(fieldValue(setup, path as FieldPath), value, path);
      }
      if (parameters !== undefined) {
        const model = setupModel(setup);
        assert.ok(model !== null, 'sizes are missing');
        assert.equal(countParameters(model).total, parameters);
      }
      if (problems !== undefined) assert.deepEqual(reading.problems.map(({ code }) => code).sort(), problems);
      if (refuses !== undefined)
        assert.deepEqual(
          checkPlan(setup).map(({ code }) => code),
          refuses,
        );
      for (const path of (unknown ?? []) as FieldPath[]) assert.ok(setup.unknown?.has(path) ?? false, path);
    });
  }
});
