import assert from 'node:assert/strict';
import { LLAMA_8B } from '../../test/fixtures/llama8b';
import { estimate } from '../engine/estimate/estimate';
import { formatPlan, type Plan } from '../engine/plan/keys';
import { SetupBuilder, type TrainingSetup } from '../engine/setup/setup';
import { problem } from '../engine/problem';
import { mismatchMessage } from '../words/proof';
import { proofDocument, type ProofDocument } from './proof';

const SMALL: Partial<Plan> = { dp: 2, tp: 2, pp: 2, microBatch: 1, globalBatch: 8, seqLen: 4096 };

function setup(plan: Partial<Plan>): TrainingSetup {
  const builder = new SetupBuilder();
  Object.assign(builder.sizes, LLAMA_8B);
  Object.assign(builder.plan, plan);
  return builder.build();
}

function proved(...args: Parameters<typeof proofDocument>): ProofDocument {
  const run = proofDocument(...args);
  for (;;) {
    const next = run.next();
    if (next.done === true) return next.value;
  }
}

describe('the proof of a plan as a document', () => {
  it('says what was proved and what was not', () => {
    const { result, sentences, planString, problems } = proved(setup(SMALL), [], null, 2);
    assert.equal(result?.equal, true);
    assert.match(sentences.verdict, /^Proved: over 2 steps on 8 simulated ranks/);
    assert.deepEqual(problems, []);
    assert.match(planString, /dp=2,tp=2/);
    assert.equal(sentences.proved.length, 7);
    for (const what of [/framework’s code/, /widths/, /hardware/])
      assert.ok(
        sentences.notProved.some(sentence => what.test(sentence)),
        String(what),
      );
  });

  it('says exactly which degrees became smaller', () => {
    const plan = { dp: 256, tp: 8, pp: 8, microBatch: 1, globalBatch: 4096, seqLen: 4096 };
    const { twin, sentences } = proved(setup(plan), [], null, 1);
    assert.equal(twin?.ranks, 64);
    // 64 ranks at most: 256 · 8 · 8 comes down to dp 2, then pp, the larger of equals, to a half.
    assert.equal(
      sentences.scaled[0],
      'The plan’s 16,384 ranks became 64: data-parallel ranks (dp) 256 → 2, pipeline stages (pp) 8 → 4. Kept as they are: tp 8.',
    );
    assert.match(sentences.scaled[1] ?? '', /Micro-batches of a pipeline 16 → 8/);
    assert.match(sentences.scaled[2] ?? '', /hidden 4,096 → 64/);
  });

  it('takes a whole plan in the place of the setup’s', () => {
    const other = estimate(setup({ ...SMALL, dp: 4, pp: 1 })).setup.plan;
    const document = proved(setup(SMALL), [], formatPlan(other), 1);
    assert.match(document.twin?.planString ?? '', /^dp=4,tp=2,.*pp=1/);
    assert.equal(document.planString, formatPlan(other));
  });

  const refusals: [string, Partial<Plan>, RegExp][] = [
    ['a plan that no framework can run', { ...SMALL, tp: 3 }, /32 attention heads do not divide over tp 3/],
    ['what the trainer does not have', { ...SMALL, offload: 'optimizer' }, /^offload = optimizer is not modelled\.$/],
    ['degrees that are not known', { ...SMALL, dp: null }, /data-parallel size is not known/],
    ['a schedule of another shape', { ...SMALL, vpp: 2, schedule: '1f1b' }, /1f1b does not admit 2 stages/],
  ];
  for (const [name, plan, words] of refusals)
    it(`refuses in words: ${name}`, () => {
      const { result, problems, sentences } = proved(setup(plan), [], null, 1);
      assert.equal(result, null);
      assert.ok(
        problems.some(({ message, severity }) => severity === 'error' && words.test(message)),
        JSON.stringify(problems.map(({ message }) => message)),
      );
      assert.match(sentences.verdict, /was not run/);
    });

  it('refuses a damaged file', () => {
    const damage = problem('syntax', { format: 'JSON', reason: 'a comma is missing' });
    assert.deepEqual(
      proved(setup(SMALL), [damage], null, 1).problems.map(({ code }) => code),
      ['syntax'],
    );
  });

  it('proves a plan that does not fit its GPUs', () => {
    const builder = new SetupBuilder(setup({ ...SMALL, globalBatch: 64, microBatch: 8, seqLen: 131072 }));
    builder.setCluster('gpu', 'h100-sxm', 'user');
    const asked = builder.build();
    assert.ok(estimate(asked).problems.some(({ code, severity }) => code === 'out-of-memory' && severity === 'error'));
    assert.equal(proved(asked, [], null, 1).result?.equal, true);
  });

  it('can be stopped between steps, and tells how far it is', () => {
    const run = proofDocument(setup(SMALL), [], null, 3);
    assert.deepEqual(run.next().value, { done: 1, total: 3 });
    assert.deepEqual(run.next().value, { done: 2, total: 3 });
    assert.equal(run.return(undefined as never).done, true);
  });

  it('says where two runs part', () => {
    const found = { what: 'gradient', step: 0, where: 'head', index: 1234, rank: null, value: 2, expected: 1 } as const;
    assert.equal(mismatchMessage(found), 'In step 1 the gradient of head at element 1,234 is 2 where 1 is expected.');
    assert.equal(
      mismatchMessage({ ...found, what: 'memory', where: 'weights', index: null, rank: 3, step: 4 }),
      'In step 5 the memory of weights on rank 3 is 2 where 1 is expected.',
    );
    assert.equal(
      mismatchMessage({ ...found, what: 'bubble', where: 'timeline', index: null }),
      'In step 1 the bubble is 2 where 1 is expected.',
    );
  });
});
