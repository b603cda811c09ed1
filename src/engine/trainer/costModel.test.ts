import assert from 'node:assert/strict';
import { batch, routed, runProof, small } from '../../../test/fixtures/trainer/small';
import { planContext } from '../estimate/context';
import { estimate } from '../estimate/estimate';
import { preparedOf } from '../estimate/prepared';
import { completeSetup } from '../plan/complete';
import type { Plan } from '../plan/keys';
import { isReady } from '../plan/ready';
import { emptySetup, SetupBuilder, type TrainingSetup } from '../setup/setup';
import type { DecoderNetwork } from './network';

/** The same model and plan for the estimator, in fp32 with AdamW. */
function setupOf(network: DecoderNetwork, plan: Partial<Plan>): TrainingSetup {
  const builder = new SetupBuilder(emptySetup());
  const { layers, hidden, heads, kvHeads, headDim, ffn, vocab, tied, gated, experts, topK, expertFfn } = network;
  const moe = experts > 0 ? { experts, topK, expertFfn } : {};
  Object.assign(builder.sizes, { layers, hidden, heads, kvHeads, headDim, ffn, vocab, tied, gatedMlp: gated, ...moe });
  const numbers = { dtype: 'fp32', gradDtype: 'fp32', optimizer: 'adamw' } as const;
  Object.assign(builder.plan, { ...numbers, dp: 1, microBatch: 1, globalBatch: 8, seqLen: 8, ...plan });
  return completeSetup(builder.build());
}

/** What the estimator says of memory, by stage. */
function estimated(network: DecoderNetwork, plan: Partial<Plan>) {
  const { memory, problems } = estimate(setupOf(network, plan));
  assert.ok(memory, JSON.stringify(problems));
  return memory.stages;
}

/** The sizes of the estimator's messages, in elements; those of fp32 have four bytes. */
function messages(network: DecoderNetwork, asked: Partial<Plan>) {
  const setup = setupOf(network, asked);
  const prepared = preparedOf(setup);
  assert.ok(prepared && isReady(setup.plan));
  const { layers, ends } = planContext(prepared.tables, setup.plan).work;
  const { tensorBytes, contextBytes } = layers[0];
  return { tensor: tensorBytes / 4, context: contextBytes / 4, boundary: ends.tensorBytes / 4 };
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

describe('the trainer’s counters and the sizes of the estimator’s messages', () => {
  const counted = (plan: Partial<Plan>, axis: string, op: string): readonly number[] => {
    const { traffic } = runProof(small, { ...plan, globalBatch: 4 }, { steps: 1 });
    return traffic.find(t => t.axis === axis && t.op === op)?.bytesPerRank ?? [];
  };
  // One step of four micro-batches, two layers, numbers of 8 bytes.
  const [micros, layers, bytes] = [4, 2, 8];

  it('agree over tensor-parallel ranks: two reductions a layer and pass, and those of the ends', () => {
    for (const tp of [2, 4, 8]) {
      const { tensor, boundary } = messages(small, { tp });
      // Embedding forward and head backward; the loss shares a maximum, a sum and a target for each of 8 tokens.
      const elements = layers * 4 * tensor + 2 * boundary + 3 * 8;
      const each = counted({ tp }, 'tp', 'all-reduce');
      assert.deepEqual(each, new Array(tp).fill(micros * bytes * elements * 2 * (1 - 1 / tp)));
    }
  });

  it('agree over context-parallel ranks, by ring and by all-to-all', () => {
    const [c, { context }] = [4, messages(small, { cp: 4 })];
    // Keys and values go round but for their own place, and again on the way back, with gradients that come home.
    const turns = c - 1 + 2 * (c - 1) + 1;
    const ring = (micros * layers * bytes * turns * context) / c;
    assert.deepEqual(counted({ cp: c }, 'cp', 'send-recv'), new Array(c).fill(ring));
    const both = { cp: 2, cpKind: 'all-to-all' } as const;
    const { tensor, context: keys } = messages(small, both);
    // Queries, output, keys and values, forward and backward; half of them stay where they are.
    const dealt = micros * layers * bytes * 2 * (2 * tensor + keys / 2) * 0.5;
    assert.deepEqual(counted(both, 'cp', 'all-to-all'), new Array(2).fill(dealt));
  });

  it('agree between stages: one boundary a micro-batch and direction', () => {
    const { boundary } = messages(small, { pp: 2 });
    assert.deepEqual(counted({ pp: 2 }, 'pp', 'send-recv'), new Array(2).fill(micros * bytes * boundary));
  });
});
