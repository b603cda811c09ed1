/**
 * The proof of a plan: the parallel run beside the serial one, compared at every step, and what was counted beside what
 * was predicted.
 */
import type { CollectiveOp } from '../collectives/schedule';
import type { Traffic } from '../collectives/world';
import type { BytesByKind, MemoryKind, RealType } from './heap';
import { layoutOf } from './layout';
import type { Network } from './network';
import { ADAMW } from './optimizer';
import { type PredictedMemory, predictMemory } from './predictMemory';
import { predictTimeline } from './predictTime';
import { predictTraffic } from './predictTraffic';
import type { Recorder, ReplicaDifference } from './recorder';
import { rowsOf } from './routes';
import type { Batch, RoutingLog } from './state';
import type { PredictedTraffic } from './tally';
import type { Timeline } from './timeline';
import { Trainer, type TrainerOptions } from './trainer';
import { serialPlan, type TrainPlan } from './trainPlan';

export interface ProofOptions
  extends Pick<TrainerOptions, 'initial' | 'between' | 'frozen' | 'clipNorm' | 'optimizer'> {
  readonly network: Network;
  readonly plan: TrainPlan;
  readonly type: RealType;
  readonly steps: number;
  readonly seed: number;
  readonly batch: Batch;
}

/** The most that may differ. */
export interface Tolerance {
  /** Absolute. */
  readonly loss: number;
  /** Relative to the tensor's largest gradient. */
  readonly gradient: number;
  /** Absolute. */
  readonly weight: number;
}

/** Where two runs part: the first tensor and step past the tolerance. */
export interface Mismatch {
  readonly what: 'loss' | 'gradient' | 'weight' | 'replica' | 'traffic' | 'memory' | 'bubble';
  readonly step: number;
  /** Tensor, or axis and operation. */
  readonly where: string;
  readonly index: number | null;
  readonly rank: number | null;
  readonly value: number;
  readonly expected: number;
}

export interface AxisTraffic {
  readonly axis: string;
  readonly op: CollectiveOp;
  readonly count: number;
  readonly predictedCount: number;
  readonly bytesPerRank: readonly number[];
  readonly predictedBytesPerRank: readonly number[];
}

export interface Proof {
  readonly losses: readonly number[];
  readonly serialLosses: readonly number[];
  readonly lossByDataRank: readonly (readonly number[])[];
  readonly maxLossDifference: number;
  readonly maxGradientDifference: number;
  readonly maxWeightDifference: number;
  readonly tolerance: Tolerance;
  /** Numbers, replicas, traffic, memory and bubble all agree. */
  readonly equal: boolean;
  /** In the order of the steps; the first of each kind. */
  readonly mismatches: readonly Mismatch[];
  readonly traffic: readonly AxisTraffic[];
  /** Peaks of the last step by rank; what is predicted leaves temporary buffers out. */
  readonly memory: readonly BytesByKind[];
  readonly predictedMemory: readonly PredictedMemory[];
  readonly virtualSeconds: number;
  readonly bubbleFraction: number;
  readonly predictedBubbleFraction: number;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/**
 * AdamW's first steps are ±learning rate whatever the gradient's size, so that where a gradient is nearly zero the
 * rounding of f32 can turn its sign: in f32 weights are only held to the way that they can go.
 */
export function toleranceOf(type: RealType, optimizer: TrainPlan['optimizer'], steps: number, rate: number): Tolerance {
  if (type === 'f64') return { loss: 1e-11, gradient: 1e-12, weight: optimizer === 'sgd' ? 1e-12 : 1e-9 };
  return { loss: 1e-4, gradient: 1e-3, weight: optimizer === 'sgd' ? 1e-5 : 2 * rate * steps };
}

/** What a step of the parallel run showed. */
export interface ParallelStep {
  readonly loss: number;
  readonly lossByDataRank: readonly number[];
  /** Null in steps of which they were not kept. */
  readonly gradients: Recorder | null;
  readonly weights: Recorder | null;
  readonly traffic: readonly Traffic[];
  readonly timeline: Timeline;
  /** Peaks by rank. */
  readonly memory: readonly BytesByKind[];
}

/** Runs steps one by one on the simulated mesh. */
export function simulated(options: ProofOptions): () => ParallelStep {
  const trainer = new Trainer(options);
  return () => {
    const step = trainer.step();
    return { ...step, weights: trainer.weights(), memory: trainer.ranks.map(({ heap }) => ({ ...heap.peak })) };
  };
}

/**
 * Runs both and compares; yields after each step, so that a caller can show progress and stop. `next` gives the steps
 * of the parallel run where they come from elsewhere than the simulated mesh.
 */
export function* prove(options: ProofOptions, next = simulated(options)): Generator<Progress, Proof> {
  const { plan, network, type, steps, seed, batch, optimizer = ADAMW, clipNorm = null } = options;
  const serial = new Trainer({ network, type, seed, batch, optimizer, clipNorm, plan: serialPlan(plan) });
  const layout = layoutOf(plan, network);
  const comparison = new Comparison(toleranceOf(type, plan.optimizer, steps, optimizer.learningRate));
  const counted = new Counts();
  let timeline: Timeline | null = null;
  for (let step = 0; step < steps; step++) {
    const log: RoutingLog = new Map();
    serial.ranks[0].routing = log;
    const [expected, found] = [serial.step(), next()];
    comparison.loss(step, expected.loss, found.loss, found.lossByDataRank);
    if (found.gradients) comparison.tensors('gradient', step, expected.gradients, found.gradients);
    if (found.weights) comparison.tensors('weight', step, serial.weights(), found.weights);
    const rows = log.size > 0 ? rowsOf(layout, log) : null;
    const bytes = type === 'f32' ? 4 : 8;
    counted.add(found.traffic, predictTraffic(layout, bytes, clipNorm !== null, rows));
    counted.memory = found.memory;
    counted.predictedMemory = predictMemory(layout, bytes, rows);
    comparison.counts(step, counted);
    timeline = found.timeline;
    yield { done: step + 1, total: steps };
  }
  const { bubbleFraction = 0, seconds: virtualSeconds = 0 } = timeline ?? {};
  const predictedBubbleFraction = predictTimeline(layout).bubbleFraction;
  comparison.bubble(steps - 1, bubbleFraction, predictedBubbleFraction);
  return {
    ...comparison.result(),
    traffic: counted.list(),
    memory: counted.memory,
    predictedMemory: counted.predictedMemory,
    virtualSeconds,
    bubbleFraction,
    predictedBubbleFraction,
  };
}

/** Counted and predicted traffic and memory over the steps. */
class Counts {
  memory: readonly BytesByKind[] = [];
  predictedMemory: PredictedMemory[] = [];
  private readonly traffic = new Map<string, { found: Traffic | null; predicted: PredictedTraffic | null }[]>();

  add(found: readonly Traffic[], predicted: readonly PredictedTraffic[]): void {
    // The world calls every message between two ranks p2p; here only the pipeline sends them.
    const axis = (name: string) => (name === 'p2p' ? 'pp' : name);
    const keys = new Set([...found, ...predicted].map(t => `${axis(t.axis)} ${t.op}`));
    for (const key of keys) {
      const has = (t: { axis: string; op: string }) => `${axis(t.axis)} ${t.op}` === key;
      const pair = { found: found.find(has) ?? null, predicted: predicted.find(has) ?? null };
      this.traffic.set(key, [...(this.traffic.get(key) ?? []), pair]);
    }
  }

  list(): AxisTraffic[] {
    return [...this.traffic].map(([key, pairs]) => {
      const [axis, op] = key.split(' ') as [string, CollectiveOp];
      const sum = (lists: (ArrayLike<number> | undefined)[]) => {
        const total: number[] = [];
        for (const list of lists) if (list) Array.from(list, (x, i) => (total[i] = (total[i] ?? 0) + x));
        return total;
      };
      return {
        axis,
        op,
        count: pairs.reduce((n, { found }) => n + (found?.count ?? 0), 0),
        predictedCount: pairs.reduce((n, { predicted }) => n + (predicted?.count ?? 0), 0),
        bytesPerRank: sum(pairs.map(({ found }) => found?.sentBytes)),
        predictedBytesPerRank: sum(pairs.map(({ predicted }) => predicted?.bytesPerRank)),
      };
    });
  }
}

class Comparison {
  private readonly losses: number[] = [];
  private readonly serialLosses: number[] = [];
  private readonly lossByDataRank: (readonly number[])[] = [];
  private readonly most = { loss: 0, gradient: 0, weight: 0 };
  private readonly mismatches = new Map<string, Mismatch>();

  constructor(private readonly tolerance: Tolerance) {}

  private note(mismatch: Mismatch): void {
    if (!this.mismatches.has(mismatch.what)) this.mismatches.set(mismatch.what, mismatch);
  }

  loss(step: number, expected: number, value: number, byRank: readonly number[]): void {
    this.losses.push(value);
    this.serialLosses.push(expected);
    this.lossByDataRank.push(byRank);
    const difference = Math.abs(value - expected);
    this.most.loss = worse(this.most.loss, difference);
    if (!(difference <= this.tolerance.loss))
      this.note({ what: 'loss', step, where: 'loss', index: null, rank: null, value, expected });
  }

  /** Every element of every tensor; gradients relative to the tensor's largest. */
  tensors(what: 'gradient' | 'weight', step: number, expected: Recorder, found: Recorder): void {
    this.replica(step, found.replicaDifference);
    for (const [name, want] of expected.tensors) {
      const have = found.tensors.get(name) ?? new Float64Array(want.length).fill(NaN);
      const scale = what === 'gradient' ? want.reduce((m, x) => Math.max(m, Math.abs(x)), 0) || 1 : 1;
      for (let i = 0; i < want.length; i++) {
        const difference = Math.abs(want[i] - have[i]) / scale;
        if (difference <= this.most[what]) continue;
        this.most[what] = worse(this.most[what], difference);
        if (difference <= this.tolerance[what]) continue;
        this.note({ what, step, where: name, index: i, rank: null, value: have[i], expected: want[i] });
      }
    }
  }

  private replica(step: number, found: ReplicaDifference | null): void {
    if (!found) return;
    const { tensor, index, rank, value, other } = found;
    this.note({ what: 'replica', step, where: tensor, index, rank, value, expected: other });
  }

  counts(step: number, counted: Counts): void {
    for (const { axis, op, bytesPerRank, predictedBytesPerRank, count, predictedCount } of counted.list()) {
      const where = `${axis} ${op}`;
      const ranks = Math.max(bytesPerRank.length, predictedBytesPerRank.length);
      for (let rank = 0; rank < ranks; rank++) {
        const [value, expected] = [bytesPerRank[rank] ?? 0, predictedBytesPerRank[rank] ?? 0];
        if (value !== expected) this.note({ what: 'traffic', step, where, index: null, rank, value, expected });
      }
      if (count !== predictedCount)
        this.note({ what: 'traffic', step, where, index: null, rank: null, value: count, expected: predictedCount });
    }
    counted.predictedMemory.forEach((predicted, rank) => {
      for (const kind of ['weights', 'gradients', 'optimizer', 'activations'] as const satisfies MemoryKind[]) {
        const [value, expected] = [counted.memory[rank][kind], predicted[kind]];
        if (value !== expected) this.note({ what: 'memory', step, where: kind, index: null, rank, value, expected });
      }
    });
  }

  bubble(step: number, value: number, expected: number): void {
    if (Math.abs(value - expected) > 1e-12)
      this.note({ what: 'bubble', step, where: 'timeline', index: null, rank: null, value, expected });
  }

  result() {
    const { losses, serialLosses, lossByDataRank, tolerance } = this;
    const { loss, gradient, weight } = this.most;
    const mismatches = [...this.mismatches.values()].sort((a, b) => a.step - b.step);
    return {
      losses,
      serialLosses,
      lossByDataRank,
      tolerance,
      maxLossDifference: loss,
      maxGradientDifference: gradient,
      maxWeightDifference: weight,
      mismatches,
      equal: mismatches.length === 0,
    };
  }
}

/** NaN is worse than any number. */
const worse = (a: number, b: number) => (Number.isNaN(a) || Number.isNaN(b) ? NaN : Math.max(a, b));
