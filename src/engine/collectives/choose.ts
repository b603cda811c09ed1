/**
 * The automatic choice of an algorithm, by size and placement, with what the others would have cost and the sizes at
 * which the choice changes.
 */
import { algorithmsFor } from './build';
import { collectiveSeconds, type GroupNetwork, hierarchyUsesSwitch } from './cost';
import type { Algorithm, CollectiveOp } from './schedule';

export interface Alternative {
  readonly algorithm: Algorithm;
  readonly seconds: number;
  /** Whether the usual library would run it here; the choice is made among these. */
  readonly offered: boolean;
}

/**
 * What NCCL runs of the two-level algorithms: an all-reduce whose inner level is the switch (its NVLS tree), and that
 * moves as little as rails do between two domains only; in domains of one node, as no table shows it on a rack's.
 * Everything else is on offer.
 */
function isOffered(op: CollectiveOp, algorithm: Algorithm, network: GroupNetwork): boolean {
  const { ranks, ranksPerDomain } = network;
  const twoDomains = ranks === 2 * ranksPerDomain;
  return (
    algorithm !== 'hierarchical' ||
    (op === 'all-reduce' && hierarchyUsesSwitch(op, network) && twoDomains && ranksPerDomain <= 8)
  );
}

/** All algorithms that can do it, the fastest first; equal times keep the order of ALGORITHMS. */
export function rankAlgorithms(op: CollectiveOp, bytes: number, network: GroupNetwork): Alternative[] {
  return algorithmsFor(op)
    .flatMap(algorithm => {
      const seconds = collectiveSeconds(op, algorithm, bytes, network);
      return seconds === null ? [] : [{ algorithm, seconds, offered: isOffered(op, algorithm, network) }];
    })
    .sort((a, b) => a.seconds - b.seconds);
}

/** The fastest algorithm that is on offer. */
export function chooseAlgorithm(op: CollectiveOp, bytes: number, network: GroupNetwork): Alternative | null {
  return rankAlgorithms(op, bytes, network).find(a => a.offered) ?? null;
}

export interface Crossover {
  /** From this size on, `to` is faster than `from`. */
  readonly bytes: number;
  readonly from: Algorithm;
  readonly to: Algorithm;
}

/** The sizes between two bounds at which the fastest algorithm changes, found to one part in a million. */
export function crossovers(
  op: CollectiveOp,
  network: GroupNetwork,
  { least = 1, most = 2 ** 36 }: { least?: number; most?: number } = {},
): Crossover[] {
  const best = (bytes: number) => chooseAlgorithm(op, bytes, network)?.algorithm;
  const found: Crossover[] = [];
  for (let low = least; low < most; low *= 2) {
    const high = Math.min(most, low * 2);
    const [from, to] = [best(low), best(high)];
    if (from === undefined || to === undefined || from === to) continue;
    const bytes = crossoverOf(size => (best(size) === from ? -1 : 1), low, high);
    if (bytes !== null) found.push({ bytes, from, to: best(bytes * (1 + 1e-6)) ?? to });
  }
  return found;
}

/** The size at which a difference of times changes sign between two sizes, by bisection of the logarithm; null if it does not. */
export function crossoverOf(difference: (bytes: number) => number, least: number, most: number): number | null {
  const sign = Math.sign(difference(least));
  if (sign === Math.sign(difference(most))) return null;
  let [low, high] = [least, most];
  while (high / low > 1 + 1e-9) {
    const middle = Math.sqrt(low * high);
    if (Math.sign(difference(middle)) === sign) low = middle;
    else high = middle;
  }
  return high;
}
