/**
 * Our all-reduce beside torch.distributed's with gloo on this machine [--rounds 5].
 *
 * Needs a Python with torch (Debian's python3-torch). Rounds alternate between the two; a figure is the median of its
 * rounds. Gloo moves data between processes over loopback, we between threads that share one memory.
 */
import { execFileSync } from 'node:child_process';
import { measure } from '../../src/node/collectives/measure';
import { allRun, goal, median, option, withBundles } from '../peers';

const MIB = 1024 * 1024;
const SIZES = [1, 4, 16, 64].map(mib => mib * MIB);
const SAMPLES = 15;
const MOST = 0.5;

function gloo(python: string): number[] {
  const args = ['bench/collectives/peer_gloo.py', String(SAMPLES), ...SIZES.map(String)];
  const text = execFileSync(python, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return text
    .trim()
    .split('\n')
    .map(line => Number(line.split(' ')[1]));
}

async function ours(workerUrl: URL): Promise<number[]> {
  const points = SIZES.map(bytes => ({ op: 'all-reduce' as const, bytes }));
  const options = { ranks: 2, points, workerUrl, warmups: 3, samples: SAMPLES, sampleSeconds: 1e-3, bound: false };
  return (await measure(options)).map(({ medianSeconds }) => medianSeconds);
}

async function main(): Promise<void> {
  const python = process.env.MESHLENS_PYTHON ?? '/usr/bin/python3';
  if (!allRun('gloo', [[python, '-c', 'import torch']])) return;
  await withBundles({ worker: 'src/node/collectives/worker.ts' }, async (_, url) => {
    const [theirs, mine]: number[][][] = [[], []];
    for (let round = 0; round < option('--rounds', 5); round++) {
      theirs.push(gloo(python));
      mine.push(await ours(url('worker')));
    }
    SIZES.forEach((bytes, i) => {
      const [a, b] = [mine, theirs].map(rounds => median(rounds.map(row => row[i])));
      const times = `${(a * 1e3).toFixed(3)} ms over ${(b * 1e3).toFixed(3)} ms`;
      goal(
        a / b <= MOST,
        `all-reduce of ${bytes / MIB} MiB: ${times} = ${(a / b).toFixed(2)} of gloo (at most ${MOST})`,
      );
    });
  });
}

void main();
