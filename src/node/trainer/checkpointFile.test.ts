import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batch, routed, SEED, smallPlan } from '../../../test/fixtures/trainer/small';
import { restoreCheckpoint, saveCheckpoint } from '../../engine/trainer/checkpoint';
import type { RealType } from '../../engine/trainer/heap';
import { Trainer } from '../../engine/trainer/trainer';
import type { Plan } from '../../engine/plan/keys';
import { readCheckpoint, writeCheckpoint } from './checkpointFile';

describe('a checkpoint on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshlens-checkpoint-'));
  const file = join(folder, 'run.checkpoint');
  after(() => rmSync(folder, { recursive: true }));

  const trainer = (plan: Partial<Plan>, type: RealType) =>
    new Trainer({ network: routed, plan: smallPlan(routed, plan), type, seed: SEED, batch });
  const steps = (run: Trainer, count: number) => Array.from({ length: count }, () => run.step().loss);

  for (const type of ['f32', 'f64'] as const)
    it(`goes on bit for bit in ${type}, and under another layout from the same bits`, () => {
      const plan = { dp: 2, tp: 2, pp: 2, ep: 2, sharding: 'zero2' } as const;
      const first = trainer(plan, type);
      steps(first, 2);
      writeCheckpoint(file, saveCheckpoint(first));
      assert.deepEqual(readdirSync(folder), ['run.checkpoint']);
      const losses = steps(first, 2);
      const again = trainer(plan, type);
      restoreCheckpoint(again, readCheckpoint(file) ?? assert.fail());
      assert.deepEqual(steps(again, 2), losses);
      assert.deepEqual(saveCheckpoint(again), saveCheckpoint(first));
      const other = trainer({ dp: 4, cp: 2, ep: 8, sharding: 'zero3' }, type);
      restoreCheckpoint(other, readCheckpoint(file) ?? assert.fail());
      assert.deepEqual(saveCheckpoint(other), readCheckpoint(file));
      const tolerance = type === 'f64' ? 1e-11 : 1e-4;
      steps(other, 2).forEach((loss, i) => assert.ok(Math.abs(loss - losses[i]) < tolerance));
    });

  it('that is cut off or something else is none', () => {
    const run = trainer({ dp: 2 }, 'f32');
    writeCheckpoint(file, saveCheckpoint(run));
    const bytes = readFileSync(file);
    for (const length of [0, 3, 4, 100, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      assert.equal(readCheckpoint(file), null, `${length} bytes`);
    }
    writeFileSync(file, 'a text of more than a few letters');
    assert.equal(readCheckpoint(file), null);
  });
});
