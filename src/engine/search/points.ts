/** The vocabulary of the space: axes and the points on them. */
import type { ModelSizes } from '../model/sizes';
import type { Framework } from '../plan/frameworks';
import type { Plan } from '../plan/keys';
import type { ReadyPlan } from '../plan/ready';
import type { Cluster } from '../setup/setup';

/** Values that a user fixes: one or several a key. */
export type Fixed = Partial<{ readonly [K in keyof Plan]: readonly Plan[K][] }>;

export interface SpaceOptions {
  readonly fixed: Fixed;
  /** The global batch may change. */
  readonly freeBatch: boolean;
}

/**
 * What one value of an axis sets. Two values depend on others: `balanced` splits the layers by the work of the ends
 * (see split.ts), `half` recomputes half of the layers of a stage. `late` is tried on the best layouts alone.
 */
export type Point = Partial<Plan> & { readonly balanced?: true; readonly half?: true; readonly late?: true };

export interface Axis {
  readonly name: AxisName;
  readonly values: readonly Point[];
  /** What one step along the axis adds to a point's index. */
  readonly stride: number;
}

/** From the outermost to the innermost. */
export const AXIS_NAMES = [
  'others',
  'globalBatch',
  'tp',
  'cp',
  'pp',
  'ep',
  'microBatch',
  'chunks',
  'schedule',
  'recompute',
  'sp',
  'sharding',
  'offload',
] as const;
export type AxisName = (typeof AXIS_NAMES)[number];

export interface SpaceInput {
  readonly present: ReadyPlan;
  readonly sizes: ModelSizes;
  readonly cluster: Cluster;
  readonly framework: Framework;
  readonly options: SpaceOptions;
}
