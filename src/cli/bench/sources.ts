/** The files of `bench import`, `fit` and `compare-run`: measurements and logs, and the configs beside them. */
import { completeSetup } from '../../engine/plan/complete';
import { importText } from '../../engine/bench/import';
import type { Imported } from '../../engine/bench/records';
import { type RunSummary, summarizeRun } from '../../engine/bench/run';
import type { LoggedRun } from '../../documents/measured';
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

/** Files that no importer knows are configs, or nothing. `fallback`: the setup where none is among them. */
export function loadSources(files: readonly string[], options: Options, fallback?: TrainingSetup): Sources {
  if (files.length === 0 && fallback === undefined)
    throw new UsageError('usage', 'Name at least one file of measurements.');
  const read = files.map(file => importText(file, readFile(file)));
  const others = read.filter(({ format }) => format === null).map(({ file }) => file);
  const inputs: Inputs | null = others.length === 0 ? null : loadInputs(others, options);
  const isConfig = (name: string) => inputs?.files.some(({ file, reading }) => file === name && reading.kind !== null);
  const setup = inputs?.setup ?? fallback ?? userValues(emptySetup(), options);
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

/** The runs of `--run LOG[+LOG…]=CONFIG[,CONFIG…]`, each with configs of its own. */
export function loggedRuns(options: Options): LoggedRun[] {
  return options.run.map(text => {
    const at = text.lastIndexOf('=');
    const logs = text
      .slice(0, at)
      .split('+')
      .filter(name => name !== '');
    const configs = text
      .slice(at + 1)
      .split(',')
      .filter(name => name !== '');
    if (at < 0 || logs.length === 0 || configs.length === 0)
      throw new UsageError('usage', `--run needs LOG=CONFIG, as in train.log=train.toml,config.json, not “${text}”.`);
    const { setup, problems } = loadInputs(configs, options);
    return { name: logs.join('+'), logs: logs.map(file => importText(file, readFile(file))), setup, problems };
  });
}
