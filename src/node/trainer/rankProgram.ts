/** The training run as a program of ranks for the worlds of src/node/collectives: what each thread loads. */
import type { Program, Rank } from '../../engine/collectives/communicator';
import { textBatch } from '../../engine/trainer/data';
import type { BytesByKind, Real, RealType } from '../../engine/trainer/heap';
import { layoutOf } from '../../engine/trainer/layout';
import type { Network } from '../../engine/trainer/network';
import type { OptimizerOptions } from '../../engine/trainer/optimizer';
import { initialWeight } from '../../engine/trainer/parameters';
import type { Held } from '../../engine/trainer/recorder';
import { RankState } from '../../engine/trainer/state';
import { trainStep } from '../../engine/trainer/step';
import { counting, type Deal, type PredictedTraffic, Tally } from '../../engine/trainer/tally';
import { type TimelineEvent, TimelineLog, VIRTUAL_FLOPS_PER_SECOND } from '../../engine/trainer/timeline';
import type { TrainPlan } from '../../engine/trainer/trainPlan';
import { inTurn, type Turn } from '../../engine/trainer/turn';
import { windowed } from './windowed';

/** Everything here can be sent to a thread. */
export interface TrainJob {
  readonly network: Network;
  readonly plan: TrainPlan;
  readonly type: RealType;
  readonly seed: number;
  readonly steps: number;
  readonly optimizer: OptimizerOptions;
  readonly clipNorm: number | null;
  /** Bytes of the text to train on, each a token. */
  readonly text: Uint8Array;
  /** Steps (from 0) of which gradients and weights are kept. */
  readonly kept: readonly number[];
}

/** What a rank tells of one step. */
export interface RankStep {
  /** This rank's part of the mean loss. */
  readonly loss: number;
  readonly seconds: number;
  /** By unit; null in steps of which nothing is kept. */
  readonly gradients: readonly Held[] | null;
  readonly weights: readonly Held[] | null;
  readonly traffic: readonly PredictedTraffic[];
  readonly deals: readonly Deal[];
  readonly events: readonly TimelineEvent[];
  readonly memory: BytesByKind;
}

/** Makes the ranks of one thread; only one of them runs at a time. */
export function trainingRanks(job: TrainJob): (rank: Rank) => Program<readonly RankStep[]> {
  const layout = layoutOf(job.plan, job.network);
  const turn: Turn = { rank: null };
  return rank => {
    const state = new RankState(layout, rank.rank, job.type, turn, true);
    for (const unit of state.units) unit.initialise(initialWeight, job.seed);
    return windowed(inTurn(training(rank, state, job), rank.rank, turn));
  };
}

function* training(rank: Rank, state: RankState, job: TrainJob): Program<readonly RankStep[]> {
  const { seed, optimizer, clipNorm, plan, kept } = job;
  const batch = textBatch(job.text, plan.seqLen);
  const done: RankStep[] = [];
  for (let step = 0; step < job.steps; step++) {
    const isKept = kept.includes(step);
    const timeline = new TimelineLog();
    const tally = new Tally(rank.size);
    let gradients: Held[] | null = null;
    const program = trainStep(rank, state, {
      step: step + 1,
      seed,
      batch,
      optimizer,
      clipNorm,
      timeline,
      flopsPerSecond: VIRTUAL_FLOPS_PER_SECOND,
      onGradients: ({ units }) => {
        if (isKept) gradients = units.map(unit => copyOf(unit.ownedGradient, unit.start));
      },
    });
    const start = performance.now();
    const loss = yield* counting(program, rank.rank, tally);
    const seconds = (performance.now() - start) / 1000;
    const weights = isKept ? state.units.map(({ held }) => copyOf(held.data, held.start)) : null;
    const memory = { ...state.heap.peak };
    const counted = { traffic: tally.parts(), deals: tally.deals, events: timeline.events, memory };
    done.push({ loss, seconds, gradients, weights, ...counted });
  }
  return done;
}

const copyOf = (data: Real, start: number): Held => ({ data: data.slice(), start });
