/** `meshlens collective`: what a collective costs on a machine, which algorithm is best, and what each rank sends. */
import { bandwidthOf } from '../engine/collectives/bandwidth';
import { algorithmsFor, buildSchedule, segmentsFor } from '../engine/collectives/build';
import { type Crossover, crossovers, rankAlgorithms } from '../engine/collectives/choose';
import { type GroupNetwork, hierarchyUsesSwitch } from '../engine/collectives/cost';
import { countSchedule } from '../engine/collectives/count';
import { chunkStarts, evenBlocks } from '../engine/collectives/layout';
import { type MachineOptions, networkOf } from '../engine/collectives/network';
import { ALGORITHMS, type Algorithm, COLLECTIVE_OPS, type CollectiveOp } from '../engine/collectives/schedule';
import type { Accelerator } from '../engine/hardware/accelerators';
import { type Problem, problem } from '../engine/problem';

export interface CollectiveOptions extends MachineOptions {
  readonly op: CollectiveOp;
  readonly ranks: number;
  /** As nccl-tests counts: all-gather total output, reduce-scatter and all-to-all total input, else the buffer. */
  readonly bytes: number;
  /** Id and entry of the accelerator table; null where nobody named one. */
  readonly gpu: { readonly id: string; readonly device: Accelerator } | null;
  readonly algorithm?: Algorithm;
}

export interface CollectiveDocument {
  readonly algorithm: Algorithm | null;
  /** `asked`, `fastest` of what is on offer, or `default` where no device is named. */
  readonly choice: 'asked' | 'fastest' | 'default' | null;
  readonly steps: number | null;
  readonly seconds: number | null;
  /** bytes/s. */
  readonly algbw: number | null;
  readonly busbw: number | null;
  readonly bytesSentPerRank: readonly number[] | null;
  /** `offered`: whether the usual library would run it here. The choice is made among those. */
  readonly alternatives: readonly { algorithm: Algorithm; seconds: number; offered: boolean }[];
  /** Sizes from which another algorithm is the fastest. */
  readonly crossovers: readonly Crossover[];
}

const UNKNOWN: CollectiveDocument = {
  algorithm: null,
  choice: null,
  steps: null,
  seconds: null,
  algbw: null,
  busbw: null,
  bytesSentPerRank: null,
  alternatives: [],
  crossovers: [],
};

/**
 * More ranks than this are priced by the closed form alone: their step lists are too long to count on demand. Those in
 * which everyone sends to everyone at once are longer.
 */
const mostCounted = (op: CollectiveOp, algorithm: Algorithm) =>
  op === 'all-to-all' || algorithm === 'direct' ? 1024 : 4096;

/** The operation of a name as users write it: underscores and dashes both; null where there is none. */
export function parseOp(name: string): CollectiveOp | null {
  const dashed = name.toLowerCase().replaceAll('_', '-');
  const known =
    { sendrecv: 'send-recv', allreduce: 'all-reduce', allgather: 'all-gather', alltoall: 'all-to-all' }[dashed] ??
    dashed;
  return COLLECTIVE_OPS.find(op => op === known) ?? null;
}

export function parseAlgorithm(name: string): Algorithm | null {
  return ALGORITHMS.find(a => a === name.toLowerCase().replaceAll('_', '-')) ?? null;
}

/** The document without `schema` and `command`, and what is wrong with the options. */
export function collectiveCommand(options: CollectiveOptions): { document: CollectiveDocument; problems: Problem[] } {
  const { op, ranks, bytes, gpu } = options;
  const wrong = invalid(options);
  if (wrong) return { document: UNKNOWN, problems: [wrong] };
  const network = gpu ? networkOf(gpu.id, gpu.device, ranks, options) : null;
  const alternatives = network ? rankAlgorithms(op, bytes, network) : [];
  const algorithm = options.algorithm ?? alternatives.find(a => a.offered)?.algorithm ?? (network ? null : usual(op));
  const priced = alternatives.find(a => a.algorithm === algorithm);
  if (algorithm === null || (network && !priced)) {
    const args = { key: 'algorithm', value: algorithm, expected: algorithmsFor(op).join(', '), op, ranks };
    return { document: { ...UNKNOWN, alternatives }, problems: [problem('value-invalid', args)] };
  }
  const seconds = priced?.seconds ?? null;
  const rates = seconds === null ? { algbw: null, busbw: null } : bandwidthOf(op, bytes, seconds, ranks);
  const document: CollectiveDocument = {
    algorithm,
    choice: options.algorithm ? 'asked' : network ? 'fastest' : 'default',
    ...counted(op, algorithm, ranks, bytes, network),
    seconds,
    ...rates,
    alternatives,
    crossovers: network ? crossovers(op, network) : [],
  };
  return { document, problems: network ? [] : [problem('cluster-unknown', { key: 'gpu' })] };
}

function invalid({ op, ranks, bytes, algorithm }: CollectiveOptions): Problem | null {
  const wrong = (key: string, value: number | string, expected: string) =>
    problem('value-invalid', { key, value, expected, op });
  if (!Number.isInteger(ranks) || ranks < 1) return wrong('ranks', ranks, 'an integer, 1 or more');
  if (!Number.isInteger(bytes) || bytes < 0) return wrong('bytes', bytes, 'an integer, 0 or more');
  if (algorithm && !algorithmsFor(op).includes(algorithm))
    return wrong('algorithm', algorithm, algorithmsFor(op).join(', '));
  return null;
}

/** What a list is counted for where no machine decides. */
const usual = (op: CollectiveOp): Algorithm => algorithmsFor(op)[0];

function counted(op: CollectiveOp, algorithm: Algorithm, ranks: number, bytes: number, network: GroupNetwork | null) {
  const unknown = { steps: null, bytesSentPerRank: null };
  if (ranks > mostCounted(op, algorithm)) return unknown;
  const schedule = buildSchedule(op, algorithm, ranks, {
    ranksPerDomain: network?.ranksPerDomain ?? ranks,
    inSwitch: network !== null && hierarchyUsesSwitch(op, network),
    // Segments of the two-level algorithms change when bytes move, not how many.
    segments: algorithm === 'hierarchical' ? 1 : segmentsFor(bytes),
  });
  if (!schedule) return unknown;
  const { steps, sentBytes } = countSchedule(schedule, chunkStarts(schedule, evenBlocks(schedule, bytes)));
  return { steps, bytesSentPerRank: [...sentBytes] };
}
