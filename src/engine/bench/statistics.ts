/**
 * Statistics of timings, which are skewed to the right: medians and order statistics, never means.
 *
 * Legend: n samples in rising order, q a quantile by linear interpolation between the two nearest.
 */

export interface Statistics {
  readonly samples: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
  readonly leastSeconds: number;
  /** Distance of the quartiles over the median. */
  readonly spread: number;
  /** Half of the median's 95 % interval over the median; 1 where there are too few samples to say. */
  readonly medianWidth: number;
}

/** Statistics of samples in seconds. The interval of the median is that of the binomial order statistics n/2 ± 0.98·√n. */
export function statistics(seconds: readonly number[]): Statistics {
  const sorted = [...seconds].sort((a, b) => a - b);
  const n = sorted.length;
  const median = sortedQuantile(sorted, 0.5);
  const reach = 0.98 * Math.sqrt(n);
  const low = Math.floor(n / 2 - reach);
  const high = Math.ceil(n / 2 + reach);
  const known = low >= 0 && high < n && median > 0;
  return {
    samples: n,
    medianSeconds: median,
    p95Seconds: sortedQuantile(sorted, 0.95),
    leastSeconds: sorted[0] ?? 0,
    spread: median > 0 ? (sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25)) / median : 0,
    medianWidth: known ? Math.min(1, (sorted[high] - sorted[low]) / 2 / median) : 1,
  };
}

/** How well a median must be known for sampling to stop. */
const WANTED_WIDTH = 0.02;

/** Whether more samples would change little: the median is known within 2 %. */
export function isSettled(seconds: readonly number[]): boolean {
  return statistics(seconds).medianWidth <= WANTED_WIDTH;
}

/** Linear between the two nearest of sorted values; 0 of none. */
export function sortedQuantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}
