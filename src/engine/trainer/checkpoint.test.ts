import assert from 'node:assert/strict';
import { batch, routed, SEED, small, smallPlan } from '../../../test/fixtures/trainer/small';
import type { Plan } from '../plan/keys';
import { restoreCheckpoint, saveCheckpoint } from './checkpoint';
import type { RealType } from './heap';
import type { Network } from './network';
import { Trainer } from './trainer';

const trainer = (network: Network, plan: Partial<Plan>, type: RealType = 'f64') =>
  new Trainer({ network, plan: smallPlan(network, plan), type, seed: SEED, batch });

const steps = (run: Trainer, count: number) => Array.from({ length: count }, () => run.step().loss);

describe('a checkpoint', () => {
  it('goes on bit for bit', () => {
    for (const type of ['f32', 'f64'] as const) {
      const plan = { dp: 2, tp: 2, pp: 2, sharding: 'zero1' } as const;
      const first = trainer(small, plan, type);
      steps(first, 2);
      const saved = structuredClone(saveCheckpoint(first));
      const losses = steps(first, 2);
      const again = trainer(small, plan, type);
      restoreCheckpoint(again, saved);
      assert.deepEqual(steps(again, 2), losses);
      assert.deepEqual(saveCheckpoint(again), saveCheckpoint(first));
    }
  });

  it('is the same bits under another layout, which goes on as the serial run does', () => {
    const first = trainer(routed, { dp: 4, tp: 2, ep: 4, sharding: 'zero3' });
    steps(first, 2);
    const saved = structuredClone(saveCheckpoint(first));
    const losses = steps(first, 2);
    const others: Partial<Plan>[] = [
      { dp: 2, pp: 2, cp: 2, ep: 2, sharding: 'zero2' },
      { tp: 4, sp: true, ep: 4 },
      { dp: 8, ep: 2, sharding: 'zero1' },
      {},
    ];
    for (const plan of others) {
      const other = trainer(routed, plan);
      restoreCheckpoint(other, saved);
      assert.deepEqual(saveCheckpoint(other), saved, JSON.stringify(plan));
      steps(other, 2).forEach((loss, i) => assert.ok(Math.abs(loss - losses[i]) < 1e-11));
    }
  });
});
