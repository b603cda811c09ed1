import assert from 'node:assert/strict';
import type { ModelSizes } from '../model/sizes';
import type { Plan } from '../plan/keys';
import { emptySetup, SetupBuilder } from '../setup/setup';
import { proveTwin, twinOf } from './twin';

// Llama 3 70B and Mixtral 8x7B, sizes of their published config.json.
const LLAMA: Partial<ModelSizes> = {
  layers: 80,
  hidden: 8192,
  ffn: 28672,
  heads: 64,
  kvHeads: 8,
  headDim: 128,
  vocab: 128256,
  tied: false,
  gatedMlp: true,
};
const MIXTRAL: Partial<ModelSizes> = {
  ...LLAMA,
  layers: 32,
  hidden: 4096,
  ffn: 14336,
  heads: 32,
  vocab: 32000,
  experts: 8,
  topK: 2,
  expertFfn: 14336,
};

function setup(sizes: Partial<ModelSizes>, plan: Partial<Plan>) {
  const builder = new SetupBuilder(emptySetup());
  Object.assign(builder.sizes, sizes);
  Object.assign(builder.plan, plan);
  return builder.build();
}

describe('the twin of a plan', () => {
  const plans: [string, Partial<ModelSizes>, Partial<Plan>][] = [
    [
      'a pipeline of 512 GPUs',
      LLAMA,
      { dp: 16, tp: 8, sp: true, pp: 4, microBatch: 1, globalBatch: 512, seqLen: 8192 },
    ],
    ['sharded data parallelism', LLAMA, { dp: 64, sharding: 'zero3', microBatch: 2, globalBatch: 256, seqLen: 4096 }],
    ['long context', LLAMA, { dp: 2, tp: 2, cp: 4, pp: 2, globalBatch: 32, microBatch: 1, seqLen: 131072 }],
    [
      'experts',
      MIXTRAL,
      { dp: 8, ep: 8, pp: 4, vpp: 2, sharding: 'zero1', microBatch: 1, globalBatch: 128, seqLen: 4096 },
    ],
    ['hybrid sharding', LLAMA, { dp: 32, tp: 2, sharding: 'hsdp', globalBatch: 64, microBatch: 1, seqLen: 4096 }],
    ['three stages', LLAMA, { dp: 3, pp: 3, schedule: 'zb-h1', globalBatch: 18, microBatch: 1, seqLen: 4096 }],
  ];
  for (const [name, sizes, plan] of plans)
    it(`keeps the shape of ${name} and is proved`, () => {
      const twin = twinOf(setup(sizes, plan));
      assert.ok(!('code' in twin), JSON.stringify(twin));
      assert.ok(twin.plan.dp * twin.plan.tp * twin.plan.cp * twin.plan.pp <= 64);
      for (const key of ['tp', 'cp', 'pp'] as const) assert.equal(twin.plan[key], plan[key] ?? 1, key);
      const steps = proveTwin(twin, 1);
      let progress = 0;
      let next = steps.next();
      for (; next.done !== true; next = steps.next()) progress = next.value.done / next.value.total;
      assert.equal(progress, 1);
      assert.deepEqual(next.value.mismatches, []);
    });

  it('says what it made smaller', () => {
    const twin = twinOf(setup(LLAMA, { dp: 16, tp: 8, pp: 4, globalBatch: 512, microBatch: 1, seqLen: 8192 }));
    assert.ok('changes' in twin);
    assert.deepEqual(
      twin.changes.find(c => c.key === 'dp'),
      { key: 'dp', from: 16, to: 2 },
    );
    assert.ok(twin.changes.some(c => c.key === 'hidden' && c.from === 8192));
  });

  it('can be stopped after any step', () => {
    const twin = twinOf(setup(LLAMA, { dp: 2, globalBatch: 4, microBatch: 1, seqLen: 64 }));
    assert.ok(!('code' in twin));
    const steps = proveTwin(twin, 100);
    assert.deepEqual(steps.next().value, { done: 1, total: 100 });
    assert.equal(steps.return(undefined as never).done, true);
  });

  it('names what the trainer does not have', () => {
    const found = twinOf(setup(LLAMA, { dp: 2, offload: 'optimizer', globalBatch: 4, microBatch: 1, seqLen: 64 }));
    assert.ok('code' in found && found.code === 'not-modelled');
    assert.ok('code' in twinOf(emptySetup()));
  });
});
