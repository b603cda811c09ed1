/** Why a run is slower than predicted: likely causes, each with its evidence from the log, the most seconds first. */
import type { LinkConstants } from './fit/links';
import type { BenchRecord, DeviceRecord } from './records';
import type { RunSummary } from './run';

export interface Cause {
  readonly code: 'power-cap' | 'data-loading' | 'imbalance' | 'slow-link' | 'unsteady';
  /** Seconds of a step that it may explain; null where the log does not say. */
  readonly seconds: number | null;
  readonly evidence: string;
  /** Shares of the datasheet's rate that collectives reach, measured and as published runs have it; null: by a timer. */
  readonly shares?: { readonly measured: number; readonly usual: number } | null;
}

/** Shares below these happen in every run. */
const LEAST = { loading: 0.03, imbalance: 0.05, spread: 0.1, link: 1.5 };

/**
 * @param gradientSeconds what the prediction gives to the reduction of gradients, hidden or not
 * @param links what collectives that were measured on the same cluster say of its links
 */
export function likelyCauses(
  records: readonly BenchRecord[],
  run: RunSummary,
  gradientSeconds: number | null,
  links: LinkConstants | null = null,
): Cause[] {
  const step = run.stepSeconds;
  if (step === null) return [];
  const causes: Cause[] = [];
  const part = (name: string) => run.parts.find(one => one.name === name);
  const capped = records.filter((one): one is DeviceRecord => one.kind === 'device' && one.throttles.length > 0);
  if (capped.length > 0)
    causes.push({
      code: 'power-cap',
      seconds: null,
      evidence: [...new Set(capped.flatMap(one => one.throttles))].join(', '),
    });
  const loading = part('batch-generator');
  if (loading !== undefined && loading.mostSeconds > LEAST.loading * step)
    causes.push({ code: 'data-loading', seconds: loading.mostSeconds, evidence: loading.name });
  const passes = part('forward-backward');
  const wait = passes === undefined ? 0 : passes.mostSeconds - passes.leastSeconds;
  if (passes !== undefined && wait > LEAST.imbalance * step)
    causes.push({ code: 'imbalance', seconds: wait, evidence: passes.name });
  const reduce = part('all-grads-sync') ?? part('grads-all-reduce');
  if (reduce !== undefined && gradientSeconds !== null && reduce.mostSeconds > LEAST.link * gradientSeconds)
    causes.push({ code: 'slow-link', seconds: reduce.mostSeconds - gradientSeconds, evidence: reduce.name });
  for (const { name, value, prior } of links?.constants ?? [])
    if (name.endsWith('Share') && prior > LEAST.link * value)
      causes.push({ code: 'slow-link', seconds: null, evidence: name, shares: { measured: value, usual: prior } });
  if ((run.spread ?? 0) > LEAST.spread) causes.push({ code: 'unsteady', seconds: null, evidence: 'steps' });
  return causes.sort((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0));
}
