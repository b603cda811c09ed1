import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { completeSetup } from '../../plan/complete';
import type { Plan } from '../../plan/keys';
import type { TextEdit } from '../../problem';
import { SetupBuilder, type TrainingSetup } from '../../setup/setup';
import { changedSetup, type PlanChange } from '../changedSetup';
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

interface Case {
  readonly gpus: number;
  /** Keys that a literal states. */
  readonly stated: readonly (keyof Plan)[];
  /** Keys that the recipe does not state, and the framework takes as a keyword or an attribute. */
  readonly added: readonly (keyof Plan)[];
}

const RECIPES: Readonly<Record<string, Case>> = {
  'nemo/bridge_recipe.py': {
    gpus: 256,
    stated: ['tp', 'pp', 'globalBatch'],
    added: ['cp', 'vpp', 'microBatch', 'recompute'],
  },
  'nemo/nemo2_recipe.py': {
    gpus: 256,
    stated: ['tp', 'pp', 'cp', 'microBatch', 'globalBatch', 'seqLen'],
    added: ['recompute'],
  },
  'torchtitan/llama3/config_registry.py': { gpus: 64, stated: ['tp', 'cp'], added: ['pp'] },
  'torchtitan/deepseek_v3/config_registry.py': { gpus: 256, stated: ['ep'], added: ['tp', 'globalBatch'] },
};

const VALUES: Partial<Record<keyof Plan, readonly unknown[]>> = {
  globalBatch: [512, 1024],
  seqLen: [4096, 8192],
  recompute: ['none', 'selective', 'full'],
};

/** The text without what the edits added, other values blanked. */
function blank(text: string): string {
  return text.replaceAll(/\b(\d+|True|False|None)\b|"(selective|full)"/g, '#');
}

function changesOf(keys: readonly (keyof Plan)[]): fc.Arbitrary<PlanChange> {
  const picks = keys.map(key => [
    key,
    fc.option(fc.constantFrom(...(VALUES[key] ?? [1, 2, 4])), { nil: undefined, freq: 2 }),
  ]);
  return fc
    .record(Object.fromEntries(picks) as Record<string, fc.Arbitrary<unknown>>)
    .map(picked => Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== undefined)) as PlanChange);
}

const isAdded = ({ line, column, endLine, endColumn }: TextEdit) => line === endLine && column === endColumn;

describe('writing recipes', () => {
  for (const [file, { gpus, stated, added }] of Object.entries(RECIPES)) {
    it(`${file} reads back as the plan, and only the plan's keys change or are added`, () => {
      const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
      const { kind, setup } = load(file, text, gpus);
      const isStated = (key: keyof Plan) => setup.fields.get(`plan.${key}`)?.origin === 'file';
      assert.deepEqual(stated.filter(isStated), stated);
      const writes = new Map<keyof Plan, number>();
      fc.assert(
        fc.property(changesOf([...stated, ...added]), asked => {
          const next = changedSetup(setup, asked);
          const { edits, problems } = planEdits({ file, text, kind }, setup, asked);
          if (problems.some(({ severity }) => severity === 'error')) return assert.deepEqual(edits, []);
          const after = applyEdits(text, edits);
          const plan = load(file, after, gpus).setup.plan;
          for (const key of [...stated, ...added]) assert.equal(plan[key], next.plan[key], `${key}\n${after}`);
          for (const { newText } of edits.filter(edit => !isAdded(edit)))
            assert.match(newText, /^\d+$|^True$|^False$|^None$|^"\w+"$/);
          for (const { newText } of edits.filter(isAdded)) assert.match(newText, /^[\w., ]+ ?= ?[\w"]+,?\n?$/);
          const kept = applyEdits(
            text,
            edits.filter(edit => !isAdded(edit)),
          );
          assert.equal(blank(kept), blank(text));
          for (const key of Object.keys(asked) as (keyof Plan)[])
            if (plan[key] !== setup.plan[key]) writes.set(key, (writes.get(key) ?? 0) + 1);
        }),
        { numRuns: 60, seed: 7 },
      );
      for (const key of [...stated, ...added]) assert.ok((writes.get(key) ?? 0) > 2, `${key}: ${writes.get(key)}`);
    });
  }

  /** Edits of a change as lines of the text after it that the text before it lacks. */
  function newLines(file: string, text: string, gpus: number, change: PlanChange): string[] {
    const { kind, setup } = load(file, text, gpus);
    const { edits, problems } = planEdits({ file, text, kind }, setup, change);
    assert.deepEqual(
      problems.filter(({ severity }) => severity === 'error'),
      [],
    );
    const before = new Set(text.split('\n'));
    return applyEdits(text, edits)
      .split('\n')
      .filter(line => !before.has(line));
  }

  it('Megatron-Bridge: attributes of the provider, in lines before the recipe returns', () => {
    const file = 'nemo/bridge_recipe.py';
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
    // megatron/bridge/recipes/llama/llama3.py writes them so.
    assert.deepEqual(newLines(file, text, 64, { cp: 2, microBatch: 1, globalBatch: 64 }), [
      '    cfg.model.context_parallel_size = 2',
      '    cfg.train.micro_batch_size = 1',
    ]);
    assert.deepEqual(newLines(file, text, 64, { recompute: 'full' }), [
      '    cfg.model.recompute_granularity = "full"',
      '    cfg.model.recompute_method = "uniform"',
      '    cfg.model.recompute_num_layers = 1',
    ]);
  });

  it('keywords stand in the manner of those that are there, and comments stay with theirs', () => {
    const file = 'nemo/nemo2_recipe.py';
    const recipe = readFileSync(`${FOLDER}/${file}`, 'utf8').replace('        context_parallel_size=2,\n', '');
    const cp = { cp: 2 };
    assert.deepEqual(newLines(file, recipe, 256, cp), ['        context_parallel_size=2,']);
    const commented = recipe.replace('sequence_parallel=True,', 'sequence_parallel=True,  # with tp');
    assert.deepEqual(newLines(file, commented, 256, cp), ['        context_parallel_size=2,']);
    const bare = recipe.replace('sequence_parallel=True,', 'sequence_parallel=True');
    assert.deepEqual(newLines(file, bare, 256, cp), ['        sequence_parallel=True, context_parallel_size=2']);
    const closed = recipe.replace('sequence_parallel=True,\n    )', 'sequence_parallel=True)');
    assert.deepEqual(newLines(file, closed, 256, cp), ['        sequence_parallel=True, context_parallel_size=2)']);
  });

  it('leave what has no place: the function takes what it likes, and nothing is left to assign to', () => {
    const file = 'torchtitan/llama3/config_registry.py';
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
    const { kind, setup } = load(file, text, 64);
    const { edits, problems } = planEdits({ file, text, kind }, setup, { sharding: 'hsdp', shardSize: 8 });
    assert.deepEqual(edits, []);
    assert.ok(problems.some(({ code }) => code === 'not-expressible'));
  });
});
