/**
 * A run's state as whole tensors, whatever the layout that wrote it: each rank gives the elements that it owns and takes
 * those that it will hold. Numbers are kept in f64, which holds f32 exactly, so a restart goes on with the same bits.
 */
import { invariant } from '../problem';
import type { Real } from './heap';
import { globalIndex } from './parameters';
import type { RankState } from './state';
import type { Trainer } from './trainer';
import type { Part, Unit } from './unit';

type Tensors = ReadonlyMap<string, Float64Array>;

export interface Checkpoint {
  /** Steps done. */
  readonly steps: number;
  readonly weights: Tensors;
  /** The optimizer's state: first and second moments for AdamW, none for SGD. */
  readonly moments: readonly Tensors[];
}

export function saveCheckpoint(trainer: Trainer): Checkpoint {
  const { moments } = trainer.ranks[0].units[0];
  return {
    steps: trainer.steps,
    weights: trainer.weights().tensors,
    moments: moments.map((_, k) => trainer.record(unit => ({ data: unit.moments[k].data, start: unit.start })).tensors),
  };
}

/** Puts a checkpoint of the same network and optimizer into a run of any layout. */
export function restoreCheckpoint(trainer: Trainer, { steps, weights, moments }: Checkpoint): void {
  trainer.steps = steps;
  for (const state of trainer.ranks) for (const unit of state.units) restoreUnit(state, unit, weights, moments);
}

function restoreUnit(state: RankState, unit: Unit, weights: Tensors, moments: readonly Tensors[]): void {
  const { data, start } = unit.held;
  fill(data, unit.parts(start, data.length), weights);
  invariant(unit.moments.length === moments.length, `rank ${state.place.rank} has another optimizer`);
  unit.moments.forEach((moment, k) => fill(moment.data, unit.ownedParts(), moments[k]));
}

function fill(target: Real, parts: Iterable<Part>, source: Tensors): void {
  for (const { entry, from, to, localStart } of parts) {
    const whole = source.get(entry.spec.name);
    invariant(
      whole?.length === entry.spec.rows * entry.spec.cols,
      `the checkpoint has no ${entry.spec.name} of this size`,
    );
    for (let i = from; i < to; i++) target[i] = whole[globalIndex(entry.spec, entry.slice, localStart + i - from)];
  }
}
