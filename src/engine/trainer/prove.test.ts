import assert from 'node:assert/strict';
import {
  batch,
  classic,
  mlp,
  routed,
  runProof,
  SEED,
  small,
  smallPlan,
  tampering,
} from '../../../test/fixtures/trainer/small';
import { LINK_PROFILES } from '../collectives/linkProfiles';
import type { Buffer } from '../collectives/numbers';
import { type Plan, SCHEDULES } from '../plan/keys';
import type { Network } from './network';
import { initialWeight } from './parameters';
import { VIRTUAL_FLOPS_PER_SECOND } from './timeline';
import { prove, simulated } from './prove';
import { Trainer } from './trainer';

/** Proved, to the tolerances of the proof: 1e-11 loss, 1e-12 gradients, 1e-9 weights with AdamW, 1e-12 with SGD. */
function assertProved(network: Network, plan: Partial<Plan>, more: Parameters<typeof runProof>[2] = {}) {
  const proof = runProof(network, plan, more);
  assert.deepEqual(proof.mismatches, [], JSON.stringify(plan));
  return proof;
}

const eightTokens = { token: (sequence: number, position: number) => (3 * sequence + position * position) % 8 };

describe('the proof of a plan', () => {
  // One of each: every factorisation of 8 into dp, tp, cp, pp with turning ZeRO stages, schedules and networks.
  // All of them: npm run soak trainer.
  const cases: [Network, Partial<Plan>][] = [
    [small, { dp: 8 }],
    [classic, { dp: 8, sharding: 'zero1' }],
    [small, { dp: 4, tp: 2, sharding: 'zero2', bucketBytes: 0 }],
    [small, { dp: 4, cp: 2, sharding: 'zero3' }],
    [
      { ...small, layers: 4 },
      { dp: 4, pp: 2, schedule: 'zb-h1', sharding: 'zero1' },
    ],
    [classic, { dp: 2, tp: 4, sp: true, sharding: 'zero3' }],
    [small, { dp: 2, tp: 2, cp: 2, cpKind: 'all-to-all', sharding: 'hsdp', shardSize: 2 }],
    [classic, { dp: 2, tp: 2, pp: 2, schedule: '1f1b', sp: true, sharding: 'zero2' }],
    [small, { dp: 2, cp: 4, cpKind: 'all-gather', recompute: 'full' }],
    [small, { dp: 2, cp: 2, pp: 2, schedule: 'gpipe', sharding: 'zero3', recompute: 'full' }],
    [
      { ...classic, layers: 4 },
      { dp: 2, pp: 4, schedule: 'dualpipe', globalBatch: 16, sharding: 'zero2' },
    ],
    [small, { tp: 8, sp: true, recompute: 'full' }],
    [small, { tp: 4, cp: 2, attention: 'unfused' }],
    [small, { tp: 4, pp: 2, schedule: 'eager-1f1b' }],
    [small, { tp: 2, cp: 4, sp: true, cpKind: 'all-to-all', attention: 'unfused' }],
    [
      { ...small, layers: 4 },
      { tp: 2, cp: 2, pp: 2, schedule: 'zb-v', recompute: 'selective', attention: 'unfused' },
    ],
    [
      { ...small, layers: 4 },
      { tp: 2, pp: 4, schedule: 'zb-2p', sp: true },
    ],
    [small, { cp: 8 }],
    [
      { ...small, layers: 8 },
      { cp: 2, pp: 4, schedule: 'interleaved-1f1b', vpp: 2 },
    ],
    [
      { ...small, layers: 8 },
      { pp: 8, schedule: 'zb-h2' },
    ],
    [routed, { dp: 8, ep: 8, sharding: 'zero1' }],
    [routed, { dp: 4, tp: 2, ep: 4, sharding: 'zero3' }],
    [routed, { dp: 2, tp: 2, cp: 2, ep: 8, sp: true }],
    [routed, { dp: 4, pp: 2, ep: 2, schedule: '1f1b', recompute: 'full', sharding: 'zero2' }],
    [
      { ...small, layers: 5 },
      { pp: 3, stageLayers: [1, 1, 3], schedule: 'zb-h1' },
    ],
    [small, { dp: 2, tp: 2, pp: 2, order: 'pp-dp-cp-ep-tp' }],
    [
      { ...small, hidden: 12, heads: 6, kvHeads: 6, ffn: 18, vocab: 18 },
      { dp: 5, globalBatch: 5, sharding: 'zero2' },
    ],
    [mlp, { dp: 2, tp: 2, pp: 2 }],
    [mlp, { dp: 4, tp: 2, sharding: 'zero3' }],
  ];
  for (const [network, plan] of cases)
    it(`holds for ${Object.entries(plan)
      .map(p => p.join(' '))
      .join(', ')}`, () => {
      assertProved(network, plan, { clipNorm: 0.5 });
    });

  for (const schedule of SCHEDULES.filter(name => name !== 'none'))
    it(`holds for the schedule ${schedule}`, () => {
      const vpp = schedule === 'interleaved-1f1b' || schedule === 'breadth-first' ? { vpp: 2 } : {};
      const plan = { dp: 2, pp: 2, schedule, ...vpp, globalBatch: 8, sharding: 'zero1' } as const;
      const { bubbleFraction, predictedBubbleFraction } = assertProved({ ...small, layers: 4 }, plan, { steps: 1 });
      assert.ok(Math.abs(bubbleFraction - predictedBubbleFraction) < 1e-12 && bubbleFraction < 1);
    });

  it('holds over five steps with SGD to 1e-12, and the loss falls', () => {
    const { losses } = assertProved(small, { dp: 2, tp: 2, cp: 2, optimizer: 'sgd', sharding: 'zero3' }, { steps: 5 });
    assert.ok(losses[4] < losses[0]);
  });

  it('counts collectives as the form of data parallelism says', () => {
    // Lecture fact F16: as many as tensors, one, as many as buckets; the same bytes.
    const counts = [0, 1e12, 3000].map(bucketBytes => {
      const { traffic } = assertProved(small, { dp: 4, bucketBytes }, { steps: 1 });
      const found = traffic.find(t => t.axis === 'dp' && t.op === 'all-reduce');
      return [found?.count, found?.bytesPerRank.reduce((a, b) => a + b, 0)];
    });
    const tensors = 2 * 9 + 3; // two layers of nine tensors, embedding, final norm, head
    const elements = 2 * (2 * 16 + 4 * 16 * 16 + 3 * 16 * 16) + 2 * 16 * 16 + 16;
    const bytes = 2 * (4 - 1) * elements * 8; // 2 (n − 1) S over all ranks
    assert.deepEqual(counts[0], [tensors, bytes]);
    assert.deepEqual(counts[1], [1, bytes]);
    assert.deepEqual(counts[2][1], bytes);
    assert.ok((counts[2][0] ?? 0) > 1 && (counts[2][0] ?? 0) < tensors);
  });

  it('hides the reduction of buckets behind the backward pass', () => {
    const mesh = { domainSize: 4, linkBytesPerSecond: 1e8, nicBytesPerSecond: 1e8, profile: LINK_PROFILES.hopper };
    const network = { ...small, layers: 8 };
    const options = { network, type: 'f64', seed: SEED, batch, mesh, flopsPerSecond: 1e8 } as const;
    const exposed = (bucketBytes: number) => {
      const run = new Trainer({ ...options, plan: smallPlan(network, { dp: 4, bucketBytes }) }).step();
      return run.seconds - (run.timeline.seconds * VIRTUAL_FLOPS_PER_SECOND) / options.flopsPerSecond;
    };
    // All at once begins after the backward pass and is all exposed; of buckets only the last ones; one a tensor pays
    // the start of each.
    const [whole, buckets, tensors] = [exposed(1e12), exposed(10000), exposed(0)];
    assert.ok(buckets > 0 && buckets < whole / 3 && buckets < tensors, `${buckets} of ${whole} s exposed`);
  });

  it('moves 2Ψ, 2Ψ, 2Ψ and 3Ψ elements over data-parallel ranks for stages 0 to 3', () => {
    // ZeRO, arXiv 1910.02054, section 7: with one micro-batch; (n − 1)/n of it leaves each rank.
    const psi = 2 * (2 * 16 + 7 * 256) + 2 * 256 + 16;
    const moved = (['none', 'zero1', 'zero2', 'zero3'] as const).map(sharding => {
      const { traffic } = assertProved(small, { dp: 4, sharding, globalBatch: 4 }, { steps: 1 });
      const dp = traffic.filter(t => t.axis === 'dp').flatMap(t => t.bytesPerRank);
      return dp.reduce((a, b) => a + b, 0) / 8 / (4 - 1) / psi;
    });
    assert.deepEqual(moved, [2, 2, 2, 3]);
  });

  it('holds Ψ, Ψ/n and no more: weights, gradients and optimizer by stage', () => {
    const layer = 2 * 16 + 7 * 256;
    const psi = 2 * layer + 2 * 256 + 16;
    const held = (['none', 'zero1', 'zero2', 'zero3'] as const).map(sharding => {
      const { memory } = assertProved(small, { dp: 4, sharding }, { steps: 1 });
      return [memory[1].weights, memory[1].gradients, memory[1].optimizer].map(bytes => bytes / 8);
    });
    assert.deepEqual(held, [
      [psi, psi, 2 * psi],
      [psi, psi, psi / 2],
      // A block's gradient stands whole until it is reduced, its weights during a pass: the layer is the largest.
      [psi, psi / 4 + layer, psi / 2],
      [psi / 4 + layer, psi / 4 + layer, psi / 2],
    ]);
  });

  it('keeps a c-th of the sequence’s activations, and on a ring never more than two blocks of keys', () => {
    const memory = (cp: number, cpKind: 'ring' | 'all-gather') =>
      assertProved(
        { ...small, vocab: 8 },
        { cp, cpKind, globalBatch: 2, seqLen: 16, sharding: 'zero3' },
        { steps: 1, batch: eightTokens },
      ).memory[0];
    assert.equal(memory(8, 'ring').activations * 8, memory(1, 'ring').activations);
    // All-gather holds K, V and their gradients of the whole sequence: 4 · s · h elements.
    const all = 4 * 16 * 16 * 8;
    assert.ok(memory(8, 'all-gather').buffers > all);
    assert.ok(memory(8, 'ring').buffers < all);
  });

  it('repeats the same bits with recomputation', () => {
    const run = (recompute: 'none' | 'selective' | 'full') => {
      const plan = smallPlan(small, { tp: 2, recompute, attention: 'unfused' });
      const { gradients } = new Trainer({ network: small, plan, type: 'f64', seed: SEED, batch }).step();
      return [...gradients.tensors].map(([name, values]) => [name, [...values]]);
    };
    assert.deepEqual(run('selective'), run('none'));
    assert.deepEqual(run('full'), run('none'));
  });

  it('holds in f32 within its wider tolerance', () => {
    const { maxGradientDifference } = assertProved(small, { dp: 2, tp: 2, pp: 2 }, { type: 'f32' });
    assert.ok(maxGradientDifference > 0);
  });
});

describe('what a proof must not pass', () => {
  const plan = { dp: 4 } as const;
  const whats = (proof: ReturnType<typeof runProof>) => proof.mismatches.map(m => m.what);

  it('a reduction that is left out between tensor-parallel ranks, from the first step', () => {
    const between = tampering(request =>
      request.kind === 'collective' && request.op === 'reduce-scatter' && request.group.axis === 'tp'
        ? { reply: request.data.slice(0, request.data.length / request.group.ranks.length) }
        : request,
    );
    const proof = runProof(small, { tp: 2, sp: true }, { between });
    assert.equal(proof.equal, false);
    assert.equal(proof.mismatches[0].step, 0);
    assert.ok(whats(proof).includes('gradient') && whats(proof).includes('traffic'));
  });

  it('gradients that are not averaged: replicas part, named with rank and tensor', () => {
    const kept: Buffer[] = [];
    const between = tampering(request => {
      if (request.kind === 'start' && request.request.kind === 'collective' && request.request.group.axis === 'dp')
        return { reply: { id: -kept.push(request.request.data.slice()) } };
      if (request.kind === 'wait' && request.handle.id < 0) return { reply: kept[-request.handle.id - 1] };
      return request;
    });
    const proof = runProof(small, plan, { between });
    const found = proof.mismatches.find(m => m.what === 'replica');
    assert.ok(found && found.step === 0 && found.rank === 1 && found.where === 'embedding');
    assert.ok(whats(proof).includes('gradient') && whats(proof).includes('traffic'));
  });

  it('one reduction of many that is left out, named with its tensor', () => {
    // Each tensor alone: the third that a rank reduces is the last layer's down projection (head.norm after the head).
    const kept = new Map<number, Buffer>();
    const seen = new Map<number, number>();
    const between = tampering((request, { rank }) => {
      if (request.kind === 'wait' && request.handle.id < 0) return { reply: kept.get(rank) };
      if (request.kind !== 'start' || request.request.kind !== 'collective') return request;
      seen.set(rank, (seen.get(rank) ?? 0) + 1);
      if (seen.get(rank) !== 3) return request;
      kept.set(rank, request.request.data.slice());
      return { reply: { id: -1 } };
    });
    const proof = runProof(small, { dp: 4, bucketBytes: 0 }, { between, steps: 1 });
    const found = proof.mismatches.find(m => m.what === 'replica');
    assert.equal(found?.where, 'layers.1.down');
    const count = proof.traffic.find(t => t.axis === 'dp');
    assert.equal(count?.count, (count?.predictedCount ?? 0) - 1);
  });

  it('another layout than the plan’s, however right its numbers', () => {
    const common = { network: small, type: 'f64', steps: 1, seed: SEED, batch } as const;
    const found = (plan: Partial<Plan>, run: Partial<Plan>) => {
      const steps = prove(
        { ...common, plan: smallPlan(small, plan) },
        simulated({ ...common, plan: smallPlan(small, run) }),
      );
      steps.next();
      const { value } = steps.next();
      assert.ok(value && 'mismatches' in value && value.maxGradientDifference < 1e-12);
      return value.mismatches.map(({ what, where }) => `${what} ${where}`);
    };
    // ZeRO-3 that keeps whole weights.
    assert.deepEqual(found({ dp: 4, sharding: 'zero3' }, { dp: 4, sharding: 'zero1' }), [
      'traffic dp reduce-scatter',
      'memory weights',
    ]);
    // A ring that gathers all keys and values at once.
    assert.deepEqual(found({ cp: 4, cpKind: 'ring' }, { cp: 4, cpKind: 'all-gather' }), ['traffic cp all-gather']);
  });

  it('SUM in the place of AVG: gradients are four times as large, named with the tensor', () => {
    const between = tampering(request =>
      request.kind === 'start' && request.request.kind === 'collective' && request.request.reduction === 'average'
        ? { kind: 'start', request: { ...request.request, reduction: 'sum' } }
        : request,
    );
    const proof = runProof(small, plan, { between });
    const found = proof.mismatches.find(m => m.what === 'gradient');
    assert.ok(found && Math.abs(found.value / found.expected - 4) < 1e-9);
    assert.equal(found.where, 'embedding');
  });

  it('a first layer that is never trained (the off-by-one of the lecture of 2024)', () => {
    const proof = runProof(small, { dp: 4, sharding: 'zero3' }, { frozen: ['layers.0'] });
    const found = proof.mismatches.find(m => m.what === 'weight');
    assert.match(found?.where ?? '', /^layers\.0\./);
    assert.equal(found?.step, 0);
  });

  it('shards that are seeded anew on each rank, and so are slices of no serial model', () => {
    const initial = () => (spec: Parameters<typeof initialWeight>[0], seed: number, _: number, local: number) =>
      initialWeight(spec, seed, local, local);
    const proof = runProof(small, { tp: 4 }, { initial });
    assert.equal(proof.equal, false);
    assert.equal(proof.mismatches[0].what, 'loss');
    assert.equal(proof.mismatches[0].step, 0);
  });

  it('replicas that start apart', () => {
    const initial =
      (rank: number) => (spec: Parameters<typeof initialWeight>[0], seed: number, index: number, local: number) =>
        initialWeight(spec, seed + (rank === 3 ? 1 : 0), index, local);
    const found = runProof(small, { dp: 4 }, { initial, steps: 1 }).mismatches.find(m => m.what === 'replica');
    assert.equal(found?.rank, 3);
  });
});
