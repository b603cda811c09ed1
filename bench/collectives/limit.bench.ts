/**
 * Our all-reduce of two ranks beside the fastest that two threads of C with the machine's widest vectors reach, from
 * 4 B to 1 MiB. Rounds alternate between the two; a figure is the median of its rounds.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { measure } from '../../src/node/collectives/measure';
import { allRun, geometricMean, goal, median, option, withBundles } from '../peers';

const SIZES = Array.from({ length: 10 }, (_, i) => 4 ** (i + 1));
const RUN = { samples: 15, warmups: 10, sampleSeconds: 1e-3 };
const MOST = 1.25;
const COMPILER = ['-O3', '-march=native', '-mprefer-vector-width=512', '-pthread'];

function limit(program: string): number[] {
  const args = [RUN.samples, RUN.warmups, RUN.sampleSeconds, ...SIZES].map(String);
  const lines = execFileSync(program, args, { encoding: 'utf8' }).trim().split('\n');
  return lines.map(line => Number(line.split(' ')[1]));
}

async function main(): Promise<void> {
  if (!allRun('two threads of C', [['gcc', '--version']])) return;
  await withBundles({ worker: 'src/node/collectives/worker.ts' }, async (folder, url) => {
    const program = join(folder, 'limit');
    execFileSync('gcc', [...COMPILER, 'bench/collectives/limit.c', '-o', program]);
    const points = SIZES.map(bytes => ({ op: 'all-reduce' as const, bytes }));
    const [theirs, mine]: number[][][] = [[], []];
    for (let round = 0; round < option('--rounds', 5); round++) {
      theirs.push(limit(program));
      const found = await measure({ ranks: 2, points, workerUrl: url('worker'), bound: true, ...RUN });
      mine.push(found.map(m => m.medianSeconds));
    }
    const [ours, limits] = [mine, theirs].map(rounds => SIZES.map((_, i) => median(rounds.map(row => row[i]))));
    const ratios = SIZES.map((_, i) => ours[i] / limits[i]);
    SIZES.forEach((bytes, i) =>
      console.log(
        `  ${bytes} B: ${(ours[i] * 1e6).toFixed(2)} µs, C ${(limits[i] * 1e6).toFixed(2)} µs, ratio ${ratios[i].toFixed(2)}`,
      ),
    );
    const mean = geometricMean(ratios);
    goal(mean <= MOST, `all-reduce of 2 ranks to 1 MiB: ${mean.toFixed(2)} of two threads of C (at most ${MOST})`);
  });
}

void main();
