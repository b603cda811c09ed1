import assert from 'node:assert/strict';
import { batch, routed, runProof, small } from '../../../test/fixtures/trainer/small';
import { estimate } from '../estimate/estimate';
import type { Plan } from '../plan/keys';
import { emptySetup, SetupBuilder } from '../setup/setup';
import type { DecoderNetwork } from './network';

/** What the estimator says of the same model and plan, in fp32 with AdamW; by stage. */
function estimated(network: DecoderNetwork, plan: Partial<Plan>) {
  const builder = new SetupBuilder(emptySetup());
  const { layers, hidden, heads, kvHeads, headDim, ffn, vocab, tied, gated, experts, topK, expertFfn } = network;
  const moe = experts > 0 ? { experts, topK, expertFfn } : {};
  Object.assign(builder.sizes, { layers, hidden, heads, kvHeads, headDim, ffn, vocab, tied, gatedMlp: gated, ...moe });
  const numbers = { dtype: 'fp32', gradDtype: 'fp32', optimizer: 'adamw' } as const;
  Object.assign(builder.plan, { ...numbers, microBatch: 1, globalBatch: 8, seqLen: 8, ...plan });
  const { memory, problems } = estimate(builder.build());
  assert.ok(memory, JSON.stringify(problems));
  return memory.stages;
}

describe('the trainer’s live bytes and the estimator’s memory', () => {
  const cases: [DecoderNetwork, Partial<Plan>][] = [
    [small, { dp: 4 }],
    [small, { dp: 2, tp: 2, pp: 2, schedule: '1f1b' }],
    [small, { dp: 4, tp: 2, sharding: 'zero1' }],
    [
      { ...small, tied: true },
      { dp: 2, cp: 2 },
    ],
    [routed, { dp: 4, ep: 4 }],
  ];
  for (const [network, plan] of cases)
    it(`have the same weights, gradients and optimizer for ${JSON.stringify(plan)}`, () => {
      const stages = estimated(network, plan);
      const { memory } = runProof(network, plan, { type: 'f32', steps: 1, batch });
      memory.forEach((found, rank) => {
        // Ranks of a stage are neighbours: pp is the outermost axis.
        const { weights, gradients, optimizer } = stages[Math.floor((rank * stages.length) / memory.length)];
        assert.deepEqual(
          [found.weights, found.gradients, found.optimizer],
          [weights, gradients, optimizer],
          `rank ${rank}`,
        );
      });
    });

  it('have the same shards; what stands whole for a pass the estimator counts with the buffers', () => {
    const plan = { dp: 4, sharding: 'zero3' } as const;
    const [stage] = estimated(small, plan);
    const { memory } = runProof(small, plan, { type: 'f32', steps: 1 });
    const layer = 4 * (2 * 16 + 7 * 256);
    assert.deepEqual(
      [memory[1].weights - layer, memory[1].gradients - layer, memory[1].optimizer],
      [stage.weights, stage.gradients, stage.optimizer],
    );
  });
});
