/** The meshlens command: parses arguments, runs a command, gives what to print and the exit code. */
import { parseArgs } from 'node:util';
import { type ErrorDocument, type ProblemDocument, SCHEMA } from '../documents/types';
import { ACCELERATORS } from '../engine/hardware/accelerators';
import { type BenchHost, benchCommand } from './benchCommand';
import { collectiveCli } from './collectiveCommand';
import { checkCommand } from './checkCommand';
import { applyCommand, estimateCommand, exportCommand, readCommand } from './commands';
import { searchCommand } from './searchCommand';
import { searchText } from './searchText';
import { readFile } from './inputs';
import { exerciseCommand, exerciseText } from './exerciseCommand';
import { proveCommand, proveText } from './proveCommand';
import { scheduleCommand } from './scheduleCommand';
import {
  applyText,
  checkText,
  collectiveText,
  estimateText,
  exportText,
  readText,
  scheduleText,
  validateText,
} from './text';
import { lectureCli, trainAnyCli, trainCli, type TrainCommandDocument, trainFailed } from './trainCommand';
import { lectureText, trainText } from './trainText';
import { validateDocument } from './validate';
import { HELP, OPTIONS, type Options, UsageError } from './usage';

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 0 fine, 1 an error in the input, 2 wrong usage. */
  readonly exitCode: 0 | 1 | 2;
}

interface Outcome {
  readonly document: object;
  readonly text: () => string;
  readonly failed: boolean;
}

type Command = (files: readonly string[], options: Options) => Outcome;

const hasError = (problems: readonly ProblemDocument[]): boolean =>
  problems.some(({ severity }) => severity === 'error');

const COMMANDS: Readonly<Record<string, Command>> = {
  read: (files, options) => {
    const document = readCommand(files, options);
    return {
      document,
      text: () => readText(document),
      failed: hasError(document.files.flatMap(({ problems }) => [...problems])),
    };
  },
  estimate: (files, options) => {
    const document = estimateCommand(files, options);
    return { document, text: () => estimateText(document), failed: hasError(document.problems) };
  },
  search: (files, options) => {
    const document = searchCommand(files, options);
    const infeasible = document.space.candidates > 0 && document.space.feasible === 0;
    return { document, text: () => searchText(document), failed: hasError(document.problems) || infeasible };
  },
  apply: (files, options) => {
    const document = applyCommand(files, options);
    return { document, text: () => applyText(document, options.write), failed: hasError(document.problems) };
  },
  export: (files, options) => {
    const document = exportCommand(files, options);
    const failed = hasError(document.problems) || document.files.length === 0;
    return { document, text: () => exportText(document, options.text.out ?? null), failed };
  },
  check: (files, options) => {
    const document = checkCommand(files, options);
    return { document, text: () => checkText(document), failed: hasError(document.problems) };
  },
  validate: (_files, options) => {
    const { runs } = options.text;
    const document = validateDocument(runs === undefined ? null : readFile(runs));
    return { document, text: () => validateText(document), failed: false };
  },
  collective: (operands, options) => {
    const document = collectiveCli(operands, options);
    return { document, text: () => collectiveText(document), failed: hasError(document.problems) };
  },
  train: (_files, options) => trainOutcome(trainCli(options)),
  prove: (files, options) => {
    const document = proveCommand(files, options);
    const failed = hasError(document.problems) || document.result?.equal === false;
    return { document, text: () => proveText(document), failed };
  },
  exercise: operands => {
    const document = exerciseCommand(operands);
    const [, file] = operands;
    return { document, text: () => exerciseText(document, file), failed: file !== undefined && !document.passed };
  },
  lecture: operands => {
    const document = lectureCli(operands);
    return { document, text: () => lectureText(document), failed: false };
  },
  pipeline: (_files, options) => {
    const document = scheduleCommand(options);
    return { document, text: () => scheduleText(document), failed: hasError(document.problems) };
  },
};

function trainOutcome(document: TrainCommandDocument): Outcome {
  return { document, text: () => trainText(document), failed: trainFailed(document) };
}

/** Commands that take their time, or that may. */
const LATER: Readonly<
  Record<string, (operands: readonly string[], options: Options, host: BenchHost) => Promise<Outcome>>
> = {
  bench: benchCommand,
  train: async (_operands, options, host) => trainOutcome(await trainAnyCli(options, host)),
};

function parse(argv: readonly string[]): { command: string; files: string[]; options: Options } {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    const { json, write, set, fix, log, run, help, ...rest } = values;
    const text = Object.fromEntries(
      Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
    const [first = '', ...files] = positionals;
    const command = help === true ? 'help' : first;
    return {
      command,
      files,
      options: {
        json: json === true,
        write: write === true,
        text,
        set: set ?? [],
        fix: fix ?? [],
        log: log ?? [],
        run: run ?? [],
      },
    };
  } catch (error) {
    throw new UsageError('usage', error instanceof Error ? error.message : String(error));
  }
}

const firstWord = (argv: readonly string[]): string => argv.find(argument => !argument.startsWith('-')) ?? '';

/** Runs one command line of a command that answers at once; touches nothing but the files that it names. */
export function runCli(argv: readonly string[]): CliResult {
  const json = argv.includes('--json');
  let command = firstWord(argv);
  const print = (stdout: string): CliResult => ({ stdout, stderr: '', exitCode: 0 });
  try {
    const parsed = parse(argv);
    command = parsed.command;
    if (command === 'help') return print(HELP);
    if (parsed.options.text.gpu === 'list') return print(`${Object.keys(ACCELERATORS).join('\n')}\n`);
    const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (run === undefined)
      throw new UsageError(
        'usage',
        command === '' ? `Name a command.\n\n${HELP}` : `There is no command “${command}”.`,
      );
    return answered(run(parsed.files, parsed.options), json);
  } catch (error) {
    return refused(error, command, json);
  }
}

/** Runs any command line. */
export async function runAnyCli(argv: readonly string[], host: BenchHost): Promise<CliResult> {
  const json = argv.includes('--json');
  let command = firstWord(argv);
  try {
    const parsed = parse(argv);
    command = parsed.command;
    if (!Object.hasOwn(LATER, command)) return runCli(argv);
    return answered(await LATER[command](parsed.files, parsed.options, host), json);
  } catch (error) {
    return refused(error, command, json);
  }
}

function answered({ document, text, failed }: Outcome, json: boolean): CliResult {
  return { stdout: json ? `${JSON.stringify(document)}\n` : text(), stderr: '', exitCode: failed ? 1 : 0 };
}

function refused(error: unknown, command: string, json: boolean): CliResult {
  if (!(error instanceof UsageError)) throw error;
  const document: ErrorDocument = { schema: SCHEMA, command, error: { code: error.code, message: error.message } };
  return json
    ? { stdout: `${JSON.stringify(document)}\n`, stderr: '', exitCode: 2 }
    : { stdout: '', stderr: `meshlens: ${error.message}\n`, exitCode: 2 };
}
