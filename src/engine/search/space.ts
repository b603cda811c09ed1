/**
 * The points of the search: axes are lists of values, a point is a mixed-radix index over them. The axes do not depend
 * on each other, so that the number of candidates is the product of their lengths; what does not go together is
 * refused by a rule and counted.
 *
 * What changes nothing in the model is no axis: the size of buckets, and the order of the axes on nodes, which the model
 * nests as Megatron does (tp, cp, ep, dp, pp from the inside) whatever `order` says. Of recomputation by layers and of
 * uneven splits there is one usual value each; others are searched where the user names them.
 */
import { isPlanKey, type PlanKey } from '../plan/keys';
import type { ReadyPlan } from '../plan/ready';
import { valuesOf } from './axisValues';
import { AXIS_NAMES, type Axis, type AxisName, type Point, type SpaceInput } from './points';
import { balancedChunks } from './split';

export interface Space {
  readonly present: ReadyPlan;
  readonly gpus: number;
  readonly layers: number;
  /** Data-parallel sizes that the user allows; null: any. It follows from the others, so it is no axis. */
  readonly dp: readonly (number | null)[] | null;
  readonly axes: Readonly<Record<AxisName, Axis>>;
  /** Product of the lengths of the axes. */
  readonly candidates: number;
}

export function spaceOf(input: SpaceInput): Space {
  const { present, sizes, cluster } = input;
  const lists = valuesOf(input);
  const axes = {} as Record<AxisName, Axis>;
  let stride = 1;
  for (const name of [...AXIS_NAMES].reverse()) {
    axes[name] = { name, values: lists[name], stride };
    stride *= lists[name].length;
  }
  return {
    present,
    gpus: cluster.gpus ?? 1,
    layers: sizes.layers ?? 1,
    dp: input.options.fixed.dp ?? null,
    axes,
    candidates: stride,
  };
}

/** Cells of the grid of layouts (tp, cp, pp, ep, sharding), and those of one value of tp and cp. */
export function cellsOf({ axes: { tp, cp, pp, ep, sharding } }: Space): {
  readonly all: number;
  readonly ofPart: number;
} {
  const ofPart = pp.values.length * ep.values.length * sharding.values.length;
  return { all: tp.values.length * cp.values.length * ofPart, ofPart };
}

/** The plan at an index. */
export function planAt(space: Space, index: number): ReadyPlan {
  const plan: MutablePlan = { ...space.present };
  let [balanced, half] = [false, false];
  for (const name of AXIS_NAMES) {
    const { values, stride } = space.axes[name];
    const point = values[Math.floor(index / stride) % values.length];
    assignPoint(plan, point);
    balanced ||= point.balanced === true;
    half ||= point.half === true;
  }
  plan.dp = space.gpus / (plan.tp * plan.cp * plan.pp);
  if (balanced) plan.stageLayers = balancedChunks(space.layers, plan.pp * plan.vpp);
  if (half) plan.recomputeLayers = halfOfStage(space.layers, plan.pp);
  return plan;
}

export type MutablePlan = { -readonly [K in keyof ReadyPlan]: ReadyPlan[K] };

/** Sets the keys of a point, without its marks. */
export function assignPoint(plan: MutablePlan, point: Point): void {
  for (const key in point) {
    if (isPlanKey(key)) (plan as Record<PlanKey, unknown>)[key] = point[key];
  }
}

/** Half of a stage's layers. */
export function halfOfStage(layers: number, pp: number): number {
  return Math.round(layers / pp / 2);
}
