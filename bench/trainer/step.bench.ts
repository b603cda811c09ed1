/**
 * A training step of a model of 4 layers, 256 wide, on 256 tokens in f32 beside PyTorch on a CPU, one thread each; and
 * two ranks of data parallelism on two threads beside one. Rounds alternate; a figure is the median of its rounds.
 */
import { execFileSync } from 'node:child_process';
import { textBatch } from '../../src/engine/trainer/data';
import type { DecoderNetwork } from '../../src/engine/trainer/network';
import { ADAMW } from '../../src/engine/trainer/optimizer';
import { Trainer } from '../../src/engine/trainer/trainer';
import { trainPlanOf } from '../../src/engine/trainer/trainPlan';
import { trainInThreads } from '../../src/node/trainer/trainInThreads';
import { allRun, goal, median, option, withBundles } from '../peers';

const NETWORK: DecoderNetwork = {
  kind: 'decoder',
  layers: 4,
  hidden: 256,
  heads: 8,
  kvHeads: 8,
  headDim: 32,
  ffn: 1024,
  gated: false,
  vocab: 256,
  norm: 'layer',
  positionRows: 256,
  tied: false,
  experts: 0,
  topK: 0,
  expertFfn: 0,
};
const SIZES = { microBatch: 1, globalBatch: 1, seqLen: 256 };
const MOST_TIMES = 5;
const LEAST_OF_TWO = 1.8;
const PYTHON = '/usr/bin/python3';
const PEER = 'test/fixtures/trainer/torchPeer.py';
/** The first steps warm up; threads compile beside each other, and take longer. */
const STEPS = 8;
const WARM = 4;
const TEXT = Uint8Array.from({ length: 1021 }, (_, i) => (i * i + 3 * i) % 251);

const planOf = (more: { dp?: number; globalBatch?: number }) => trainPlanOf({ ...SIZES, ...more }, NETWORK).plan;

function ownStep(): number {
  const batch = textBatch(TEXT, SIZES.seqLen);
  const run = new Trainer({ network: NETWORK, plan: planOf({}), type: 'f32', seed: 1, batch, recycles: true });
  const seconds = Array.from({ length: STEPS }, () => {
    const start = performance.now();
    run.step(false);
    return (performance.now() - start) / 1000;
  });
  return median(seconds.slice(WARM));
}

function torchStep(): number {
  const job = JSON.stringify({ network: NETWORK, plan: SIZES, steps: STEPS });
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' };
  const text = execFileSync(PYTHON, [PEER, '--time', job], { encoding: 'utf8', env });
  return median((JSON.parse(text) as number[]).slice(WARM));
}

async function besideTorch(rounds: number): Promise<void> {
  if (!allRun('a step beside PyTorch', [[PYTHON, '-c', 'import torch']])) return;
  const [own, torch]: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    torch.push(torchStep());
    own.push(ownStep());
  }
  const times = median(own) / median(torch);
  const figures = `${(1e3 * median(own)).toFixed(0)} ms, PyTorch ${(1e3 * median(torch)).toFixed(0)} ms`;
  goal(times <= MOST_TIMES, `a training step: ${figures}, ${times.toFixed(1)} times (at most ${MOST_TIMES})`);
}

/** The same batch of 8 sequences on one rank, and half of it on each of two. */
async function twoBesideOne(rounds: number): Promise<void> {
  const entries = { worker: 'src/node/collectives/worker.ts', ranks: 'src/node/trainer/rankProgram.ts' };
  await withBundles(entries, async (_, url) => {
    const seconds = async (dp: number) => {
      const plan = planOf({ dp, globalBatch: 8 });
      const common = { network: NETWORK, type: 'f32', seed: 1, optimizer: ADAMW, clipNorm: null, text: TEXT } as const;
      const job = { ...common, plan, steps: STEPS, kept: [] };
      const where = { workers: dp, workerUrl: url('worker'), programUrl: url('ranks') };
      const steps = await trainInThreads(job, where);
      return median(steps.slice(WARM).map(step => step.seconds));
    };
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const one = await seconds(1);
      ratios.push(one / (await seconds(2)));
    }
    const ratio = median(ratios);
    goal(ratio >= LEAST_OF_TWO, `two ranks on two threads: ${ratio.toFixed(2)} times one (at least ${LEAST_OF_TWO})`);
  });
}

async function main(): Promise<void> {
  const rounds = option('--rounds', 3);
  await besideTorch(rounds);
  await twoBesideOne(rounds);
}

void main();
