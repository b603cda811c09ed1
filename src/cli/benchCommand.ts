/** `meshlens bench collectives` on the command line: its options checked, then this machine measured. */
import type { BenchDocument } from '../documents/bench';
import { type BenchProgress, defaultRanks, MOST_RANKS, mostBytes, runBench } from '../node/bench/collectives';
import { integerOption, type Options, UsageError } from './usage';

/** What a command needs of the place that it runs in. */
export interface BenchHost {
  /** The bundle of src/node/collectives/worker.ts. */
  readonly workerUrl: URL;
  readonly onProgress?: (progress: BenchProgress) => void;
}

export function benchCommand(operands: readonly string[], options: Options, host: BenchHost): Promise<BenchDocument> {
  const [name, ...more] = operands;
  if (name === undefined || more.length > 0) throw new UsageError('usage', 'bench needs what to measure: collectives.');
  if (name !== 'collectives')
    throw new UsageError('unknown-operation', `There is no benchmark “${name}”: collectives.`);
  const ranks = integerOption(options, 'ranks') ?? defaultRanks();
  if (ranks < 2 || ranks > MOST_RANKS)
    throw new UsageError('unknown-value', `--ranks needs an integer from 2 to ${MOST_RANKS}, not “${ranks}”.`);
  return runBench({ ranks, ...sizesOption(options, ranks), ...host });
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
