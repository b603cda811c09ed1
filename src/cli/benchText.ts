/** A benchmark of collectives as text for terminals. */
import type { BenchDocument, BenchMeasurement } from '../documents/bench';
import { formatInteger, formatNumber, formatPercent, formatSeconds } from '../words/format';
import { loadSentence } from '../words/bench';

const HEAD = ['operation', 'bytes', 'median', 'p95', 'least', 'slowest', 'algbw', 'busbw', '', 'lecture'];
const UNITS = ['', '', '', '', '', 'rank', 'GB/s', 'GB/s', 'GiB/s', '“GB/s”'];

/** Columns after the first stand to the right. */
function align(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map(row => row[column].length)));
  return rows.map(row =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}

function row(measurement: BenchMeasurement): string[] {
  const { op, bytes, medianSeconds, p95Seconds, leastSeconds, slowestRank, algbw, busbwGB, busbwGiB, lecture } =
    measurement;
  const rate = (value: number | null) => (value === null ? '–' : formatNumber(value));
  return [
    op,
    op === 'barrier' ? '–' : formatInteger(bytes),
    formatSeconds(medianSeconds),
    formatSeconds(p95Seconds),
    formatSeconds(leastSeconds),
    String(slowestRank),
    rate(algbw === null ? null : algbw / 1e9),
    rate(busbwGB),
    rate(busbwGiB),
    lecture === null ? '' : `${rate(lecture.printedGiB)} × ${lecture.factor}`,
  ];
}

export function measurementTable(measurements: readonly BenchMeasurement[]): string[] {
  return align([HEAD, UNITS, ...measurements.map(row)]);
}

export function benchText({ machine, load, ranks, threads, warmups, measurements }: BenchDocument): string {
  const samples = measurements[0]?.samples ?? 0;
  const oversubscribed = threads < ranks ? ` on ${threads} threads: they wait for each other’s turns` : '';
  return `${[
    `machine   ${machine.cpu}, ${machine.parallelism} cores for this process, ${machine.platform} ${machine.architecture}, ${machine.runtime}`,
    `measured  ${ranks} ranks${oversubscribed}, in one process over shared memory: the CPU and its memory, no GPU, no network`,
    `samples   ${formatInteger(samples)} after ${warmups} for warming up, each the mean of about 1 ms of calls; of each sample the slowest rank counts`,
    'buffers   the same for all calls of a size: what fits the caches is served from them',
    `load      ${loadSentence(load, formatPercent)}`,
    '',
    ...measurementTable(measurements),
    '',
    'algbw is bytes ÷ time; busbw is algbw × 2(n−1)/n for all-reduce, × (n−1)/n for reduce-scatter, all-gather and',
    'all-to-all, as nccl-tests defines them. GB is 10⁹ bytes, GiB 2³⁰.',
    'lecture: what its code prints as GB/s is in GiB/s. For reduce-scatter it divides output bytes by n × time, where',
    `busbw counts input bytes: × ${ranks}, the number of ranks, makes them equal.`,
  ].join('\n')}\n`;
}
