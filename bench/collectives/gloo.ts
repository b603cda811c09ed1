/**
 * Our all-reduce beside torch.distributed's with gloo on this machine: npx tsx bench/collectives/gloo.ts [--rounds 5]
 *
 * Needs a Python with torch (Debian's python3-torch). Rounds alternate between the two; a figure is the median of its
 * rounds. Gloo moves data between processes over loopback, we between threads that share one memory.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { measure } from '../../src/node/collectives/measure';

const MIB = 1024 * 1024;
const SIZES = [1, 4, 16, 64].map(mib => mib * MIB);
const SAMPLES = 15;
const MOST = 0.5;

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;

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

async function main(args: readonly string[]): Promise<void> {
  const rounds = Number(args[args.indexOf('--rounds') + 1] ?? Number.NaN) || 5;
  const python = process.env.MESHLENS_PYTHON ?? '/usr/bin/python3';
  const folder = mkdtempSync(join(tmpdir(), 'meshlens-gloo-'));
  try {
    const outfile = join(folder, 'worker.mjs');
    await build({
      entryPoints: ['src/node/collectives/worker.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
    });
    const theirs: number[][] = [];
    const mine: number[][] = [];
    for (let round = 0; round < rounds; round++) {
      theirs.push(gloo(python));
      mine.push(await ours(pathToFileURL(outfile)));
    }
    console.log('all-reduce, f32, 2 ranks: ours over gloo (at most 0.5)');
    SIZES.forEach((bytes, i) => {
      const [a, b] = [median(mine.map(row => row[i])), median(theirs.map(row => row[i]))];
      console.log(
        `  ${bytes / MIB} MiB  ${(a * 1e3).toFixed(3)} ms over ${(b * 1e3).toFixed(3)} ms = ${(a / b).toFixed(3)} ${a / b <= MOST ? '' : 'MISSED'}`,
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main(process.argv.slice(2));
