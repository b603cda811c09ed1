import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeSetup } from '../../plan/complete';
import type { Problem } from '../../problem';
import { applyEdits } from '../edits';
import { readConfig } from '../registry';
import { changedSetup, type PlanChange } from '../changedSetup';
import { planEdits } from '../write';

/** The keys of picotron's template/base_config.json (huggingface/picotron), with a comment-like order of our own. */
function config(changes: Record<string, Record<string, unknown>> = {}): string {
  const base: Record<string, Record<string, unknown>> = {
    distributed: { tp_size: 2, cp_size: 1, pp_size: 2, dp_size: 4, pp_engine: '1f1b', backend: 'nccl', use_cpu: false },
    model: { name: 'meta-llama/Llama-3.1-8B', use_flash_attention: true },
    training: { seed: 42, seq_length: 4096, micro_batch_size: 1, gradient_accumulation_steps: 32 },
    environment: { FLASH_ATTEN: '1' },
  };
  for (const [section, values] of Object.entries(changes)) base[section] = { ...base[section], ...values };
  return JSON.stringify(base, null, 4);
}

function read(text: string) {
  const reading = readConfig('train.json', text);
  assert.equal(reading.kind, 'picotron');
  assert.ok(reading.setup !== null);
  return { ...reading, setup: completeSetup(reading.setup) };
}

const codes = (problems: readonly Problem[]) => problems.map(({ code }) => code);

describe('picotron configs', () => {
  it('gives degrees, batch and schedule with their places', () => {
    const { setup, problems } = read(config());
    const { tp, cp, pp, dp, schedule, microBatch, globalBatch, seqLen, attention, gradDtype } = setup.plan;
    assert.deepEqual(
      { tp, cp, pp, dp, schedule, microBatch, globalBatch, seqLen, attention, gradDtype },
      {
        tp: 2,
        cp: 1,
        pp: 2,
        dp: 4,
        schedule: '1f1b',
        microBatch: 1,
        globalBatch: 128,
        seqLen: 4096,
        attention: 'flash',
        gradDtype: 'fp32',
      },
    );
    assert.equal(setup.cluster.gpus, 16);
    assert.deepEqual(setup.fields.get('plan.tp'), {
      origin: 'file',
      source: { file: 'train.json', line: 3, column: 20, endLine: 3, endColumn: 21 },
    });
    assert.equal(setup.fields.get('plan.globalBatch')?.origin, 'derived');
    assert.deepEqual(problems, []);
  });

  it('takes the hub model from the zoo and its own overrides over it', () => {
    const { setup } = read(
      config({ model: { num_hidden_layers: 4, num_attention_heads: 16, num_key_value_heads: 4 } }),
    );
    const { layers, heads, kvHeads, hidden, headDim } = setup.sizes;
    assert.deepEqual(
      { layers, heads, kvHeads, hidden, headDim },
      { layers: 4, heads: 16, kvHeads: 4, hidden: 4096, headDim: 256 },
    );
    assert.equal(setup.fields.get('model.layers')?.origin, 'file');
    assert.equal(setup.fields.get('model.hidden')?.origin, 'zoo');
  });

  it('reports a degree that is missing, wrong or no number, at its place', () => {
    const text = config({ distributed: { tp_size: 'two', pp_engine: 'zero-bubble' } }).replace(/"cp_size": 1,\s*/, '');
    const { problems } = readConfig('train.json', text);
    assert.deepEqual(codes(problems).sort(), ['missing-key', 'value-invalid', 'value-invalid']);
    const invalid = problems.find(({ args }) => args.key === 'distributed.tp_size');
    assert.equal(invalid?.source?.line, 3);
  });

  it('bounds numbers: huge, negative and fractional degrees are problems', () => {
    for (const tp_size of [2 ** 63, -1, 0, 1.5, 1e308]) {
      const { problems } = readConfig('train.json', config({ distributed: { tp_size } }));
      assert.deepEqual(codes(problems), ['value-invalid'], String(tp_size));
    }
  });
});

const plans = fc
  .record({
    tp: fc.constantFrom(1, 2, 4, 8),
    cp: fc.constantFrom(1, 2),
    pp: fc.constantFrom(1, 2, 4, 8),
    dp: fc.constantFrom(1, 2, 4),
  })
  .chain(degrees =>
    fc.record({
      degrees: fc.constant(degrees),
      microBatch: fc.constantFrom(1, 2, 4),
      accumulation: fc.integer({ min: 1, max: 64 }),
      schedule: fc.constantFrom('1f1b', 'gpipe'),
      attention: fc.constantFrom('flash', 'unfused'),
    }),
  )
  .map(
    ({ degrees, microBatch, accumulation, schedule, attention }): PlanChange => ({
      ...degrees,
      microBatch,
      globalBatch: microBatch * accumulation * degrees.dp,
      attention: attention,
      schedule: degrees.pp > 1 ? schedule : 'none',
    }),
  );

describe('writing picotron configs', () => {
  const text = config();

  it('reads back as the plan, and leaves everything else as it was', () => {
    const { setup } = read(text);
    fc.assert(
      fc.property(plans, change => {
        const { edits, problems } = planEdits({ file: 'train.json', text, kind: 'picotron' }, setup, change);
        assert.deepEqual(problems, []);
        const written = applyEdits(text, edits);
        const again = read(written).setup.plan;
        for (const key of Object.keys(change) as (keyof PlanChange)[]) assert.equal(again[key], change[key], key);
        assert.deepEqual(withoutPlan(written), withoutPlan(text));
      }),
    );
  });

  it('writes only what changes: one degree is one edit, and dp follows the GPUs', () => {
    const { setup } = read(text);
    const { edits } = planEdits({ file: 'train.json', text, kind: 'picotron' }, setup, { tp: 4 });
    assert.deepEqual(
      edits.map(({ line, newText }) => [line, newText]),
      [
        [3, '4'],
        [6, '2'],
        [19, '64'],
      ],
    );
    assert.equal(changedSetup(setup, { tp: 4 }).plan.globalBatch, 128);
  });

  it('adds a key that is missing without touching the rest', () => {
    const without = text.replace(/"cp_size": 1,\s*/, '');
    const { setup } = read(without);
    const { edits } = planEdits({ file: 'train.json', text: without, kind: 'picotron' }, setup, { cp: 2, dp: 2 });
    const written = applyEdits(without, edits);
    assert.equal(read(written).setup.plan.cp, 2);
    assert.ok(written.startsWith(without.slice(0, 20)));
  });

  it('refuses what picotron cannot express or run', () => {
    const { setup } = read(text);
    const source = { file: 'train.json', text, kind: 'picotron' };
    assert.deepEqual(codes(planEdits(source, setup, { sharding: 'zero3' }).problems), ['not-expressible']);
    assert.deepEqual(codes(planEdits(source, setup, { tp: 16 }).problems), ['world-size', 'kv-heads-tp']);
    assert.deepEqual(planEdits(source, setup, { tp: 16 }).edits, []);
  });
});

/** The parts of a config that no plan touches. */
function withoutPlan(text: string): unknown {
  const root = JSON.parse(text) as Record<string, Record<string, unknown>>;
  for (const key of ['tp_size', 'cp_size', 'pp_size', 'dp_size', 'pp_engine']) delete root.distributed?.[key];
  for (const key of ['seq_length', 'micro_batch_size', 'gradient_accumulation_steps']) delete root.training?.[key];
  delete root.environment?.FLASH_ATTEN;
  delete root.model?.use_flash_attention;
  return root;
}
