/** What the trainer and the lecture print in a terminal. */
import { formatBytes, formatNumber, formatPercent, formatSeconds } from '../words/format';
import { problemLine } from './text';
import type { LectureCommandDocument, TrainCommandDocument } from './trainCommand';

export function trainText(document: TrainCommandDocument): string {
  const { equal, losses, serialLosses, traffic, problems } = document;
  const verdict =
    equal === null
      ? []
      : [
          equal ? 'The parallel run equals the serial run.' : 'The parallel run differs from the serial run.',
          `losses    ${(losses ?? []).map(loss => formatNumber(loss, 6)).join(' ')}`,
          `serial    ${(serialLosses ?? []).map(loss => formatNumber(loss, 6)).join(' ')}`,
          `largest difference: loss ${(document.maxLossDifference ?? 0).toExponential(2)}, gradient ${(document.maxGradientDifference ?? 0).toExponential(2)} of the tensor's largest, weight ${(document.maxWeightDifference ?? 0).toExponential(2)}`,
          `virtual time ${formatSeconds(document.virtualSeconds ?? 0)}, bubble ${formatPercent(document.bubbleFraction ?? 0)} (predicted ${formatPercent(document.predictedBubbleFraction ?? 0)})`,
          ...(document.wallSecondsPerStep
            ? [
                `measured  ${document.wallSecondsPerStep.map(seconds => formatSeconds(seconds)).join(' ')} a step in threads`,
              ]
            : []),
          `peak memory ${formatBytes(Math.max(0, ...(document.peakBytesPerRank ?? [])))} a rank (predicted ${formatBytes(Math.max(0, ...(document.predictedPeakBytesPerRank ?? [])))})`,
        ];
  const moved = (traffic ?? []).map(
    ({ axis, op, count, bytesPerRank, predictedBytesPerRank }) =>
      `  ${axis} ${op}: ${count} calls, at most ${formatBytes(Math.max(0, ...bytesPerRank))} a rank (predicted ${formatBytes(Math.max(0, ...predictedBytesPerRank))})`,
  );
  return `${[...verdict, ...moved, ...problems.map(problemLine)].join('\n')}\n`;
}

export function lectureText({ lines }: LectureCommandDocument): string {
  return `${lines.join('\n')}\n`;
}
