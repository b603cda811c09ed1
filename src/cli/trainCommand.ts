/** `meshlens train` and `meshlens lecture` on the command line: options checked, results as documents. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { problemDocument } from '../documents/build';
import { type ProblemDocument, SCHEMA } from '../documents/types';
import { readConfig } from '../engine/configs/registry';
import { isPlanKey, type Plan, parsePlanValue } from '../engine/plan/keys';
import { PRESETS, type PresetName } from '../engine/trainer/network';
import type { BenchHost } from './benchCommand';
import { readFile } from './inputs';
import { LECTURE_DEMOS, type LectureDemo, type LectureDocument, lectureCommand } from '../documents/lecture';
import { type TrainAnswer, trainCommand, type TrainDocument, type TrainOptions, trainThreadsCommand } from './train';
import { integerOption, type Options, pairs, UsageError } from './usage';

export interface TrainCommandDocument extends TrainDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'train';
  readonly problems: readonly ProblemDocument[];
}

export interface LectureCommandDocument extends LectureDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'lecture';
}

/** On the simulated mesh. */
export function trainCli(options: Options): TrainCommandDocument {
  if (backendOf(options) === 'threads') throw new UsageError('usage', 'This host has no threads for --backend.');
  return documentOf(trainCommand(trainOptions(options)));
}

/** With any backend; `host` says where the bundles for threads are. */
export async function trainAnyCli(options: Options, { workerUrl }: BenchHost): Promise<TrainCommandDocument> {
  if (backendOf(options) === 'simulated') return trainCli(options);
  const workers = availableParallelism();
  const programUrl = new URL('trainingRanks.mjs', workerUrl);
  return documentOf(await trainThreadsCommand(trainOptions(options), { workers, workerUrl, programUrl }));
}

/** Exit code 1: wrong input, or runs that differ. */
export const trainFailed = ({ problems, equal }: Pick<TrainCommandDocument, 'problems' | 'equal'>): boolean =>
  equal === false || problems.some(({ severity }) => severity === 'error');

const documentOf = ({ document, problems }: TrainAnswer): TrainCommandDocument => ({
  schema: SCHEMA,
  command: 'train',
  ...document,
  problems: problems.map(problemDocument),
});

const backendOf = (options: Options) => oneOf(options, 'backend', ['simulated', 'threads'], 'simulated');

function trainOptions(options: Options): TrainOptions {
  const steps = integerOption(options, 'steps');
  const { config, data } = options.text;
  if (steps === null) throw new UsageError('usage', 'train needs --steps K.');
  return {
    preset: oneOf(options, 'preset', Object.keys(PRESETS) as PresetName[], 'tiny-llama'),
    setup: config === undefined ? null : readConfig(config, readFile(config)).setup,
    data: data === undefined ? null : bytesOf(data),
    plan: planOf(options.text.plan),
    steps,
    dtype: oneOf(options, 'dtype', ['f32', 'f64'], 'f64'),
  };
}

export function lectureCli(operands: readonly string[]): LectureCommandDocument {
  const [demo] = operands;
  if (demo === undefined || operands.length > 1 || !isDemo(demo)) {
    throw new UsageError('usage', `lecture needs one of: ${LECTURE_DEMOS.join(', ')}.`);
  }
  return { schema: SCHEMA, command: 'lecture', ...lectureCommand(demo) };
}

function isDemo(name: string): name is LectureDemo {
  return (LECTURE_DEMOS as readonly string[]).includes(name);
}

function oneOf<T extends string>(options: Options, name: string, values: readonly T[], fallback: T): T {
  const text = options.text[name];
  if (text === undefined) return fallback;
  const found = values.find(value => value === text);
  if (found === undefined)
    throw new UsageError('unknown-value', `--${name} is one of ${values.join(', ')}, not “${text}”.`);
  return found;
}

export function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError('file', `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function planOf(text: string | undefined): Partial<Plan> {
  if (text === undefined) return {};
  return Object.fromEntries(
    pairs([text], '--plan').map(([key, value]) => {
      if (!isPlanKey(key)) throw new UsageError('unknown-key', `There is no key “${key}” in a plan.`);
      const parsed = parsePlanValue(key, value);
      if (parsed === undefined) throw new UsageError('unknown-value', `${key} cannot be “${value}”.`);
      return [key, parsed];
    }),
  );
}
