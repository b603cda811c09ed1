/** The meshlens command: parses arguments, runs a command, prints its document, sets the exit code. */
import { parseArgs } from 'node:util';
import { ACCELERATORS } from '../engine/hardware/accelerators';
import { type ErrorDocument, type ProblemDocument, SCHEMA } from '../documents/types';
import { applyCommand, checkCommand, estimateCommand, readCommand, searchCommand } from './commands';
import { applyText, checkText, estimateText, readText, searchText } from './text';
import { HELP, OPTIONS, type Options, UsageError } from './usage';

interface Outcome {
  readonly document: object;
  readonly text: string;
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
      text: readText(document),
      failed: hasError(document.files.flatMap(({ problems }) => [...problems])),
    };
  },
  estimate: (files, options) => {
    const document = estimateCommand(files, options);
    return { document, text: estimateText(document), failed: hasError(document.problems) };
  },
  search: (files, options) => {
    const document = searchCommand(files, options);
    const infeasible = document.space.candidates > 0 && document.space.feasible === 0;
    return { document, text: searchText(document), failed: hasError(document.problems) || infeasible };
  },
  apply: (files, options) => {
    const document = applyCommand(files, options);
    return { document, text: applyText(document, options.write), failed: hasError(document.problems) };
  },
  check: (files, options) => {
    const document = checkCommand(files, options);
    return { document, text: checkText(document), failed: hasError(document.problems) };
  },
};

function parse(argv: readonly string[]): { command: string; files: string[]; options: Options } {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    const { json, write, set, fix, help, ...rest } = values;
    const text = Object.fromEntries(
      Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
    const [command = help === true ? 'help' : '', ...files] = positionals;
    return {
      command,
      files,
      options: { json: json === true, write: write === true, text, set: set ?? [], fix: fix ?? [] },
    };
  } catch (error) {
    throw new UsageError('usage', error instanceof Error ? error.message : String(error));
  }
}

function fail(command: string, json: boolean, error: UsageError): void {
  const document: ErrorDocument = { schema: SCHEMA, command, error: { code: error.code, message: error.message } };
  if (json) process.stdout.write(`${JSON.stringify(document)}\n`);
  else process.stderr.write(`meshlens: ${error.message}\n`);
  process.exitCode = 2;
}

export function main(argv: readonly string[]): void {
  const json = argv.includes('--json');
  let command = argv.find(argument => !argument.startsWith('-')) ?? '';
  try {
    const parsed = parse(argv);
    command = parsed.command;
    if (command === 'help') return void process.stdout.write(HELP);
    if (parsed.options.text.gpu === 'list')
      return void process.stdout.write(`${Object.keys(ACCELERATORS).join('\n')}\n`);
    const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (run === undefined)
      throw new UsageError(
        'usage',
        command === '' ? `Name a command.\n\n${HELP}` : `There is no command “${command}”.`,
      );
    const { document, text, failed } = run(parsed.files, parsed.options);
    process.stdout.write(json ? `${JSON.stringify(document)}\n` : text);
    process.exitCode = failed ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    fail(command, json, error);
  }
}
