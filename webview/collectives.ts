/** What the section of collectives shows: series of measured, simulated and published bandwidths, and the best algorithms. */
import type { BenchMeasurement, BenchOp } from '../src/documents/bench';
import { bandwidthOf } from '../src/engine/collectives/bandwidth';
import { chooseAlgorithm, crossoverOf } from '../src/engine/collectives/choose';
import { collectiveSeconds, type GroupNetwork } from '../src/engine/collectives/cost';
import { networkOf } from '../src/engine/collectives/network';
import { PUBLISHED_ALL_REDUCES, type PublishedSweep } from '../src/engine/collectives/publishedSweeps';
import type { Algorithm } from '../src/engine/collectives/schedule';
import { placeGroup } from '../src/engine/estimate/network';
import { accelerator, isAcceleratorId } from '../src/engine/hardware/accelerators';
import type { DashboardState } from '../src/protocol/dashboard';

/** What can be chosen: everything that moves bytes. */
export const PLOTTED_OPS = [
  'all-reduce',
  'reduce-scatter',
  'all-gather',
  'all-to-all',
  'broadcast',
  'send-recv',
] as const satisfies readonly BenchOp[];
export type PlottedOp = (typeof PLOTTED_OPS)[number];

export interface Point {
  readonly bytes: number;
  readonly seconds: number;
  /** bytes/s. */
  readonly busbw: number;
}

/** Ranks that talk to each other in this setup. */
interface SetupGroup {
  readonly axis: 'tp' | 'dp';
  readonly gpu: string;
  readonly network: GroupNetwork;
}

export type Series = { readonly points: readonly Point[] } & (
  | { readonly kind: 'measured'; readonly ranks: number; readonly measurements: readonly BenchMeasurement[] }
  | { readonly kind: 'simulated'; readonly group: SetupGroup }
  | { readonly kind: 'published'; readonly sweep: PublishedSweep }
);

/** 4 KiB to 16 GiB, doubling: the sizes that tables of nccl-tests have. */
const SIZES = Array.from({ length: 23 }, (_, i) => 2 ** (12 + i));

export interface CollectivesView {
  readonly series: readonly Series[];
  readonly choices: readonly { readonly group: SetupGroup; readonly list: readonly Choice[] }[];
}

let last: { readonly key: string; readonly view: CollectivesView } | undefined;

/** Kept until something of it changes: it takes tens of milliseconds, and snapshots come with every letter typed. */
export function collectivesView(state: DashboardState, op: PlottedOp): CollectivesView {
  const { plan, cluster } = state.estimate.setup;
  const key = JSON.stringify([op, plan.tp, plan.dp, plan.cp, cluster, state.bench?.result?.date]);
  if (last?.key !== key) {
    const groups = groupsOf(state);
    const choices = groups.map(group => ({ group, list: choicesOf(op, group) }));
    last = { key, view: { series: seriesOf(state, groups, op), choices } };
  }
  return last.view;
}

function seriesOf(state: DashboardState, groups: readonly SetupGroup[], op: PlottedOp): Series[] {
  return [
    ...measured(state, op),
    ...groups.map(group => simulated(group, op)),
    ...(op === 'all-reduce' ? published(state, groups) : []),
  ].filter(({ points }) => points.length > 0);
}

function measured({ bench }: DashboardState, op: PlottedOp): Series[] {
  const { result } = bench ?? {};
  if (!result) return [];
  const measurements = result.measurements.filter(m => m.op === op);
  const points = measurements.flatMap(({ bytes, medianSeconds: seconds, busbw }) =>
    busbw === null ? [] : [{ bytes, seconds, busbw }],
  );
  return [{ kind: 'measured', ranks: result.ranks, measurements, points }];
}

/** The group of tensor parallelism, and that over which gradients are reduced; only those in which anyone talks. */
function groupsOf({ estimate }: DashboardState): SetupGroup[] {
  const { cluster, plan } = estimate.setup;
  const { gpu } = cluster;
  if (gpu === null || !isAcceleratorId(gpu)) return [];
  const device = accelerator(gpu);
  const machine = {
    ...(cluster.gpusPerNode === null ? {} : { gpusPerNode: cluster.gpusPerNode }),
    ...(cluster.domainSize === null ? {} : { domainSize: cluster.domainSize }),
    ...(cluster.nicBytesPerSecond === null ? {} : { nicBytesPerSecond: cluster.nicBytesPerSecond }),
  };
  const group = (axis: SetupGroup['axis'], ranks: number, stride: number): SetupGroup => {
    const network = networkOf(gpu, device, ranks * stride, machine);
    const { local } = placeGroup(network.ranksPerDomain, ranks, stride);
    return { axis, gpu, network: { ...network, ranks, ranksPerDomain: local } };
  };
  const tp = plan.tp ?? 1;
  const reducing = (plan.dp ?? 1) * (plan.cp ?? 1);
  return [...(tp > 1 ? [group('tp', tp, 1)] : []), ...(reducing > 1 ? [group('dp', reducing, tp)] : [])];
}

function simulated(group: SetupGroup, op: PlottedOp): Series {
  const { network } = group;
  const points = SIZES.flatMap((bytes): Point[] => {
    const seconds = chooseAlgorithm(op, bytes, network)?.seconds;
    const busbw = seconds === undefined ? null : bandwidthOf(op, bytes, seconds, network.ranks).busbw;
    return seconds === undefined || busbw === null ? [] : [{ bytes, seconds, busbw }];
  });
  return { kind: 'simulated', group, points };
}

/** For each group the sweep on the same architecture that is nearest: across nodes or not, then in size, then in device. */
function published({ estimate }: DashboardState, groups: readonly SetupGroup[]): Series[] {
  const { gpu } = estimate.setup.cluster;
  if (gpu === null || !isAcceleratorId(gpu)) return [];
  const { architecture } = accelerator(gpu);
  const alike = PUBLISHED_ALL_REDUCES.filter(
    sweep => isAcceleratorId(sweep.gpu) && accelerator(sweep.gpu).architecture === architecture,
  );
  const distance = (sweep: PublishedSweep, { network }: SetupGroup) =>
    (sweep.nodes > 1 === network.ranks > network.ranksPerDomain ? 0 : 10) +
    Math.abs(Math.log2(sweep.gpus / network.ranks)) +
    (sweep.gpu === gpu ? 0 : 0.1);
  const nearest = groups.flatMap(group =>
    [...alike].sort((a, b) => distance(a, group) - distance(b, group)).slice(0, 1),
  );
  return [...new Set(nearest)].map(sweep => ({ kind: 'published', sweep, points: pointsOf(sweep) }));
}

function pointsOf({ gpus, points }: PublishedSweep): Point[] {
  return points.flatMap(({ bytes, seconds }) => {
    const { busbw } = bandwidthOf('all-reduce', bytes, seconds, gpus);
    return busbw === null ? [] : [{ bytes, seconds, busbw }];
  });
}

/** From this size on, this algorithm is the fastest; the first from nothing on. */
export interface Choice {
  readonly fromBytes: number | null;
  readonly algorithm: Algorithm;
}

/** A smaller gain is no reason to name another algorithm: the costs are not known that well. */
const WORTH = 1.02;

/** Walks from one byte to 64 GiB, four looks to a doubling. */
function choicesOf(op: PlottedOp, { network }: SetupGroup): Choice[] {
  const first = chooseAlgorithm(op, 1, network);
  if (first === null) return [];
  let { algorithm } = first;
  const choices: Choice[] = [{ fromBytes: null, algorithm }];
  const seconds = (other: Algorithm, bytes: number) => collectiveSeconds(op, other, bytes, network) ?? Infinity;
  for (let look = 1; look <= 4 * 36; look++) {
    const bytes = 2 ** (look / 4);
    const best = chooseAlgorithm(op, bytes, network);
    const now = algorithm;
    if (best === null || seconds(now, bytes) <= best.seconds * WORTH) continue;
    algorithm = best.algorithm;
    const gain = (size: number) => seconds(now, size) - seconds(best.algorithm, size);
    const since = (choices.at(-1)?.fromBytes ?? 1) * (1 + 1e-6);
    choices.push({ fromBytes: crossoverOf(gain, since, bytes) ?? bytes, algorithm });
  }
  return choices;
}
