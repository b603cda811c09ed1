/** `meshlens pipeline` on the command line: its options checked, its result as a document. */
import { problemDocument } from '../documents/build';
import { type ProblemDocument, SCHEMA } from '../documents/types';
import { SCHEDULES, type ScheduleName } from '../engine/plan/keys';
import { pipelineCommand, type ScheduleDocument } from './pipeline';
import { integerOption, type Options, UsageError } from './usage';

export interface PipelineCommandDocument extends ScheduleDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'pipeline';
  readonly problems: readonly ProblemDocument[];
}

export function scheduleCommand(options: Options): PipelineCommandDocument {
  const schedule = options.text.schedule;
  const stages = integerOption(options, 'stages');
  const microBatches = integerOption(options, 'micro-batches');
  if (schedule === undefined || stages === null || microBatches === null) {
    throw new UsageError('usage', 'pipeline needs --schedule NAME --stages P --micro-batches M.');
  }
  if (!isSchedule(schedule))
    throw new UsageError('unknown-value', `There is no schedule “${schedule}”: ${SCHEDULES.join(', ')}.`);
  const virtual = integerOption(options, 'virtual');
  const { document, problems } = pipelineCommand({
    schedule,
    stages,
    microBatches,
    ...(virtual === null ? {} : { virtual }),
    ...seconds(options, 'forward', 'forward'),
    ...seconds(options, 'backward-input', 'backwardInput'),
    ...seconds(options, 'backward-weight', 'backwardWeight'),
    ...seconds(options, 'p2p', 'p2p'),
  });
  return { schema: SCHEMA, command: 'pipeline', ...document, problems: problems.map(problemDocument) };
}

function isSchedule(name: string): name is ScheduleName {
  return (SCHEDULES as readonly string[]).includes(name);
}

function seconds<K extends string>(options: Options, option: string, key: K): Partial<Record<K, number>> {
  const text = options.text[option];
  if (text === undefined) return {};
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(value) || value < 0)
    throw new UsageError('unknown-value', `--${option} needs seconds, 0 or more, not “${text}”.`);
  return { [key]: value } as Record<K, number>;
}
