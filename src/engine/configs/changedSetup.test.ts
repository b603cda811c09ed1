import assert from 'node:assert/strict';
import type { Plan } from '../plan/keys';
import { checkPlan } from '../plan/rules';
import { completeSetup } from '../plan/complete';
import { SetupBuilder, type TrainingSetup } from '../setup/setup';
import { changedSetup } from './changedSetup';
import { readConfig } from './registry';

function onGpus(gpus: number, plan: Partial<Plan>, kind = 'megatron'): TrainingSetup {
  const builder = new SetupBuilder();
  builder.kinds.push(kind);
  builder.setModel('layers', 32, 'file');
  builder.setCluster('gpus', gpus, 'user');
  for (const [key, value] of Object.entries(plan)) builder.setPlan(key as keyof Plan, value, 'file');
  return builder.build();
}

const MOE = `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 \\
  --seq-length 1024 --max-position-embeddings 1024 --num-experts 8 --tensor-model-parallel-size 2 --sequence-parallel \\
  --micro-batch-size 1 --global-batch-size 16 --vocab-size 1000
`;

describe('a changed setup', () => {
  it('splits experts like tensors where the script leaves that to Megatron (ETP defaults to TP)', () => {
    const { setup } = readConfig('run.sh', MOE);
    assert.ok(setup !== null);
    assert.equal(completeSetup(setup).plan.etp, 2);
    assert.equal(changedSetup(setup, { tp: 4 }).plan.etp, 4);
    assert.equal(changedSetup(setup, { tp: 4, etp: 1 }).plan.etp, 1);
    const stated = readConfig('run.sh', MOE.replace('--sequence', '--expert-tensor-parallel-size 1 --sequence')).setup;
    assert.ok(stated !== null);
    assert.equal(changedSetup(stated, { tp: 4 }).plan.etp, 1);
  });

  it('takes up sequence parallelism that the script asks for once tp is above 1', () => {
    const { setup } = readConfig('run.sh', MOE.replace('parallel-size 2', 'parallel-size 1'));
    assert.ok(setup !== null);
    assert.equal(completeSetup(setup).plan.sp, false);
    assert.equal(changedSetup(setup, { tp: 2 }).plan.sp, true);
  });

  it('interleaves when chunks are added, and is plain again without them', () => {
    const plain = onGpus(8, { pp: 4, schedule: '1f1b' });
    assert.equal(changedSetup(plain, { vpp: 2 }).plan.schedule, 'interleaved-1f1b');
    const interleaved = onGpus(8, { pp: 4, vpp: 2, schedule: 'interleaved-1f1b' });
    assert.equal(changedSetup(interleaved, { vpp: 1 }).plan.schedule, '1f1b');
    assert.equal(changedSetup(interleaved, { schedule: '1f1b' }).plan.vpp, 1);
    const { schedule, vpp } = changedSetup(interleaved, { pp: 1 }).plan;
    assert.deepEqual([schedule, vpp], ['none', 1]);
    assert.equal(changedSetup(onGpus(8, { pp: 1 }), { pp: 2 }).plan.schedule, '1f1b');
  });

  it('has the chunks that a V-shaped schedule needs', () => {
    assert.equal(changedSetup(onGpus(8, { pp: 4 }, 'torchtitan'), { schedule: 'zb-v' }).plan.vpp, 2);
    for (const schedule of ['zb-v', 'v-half', 'v-min', 'dualpipe-v', 'interleaved-1f1b'] as const)
      assert.equal(completeSetup(onGpus(8, { pp: 4, schedule })).plan.vpp, 2, schedule);
    assert.equal(completeSetup(onGpus(8, { pp: 4, schedule: 'zb-h1' })).plan.vpp, 1);
  });

  it('forgets the split of stages that another pipeline does not have', () => {
    const uneven = onGpus(8, { pp: 2, stageLayers: [17, 15] });
    assert.equal(changedSetup(uneven, { pp: 4 }).plan.stageLayers, null);
    assert.deepEqual(changedSetup(uneven, { tp: 2 }).plan.stageLayers, [17, 15]);
  });
});

describe('what relatives of Megatron allow', () => {
  const codes = (text: string) => {
    const { setup } = readConfig('run.sh', text);
    assert.ok(setup !== null);
    return checkPlan(completeSetup(setup)).map(({ code }) => code);
  };
  const piped = MOE.replace(' --num-experts 8', ' --pipeline-model-parallel-size 4');

  it('the zero-bubble fork has its schedules, Megatron has not', () => {
    assert.deepEqual(codes(`${piped.trim()} --enable-zero-bubble\n`), []);
    const { setup } = readConfig('run.sh', piped);
    assert.ok(setup !== null);
    const asked = changedSetup(setup, { schedule: 'zb-1p' });
    assert.deepEqual(
      checkPlan(asked).map(({ code, args }) => [code, args.key]),
      [['not-expressible', 'schedule']],
    );
  });

  it('Megatron refuses experts under tp without sp once (moe_layer.py:635), DeepSpeed does not', () => {
    const without = MOE.replace('--sequence-parallel', '');
    assert.deepEqual(codes(without), ['options-incompatible']);
    assert.deepEqual(codes(`${without.trim()} --deepspeed --zero-stage 1\n`), []);
  });
});
