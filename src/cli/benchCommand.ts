/** `meshlens bench …` on the command line: what is measured here, and what is made of measurements. */
import type { ProblemDocument } from '../documents/types';
import { defaultRanks, MOST_RANKS, mostBytes, runBench } from '../node/bench/collectives';
import { runHost } from '../node/bench/host';
import { compareCommand, compareText } from './bench/compareCommand';
import { benchCheckCommand, benchCheckText } from './bench/checkCommand';
import { clusterCommand, clusterText } from './bench/clusterCommand';
import { compareRunCommand, compareRunText } from './bench/compareRunCommand';
import { hardwareFile } from '../documents/measured';
import { fitCommand, fitText } from './bench/fitCommand';
import { hostText } from './bench/hostText';
import { importCommand, importText } from './bench/importCommand';
import { writeOutput } from './bench/output';
import { benchText } from './benchText';
import { integerOption, numberOption, type Options, UsageError } from './usage';

/** What a command needs of the place that it runs in. */
export interface BenchHost {
  /** The bundle of src/node/collectives/worker.ts; the other workers lie beside it. */
  readonly workerUrl: URL;
  readonly onProgress?: (progress: { readonly done: number; readonly operations: number; readonly op: string }) => void;
}

export interface BenchOutcome {
  readonly document: object;
  readonly text: () => string;
  readonly failed: boolean;
  /** What --out keeps, where it is not the document. */
  readonly kept?: object;
}

type Benchmark = (files: readonly string[], options: Options, host: BenchHost) => BenchOutcome | Promise<BenchOutcome>;

const fine = (document: object, text: () => string): BenchOutcome => ({ document, text, failed: false });

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  host: async (files, options, host) => {
    none(files, 'host');
    const ranks = ranksOption(options);
    const seconds = numberOption(options, 'seconds');
    const document = await runHost({
      ranks,
      ...sizesOption(options, ranks),
      ...samplesOption(options),
      ...(seconds === null ? {} : { pointSeconds: seconds }),
      ...host,
      hostUrl: new URL('hostWorker.mjs', host.workerUrl),
    });
    return fine(document, () => hostText(document));
  },
  collectives: async (files, options, host) => {
    none(files, 'collectives');
    const ranks = ranksOption(options);
    const document = await runBench({ ranks, ...sizesOption(options, ranks), ...samplesOption(options), ...host });
    return fine(document, () => benchText(document));
  },
  cluster: (files, options) => {
    const document = clusterCommand(files, options);
    return { document, text: () => clusterText(document), failed: hasError(document.problems) };
  },
  check: files => {
    const document = benchCheckCommand(files);
    return { document, text: () => benchCheckText(document), failed: hasError(document.problems) };
  },
  'compare-run': (files, options) => {
    const document = compareRunCommand(files, options);
    return { document, text: () => compareRunText(document), failed: hasError(document.problems) };
  },
  fit: (files, options) => {
    const document = fitCommand(files, options);
    const kept = hardwareFile(document, new Date().toISOString());
    return { document, text: () => fitText(document), failed: hasError(document.problems), kept };
  },
  import: (files, options) => {
    const document = importCommand(files, options);
    const failed = hasError([...document.problems, ...document.files.flatMap(({ problems }) => [...problems])]);
    return { document, text: () => importText(document), failed };
  },
  compare: files => {
    const document = compareCommand(files);
    return fine(document, () => compareText(document));
  },
};

const hasError = (problems: readonly ProblemDocument[]) => problems.some(({ severity }) => severity === 'error');

const NAMES = Object.keys(BENCHMARKS).join(', ');

export async function benchCommand(
  operands: readonly string[],
  options: Options,
  host: BenchHost,
): Promise<BenchOutcome> {
  const [name, ...files] = operands;
  if (name === undefined) throw new UsageError('usage', `bench needs what to do: ${NAMES}.`);
  if (!Object.hasOwn(BENCHMARKS, name))
    throw new UsageError('unknown-operation', `There is no benchmark “${name}”: ${NAMES}.`);
  const outcome = await BENCHMARKS[name](files, options, host);
  const { out } = options.text;
  if (out !== undefined) writeOutput(out, `${JSON.stringify(outcome.kept ?? outcome.document, null, 2)}\n`);
  return outcome;
}

function none(files: readonly string[], name: string): void {
  if (files.length > 0) throw new UsageError('usage', `bench ${name} takes no files.`);
}

function ranksOption(options: Options): number {
  const ranks = integerOption(options, 'ranks') ?? defaultRanks();
  if (ranks < 2 || ranks > MOST_RANKS)
    throw new UsageError('unknown-value', `--ranks needs an integer from 2 to ${MOST_RANKS}, not “${ranks}”.`);
  return ranks;
}

function samplesOption(options: Options): { samples?: number } {
  const samples = integerOption(options, 'samples');
  return samples === null ? {} : { samples };
}

function sizesOption(options: Options, ranks: number): { sizes?: number[] } {
  const text = options.text.sizes;
  if (text === undefined) return {};
  const most = mostBytes(ranks);
  const sizes = text.split(',').map(part => (part.trim() === '' ? NaN : Number(part)));
  if (!sizes.every(bytes => Number.isInteger(bytes) && bytes >= 1 && bytes <= most))
    throw new UsageError('unknown-value', `--sizes needs bytes from 1 to ${most}, as in 4096,1048576, not “${text}”.`);
  return { sizes };
}
