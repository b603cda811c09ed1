/** The files of `bench import`, `fit` and `compare-run`: measurements and logs, and the configs beside them. */
import { completeSetup } from '../../engine/plan/complete';
import { importText } from '../../engine/bench/import';
import type { Imported } from '../../engine/bench/records';
import { type RunSummary, summarizeRun } from '../../engine/bench/run';
import type { Problem } from '../../engine/problem';
import { emptySetup, type TrainingSetup } from '../../engine/setup/setup';
import { type Inputs, loadInputs, readFile, userValues } from '../inputs';
import { type Options, UsageError } from '../usage';

export interface Sources {
  readonly imported: readonly (Imported & { readonly run: RunSummary | null })[];
  /** Of the configs, with the command line's values; without defaults. */
  readonly setup: TrainingSetup;
  readonly hasConfig: boolean;
  /** Of the configs. */
  readonly problems: readonly Problem[];
}

/** Files that no importer knows are configs, or nothing. */
export function loadSources(files: readonly string[], options: Options): Sources {
  if (files.length === 0) throw new UsageError('usage', 'Name at least one file of measurements.');
  const read = files.map(file => importText(file, readFile(file)));
  const others = read.filter(({ format }) => format === null).map(({ file }) => file);
  const inputs: Inputs | null = others.length === 0 ? null : loadInputs(others, options);
  const isConfig = (name: string) => inputs?.files.some(({ file, reading }) => file === name && reading.kind !== null);
  const setup = inputs?.setup ?? userValues(emptySetup(), options);
  const facts = completeSetup(setup);
  return {
    imported: read
      .filter(({ file }) => isConfig(file) !== true)
      .map(one => ({ ...one, run: summarizeRun(one.records, facts) })),
    setup,
    hasConfig: others.some(file => isConfig(file)),
    problems: inputs?.problems ?? [],
  };
}
