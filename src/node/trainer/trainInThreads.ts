/**
 * A training run in worker threads: ranks with real communication between threads and the seconds that it takes. With
 * one worker there are no threads; the same ranks run one after the other here.
 */
import { LINK_PROFILES } from '../../engine/collectives/linkProfiles';
import { runWorld } from '../../engine/collectives/world';
import type { WorldNetwork } from '../../engine/collectives/worldNetwork';
import type { RealType } from '../../engine/trainer/heap';
import { type Layout, layoutOf } from '../../engine/trainer/layout';
import { predictTraffic } from '../../engine/trainer/predictTraffic';
import type { ParallelStep } from '../../engine/trainer/prove';
import { type Held, Recorder } from '../../engine/trainer/recorder';
import { RankState } from '../../engine/trainer/state';
import { addDeals, Tally } from '../../engine/trainer/tally';
import { timelineOf } from '../../engine/trainer/timeline';
import { lossesOf, StuckError } from '../../engine/trainer/trainer';
import { runThreads } from '../collectives/runThreads';
import { type RankStep, trainingRanks, type TrainJob } from './rankProgram';

export interface ThreadedOptions {
  readonly workers: number;
  /** The bundle of src/node/collectives/worker.ts, and that of rankProgram.ts. */
  readonly workerUrl: URL;
  readonly programUrl: URL;
  readonly signal?: AbortSignal;
}

export interface ThreadedStep extends ParallelStep {
  /** From the first rank's start of the step to the last one's end, as each measured its own. */
  readonly seconds: number;
}

/** A network whose reductions add in the order in which threads do, so that both give the same bits. */
export const threadOrder = (ranks: number): WorldNetwork => ({
  domainSize: ranks,
  linkBytesPerSecond: 1e9,
  nicBytesPerSecond: null,
  profile: LINK_PROFILES.hopper,
  algorithm: 'direct',
});

/** Runs all steps; rejects with a StuckError where the ranks wait for one another. */
export async function trainInThreads(job: TrainJob, options: ThreadedOptions): Promise<ThreadedStep[]> {
  const layout = layoutOf(job.plan, job.network);
  const ranks = layout.world;
  const { workers, workerUrl, programUrl, signal } = options;
  const program = { url: programUrl.href, name: 'trainingRanks', args: job };
  const { results, diagnosis } =
    Math.min(workers, ranks) > 1
      ? await runThreads<readonly RankStep[]>({
          ranks,
          workers,
          arenaBytes: arenaBytes(layout, job.type),
          workerUrl,
          program,
          ...(signal ? { signal } : {}),
        })
      : runWorld({ ranks, program: trainingRanks(job), network: threadOrder(ranks) });
  if (diagnosis) throw new StuckError(diagnosis);
  const states = layout.places.map((_, rank) => new RankState(layout, rank, job.type, { rank: null }));
  const reports = results as (readonly RankStep[])[];
  return Array.from({ length: job.steps }, (_, step) =>
    together(
      layout,
      states,
      reports.map(report => report[step]),
    ),
  );
}

/** One step from what its ranks tell. */
function together(layout: Layout, states: readonly RankState[], ranks: readonly RankStep[]): ThreadedStep {
  const tally = new Tally(ranks.length);
  ranks.forEach(({ traffic }, rank) => {
    for (const { axis, op, bytesPerRank, count } of traffic) tally.put(axis, op, rank, bytesPerRank[rank], count);
  });
  addDeals(
    tally,
    ranks.map(({ deals }) => deals),
  );
  return {
    ...lossesOf(
      layout,
      ranks.map(({ loss }) => loss),
    ),
    gradients: recorded(
      states,
      ranks.map(({ gradients }) => gradients),
    ),
    weights: recorded(
      states,
      ranks.map(({ weights }) => weights),
    ),
    traffic: tally.list().map(({ bytesPerRank, ...traffic }) => ({ ...traffic, sentBytes: bytesPerRank })),
    timeline: timelineOf(ranks.map(({ events }) => events)),
    memory: ranks.map(({ memory }) => memory),
    seconds: Math.max(...ranks.map(({ seconds }) => seconds)),
  };
}

/** Whole tensors from the parts that the ranks kept. */
function recorded(states: readonly RankState[], parts: readonly (readonly Held[] | null)[]): Recorder | null {
  const recorder = new Recorder();
  for (const { units, place } of states) {
    const held = parts[place.rank];
    if (!held) return null;
    units.forEach((unit, i) => recorder.addUnit(place.rank, unit, held[i]));
  }
  recorder.checkComplete();
  return recorder;
}

/** Bytes of shared memory that a run's buffers need. */
export function threadBytes({ plan, network, type }: Pick<TrainJob, 'plan' | 'network' | 'type'>): number {
  const layout = layoutOf(plan, network);
  return layout.world * arenaBytes(layout, type);
}

/**
 * Bytes that a rank's communication may need at once: all of a step's. An input and the room for the result are at most
 * four times what the call sends; where rows go to experts, all may go to those of one rank.
 */
function arenaBytes(layout: Layout, type: RealType): number {
  const { network, plan } = layout;
  const experts = network.kind === 'decoder' ? network.experts : 0;
  const evenly = (plan.microBatch * plan.seqLen) / plan.cp / plan.tp;
  const rows = () => new Int32Array(experts).fill(Math.ceil((evenly * topK(layout)) / Math.max(1, experts)));
  const traffic = predictTraffic(layout, type === 'f32' ? 4 : 8, true, rows);
  const bytes = layout.places.map((_, rank) => traffic.reduce((sum, t) => sum + t.bytesPerRank[rank], 0));
  const calls = traffic.reduce((sum, { count }) => sum + count, 0);
  return 4 * plan.ep * Math.max(...bytes) + 4 * 64 * calls + 65536;
}

const topK = ({ network }: Layout) => (network.kind === 'decoder' ? network.topK : 0);
