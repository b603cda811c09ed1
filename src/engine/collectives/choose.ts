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
  /** From this size on, `to` is faster than `from`, and soon by more than `NEAR`. */
  readonly bytes: number;
  readonly from: Algorithm;
  readonly to: Algorithm;
}

/** Times that differ by less count as equal: the model is not that exact, and near-equal algorithms would take turns. */
export const NEAR = 0.03;

/** Steps of the walk over sizes: an algorithm that leads over less than a quarter of an octave is passed over. */
const STEP = 2 ** 0.25;

/** The sizes between two bounds from which another algorithm is the fastest, by more than `NEAR` at some size after. */
export function crossovers(
  op: CollectiveOp,
  network: GroupNetwork,
  { least = 1, most = 2 ** 36 }: { least?: number; most?: number } = {},
): Crossover[] {
  const seconds = (algorithm: Algorithm, bytes: number) =>
    collectiveSeconds(op, algorithm, bytes, network) ?? Number.POSITIVE_INFINITY;
  const found: Crossover[] = [];
  let from = chooseAlgorithm(op, least, network)?.algorithm;
  let last = least;
  for (let bytes = least; from !== undefined && bytes <= most; bytes *= STEP) {
    const best = chooseAlgorithm(op, bytes, network);
    if (!best || seconds(from, bytes) <= best.seconds * (1 + NEAR)) continue;
    const [left, to]: Algorithm[] = [from, best.algorithm];
    const lead = (size: number) => seconds(left, size) - seconds(to, size);
    // Two curves may cross more than once: the last crossing before `bytes` is the one after which `to` stays ahead.
    let low = bytes / STEP;
    while (low > last && lead(low) > 0) low /= STEP;
    last = crossoverOf(lead, Math.max(low, last), bytes) ?? bytes;
    found.push({ bytes: last, from, to });
    from = to;
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
