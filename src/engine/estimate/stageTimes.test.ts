import assert from 'node:assert/strict';
import { buildModel } from '../model/architecture';
import { emptySizes } from '../model/sizes';
import { LLAMA_TRAITS } from '../model/traits';
import { completeSetup } from '../plan/complete';
import type { ReadyPlan } from '../plan/ready';
import { emptyCluster, emptySetup, SetupBuilder } from '../setup/setup';
import { prepare } from './prepare';
import { stageTimes } from './stageTimes';

const SIZES = { layers: 8, hidden: 4096, ffn: 14336, heads: 32, kvHeads: 8, headDim: 128, vocab: 32000 };

function activationsWith(recompute: ReadyPlan['recompute']): readonly number[] {
  const model = buildModel({ ...emptySizes(), ...SIZES, tied: false, gatedMlp: true }, LLAMA_TRAITS);
  assert.ok(model !== null);
  const builder = new SetupBuilder(emptySetup());
  Object.assign(builder.cluster, emptyCluster(), { gpu: 'a100-80', gpus: 2 });
  Object.assign(builder.plan, { pp: 2, dp: 1, seqLen: 2048, microBatch: 2, globalBatch: 16, recompute });
  const { cluster, plan } = completeSetup(builder.build());
  return stageTimes(prepare(model, cluster), plan as unknown as ReadyPlan)?.activationBytes ?? [];
}

describe('the activations of a stage’s micro-batch', () => {
  /** Of a layer, in 16 bits: 2 s b h (Korthikanti et al., arXiv 2205.05198, section 5). */
  const input = 2 * 2048 * 2 * 4096;

  it('under full recomputation are the inputs of its layers', () => {
    assert.deepEqual(activationsWith('full'), [4 * input, 4 * input]);
  });

  it('without recomputation are many times that: 34 s b h and more of a layer (the same paper, equation 2)', () => {
    for (const bytes of activationsWith('none'))
      assert.ok(bytes > 4 * 12 * input && bytes < 4 * 40 * input, `${bytes}`);
  });
});
