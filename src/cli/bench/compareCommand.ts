/** `meshlens bench compare A B`: two kept results of `bench host` or `bench collectives`, thing by thing. */
import type { BenchDocument, CompareDocument, HostDocument } from '../../documents/bench';
import { isSameMachine, thingsOf } from '../../documents/benchHistory';
import { SCHEMA } from '../../documents/types';
import { compareTimes } from '../../engine/bench/compare';
import { formatPercent, formatSeconds } from '../../words/format';
import { readFile } from '../inputs';
import { UsageError } from '../usage';

type Kept = BenchDocument | HostDocument;

export function compareCommand(files: readonly string[]): CompareDocument {
  const [first, second] = files;
  if (first === undefined || second === undefined || files.length > 2)
    throw new UsageError('usage', 'bench compare needs two files of results: before and after.');
  const [before, after] = [kept(first), kept(second)];
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'compare',
    before: { file: first, date: before.date, cpu: before.machine.cpu },
    after: { file: second, date: after.date, cpu: after.machine.cpu },
    sameMachine: isSameMachine(before.machine, after.machine),
    ...compareTimes(thingsOf(before), thingsOf(after)),
  };
}

function kept(file: string): Kept {
  const text = readFile(file);
  try {
    const value = JSON.parse(text) as Partial<Kept> | null;
    if (value?.command === 'bench' && (value.kind === 'host' || value.kind === 'collectives')) return value as Kept;
  } catch {
    // Said below: it is no result of a benchmark.
  }
  throw new UsageError('unknown-value', `${file} holds no result of bench host or bench collectives.`);
}

export function compareText({ before, after, sameMachine, rows, onlyBefore, onlyAfter }: CompareDocument): string {
  const width = Math.max(10, ...rows.map(({ key }) => key.length));
  const lines = rows.map(({ key, beforeSeconds, afterSeconds, ratio, verdict }) => {
    const change = verdict === 'same' ? 'the same' : `${verdict} by ${formatPercent(Math.abs(ratio - 1))}`;
    const times = `${formatSeconds(beforeSeconds).padStart(9)} → ${formatSeconds(afterSeconds).padStart(9)}`;
    return `${key.padEnd(width)}  ${times}  ${change}`;
  });
  const only = (where: string, keys: readonly string[]) =>
    keys.length > 0 ? [`${where} alone: ${keys.join(', ')}`] : [];
  return `${[
    `before  ${before.date}  ${before.cpu}`,
    `after   ${after.date}  ${after.cpu}${sameMachine ? '' : '  (another machine)'}`,
    '',
    ...lines,
    ...only('before', onlyBefore),
    ...only('after', onlyAfter),
  ].join('\n')}\n`;
}
