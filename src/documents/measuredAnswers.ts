/** What the worker answers about measurements: of a text, of a script, of runs, and the hardware file that they give. */
import { importText } from '../engine/bench/import';
import { scriptPitfalls } from '../engine/bench/pitfalls/script';
import { summarizeRun } from '../engine/bench/run';
import { clusterPlan, clusterScript } from '../engine/bench/torchScript/fill';
import { clusterLaunch } from '../engine/bench/torchScript/launch';
import { completeSetup } from '../engine/plan/complete';
import { problem } from '../engine/problem';
import type { EngineInput, EngineResults, LoggedFiles, EngineFile } from '../protocol/engine';
import type { RunComparison } from './bench';
import { problemDocument } from './build';
import { loadInput } from './load';
import { fitDocument, hardwareFile, type LoggedRun, runComparison } from './measured';
import type { ProblemDocument } from './types';

/** What a text of measurements says; a training log is read with the config that made it. */
export function answerMeasurements(input: EngineInput, { file, text }: EngineFile): EngineResults['measurements'] {
  const { format, records, problems } = importText(file, text);
  const unknown = format === null ? [problem('not-modelled', { what: 'format', name: file })] : [];
  return {
    file,
    format,
    records: records.length,
    run: summarizeRun(records, completeSetup(loadInput(input).setup)),
    problems: [...problems, ...unknown].map(problemDocument),
  };
}

export function answerPitfalls({ file, text }: EngineFile): ProblemDocument[] {
  return scriptPitfalls(file, text).map(problemDocument);
}

export function answerCompareRuns(runs: readonly LoggedFiles[]): RunComparison[] {
  return runs.map(run => runComparison(loggedRun(run)));
}

export function answerCalibrate(
  input: EngineInput,
  measured: readonly EngineFile[],
  runs: readonly LoggedFiles[],
  date: string,
): EngineResults['calibrate'] {
  const { setup } = loadInput(input);
  const imported = measured.map(({ file, text }) => importText(file, text));
  const document = fitDocument(imported, runs.map(loggedRun), setup, []);
  return { document, text: `${JSON.stringify(hardwareFile(document, date), null, 2)}\n` };
}

function loggedRun({ name, logs, input }: LoggedFiles): LoggedRun {
  const { setup, problems } = loadInput(input);
  return { name, logs: logs.map(({ file, text }) => importText(file, text)), setup, problems };
}

/** The benchmark of the config's cluster, as a file of that name. */
export function answerClusterScript(input: EngineInput, script: string): EngineResults['clusterScript'] {
  const setup = completeSetup(loadInput(input).setup);
  return { text: clusterScript(clusterPlan(setup)), launch: clusterLaunch(setup, script) };
}
