/**
 * Bandwidths of a measured or simulated collective.
 *
 * Legend: S bytes in nccl-tests' sense (all-gather: total output; reduce-scatter, all-to-all: total input; else the
 * buffer) · t seconds · n ranks. algbw = S / t; busbw = algbw · factor (nccl-tests doc/PERFORMANCE.md).
 */
import type { CollectiveOp } from './schedule';

/** busbw / algbw of nccl-tests: 2(n−1)/n for all-reduce, (n−1)/n where each rank keeps or needs 1/n, else 1. */
export function busFactor(op: CollectiveOp, ranks: number): number {
  switch (op) {
    case 'all-reduce':
      return (2 * (ranks - 1)) / ranks;
    case 'all-gather':
    case 'reduce-scatter':
    case 'all-to-all':
    case 'scatter':
    case 'gather':
      return (ranks - 1) / ranks;
    default:
      return 1;
  }
}

export interface Bandwidth {
  /** bytes/s; null where no time passed. */
  readonly algbw: number | null;
  readonly busbw: number | null;
}

export function bandwidthOf(op: CollectiveOp, bytes: number, seconds: number, ranks: number): Bandwidth {
  if (!(seconds > 0)) return { algbw: null, busbw: null };
  const algbw = bytes / seconds;
  return { algbw, busbw: algbw * busFactor(op, ranks) };
}

/**
 * The bandwidth as the lecture's code of 2024 and 2025 prints it, in bytes/s (it divides by 2^30 and writes GB/s):
 * bytes sent over n · t. Its reduce-scatter counts output bytes, so that the figure is n times too small; `factor`
 * is what it must be multiplied by to be busbw.
 */
export function lectureBandwidth(
  op: 'all-reduce' | 'reduce-scatter',
  bytes: number,
  seconds: number,
  ranks: number,
): { bytesPerSecond: number; factor: number } {
  const sent = op === 'all-reduce' ? bytes * 2 * (ranks - 1) : (bytes / ranks) * (ranks - 1);
  return { bytesPerSecond: sent / (ranks * seconds), factor: op === 'all-reduce' ? 1 : ranks };
}
