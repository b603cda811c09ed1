/** The axes as the walk takes them: each value with its place in an index and whether the framework can express it. */
import type { Tables } from '../estimate/prepare';
import type { ModelSizes } from '../model/sizes';
import { type Framework, inexpressible } from '../plan/frameworks';
import { emptyPlan, type Plan } from '../plan/keys';
import type { Goal } from './objective';
import type { Axis, AxisName, Point } from './points';
import type { Space } from './space';

/** A value of an axis with what it adds to the index. */
export interface Choice {
  readonly point: Point;
  readonly at: number;
  readonly offset: number;
  readonly expressible: boolean;
}

export interface WalkInput {
  readonly space: Space;
  readonly sizes: ModelSizes;
  readonly tables: Tables;
  readonly framework: Framework;
  readonly capacityBytes: number;
  readonly goal: Goal;
  /** Seconds a sequence that points are compared with. */
  readonly yardstick: number;
  /** Without it no point is refused for its states alone. */
  readonly prune: boolean;
}

export function size(choices: Readonly<Record<AxisName, readonly Choice[]>>, ...names: readonly AxisName[]): number {
  return names.reduce((product, name) => product * choices[name].length, 1);
}

/** Every key unknown. */
export const NOTHING: Plan = Object.freeze(emptyPlan());

export function choicesOf({ space, framework }: WalkInput): Record<AxisName, Choice[]> {
  const choices = {} as Record<AxisName, Choice[]>;
  for (const { name, values, stride } of Object.values<Axis>(space.axes)) {
    choices[name] = values.map((point, at) => ({
      point,
      at,
      offset: at * stride,
      expressible: inexpressible(framework, { ...NOTHING, ...point, ...splitOf(point) }).length === 0,
    }));
  }
  return choices;
}

/** Any list stands for one that is made later. */
function splitOf({ balanced }: Point): Partial<Plan> {
  return balanced === true ? { stageLayers: [1] } : {};
}
