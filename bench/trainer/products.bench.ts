/**
 * Matrix products, copies into the kernels' memory and back with them, beside NumPy on OpenBLAS and beside tiled
 * JavaScript, one thread each; and on two threads beside one. Rounds alternate; a figure is the median of its rounds.
 */
import { execFileSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { gemm } from '../../src/engine/trainer/gemm';
import type { Real } from '../../src/engine/trainer/heap';
import { allRun, goal, median, option, withBundles } from '../peers';
import { rate } from './rate';
import { tiledProduct } from './tiledProduct';

const SIZES = [128, 256, 512, 1024];
const TYPES = ['f32', 'f64'] as const;
const SECONDS = 0.1;
/** Of OpenBLAS, by whether its kernel uses vectors of 512 bits; and of tiled JavaScript. */
const LEAST = { wide: 0.18, narrow: 0.3, f64: 0.18, tiled: 7, workers: 1.9 };
const WIDE_CORES = ['SkylakeX', 'Cooperlake', 'Sapphirerapids', 'SapphireRapids'];
const PYTHON = '/usr/bin/python3';

type Rates = Map<string, number[]>;

function note(rates: Rates, key: string, value: number): void {
  rates.set(key, [...(rates.get(key) ?? []), value]);
}

/** Asks the peer; returns the name of its kernel. */
function askPeer(rates: Rates): string {
  const args = ['bench/trainer/peer_numpy.py', String(SECONDS), ...SIZES.map(String)];
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1' };
  const [core = '', ...lines] = execFileSync(PYTHON, args, { encoding: 'utf8', env }).trim().split('\n');
  for (const line of lines) {
    const [type, size, value] = line.split(' ');
    note(rates, `${type} ${size}`, Number(value));
  }
  return core;
}

function measureOwn(own: Rates, tiled: Rates): void {
  for (const type of TYPES)
    for (const n of SIZES) {
      const make = (value: number): Real =>
        type === 'f32' ? new Float32Array(n * n).fill(value) : new Float64Array(n * n).fill(value);
      const [a, b, out] = [make(0.5), make(0.25), make(0)];
      note(
        own,
        `${type} ${n}`,
        rate(2 * n ** 3, SECONDS, () => gemm(out, a, b, { m: n, n, k: n })),
      );
    }
  for (const n of SIZES) {
    const [a, b, out] = [0.5, 0.25, 0].map(value => new Float32Array(n * n).fill(value));
    note(
      tiled,
      `f32 ${n}`,
      rate(2 * n ** 3, SECONDS, () => tiledProduct(out, a, b, n)),
    );
  }
}

/** Products a second that so many threads make together, in GFLOP/s. */
async function together(url: URL, count: number): Promise<number> {
  const workers = Array.from({ length: count }, () => new Worker(url));
  const rates = await Promise.all(
    workers.map(
      worker => new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject)),
    ),
  );
  await Promise.all(workers.map(worker => worker.terminate()));
  return rates.reduce((a, b) => a + b, 0);
}

async function main(): Promise<void> {
  const hasPeer = allRun('products beside OpenBLAS', [[PYTHON, 'bench/trainer/peer_numpy.py', '0', '8']]);
  const peer: Rates = new Map();
  const own: Rates = new Map();
  const tiled: Rates = new Map();
  let core = '';
  for (let round = 0; round < option('--rounds', 3); round++) {
    if (hasPeer) core = askPeer(peer);
    measureOwn(own, tiled);
  }
  for (const [key, rates] of own) {
    const mine = median(rates);
    const figures = `${key}: ${mine.toFixed(1)} GFLOP/s`;
    const blas = peer.get(key);
    if (blas) {
      const least = key.startsWith('f64') ? LEAST.f64 : WIDE_CORES.includes(core) ? LEAST.wide : LEAST.narrow;
      const ratio = mine / median(blas);
      const theirs = `OpenBLAS ${core} ${median(blas).toFixed(1)}`;
      goal(ratio >= least, `${figures}, ${ratio.toFixed(2)} of ${theirs} (at least ${least})`);
    }
    const plain = tiled.get(key);
    if (!plain) continue;
    const times = mine / median(plain);
    const theirs = `tiled JavaScript ${median(plain).toFixed(1)}`;
    goal(times >= LEAST.tiled, `${figures}, ${times.toFixed(1)} times ${theirs} (at least ${LEAST.tiled})`);
  }
  await withBundles({ worker: 'bench/trainer/productWorker.ts' }, async (_, url) => {
    const ratios: number[] = [];
    for (let round = 0; round < option('--rounds', 3); round++) {
      const one = await together(url('worker'), 1);
      ratios.push((await together(url('worker'), 2)) / one);
    }
    const ratio = median(ratios);
    goal(
      ratio >= LEAST.workers,
      `two threads make ${ratio.toFixed(2)} times the products of one (at least ${LEAST.workers})`,
    );
  });
}

void main();
