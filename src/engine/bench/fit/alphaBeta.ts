/**
 * Hockney's model of a collective among n ranks: t = α + c·S/B, where c·S are the bytes that pass one rank's port
 * (nccl-tests' bus bytes), so that B is the bus bandwidth that large messages approach. Each group of the same
 * operation and ranks has its own α and B.
 */
import { busFactor } from '../../collectives/bandwidth';
import type { CollectiveRecord } from '../records';
import { leastSquares } from './leastSquares';

export interface LinkFit {
  readonly op: CollectiveRecord['op'];
  readonly ranks: number;
  readonly nodes: number | null;
  readonly points: number;
  readonly alphaSeconds: number;
  readonly bytesPerSecond: number;
  /** Standard deviations, as shares. */
  readonly alphaUncertainty: number;
  readonly rateUncertainty: number;
  /** |predicted / measured − 1| over the points. */
  readonly medianError: number;
  readonly worstError: number;
}

const SIGMA = 0.02;
const FEWEST_POINTS = 3;

/** One fit for each operation, number of ranks and of nodes with at least three sizes. */
export function fitLinks(records: readonly CollectiveRecord[]): LinkFit[] {
  const groups = new Map<string, CollectiveRecord[]>();
  for (const one of records) {
    if (one.ranks === null || one.ranks < 2 || one.op === 'barrier' || !(one.seconds > 0) || one.bytes <= 0) continue;
    const key = `${one.op} ${one.ranks} ${one.nodes}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap(list =>
    new Set(list.map(one => one.bytes)).size < FEWEST_POINTS ? [] : [fitGroup(list)],
  );
}

function fitGroup(list: readonly CollectiveRecord[]): LinkFit {
  const { op, ranks: n, nodes } = list[0];
  const ranks = n ?? 2;
  const factor = busFactor(op, ranks);
  const seconds = (alpha: number, rate: number, bytes: number) => alpha + (factor * bytes) / rate;
  const [least, most] = [...list]
    .sort((a, b) => a.bytes - b.bytes)
    .filter((_, i, all) => i === 0 || i === all.length - 1);
  const { constants, residuals } = leastSquares(
    [
      { name: 'alpha', prior: Math.max(1e-9, least.seconds), spread: Infinity },
      { name: 'rate', prior: (factor * most.bytes) / most.seconds, spread: Infinity },
    ],
    ([alpha, rate]) => list.map(one => Math.log(seconds(alpha, rate, one.bytes) / one.seconds)),
    SIGMA,
  );
  const [alpha, rate] = constants;
  const errors = residuals.map(r => Math.abs(Math.exp(r) - 1)).sort((a, b) => a - b);
  return {
    op,
    ranks,
    nodes,
    points: list.length,
    alphaSeconds: alpha.value,
    bytesPerSecond: rate.value,
    alphaUncertainty: alpha.uncertainty,
    rateUncertainty: rate.uncertainty,
    medianError: errors[errors.length >> 1] ?? 0,
    worstError: errors.at(-1) ?? 0,
  };
}

/** Seconds by a fit, for a size that was not measured. */
export function linkSeconds({ op, ranks, alphaSeconds, bytesPerSecond }: LinkFit, bytes: number): number {
  return alphaSeconds + (busFactor(op, ranks) * bytes) / bytesPerSecond;
}
