import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import golden from '../../../test/fixtures/trainer/torch.json' with { type: 'json' };
import type { Plan } from '../plan/keys';
import { textBatch } from './data';
import type { Network } from './network';
import { Trainer } from './trainer';
import { trainPlanOf } from './trainPlan';

const { seed, steps, text, cases } = golden;

/** Losses of a run in f32 from the same weights on the same data. */
function losses({ network, plan }: (typeof cases)[number]): number[] {
  const shape = network as Network;
  const found = trainPlanOf(plan as Partial<Plan>, shape);
  assert.deepEqual(found.problems, []);
  const batch = textBatch(Uint8Array.from(Buffer.from(text)), found.plan.seqLen);
  const run = new Trainer({ network: shape, plan: found.plan, type: 'f32', seed, batch });
  return Array.from({ length: steps }, () => run.step().loss);
}

function assertNear(found: readonly number[], expected: readonly number[]): void {
  assert.equal(found.length, expected.length);
  found.forEach((loss, step) =>
    assert.ok(Math.abs(loss - expected[step]) <= 1e-5, `step ${step}: ${loss}, PyTorch ${expected[step]}`),
  );
}

describe('beside PyTorch, from the same weights on the same data in f32,', function () {
  this.timeout(180_000); // PyTorch alone takes seconds to load
  // Expected: test/fixtures/trainer/torchPeer.py, run with PyTorch 1.13 of Debian 12.
  for (const example of cases)
    it(`20 losses of ${example.name} agree to 1e-5`, () => assertNear(losses(example), example.losses));

  it('the recorded losses are what this machine’s PyTorch gives', function () {
    const python = '/usr/bin/python3';
    if (spawnSync(python, ['-c', 'import torch, numpy']).status !== 0) {
      console.log('      skipped: python3-torch is not installed');
      this.skip();
    }
    const run = spawnSync(python, ['test/fixtures/trainer/torchPeer.py', '--print'], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    const found = JSON.parse(run.stdout) as number[][];
    found.forEach((list, i) => assertNear(list, cases[i].losses));
  });
});
