/** Plans written into launch scripts of verl and OpenRLHF: they read back, and no other option changes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { completeSetup } from '../plan/complete';
import type { Plan } from '../plan/keys';
import { SetupBuilder, type TrainingSetup } from '../setup/setup';
import { changedSetup, type PlanChange } from './changedSetup';
import { applyEdits } from './edits';
import { readConfig } from './registry';
import { readScript } from './shell/script';
import { planEdits } from './write';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly gpus: number;
  readonly choices: { readonly [K in keyof Plan]?: readonly Plan[K][] };
  /** Options that a plan may touch. */
  readonly touches: RegExp;
  /** Answers of a prompt: a batch is a multiple of them. */
  readonly answers?: number;
}

const fixture = (path: string): string => readFileSync(`test/fixtures/configs/${path}`, 'utf8');

/** Degrees of a reference beside the actor, in variables that both share. */
const SHARED = `
TP=2
python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer \\
    actor_rollout_ref.model.path=Qwen/Qwen3-8B \\
    actor_rollout_ref.actor.ppo_mini_batch_size=128 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 \\
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=$TP \\
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2 \\
    actor_rollout_ref.ref.megatron.tensor_model_parallel_size=$TP \\
    actor_rollout_ref.ref.megatron.pipeline_model_parallel_size=2 \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=4 \\
    trainer.n_gpus_per_node=8 trainer.nnodes=2 # the machine
`;

const CASES: readonly Case[] = [
  {
    name: 'verl by Megatron',
    text: fixture('verl/grpo-megatron.sh').replace('${NNODES:-4}', '4'),
    gpus: 32,
    choices: { tp: [1, 2, 4], pp: [1, 2, 4], ep: [1, 2, 4], recompute: ['selective', 'full'], microBatch: [1, 2, 4] },
    touches: /^actor-rollout-ref\.actor\.(megatron\.(.*-parallel.*|override.*)|ppo-m)/,
    answers: 8,
  },
  {
    name: 'verl with a reference',
    text: SHARED,
    gpus: 16,
    choices: { tp: [1, 2, 4, 8], pp: [1, 2], cp: [1, 2], sharding: ['none', 'zero1'], microBatch: [1, 2] },
    touches: /^actor-rollout-ref\.(actor|ref)\.(megatron\.(.*-parallel.*|use-dist.*)|ppo-m)/,
  },
  {
    name: 'verl by FSDP',
    text: fixture('verl/ppo-fsdp.sh')
      .replace('data.train_batch_size=1000', 'data.train_batch_size=2048')
      .replace(/.*ppo_micro_batch_size=64.*\n/, ''),
    gpus: 16,
    choices: {
      cp: [1, 2, 4],
      recompute: ['none', 'full'],
      microBatch: [1, 2, 4],
      offload: ['none', 'optimizer+params'],
    },
    touches: /^actor-rollout-ref\.(actor\.(ulysses.*|fsdp-config.*|ppo-m.*)|model\.enable-grad.*)/,
  },
  {
    name: 'verl, supervised',
    text: fixture('verl/sft.sh'),
    gpus: 4,
    choices: { cp: [1, 2, 4], recompute: ['none', 'full'], microBatch: [1, 2, 4], seqLen: [1024, 4096] },
    touches: /^(data\.(train-batch|micro|max-l).*|ulysses.*|model\.enable-grad.*)/,
  },
  {
    name: 'OpenRLHF, older names',
    text: fixture('openrlhf/ppo-ray.sh'),
    gpus: 16,
    choices: {
      sharding: ['zero2', 'zero3'],
      offload: ['none', 'optimizer'],
      recompute: ['none', 'full'],
      microBatch: [1, 2, 4],
      cp: [1, 2],
    },
    touches: /^(zero-stage|adam-offload|gradient-check.*|micro-train.*|train-batch.*|ring-attn.*)/,
  },
  {
    name: 'OpenRLHF, options of a here-document',
    text: fixture('openrlhf/sft-lora.sh'),
    gpus: 8,
    choices: {
      tp: [1, 2],
      cp: [1, 2, 4],
      sharding: ['zero1', 'zero2', 'zero3'],
      recompute: ['none', 'full'],
      adapterRank: [8, 64],
      seqLen: [2048, 4096],
    },
    touches: /^(ds\..*|train\.(micro-)?batch.*|model\.gradient.*|data\.max-len)/,
  },
];

function changes({ gpus, choices, answers = 1 }: Case): fc.Arbitrary<PlanChange> {
  const picks = Object.fromEntries(
    Object.entries(choices).map(([key, values]) => [
      key,
      fc.option(fc.constantFrom(...(values as unknown[])), { nil: undefined, freq: 3 }),
    ]),
  );
  return fc.tuple(fc.record(picks), fc.constantFrom(1, 2, 4)).map(([picked, steps]) => {
    const change = Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== undefined)) as PlanChange;
    // Some other batch than the file's, whole for any degrees.
    return { ...change, globalBatch: 4 * gpus * steps * answers };
  });
}

/** The options that no plan touches, in order. */
function otherOptions(text: string, touches: RegExp): string[] {
  const command = readScript('run.sh', text).commands.at(-1);
  assert.ok(command !== undefined);
  return [...command.flags, ...command.settings]
    .filter(({ name }) => !touches.test(name))
    .map(
      ({ name, words }) =>
        `${name} ${words
          .filter(word => !word.text?.includes('='))
          .map(word => word.text)
          .join(' ')}`,
    );
}

const comments = (text: string): string[] => text.match(/#.*/g) ?? [];

function setupOf(text: string, gpus: number): TrainingSetup {
  const { setup } = readConfig('run.sh', text);
  assert.ok(setup !== null);
  const builder = new SetupBuilder(setup);
  if (builder.cluster.gpus === null) builder.setCluster('gpus', gpus, 'user');
  return completeSetup(builder.build());
}

describe('plans in scripts of reinforcement', () => {
  for (const one of CASES) {
    it(`${one.name}: they read back as the plan, and no other option changes`, () => {
      const setup = setupOf(one.text, one.gpus);
      const { kind } = readConfig('run.sh', one.text);
      let written = 0;
      fc.assert(
        fc.property(changes(one), change => {
          const { edits, problems } = planEdits({ file: 'run.sh', text: one.text, kind: kind ?? '' }, setup, change);
          const errors = problems.filter(({ severity }) => severity === 'error');
          if (errors.some(({ code }) => code !== 'not-expressible')) return assert.deepEqual(edits, []);
          assert.deepEqual(errors, [], JSON.stringify(change));
          written += edits.length;
          const text = applyEdits(one.text, edits);
          const { plan } = setupOf(text, one.gpus);
          const next = changedSetup(setup, change);
          for (const key of Object.keys(change) as (keyof Plan)[])
            assert.deepEqual([key, plan[key]], [key, next.plan[key]], text);
          assert.deepEqual(otherOptions(text, one.touches), otherOptions(one.text, one.touches));
          assert.deepEqual(comments(text), comments(one.text));
        }),
        { numRuns: 40, seed: 11 },
      );
      assert.ok(written > 40);
    });
  }

  it('the reference goes with the actor whose degree it states, the rollout does not', () => {
    const setup = setupOf(SHARED, 16);
    const { edits } = planEdits({ file: 'run.sh', text: SHARED, kind: 'verl' }, setup, { tp: 4, pp: 1 });
    const options = otherOptions(applyEdits(SHARED, edits), /^$/);
    const value = (name: string) => options.find(option => option.startsWith(name))?.split(' ')[1];
    const degree = (model: string, name: string) => value(`actor-rollout-ref.${model}.${name}-model-parallel-size`);
    assert.equal(degree('actor.megatron', 'tensor'), '4');
    assert.equal(degree('ref.megatron', 'tensor'), '4');
    assert.equal(degree('actor.megatron', 'pipeline'), '1');
    assert.equal(degree('ref.megatron', 'pipeline'), '1');
    assert.equal(degree('rollout', 'tensor'), '4');
  });
});
