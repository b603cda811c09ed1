/**
 * Our collectives beside Open MPI's on this machine [--rounds 5] [--rows].
 *
 * Rounds alternate between the two, so that a busy machine is busy for both; the figure of a point is the median of its
 * rounds, that of a band the geometric mean of the points' ratios. Open MPI moves data between the private memories of
 * processes, we between threads that share one memory: a ratio says what the user's wait is, not who is the better MPI.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { measure } from '../../src/node/collectives/measure';
import { MEASURED_OPS, type MeasuredOp, type Point } from '../../src/node/collectives/timed';
import { allRun, geometricMean, goal, median, option, withBundles } from '../peers';

const SAMPLES = 15;
/** The same for both sides, by ranks: the program of many ranks runs through more JavaScript, which is compiled first. */
const WARMUPS: Record<number, number> = { 2: 3, 8: 10 };
const SAMPLE_SECONDS = 1e-3;
const KIB = 1024;
const MIB = 1024 * KIB;

interface Target {
  readonly name: string;
  readonly ranks: number;
  readonly op: MeasuredOp;
  readonly from: number;
  readonly to: number;
  readonly most: number;
  /** Judged at the worst size; else by the geometric mean over the sizes. */
  readonly eachSize?: boolean;
}

const others = MEASURED_OPS.filter(op => op !== 'all-reduce' && op !== 'reduce-scatter' && op !== 'barrier');
const TARGETS: readonly Target[] = [
  { name: 'all-reduce to 4 KiB', ranks: 2, op: 'all-reduce', from: 4, to: 4 * KIB, most: 0.6 },
  { name: 'all-reduce 16 KiB to 1 MiB', ranks: 2, op: 'all-reduce', from: 16 * KIB, to: MIB, most: 0.2 },
  { name: 'all-reduce above 1 MiB', ranks: 2, op: 'all-reduce', from: 4 * MIB, to: 64 * MIB, most: 0.5 },
  { name: 'reduce-scatter 16 KiB to 4 MiB', ranks: 2, op: 'reduce-scatter', from: 16 * KIB, to: 4 * MIB, most: 0.15 },
  { name: 'barrier', ranks: 2, op: 'barrier', from: 0, to: 0, most: 1.2 },
  ...others.map(op => ({
    name: `${op}, at each size`,
    ranks: 2,
    op,
    from: 8,
    to: 64 * MIB,
    most: 1.2,
    eachSize: true,
  })),
  { name: 'all-reduce of 64 KiB, 8 ranks', ranks: 8, op: 'all-reduce', from: 64 * KIB, to: 64 * KIB, most: 0.1 },
];

const sizes: number[] = [];
for (let bytes = 4; bytes <= 64 * MIB; bytes *= 4) sizes.push(bytes);
const POINTS: Record<number, Point[]> = {
  2: MEASURED_OPS.flatMap((op): Point[] =>
    op === 'barrier'
      ? [{ op, bytes: 0 }]
      : sizes.map(bytes => ({ op, bytes: op === 'all-reduce' || op === 'broadcast' ? bytes : Math.max(8, bytes) })),
  ),
  8: [
    { op: 'barrier', bytes: 0 },
    { op: 'all-reduce', bytes: 64 * KIB },
  ],
};

const key = (ranks: number, { op, bytes }: Point) => `${ranks} ${op} ${bytes}`;

function openMpi(program: string, ranks: number, into: Map<string, number[]>): void {
  const points = (POINTS[ranks] ?? []).flatMap(({ op, bytes }) => [op, String(bytes)]);
  const placed = ranks === 2 ? ['--bind-to', 'core'] : ['--oversubscribe', '--mca', 'mpi_yield_when_idle', '1'];
  const args = [
    '--allow-run-as-root',
    ...placed,
    '-np',
    String(ranks),
    program,
    String(SAMPLES),
    String(WARMUPS[ranks]),
    String(SAMPLE_SECONDS),
  ];
  const text = execFileSync('mpirun', [...args, ...points], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  for (const line of text.trim().split('\n')) {
    const [op, bytes, seconds] = line.split(' ');
    add(into, key(ranks, { op: op as MeasuredOp, bytes: Number(bytes) }), Number(seconds));
  }
}

async function ours(workerUrl: URL, ranks: number, into: Map<string, number[]>): Promise<void> {
  const points = POINTS[ranks] ?? [];
  const options = {
    ranks,
    points,
    workerUrl,
    warmups: WARMUPS[ranks],
    samples: SAMPLES,
    sampleSeconds: SAMPLE_SECONDS,
    bound: true,
  };
  for (const m of await measure(options)) add(into, key(ranks, m), m.medianSeconds);
}

function add(into: Map<string, number[]>, name: string, value: number): void {
  into.set(name, [...(into.get(name) ?? []), value]);
}

async function main(): Promise<void> {
  const needed = [
    ['mpirun', '--version'],
    ['mpicc', '--version'],
  ] as const;
  if (!allRun('Open MPI', needed)) return;
  await withBundles({ worker: 'src/node/collectives/worker.ts' }, async (folder, url) => {
    const program = join(folder, 'peer');
    execFileSync('mpicc', ['-O3', '-march=native', 'bench/collectives/peer.c', '-o', program]);
    const [theirs, mine] = [new Map<string, number[]>(), new Map<string, number[]>()];
    for (let round = 0; round < option('--rounds', 5); round++)
      for (const ranks of [2, 8]) {
        openMpi(program, ranks, theirs);
        await ours(url('worker'), ranks, mine);
      }
    report(theirs, mine, process.argv.includes('--rows'));
  });
}

function report(theirs: ReadonlyMap<string, number[]>, mine: ReadonlyMap<string, number[]>, rows: boolean): void {
  const ratio = (name: string) => median(mine.get(name) ?? []) / median(theirs.get(name) ?? []);
  if (rows)
    for (const name of mine.keys())
      console.log(
        `${name}: ${(median(mine.get(name) ?? []) * 1e6).toFixed(2)} µs, Open MPI ${(median(theirs.get(name) ?? []) * 1e6).toFixed(2)} µs, ratio ${ratio(name).toFixed(2)}`,
      );
  for (const { name, ranks, op, from, to, most, eachSize } of TARGETS) {
    const points = (POINTS[ranks] ?? []).filter(p => p.op === op && p.bytes >= from && p.bytes <= to);
    const ratios = [...new Set(points.map(p => ratio(key(ranks, p))))];
    const mean = geometricMean(ratios);
    const worst = Math.max(...ratios);
    const figures = `mean ${mean.toFixed(3)}, worst size ${worst.toFixed(3)}`;
    goal((eachSize ? worst : mean) <= most, `${name}: ${figures} of Open MPI's time (at most ${most})`);
  }
  const barrier = median(mine.get(key(8, { op: 'barrier', bytes: 0 })) ?? []) * 1e6;
  goal(barrier <= 1, `barrier of 8 ranks on the cores here: ${barrier.toFixed(2)} µs (at most 1)`);
}

void main();
