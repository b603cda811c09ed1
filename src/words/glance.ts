/** The figures of an estimate at a glance, as rows of a report: name and value. */
import type { EstimateDocument } from '../documents/types';
import { formatBytes, formatInteger, formatPercent, formatSeconds } from './format';
import { REPORT_WORDS } from './reportWords';

export function glanceRows({ memory, throughput, bounds, pipeline }: EstimateDocument): string[][] {
  const rows: string[][] = [];
  if (memory.peakBytes !== null) {
    const capacity =
      memory.capacityBytes === null
        ? ''
        : ` ${REPORT_WORDS.ofCapacity(formatBytes(memory.capacityBytes))}: ${REPORT_WORDS[memory.fits === true ? 'fits' : 'doesNotFit']}`;
    const range = REPORT_WORDS.likely(formatBytes(memory.lowerBytes ?? 0), formatBytes(memory.upperBytes ?? 0));
    rows.push([REPORT_WORDS.memoryOfGpu, `${formatBytes(memory.peakBytes)}${capacity} (${range})`]);
  }
  if (throughput.stepSeconds === null) return rows;
  const confidence = REPORT_WORDS.confidence(
    formatSeconds(bounds.lowerSeconds ?? 0),
    formatSeconds(bounds.upperSeconds ?? 0),
    formatPercent(bounds.coverage ?? 0),
  );
  const convention = REPORT_WORDS.convention(throughput.convention ?? REPORT_WORDS.unknown);
  rows.push(
    [REPORT_WORDS.step, `${formatSeconds(throughput.stepSeconds)} (${confidence})`],
    [REPORT_WORDS.tokens, formatInteger(throughput.tokensPerSecondPerGpu ?? 0)],
    ['MFU', `${formatPercent(throughput.mfu ?? 0)} (${convention})`],
    [REPORT_WORDS.bubble, formatPercent(pipeline.bubbleFraction ?? 0)],
  );
  return rows;
}
