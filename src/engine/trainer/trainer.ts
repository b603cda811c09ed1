/**
 * A training run on a simulated mesh: ranks with their own heaps, run step by step in one thread. The serial run is the
 * same on a mesh of one.
 */
import type { Program, Rank } from '../collectives/communicator';
import type { Diagnosis } from '../collectives/diagnosis';
import { runWorld, type Traffic } from '../collectives/world';
import type { WorldNetwork } from '../collectives/worldNetwork';
import type { RealType } from './heap';
import { layoutOf, type Layout } from './layout';
import type { Network } from './network';
import { ADAMW, type OptimizerOptions } from './optimizer';
import { type Initial, initialWeight } from './parameters';
import { Recorder } from './recorder';
import { type Batch, RankState } from './state';
import { trainStep } from './step';
import { Timeline, VIRTUAL_FLOPS_PER_SECOND } from './timeline';
import type { TrainPlan } from './trainPlan';
import { inTurn, type Turn } from './turn';

export interface TrainerOptions {
  readonly network: Network;
  readonly plan: TrainPlan;
  readonly type: RealType;
  readonly seed: number;
  readonly batch: Batch;
  readonly optimizer?: OptimizerOptions;
  readonly clipNorm?: number | null;
  /** How weights start, and what stands between a rank and the world: for programs that are wrong on purpose. */
  readonly initial?: (rank: number) => Initial;
  readonly between?: <T>(program: Program<T>, rank: Rank) => Program<T>;
  readonly frozen?: readonly string[];
  /** What messages cross in virtual time; null: they take no time, and collectives their first algorithm. */
  readonly mesh?: WorldNetwork | null;
  readonly flopsPerSecond?: number;
  /** See Heap. */
  readonly recycles?: boolean;
}

export interface StepResult {
  /** Mean over all tokens. */
  readonly loss: number;
  /** By data-parallel (dp · cp) rank: the mean over its own tokens. */
  readonly lossByDataRank: readonly number[];
  readonly gradients: Recorder;
  readonly timeline: Timeline;
  /** Virtual seconds with what communication the ranks wait for. */
  readonly seconds: number;
  readonly traffic: readonly Traffic[];
}

/** A world that could not go on: the program is wrong, and this says where. */
export class StuckError extends Error {
  constructor(readonly diagnosis: readonly Diagnosis[]) {
    super(`the ranks wait for one another: ${JSON.stringify(diagnosis)}`);
  }
}

export class Trainer {
  readonly layout: Layout;
  readonly ranks: readonly RankState[];
  /** Steps done. */
  steps = 0;
  private readonly turn: Turn = { rank: null };

  constructor(readonly options: TrainerOptions) {
    const { plan, network, type, seed, initial, recycles } = options;
    this.layout = layoutOf(plan, network);
    this.ranks = this.layout.places.map((_, rank) => new RankState(this.layout, rank, type, this.turn, recycles));
    for (const state of this.ranks)
      for (const unit of state.units) unit.initialise(initial?.(state.place.rank) ?? initialWeight, seed);
  }

  /** Without `records`, gradients are not put together for others to look at, and `gradients` stays empty. */
  step(records = true): StepResult {
    const { seed, batch, optimizer = ADAMW, clipNorm = null, frozen = [], between, mesh = null } = this.options;
    const { flopsPerSecond = VIRTUAL_FLOPS_PER_SECOND } = this.options;
    const gradients = new Recorder();
    const timeline = new Timeline(this.layout.world);
    const onGradients = (state: RankState) =>
      records && gradients.add(state, unit => ({ data: unit.ownedGradient, start: unit.start }));
    const common = { seed, batch, optimizer, clipNorm, timeline, frozen, onGradients, flopsPerSecond };
    const stepOptions = { ...common, step: ++this.steps };
    const { results, diagnosis, traffic, seconds } = runWorld({
      ranks: this.layout.world,
      network: mesh,
      program: rank => {
        const program = inTurn(trainStep(rank, this.ranks[rank.rank], stepOptions), rank.rank, this.turn);
        return between ? between(program, rank) : program;
      },
    });
    if (diagnosis) throw new StuckError(diagnosis);
    const { loss, lossByDataRank } = lossesOf(this.layout, results as number[]);
    return { loss, lossByDataRank, gradients, timeline, seconds, traffic };
  }

  /** All weights; copies of them must have the same bits. */
  weights(): Recorder {
    return this.record(unit => unit.held);
  }

  record(pick: Parameters<Recorder['add']>[1]): Recorder {
    const recorder = new Recorder();
    for (const state of this.ranks) recorder.add(state, pick);
    recorder.checkComplete();
    return recorder;
  }
}

/** The mean loss, from what each rank's step returned: ranks of a tp group the same, stages before the last nothing. */
export function lossesOf({ places }: Layout, losses: readonly number[]): Pick<StepResult, 'loss' | 'lossByDataRank'> {
  const sums = new Map<number, number>();
  for (const { rank, tp, data } of places)
    if (tp.index === 0) sums.set(data.index, (sums.get(data.index) ?? 0) + losses[rank]);
  const lossByDataRank = [...sums.values()];
  return { loss: lossByDataRank.reduce((a, b) => a + b, 0) / lossByDataRank.length, lossByDataRank };
}
