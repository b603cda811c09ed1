/** A benchmark of the host as text for terminals. */
import type { HostDocument } from '../../documents/bench';
import { loadSentence } from '../../words/bench';
import { formatInteger, formatNumber, formatPercent, formatSeconds } from '../../words/format';
import { measurementTable } from '../benchText';

export function hostText(document: HostDocument): string {
  const { machine, load, products, memory, collectives, ranks, threads, latency } = document;
  const spread = (value: number) => `spread ${formatPercent(value)}`;
  return `${[
    `machine   ${machine.cpu}, ${machine.parallelism} cores for this process, ${machine.platform} ${machine.architecture}, ${machine.runtime}`,
    `load      ${loadSentence(load, formatPercent)}`,
    'products  by the trainer’s kernels, one thread: the CPU, no GPU',
    ...products.map(
      ({ m, k, n, dtype, flopsPerSecond, medianSeconds, p95Seconds, spread: s }) =>
        `  ${`${m}×${k}×${n} ${dtype}`.padEnd(20)} ${formatNumber(flopsPerSecond / 1e9).padStart(7)} GFLOP/s  median ${formatSeconds(medianSeconds).padStart(9)}  p95 ${formatSeconds(p95Seconds).padStart(9)}  ${spread(s)}`,
    ),
    'memory    copies, one thread: bytes read and written',
    ...memory.map(
      ({ bytes, bytesPerSecond, medianSeconds, spread: s }) =>
        `  ${formatInteger(bytes).padStart(12)} B       ${formatNumber(bytesPerSecond / 1e9).padStart(7)} GB/s     median ${formatSeconds(medianSeconds).padStart(9)}  ${spread(s)}`,
    ),
    `latency   message ${secondsOr(latency.messageSeconds)}, barrier ${secondsOr(latency.barrierSeconds)}`,
    `collectives among ${ranks} ranks on ${threads} threads of one process`,
    ...measurementTable(collectives),
  ].join('\n')}\n`;
}

const secondsOr = (value: number | null) => (value === null ? 'not measured' : formatSeconds(value));
