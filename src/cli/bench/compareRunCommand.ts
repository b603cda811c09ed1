/** `meshlens bench compare-run CONFIG… --log LOG`: the step that was predicted beside the one that was logged. */
import type { CompareRunDocument } from '../../documents/bench';
import { estimateDocument, problemDocument } from '../../documents/build';
import { SCHEMA } from '../../documents/types';
import { likelyCauses } from '../../engine/bench/causes';
import { importText } from '../../engine/bench/import';
import { summarizeRun } from '../../engine/bench/run';
import { estimate } from '../../engine/estimate/estimate';
import { causeSentence } from '../../words/causes';
import { formatPercent, formatSeconds } from '../../words/format';
import { loadInputs, readFile } from '../inputs';
import { type Options, UsageError } from '../usage';
import { runLine } from './importCommand';

export function compareRunCommand(files: readonly string[], options: Options): CompareRunDocument {
  if (options.log.length === 0) throw new UsageError('usage', 'bench compare-run needs --log LOG beside the configs.');
  const { setup, problems } = loadInputs(files, options);
  const result = estimate(setup, problems);
  const { throughput, time, hidden, memory } = estimateDocument(result);
  const logs = options.log.map(file => importText(file, readFile(file)));
  const records = logs.flatMap(one => one.records);
  const run = summarizeRun(records, result.setup);
  const predicted = throughput.stepSeconds;
  const [exposed, hiddenPart] = [time?.dpExposed ?? null, hidden?.dp ?? null];
  const gradients = exposed === null || hiddenPart === null ? null : exposed + hiddenPart;
  const all = [...result.problems, ...logs.flatMap(one => one.problems)];
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'compare-run',
    predicted: { stepSeconds: predicted, peakBytes: memory?.peakBytes ?? null },
    run,
    ratio: predicted === null || run?.stepSeconds == null ? null : run.stepSeconds / predicted,
    causes:
      run === null
        ? []
        : likelyCauses(records, run, gradients).map(cause => ({ ...cause, message: causeSentence(cause) })),
    problems: all.map(problemDocument),
  };
}

export function compareRunText({ predicted, run, ratio, causes }: CompareRunDocument): string {
  return `${[
    `predicted  ${predicted.stepSeconds === null ? 'no step time' : formatSeconds(predicted.stepSeconds)}`,
    `logged     ${run === null ? 'no steps in the log' : runLine(run)}`,
    ...(ratio === null
      ? []
      : [`the run is ${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'slower' : 'faster'} than predicted`]),
    ...causes.map(({ message }) => `  ${message}`),
  ].join('\n')}\n`;
}
