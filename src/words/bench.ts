/** What a benchmark says of the machine that it ran on, in English alone: agents and the command line read it. */
import type { BenchLoad } from '../documents/bench';

/** `percent` writes a fraction. */
export function loadSentence(
  { beforeFraction, afterFraction, busy }: BenchLoad,
  percent: (fraction: number) => string,
): string {
  const figures = `others kept ${percent(beforeFraction)} of the machine’s cores busy before the run and ${percent(afterFraction)} after it`;
  return busy ? `busy: ${figures}; times are too long, bandwidths too low` : `quiet: ${figures}`;
}
