/** Quick fixes of the rules of MaxText, InternEvo and ColossalAI: after them the problem is gone. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ruleAddress } from '../plan/ruleSources';
import type { ProblemCode } from '../problem';
import { applyEdits } from './edits';
import { readConfig } from './registry';

/** Fixtures with their problems that a fix mends, by the line of the problem. */
const FIXTURES: Readonly<Record<string, readonly (readonly [code: ProblemCode, line: number])[]>> = {
  'maxtext/two-open.yml': [['options-incompatible', 7]],
  'maxtext/pipeline-uneven.yml': [['not-divisible', 11]],
  'internevo/refused.py': [
    ['options-incompatible', 3],
    ['options-incompatible', 8],
  ],
  'colossalai/uneven.py': [['not-divisible', 2]],
};

describe('quick fixes of more kinds', () => {
  for (const [file, problems] of Object.entries(FIXTURES)) {
    it(`${file}: a fix with the place of the rule, after which the problem is gone`, () => {
      const text = readFileSync(`test/fixtures/configs/${file}`, 'utf8');
      for (const [code, line] of problems) {
        const named = (content: string) =>
          readConfig(file, content).problems.filter(found => found.code === code && found.source?.line === line);
        const [found] = named(text);
        assert.ok(found?.fix != null, `${code} in line ${line} has a fix`);
        assert.ok(found.rule !== null && ruleAddress(found.rule) !== null);
        assert.deepEqual(named(applyEdits(text, found.fix.edits)), []);
      }
    });
  }
});

describe('words of problems', () => {
  it('name what a rule asks for as the file would write it', () => {
    const text =
      'trainer:\n  devices: 8\n  num_nodes: 1\nmodel:\n  tensor_model_parallel_size: 1\n  sequence_parallel: true\n  num_layers: 2\n' +
      '  hidden_size: 64\n  num_attention_heads: 4\n  encoder_seq_length: 64\n  micro_batch_size: 1\n  global_batch_size: 8\n';
    const found = readConfig('run.yaml', text).problems.find(({ code }) => code === 'option-ignored');
    assert.equal(found?.args.key, 'sequence_parallel');
    assert.equal(found.args.because, 'tensor_model_parallel_size above 1');
  });
});
