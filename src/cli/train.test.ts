import assert from 'node:assert/strict';
import { emptySetup, SetupBuilder } from '../engine/setup/setup';
import { trainCommand } from './train';

describe('the train command', () => {
  it('proves a plan and counts what it predicts', () => {
    const plan = { dp: 2, tp: 2, pp: 2, seqLen: 8, globalBatch: 8, microBatch: 1 };
    const { document, problems } = trainCommand({ plan, steps: 2 });
    assert.deepEqual(problems, []);
    assert.equal(document.equal, true);
    assert.equal(document.losses?.length, 2);
    assert.ok((document.losses?.[1] ?? 0) < (document.losses?.[0] ?? 0));
    assert.deepEqual(document.peakBytesPerRank, document.predictedPeakBytesPerRank);
    for (const { bytesPerRank, predictedBytesPerRank } of document.traffic ?? [])
      assert.deepEqual(bytesPerRank, predictedBytesPerRank);
    const axes = new Set(document.traffic?.map(t => t.axis));
    assert.deepEqual([...axes].sort(), ['dp', 'pp', 'tp']);
    // 1F1B with two stages and four micro-batches; the stages are not alike, so above (p − 1)/(m + p − 1) = 0.2 of equal ones.
    assert.ok(Math.abs((document.bubbleFraction ?? 1) - (document.predictedBubbleFraction ?? 0)) < 1e-12);
    assert.equal(JSON.stringify(document).includes('NaN'), false);
  });

  it('names what a plan breaks', () => {
    const codes = (options: Parameters<typeof trainCommand>[0]) => trainCommand(options).problems.map(p => p.code);
    assert.deepEqual(codes({ plan: { tp: 3 }, steps: 1 }), ['heads-tp', 'kv-heads-tp', 'vocab-tp', 'heads-tp']);
    assert.deepEqual(codes({ plan: { pp: 8 }, steps: 1 }), ['layers-pp']);
    assert.deepEqual(codes({ plan: { dp: 5 }, steps: 1 }), ['batch-identity']);
    assert.deepEqual(codes({ plan: { pp: 2, schedule: 'dualpipe', dp: 8 }, steps: 1 }), ['schedule-shape']);
    assert.deepEqual(codes({ plan: { optimizer: 'muon' }, steps: 0 }), ['value-invalid', 'not-modelled']);
    assert.deepEqual(codes({ plan: {}, steps: 1, data: new Uint8Array(0) }), ['value-invalid']);
    assert.deepEqual(codes({ plan: { dp: 2, order: 'dp-tp' }, steps: 1 }), ['value-invalid']);
    // Experts would be dealt across stages; Megatron refuses this order too.
    const across = { dp: 2, tp: 2, pp: 2, ep: 2, order: 'tp-pp-cp-ep-dp' };
    assert.deepEqual(codes({ preset: 'tiny-moe', plan: across, steps: 1 }), ['value-invalid']);
    assert.equal(trainCommand({ plan: { dp: 5 }, steps: 1 }).document.equal, null);
  });

  it('runs a config’s model, or its twin where it is large', () => {
    const config = (hidden: number, vocab: number) => {
      const builder = new SetupBuilder(emptySetup());
      const heads = { heads: 4, kvHeads: 2, headDim: hidden / 4, tied: true, gatedMlp: true };
      Object.assign(builder.sizes, { layers: 2, hidden, ffn: 2 * hidden, vocab, ...heads });
      Object.assign(builder.plan, { tp: 2, dp: 2, seqLen: 8, microBatch: 1, globalBatch: 4 });
      return builder.build();
    };
    const small = trainCommand({ setup: config(16, 64), plan: {}, steps: 1 });
    assert.deepEqual([small.document.equal, small.document.scaledDown], [true, null]);
    const large = trainCommand({ setup: config(4096, 128256), plan: { pp: 2 }, steps: 1 });
    assert.equal(large.document.equal, true);
    assert.equal(large.document.losses?.length, 1);
    assert.ok(large.document.scaledDown?.some(({ key, from }) => key === 'hidden' && from === 4096));
    assert.equal(large.document.peakBytesPerRank?.length, 8);
    const broken = trainCommand({ setup: config(4096, 128256), plan: { tp: 3 }, steps: 1 });
    assert.ok(broken.problems.some(({ code }) => code === 'heads-tp'));
  });

  it('runs the other presets', () => {
    const moe = { dp: 2, ep: 2, seqLen: 8, globalBatch: 4, microBatch: 1 };
    assert.equal(trainCommand({ preset: 'tiny-moe', plan: moe, steps: 1 }).document.equal, true);
    const mlp = { dp: 4, tp: 2, globalBatch: 16 };
    assert.equal(trainCommand({ preset: 'mlp', plan: mlp, steps: 2, dtype: 'f32' }).document.equal, true);
  });
});
