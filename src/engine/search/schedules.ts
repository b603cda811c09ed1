/** Which schedules a shape admits, and what each holds in flight, remembered for each layout. */
import type { Tables } from '../estimate/prepare';
import { inFlight, scheduleProblem, type ScheduleShape } from '../estimate/schedule';
import type { Layout } from '../estimate/stages';
import type { Problem } from '../problem';
import { isClosed } from './makespans';

export interface AdmittedSchedule {
  readonly shape: ScheduleShape;
  /** Its makespan is known in closed form. */
  readonly closed: boolean;
  /** What is simulated of it, and the micro-batches of the steady state that are left out (see estimate/schedule.ts). */
  readonly simulated: ScheduleShape;
  readonly skipped: number;
  /** Critical paths of what is simulated, once they were needed. */
  readonly known: { paths: readonly Float64Array[] | null };
  /** Whole-stage micro-batches that the fullest stage of each class holds. */
  readonly flights: Float64Array;
  readonly offset: number;
  readonly expressible: boolean;
}

type Known = Omit<AdmittedSchedule, 'offset' | 'expressible'> | Problem;

const memo = new WeakMap<Layout, Map<string, Known>>();

export function admitted(tables: Tables, shape: ScheduleShape, layout: Layout): Known {
  let ofLayout = memo.get(layout);
  if (ofLayout === undefined) memo.set(layout, (ofLayout = new Map()));
  const { name, stages, microBatches, virtual } = shape;
  const key = `${name}|${microBatches}|${virtual}`;
  let known = ofLayout.get(key);
  if (known === undefined) {
    known = scheduleProblem(shape) ?? {
      shape,
      closed: isClosed(name, stages, microBatches, virtual),
      ...shortened(shape),
      known: { paths: null },
      flights: flightsOf(tables, shape, layout),
    };
    ofLayout.set(key, known);
  }
  return known;
}

function flightsOf({ scheduleMemo }: Tables, shape: ScheduleShape, { classes, classOfStage }: Layout): Float64Array {
  const most = new Float64Array(classes.length);
  for (let stage = 0; stage < classOfStage.length; stage++) {
    const index = classOfStage[stage];
    most[index] = Math.max(most[index], inFlight(scheduleMemo, shape, stage));
  }
  return most;
}

const STEADY_ROUNDS = 6;

function shortened(shape: ScheduleShape): { simulated: ScheduleShape; skipped: number } {
  const { stages, microBatches } = shape;
  const limit = STEADY_ROUNDS * stages;
  if (microBatches <= limit || stages === 1) return { simulated: shape, skipped: 0 };
  const kept = limit + ((microBatches - limit) % stages);
  return { simulated: { ...shape, microBatches: kept }, skipped: microBatches - kept };
}
