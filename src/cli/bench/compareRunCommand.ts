/** `meshlens bench compare-run`: the steps that were predicted beside the ones that were logged. */
import type { CompareRunDocument, RunComparison } from '../../documents/bench';
import { type LoggedRun, runComparison } from '../../documents/measured';
import { SCHEMA } from '../../documents/types';
import { importText } from '../../engine/bench/import';
import { formatPercent, formatSeconds } from '../../words/format';
import { loadInputs, readFile } from '../inputs';
import { type Options, UsageError } from '../usage';
import { runLine } from './importCommand';
import { loggedRuns } from './sources';

/** The logs of `--log` are one run of the configs that are named; each `--run` is another one, with its own. */
export function compareRunCommand(files: readonly string[], options: Options): CompareRunDocument {
  const runs: LoggedRun[] = loggedRuns(options);
  if (options.log.length > 0) runs.unshift(plainRun(files, options));
  else if (files.length > 0 || runs.length === 0)
    throw new UsageError('usage', 'bench compare-run needs --log LOG beside the configs, or --run LOG=CONFIG.');
  const compared = runs.map(runComparison);
  const { predicted, run, ratio, causes } = compared[0];
  const problems = compared.flatMap(one => one.problems);
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'compare-run',
    predicted,
    run,
    ratio,
    causes,
    problems,
    runs: compared,
  };
}

function plainRun(files: readonly string[], options: Options): LoggedRun {
  const { setup, problems } = loadInputs(files, options);
  return {
    name: options.log.join('+'),
    logs: options.log.map(file => importText(file, readFile(file))),
    setup,
    problems,
  };
}

export function compareRunText({ runs }: CompareRunDocument): string {
  return runs.map(one => `${(runs.length > 1 ? [one.name] : []).concat(runText(one)).join('\n')}\n`).join('\n');
}

function runText({ predicted, run, ratio, parts, causes }: RunComparison): string[] {
  return [
    `predicted  ${predicted.stepSeconds === null ? 'no step time' : formatSeconds(predicted.stepSeconds)}`,
    `logged     ${run === null ? 'no steps in the log' : runLine(run)}`,
    ...(ratio === null
      ? []
      : [`the run is ${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'slower' : 'faster'} than predicted`]),
    ...parts.map(
      ({ name, loggedSeconds, predictedSeconds }) =>
        `  ${name.padEnd(18)} logged ${formatSeconds(loggedSeconds).padStart(9)}  predicted ${predictedSeconds === null ? 'nothing' : formatSeconds(predictedSeconds)}`,
    ),
    ...causes.map(({ message }) => `  ${message}`),
  ];
}
