/**
 * Makespans that need no simulation: where all stages take the same times, and where the formula is exact. Anything
 * else is null, and must be simulated.
 *
 * Legend: p stages, m micro-batches, v chunks a stage; F, B, W seconds of a pass on a whole stage; c seconds of a
 * message; f = F / v and b = (B + W) / v are a chunk's.
 */
import type { ScheduleName } from '../plan/keys';

export interface UniformPipeline {
  readonly stages: number;
  readonly microBatches: number;
  readonly virtual: number;
  readonly forward: number;
  readonly backwardInput: number;
  readonly backwardWeight: number;
  readonly p2p: number;
}

/** Seconds from the first start to the last end of a schedule with the numbers that it admits, or null. */
export function closedFormMakespan(schedule: ScheduleName, pipeline: UniformPipeline): number | null {
  const { stages: p, microBatches: m, virtual: v, forward: F, backwardInput: B, backwardWeight: W, p2p: c } = pipeline;
  const whole = F + B + W;
  const areEqual = F === B && B === W;
  const isInstant = c === 0 || p === 1;
  switch (schedule) {
    case 'none':
      return p === 1 ? m * whole : null;
    case 'naive':
      return m * (p * whole + 2 * (p - 1) * c);
    case 'gpipe':
      return (m + p - 1) * whole + 2 * (p - 1) * c;
    case '1f1b':
      return isInstant ? (m + p - 1) * whole : null;
    case 'eager-1f1b':
      // Its further micro-batches cover a message there and back (Zhuang et al. 2023, arXiv 2211.05322, section 4).
      return 2 * c <= whole ? (m + p - 1) * whole + 2 * (p - 1) * c : null;
    case 'interleaved-1f1b':
      return isInstant ? interleavedMakespan(p, m, v, F / v, (B + W) / v) : null;
    case 'breadth-first':
      return isInstant ? (((v - 1) * Math.max(m, p) + m + p - 1) * whole) / v : null;
    case 'zb-h1':
      // Qi et al. 2023, arXiv 2401.10241, table 1.
      return isInstant && m >= p && W <= F && W <= B ? m * whole + (p - 1) * (F + B - W) : null;
    case 'zb-h2':
      // No stage idles between its passes, but the last one starts p − 1 forwards late.
      return isInstant && m >= 2 * p - 1 && areEqual ? m * whole + (p - 1) * F : null;
    case 'dualpipe':
      // deepseek-ai/DualPipe, README: (p/2 − 1)(F&B + (B + W) − 3W), where the joined F&B takes F + B + W.
      return isInstant && areEqual ? m * whole + (p / 2 - 1) * 2 * F : null;
    case 'dualpipe-v':
      return isInstant && areEqual ? m * whole + (p - 1) * F : null;
    case 'zb-1p':
    case 'zb-2p':
    case 'zb-v':
    case 'v-half':
    case 'v-min':
      return null;
  }
}

/**
 * Narayanan et al. 2021 (arXiv 2104.04473, section 2.2) where p divides m. With fewer micro-batches than stages each
 * further chunk waits p − m chunk times more, forwards and backwards.
 */
function interleavedMakespan(p: number, m: number, v: number, f: number, b: number): number | null {
  if (m % p === 0) return (m * v + p - 1) * (f + b);
  return m < p ? (m * v + p - 1 + (v - 1) * (p - m)) * (f + b) : null;
}
