/** What the commands work on: files read and merged, the command line's values over them. */
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { wantedFiles, withoutParts } from '../engine/configs/belong';
import type { TextFile } from '../engine/configs/beside';
import { type HardwareFile, missingHardware, onHardware, readHardwareFile } from '../engine/configs/hardwareFile';
import { mergeReadings } from '../engine/configs/merge';
import { readAll } from '../engine/configs/registry';
import {
  type Costs,
  NO_WORKSPACE,
  readWorkspaceFile,
  WORKSPACE_FILE,
  type WorkspaceValues,
} from '../engine/configs/workspaceFile';
import type { Problem } from '../engine/problem';
import { override, withValues } from '../engine/setup/override';
import type { FileReading, TrainingSetup } from '../engine/setup/setup';
import { readNamed, readText } from '../node/files';
import { type Options, pairs, UsageError } from './usage';

interface SourceFile {
  readonly file: string;
  readonly text: string;
  readonly reading: FileReading;
}

export interface Inputs {
  readonly files: readonly SourceFile[];
  readonly setup: TrainingSetup;
  readonly problems: readonly Problem[];
  readonly costs: Costs;
}

/** Options of the cluster and the keys that they set. */
const CLUSTER_OPTIONS = {
  gpu: 'gpu',
  gpus: 'gpus',
  nodes: 'nodes',
  'gpus-per-node': 'gpusPerNode',
  nic: 'nicBytesPerSecond',
  domain: 'domainSize',
} as const;

export function loadInputs(names: readonly string[], options: Options): Inputs {
  if (names.length === 0) throw new UsageError('usage', 'Name at least one config file.');
  return inputsOf(
    names.map(file => ({ file, text: readFile(file) })),
    options,
  );
}

/** The same for files whose texts are known already, the one at hand first. */
export function inputsOf(given: readonly TextFile[], options: Options): Inputs {
  const texts = withNamed(given);
  const readings = withoutParts(readAll(texts));
  const files = texts.map((source, at) => ({ ...source, reading: readings[at] }));
  const { setup, problems } = mergeReadings(readings);
  const { own, hardware } = surroundings(given[0]?.file ?? '');
  return {
    files,
    setup: userValues(withValues(onHardware(setup, hardware), own.values), options),
    problems: [...problems, ...own.problems, ...(hardware?.problems ?? [])],
    costs: own.costs,
  };
}

interface Surroundings {
  readonly own: WorkspaceValues;
  readonly hardware: HardwareFile | null;
}

/** The nearest meshlens.json in the config's folder or above it, up to the working directory or the repository's top. */
function surroundings(config: string): Surroundings {
  for (let folder = path.dirname(config); ; folder = path.join(folder, '..')) {
    const file = path.join(folder, WORKSPACE_FILE);
    // Not a link, which may lead anywhere, nor a pipe, which may never end.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) {
      const name = path.relative(folder, config).replaceAll(path.sep, '/');
      const own = readWorkspaceFile(file, readFile(file), name);
      return { own, hardware: own.hardware === null ? null : namedHardware(file, own.hardware) };
    }
    const at = path.resolve(folder);
    const isTop = at === process.cwd() || existsSync(path.join(folder, '.git')) || at === path.parse(at).root;
    if (isTop) return { own: NO_WORKSPACE, hardware: null };
  }
}

/** One that is not in the working folder or beside the file that names it counts as missing. */
function namedHardware(from: string, named: NonNullable<WorkspaceValues['hardware']>): HardwareFile {
  const found = readNamed(from, [path.join(from, '..', named.path)]);
  return found === null ? missingHardware(named.path, named.source) : readHardwareFile(found.file, found.text);
}

/** A file names a file that names a file: no further. */
const MOST_ROUNDS = 4;

/** The given files with those that they name and that lie in the working folder or beside them. */
function withNamed(given: readonly TextFile[]): TextFile[] {
  const texts = [...given];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = texts.length;
    for (const reading of readAll(texts)) {
      for (const paths of wantedFiles([reading], names(texts))) {
        const found = readNamed(reading.file, paths);
        if (found !== null && !names(texts).includes(found.file)) texts.push(found);
      }
    }
    if (texts.length === before) break;
  }
  return texts;
}

const names = (files: readonly TextFile[]): string[] => files.map(({ file }) => file);

export function readFile(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw new UsageError('file', `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Hardware file, then cluster options, then --set: each over the one before. */
export function userValues(setup: TrainingSetup, options: Options): TrainingSetup {
  const hardware = hardwareFile(options);
  const values: (readonly [key: string, value: string])[] = [...(hardware?.values ?? [])];
  for (const [option, key] of Object.entries(CLUSTER_OPTIONS)) {
    const value = options.text[option];
    if (value !== undefined) values.push([key, value]);
  }
  values.push(...pairs(options.set, '--set'));
  const set = values.reduce((result, [key, value]) => setValue(result, key, value), setup);
  const profile = hardware?.profile ?? null;
  return profile === null ? set : { ...set, profile };
}

function setValue(setup: TrainingSetup, key: string, value: string): TrainingSetup {
  const result = override(setup, key, value);
  if (!('code' in result)) return result;
  const what = {
    'unknown-key': `There is no key “${key}”.`,
    'unknown-gpu': `There is no accelerator “${value}”.`,
    'unknown-value': `${key} cannot be “${value}”.`,
  };
  throw new UsageError(result.code, what[result.code]);
}

/** The file of --hardware. Its keys are checked like those of the command line. */
function hardwareFile(options: Options): HardwareFile | null {
  const file = options.text.hardware;
  if (file === undefined) return null;
  const hardware = readHardwareFile(file, readFile(file));
  if (hardware.problems.length > 0 && hardware.values.length === 0)
    throw new UsageError('unknown-value', `${file} must be a JSON object with keys of the cluster.`);
  return hardware;
}

export function hardwareValues(options: Options): readonly (readonly [key: string, value: string])[] {
  return hardwareFile(options)?.values ?? [];
}
