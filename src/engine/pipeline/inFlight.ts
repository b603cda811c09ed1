/**
 * Peak micro-batches in flight without building an order: what peakInFlight gives for it where B frees nothing.
 *
 * Legend: p stages, m micro-batches, v chunks a stage, i the stage from 0; each counts as a whole stage, from its
 * forward until its backward, until its W where the backward is split.
 */
import type { ScheduleName } from '../plan/keys';

/**
 * Peak of a stage, or null where there is no closed form. 1F1B: Narayanan et al. 2021, arXiv 2104.04473, section 2.2;
 * H1, H2: Qi et al. 2023, arXiv 2401.10241, section 2; DualPipe: README of deepseek-ai/DualPipe.
 */
export function closedFormInFlight(
  schedule: ScheduleName,
  { stages: p, microBatches: m, virtual: v }: { stages: number; microBatches: number; virtual: number },
  i: number,
): number | null {
  switch (schedule) {
    case 'none':
    case 'naive':
      return 1;
    case 'gpipe':
    case 'breadth-first':
      return m;
    case '1f1b':
      return Math.min(m, p - i);
    case 'eager-1f1b':
      return Math.min(m, 2 * (p - i) - 1);
    case 'interleaved-1f1b':
      return m % p === 0 ? Math.min(m * v, 2 * (p - i - 1) + (v - 1) * p + 1) / v : null;
    case 'zb-h1':
      return Math.min(m, p);
    case 'zb-h2':
      return Math.min(m, 2 * p - 1);
    case 'dualpipe':
      return p + 1;
    case 'dualpipe-v':
      return p + 1 / 2;
    case 'zb-1p':
    case 'zb-2p':
    case 'zb-v':
    case 'v-half':
    case 'v-min':
      return null;
  }
}
