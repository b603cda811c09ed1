import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { classic, mlp, routed, SEED, small, smallPlan, text } from '../../../test/fixtures/trainer/small';
import type { Plan } from '../../engine/plan/keys';
import type { RealType } from '../../engine/trainer/heap';
import type { Network } from '../../engine/trainer/network';
import { textBatch } from '../../engine/trainer/data';
import { ADAMW } from '../../engine/trainer/optimizer';
import { type Proof, prove } from '../../engine/trainer/prove';
import { Trainer } from '../../engine/trainer/trainer';
import type { TrainJob } from './rankProgram';
import { threadOrder, trainInThreads } from './trainInThreads';

describe('a training run in threads', function () {
  this.timeout(60_000);
  let folder = '';
  const urls = { workerUrl: new URL('file:///'), programUrl: new URL('file:///') };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'meshlens-train-'));
    buildSync({
      entryPoints: { worker: 'src/node/collectives/worker.ts', program: 'src/node/trainer/rankProgram.ts' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
    });
    urls.workerUrl = pathToFileURL(join(folder, 'worker.mjs'));
    urls.programUrl = pathToFileURL(join(folder, 'program.mjs'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const jobOf = (network: Network, plan: Partial<Plan>, type: RealType): TrainJob => ({
    network,
    plan: smallPlan(network, plan),
    type,
    seed: SEED,
    steps: 3,
    optimizer: ADAMW,
    clipNorm: 0.5,
    text,
    kept: [0, 1, 2],
  });

  /** What is compared: numbers by tensor, beside losses, memory, traffic, bubble. */
  const numbers = (run: Awaited<ReturnType<typeof trainInThreads>>) =>
    run.map(({ loss, lossByDataRank, gradients, weights, memory, timeline }) => ({
      loss,
      lossByDataRank,
      gradients: gradients?.tensors,
      weights: weights?.tensors,
      memory,
      bubble: timeline.bubbleFraction,
    }));

  const plans: [Network, Partial<Plan>, RealType, number][] = [
    [small, { dp: 2 }, 'f32', 2],
    [classic, { dp: 2, tp: 2, pp: 2, sp: true, sharding: 'zero2' }, 'f64', 2],
    [routed, { dp: 2, tp: 2, ep: 4, sharding: 'zero3' }, 'f32', 3],
    [small, { dp: 2, cp: 4, bucketBytes: 0 }, 'f32', 2],
    [mlp, { pp: 2, schedule: 'gpipe', globalBatch: 64 }, 'f64', 2],
  ];
  for (const [network, plan, type, workers] of plans)
    it(`gives the simulated mesh's bits on ${workers} workers for ${JSON.stringify(plan)} in ${type}`, async () => {
      const job = jobOf(network, plan, type);
      const found = await trainInThreads(job, { ...urls, workers });
      const mesh = threadOrder(found[0].memory.length);
      const trainer = new Trainer({ ...job, batch: textBatch(text, job.plan.seqLen), mesh });
      for (const step of found) {
        const expected = trainer.step();
        assert.deepEqual(
          [step.loss, step.lossByDataRank, step.gradients?.tensors, step.timeline.bubbleFraction],
          [expected.loss, expected.lossByDataRank, expected.gradients.tensors, expected.timeline.bubbleFraction],
        );
        assert.deepEqual(step.weights?.tensors, trainer.weights().tensors);
        assert.equal(step.weights?.replicaDifference, null);
        assert.ok(step.seconds > 0);
      }
    });

  it('gives the same on one worker, without threads', async () => {
    const job = jobOf(routed, { dp: 2, tp: 2, ep: 2 }, 'f32');
    const nowhere = new URL('file:///nowhere');
    const alone = await trainInThreads(job, { workers: 1, workerUrl: nowhere, programUrl: nowhere });
    assert.deepEqual(numbers(alone), numbers(await trainInThreads(job, { ...urls, workers: 2 })));
  });

  it('is proved: numbers, traffic, memory and bubble as predicted', async () => {
    const job = jobOf(routed, { dp: 2, tp: 2, pp: 2, ep: 4, sharding: 'zero1' }, 'f64');
    const steps = await trainInThreads(job, { ...urls, workers: 2 });
    const run = prove(
      { ...job, batch: textBatch(text, job.plan.seqLen) },
      () => steps.shift() as (typeof steps)[number],
    );
    let proof: Proof | undefined;
    while (!proof) {
      const next = run.next();
      if (next.done === true) proof = next.value;
    }
    assert.deepEqual(proof.mismatches, []);
    assert.ok(proof.traffic.some(({ axis, op }) => axis === 'pp' && op === 'send-recv'));
  });

  it('can be stopped', async () => {
    const job = { ...jobOf(small, { dp: 2 }, 'f32'), steps: 100_000, kept: [] };
    const controller = new AbortController();
    const run = trainInThreads(job, { ...urls, workers: 2, signal: controller.signal });
    controller.abort();
    await assert.rejects(run, { name: 'AbortError' });
  });
});
