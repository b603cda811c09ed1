/** The one line above a config: plain text, short, the same order always. */
import type { EstimateDocument } from '../documents/types';
import { formatBytes, formatCount, formatInteger, formatPercent } from './format';
import { translated } from './language';
import { SLOVAK } from './lens.sk';

const ENGLISH = {
  modelUnknown: 'MeshLens: the model is not known',
  parameters: (count: string): string => `${count} params`,
  cannotRun: (code: string): string => `cannot run: ${code}`,
  tokens: (count: string): string => `${count} tok/s/GPU`,
  bubble: (share: string): string => `bubble ${share}`,
  ofCapacity: (peak: string, capacity: string): string => `${peak} of ${capacity}/GPU`,
  outOfMemory: (figures: string): string => `out of memory: ${figures}`,
  close: (figures: string): string => `${figures} (close)`,
  stale: (text: string): string => `${text} (stale: the text is damaged)`,
  prove: 'Prove this plan',
  proveTooltip:
    'MeshLens: run this layout on a small twin of the model, rank by rank, and compare it with the serial run',
};

export const LENS_WORDS = translated(ENGLISH, SLOVAK);

/** `8.03 B params · 35.7 of 85.5 GB/GPU · 8,062 tok/s/GPU · MFU 42 % · bubble 7.1 %`, as far as it is known. */
export function lensTitle(document: EstimateDocument, stale: boolean): string {
  const title = freshTitle(document);
  return stale ? LENS_WORDS.stale(title) : title;
}

function freshTitle({ parameters, memory, throughput, pipeline, problems }: EstimateDocument): string {
  if (parameters === null) return LENS_WORDS.modelUnknown;
  const parts = [LENS_WORDS.parameters(formatCount(parameters.total))];
  const error = problems.find(
    ({ severity, code }) => severity === 'error' && code !== 'syntax' && code !== 'out-of-memory',
  );
  if (memory.peakBytes !== null) parts.push(memoryText(memory));
  if (error !== undefined) parts.push(LENS_WORDS.cannotRun(error.code));
  if (throughput.tokensPerSecondPerGpu !== null && throughput.mfu !== null && memory.fits !== false) {
    parts.push(
      LENS_WORDS.tokens(formatInteger(throughput.tokensPerSecondPerGpu)),
      `MFU ${formatPercent(throughput.mfu)}`,
    );
    if ((pipeline.stages ?? 1) > 1) parts.push(LENS_WORDS.bubble(formatPercent(pipeline.bubbleFraction ?? 0)));
  }
  return parts.join(' · ');
}

function memoryText({ peakBytes, capacityBytes, fits, uncertain }: EstimateDocument['memory']): string {
  const peak = formatBytes(peakBytes ?? 0);
  if (capacityBytes === null) return `${peak}/GPU`;
  const figures = LENS_WORDS.ofCapacity(peak.replace(/ .*/, ''), formatBytes(capacityBytes));
  if (fits === false) return LENS_WORDS.outOfMemory(figures);
  return uncertain === true ? LENS_WORDS.close(figures) : figures;
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

/** A plan of several GPUs that nothing but memory stops. */
export function canBeProved({ parameters, setup, problems }: EstimateDocument): boolean {
  const { dp, tp, cp, pp } = setup.plan;
  const ranks = (dp ?? 0) * (tp ?? 1) * (cp ?? 1) * (pp ?? 1);
  const stopped = problems.some(({ severity, code }) => severity === 'error' && code !== 'out-of-memory');
  return parameters !== null && ranks > 1 && !stopped;
}
