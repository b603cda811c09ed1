/** The one line above a config: plain text, short, the same order always. */
import type { EstimateDocument } from '../documents/types';
import { formatBytes, formatCount, formatInteger, formatPercent } from './format';

/** `8.03 B params · 35.7 of 85.5 GB/GPU · 8,062 tok/s/GPU · MFU 42 % · bubble 7.1 %`, as far as it is known. */
export function lensTitle(document: EstimateDocument, stale: boolean, locale = 'en'): string {
  const { parameters, memory, throughput, pipeline } = document;
  if (parameters === null) return withMark('MeshLens: the model is not known', stale);
  const parts = [`${formatCount(parameters.total, locale)} params`];
  const error = document.problems.find(
    ({ severity, code }) => severity === 'error' && code !== 'syntax' && code !== 'out-of-memory',
  );
  if (memory.peakBytes !== null) parts.push(memoryText(memory, locale));
  if (error !== undefined) parts.push(`cannot run: ${error.code}`);
  if (throughput.tokensPerSecondPerGpu !== null && throughput.mfu !== null && memory.fits !== false) {
    parts.push(
      `${formatInteger(throughput.tokensPerSecondPerGpu, locale)} tok/s/GPU`,
      `MFU ${formatPercent(throughput.mfu, locale)}`,
    );
    if ((pipeline.stages ?? 1) > 1) parts.push(`bubble ${formatPercent(pipeline.bubbleFraction ?? 0, locale)}`);
  }
  return withMark(parts.join(' · '), stale);
}

function memoryText({ peakBytes, capacityBytes, fits, uncertain }: EstimateDocument['memory'], locale: string): string {
  const peak = formatBytes(peakBytes ?? 0, locale);
  if (capacityBytes === null) return `${peak}/GPU`;
  const of = `${peak.replace(/ .*/, '')} of ${formatBytes(capacityBytes, locale)}/GPU`;
  if (fits === false) return `out of memory: ${of}`;
  return uncertain === true ? `${of} (close)` : of;
}

function withMark(text: string, stale: boolean): string {
  return stale ? `${text} (stale: the text is damaged)` : text;
}

/** No file beside it would make it one. */
export function isNoLanguageModel({ problems }: Pick<EstimateDocument, 'problems'>): boolean {
  return problems.some(({ code, args }) => code === 'not-modelled' && args.what === 'diffusion');
}

/** What the user could be asked for: the model's file, an accelerator, or keys of the plan that no file states. */
export function missing(document: EstimateDocument): { model: boolean; cluster: boolean; keys: string[] } {
  const { parameters, problems } = document;
  // A file's own key (`train_batch_size`) is told at its place; only what the estimate lacks for it can be asked for.
  const keys = problems
    .filter(({ code, args }) => code === 'value-unknown' && String(args.key).startsWith('plan.'))
    .map(({ args }) => String(args.key));
  return {
    model: parameters === null && !isNoLanguageModel(document),
    cluster: problems.some(({ code }) => code === 'cluster-unknown'),
    keys: [...new Set(keys)],
  };
}

export const PROVE = 'Prove this plan';
export const PROVE_TOOLTIP =
  'MeshLens: run this layout on a small twin of the model, rank by rank, and compare it with the serial run';

/** A plan of several GPUs that nothing but memory stops. */
export function canBeProved({ parameters, setup, problems }: EstimateDocument): boolean {
  const { dp, tp, cp, pp } = setup.plan;
  const ranks = (dp ?? 0) * (tp ?? 1) * (cp ?? 1) * (pp ?? 1);
  const stopped = problems.some(({ severity, code }) => severity === 'error' && code !== 'out-of-memory');
  return parameters !== null && ranks > 1 && !stopped;
}
