/** `meshlens bench check FILE…`: what spoils a measurement, in a benchmark's code or in its results. */
import { problemDocument } from '../../documents/build';
import type { BenchCheckDocument } from '../../documents/bench';
import { SCHEMA } from '../../documents/types';
import { importText } from '../../engine/bench/import';
import { scriptPitfalls } from '../../engine/bench/pitfalls/script';
import { readFile } from '../inputs';
import { UsageError } from '../usage';

export function benchCheckCommand(files: readonly string[]): BenchCheckDocument {
  if (files.length === 0) throw new UsageError('usage', 'bench check needs scripts or results to look at.');
  const problems = files.flatMap(file => {
    const text = readFile(file);
    return file.endsWith('.py') ? scriptPitfalls(file, text) : importText(file, text).problems;
  });
  return { schema: SCHEMA, command: 'bench', kind: 'check', problems: problems.map(problemDocument) };
}

export function benchCheckText({ problems }: BenchCheckDocument): string {
  return problems
    .map(
      ({ file, line, column, severity, code, message }) =>
        `${file ?? ''}:${line ?? 1}:${column ?? 1}: ${severity} ${code} ${message}\n`,
    )
    .join('');
}
