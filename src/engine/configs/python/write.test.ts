import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { completeSetup } from '../../plan/complete';
import type { Plan } from '../../plan/keys';
import { SetupBuilder, type TrainingSetup } from '../../setup/setup';
import { changedSetup } from '../changedSetup';
import { applyEdits } from '../edits';
import { readConfig } from '../registry';
import { planEdits } from '../write';

const FOLDER = 'test/fixtures/configs-code';

function load(file: string, text: string, gpus: number): { kind: string; setup: TrainingSetup } {
  const { kind, setup } = readConfig(file, text);
  assert.ok(kind !== null && setup !== null);
  const builder = new SetupBuilder(setup);
  builder.setCluster('gpus', gpus, 'user');
  return { kind, setup: completeSetup(builder.build()) };
}

/** Recipes with the keys that a literal of theirs states. */
const RECIPES: Readonly<Record<string, { gpus: number; keys: readonly (keyof Plan)[] }>> = {
  'nemo/bridge_recipe.py': { gpus: 256, keys: ['tp', 'pp', 'microBatch', 'globalBatch'] },
  'nemo/nemo2_recipe.py': { gpus: 256, keys: ['tp', 'pp', 'cp', 'microBatch', 'globalBatch'] },
  'torchtitan/llama3/config_registry.py': { gpus: 64, keys: ['tp', 'cp'] },
  'torchtitan/deepseek_v3/config_registry.py': { gpus: 256, keys: ['ep'] },
};

describe('writing recipes', () => {
  for (const [file, { gpus, keys }] of Object.entries(RECIPES)) {
    it(`${file} reads back as the plan, and only literals of the plan change`, () => {
      const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
      const { kind, setup } = load(file, text, gpus);
      const written = keys.filter(key => {
        const { origin, source } = setup.fields.get(`plan.${key}`) ?? { origin: 'default', source: null };
        return origin === 'file' && source !== null;
      });
      let writes = 0;
      const change = fc.record(
        Object.fromEntries(
          written.map(key => [key, fc.constantFrom(...(key === 'globalBatch' ? [512, 1024] : [1, 2, 4]))]),
        ),
      );
      fc.assert(
        fc.property(change, asked => {
          const next = changedSetup(setup, asked);
          const { edits, problems } = planEdits({ file, text, kind }, setup, asked);
          if (problems.some(({ severity }) => severity === 'error')) return assert.deepEqual(edits, []);
          const after = applyEdits(text, edits);
          const plan = load(file, after, gpus).setup.plan;
          for (const key of written) assert.equal(plan[key], next.plan[key], `${key}\n${after}`);
          // Every edit replaces one number by another one.
          for (const { newText } of edits) assert.match(newText, /^\d+$|^True$|^False$/);
          const blank = (source: string) => source.replaceAll(/\b(\d+|True|False)\b/g, '#');
          assert.equal(blank(after), blank(text));
          if (edits.length > 0) writes++;
        }),
        { numRuns: 60, seed: 7 },
      );
      assert.deepEqual(written, keys);
      assert.ok(writes > 5, `${writes} plans were written`);
    });
  }

  it('leave what no literal states', () => {
    const text = readFileSync(`${FOLDER}/nemo/bridge_recipe.py`, 'utf8');
    const { kind, setup } = load('nemo/bridge_recipe.py', text, 16);
    const { edits, problems } = planEdits({ file: 'nemo/bridge_recipe.py', text, kind }, setup, {
      recompute: 'selective',
    });
    assert.deepEqual(edits, []);
    assert.deepEqual(
      problems.map(({ code, args }) => [code, args.key]),
      [['not-expressible', 'recompute']],
    );
  });
});
