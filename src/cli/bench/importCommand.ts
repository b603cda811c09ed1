/** `meshlens bench import FILE…`: what others' benchmarks and training logs say, in one form. */
import type { ImportDocument } from '../../documents/bench';
import { problemDocument } from '../../documents/build';
import { SCHEMA } from '../../documents/types';
import { bandwidthOf } from '../../engine/collectives/bandwidth';
import type { BenchRecord } from '../../engine/bench/records';
import type { RunSummary } from '../../engine/bench/run';
import { problem } from '../../engine/problem';
import { formatBytes, formatInteger, formatNumber, formatPercent, formatSeconds } from '../../words/format';
import type { Options } from '../usage';
import { loadSources } from './sources';

export function importCommand(files: readonly string[], options: Options): ImportDocument {
  const { imported, problems } = loadSources(files, options);
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'import',
    files: imported.map(one => {
      const unknown = one.format === null ? [problem('not-modelled', { what: 'format', name: one.file })] : [];
      return { ...one, problems: [...one.problems, ...unknown].map(problemDocument) };
    }),
    problems: problems.map(problemDocument),
  };
}

export function importText({ files, problems }: ImportDocument): string {
  const lines = files.flatMap(({ file, format, records, run, problems: own }) => [
    `${file}: ${format ?? 'no known format'}, ${formatInteger(records.length)} records`,
    ...(run === null ? [] : [`  ${runLine(run)}`]),
    ...records.filter(({ kind }) => !LOGGED.includes(kind)).map(record => `  ${recordLine(record)}`),
    ...own.map(({ line, severity, message }) => `  ${file}:${line ?? 1}: ${severity}: ${message}`),
  ]);
  return `${[...lines, ...problems.map(({ message }) => message)].join('\n')}\n`;
}

/** Told as one run. */
const LOGGED: readonly BenchRecord['kind'][] = ['step', 'peak', 'part'];

export function runLine(run: RunSummary): string {
  const parts = [
    run.stepSeconds === null ? 'no step time' : `step ${formatSeconds(run.stepSeconds)}`,
    `median of ${run.counted} of ${run.steps} steps`,
    ...(run.spread === null ? [] : [`spread ${formatPercent(run.spread)}`]),
    ...(run.tokensPerSecondPerGpu === null ? [] : [`${formatInteger(run.tokensPerSecondPerGpu)} tok/s/GPU`]),
    ...(run.mfu === null ? [] : [`MFU ${formatPercent(run.mfu)} by the log`]),
    ...(run.allocatedBytes === null ? [] : [`allocated ${formatBytes(run.allocatedBytes)}`]),
    ...(run.reservedBytes === null ? [] : [`reserved ${formatBytes(run.reservedBytes)}`]),
  ];
  return parts.join(' · ');
}

function recordLine(record: BenchRecord): string {
  switch (record.kind) {
    case 'collective': {
      const { op, bytes, ranks, seconds } = record;
      const rate = ranks === null || op === 'barrier' ? null : bandwidthOf(op, bytes, seconds, ranks).busbw;
      const busbw = rate === null ? '' : ` · busbw ${formatNumber(rate / 1e9)} GB/s`;
      return `${op} ${formatInteger(bytes)} B × ${ranks ?? '?'} ranks: ${formatSeconds(seconds)}${busbw}`;
    }
    case 'product': {
      const { m, k, n, dtype, seconds } = record;
      return `product ${m}×${k}×${n} ${dtype ?? ''}: ${formatSeconds(seconds)} · ${formatNumber((2 * m * k * n) / seconds / 1e12)} TFLOP/s`;
    }
    case 'memory':
      return `copy ${formatInteger(record.bytes)} B: ${formatNumber(record.bytesPerSecond / 1e9)} GB/s`;
    case 'kernel':
      return `${record.name}: ${record.deviceSeconds === null ? '–' : formatSeconds(record.deviceSeconds)} on the device, ${record.calls ?? '?'} calls`;
    case 'device':
      return `${record.name}${record.throttles.length > 0 ? `, held down by ${record.throttles.join(', ')}` : ''}`;
    case 'topology':
      return `${record.gpus} GPUs, ${record.nics} NICs, NVLink joins ${record.domainSize}`;
    default:
      return '';
  }
}
