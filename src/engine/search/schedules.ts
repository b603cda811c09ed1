/** Which schedules a shape admits, and what each holds in flight, remembered for each layout. */
import type { Tables } from '../estimate/prepare';
import { inFlight, scheduleProblem, shortened } from '../estimate/schedule';
import type { ScheduleShape } from '../estimate/closedMakespan';
import type { Layout } from '../estimate/stages';
import type { ScheduleName } from '../plan/keys';
import type { Args } from '../problem';
import { isClosed } from '../estimate/closedMakespan';
import type { RejectionCode } from './rejections';

/** One value of the axis of schedules. */
export interface ScheduleChoice {
  readonly name: ScheduleName;
  readonly offset: number;
  readonly expressible: boolean;
  /** Tried on the best layouts alone. */
  readonly late: boolean;
}

export interface Admission {
  readonly admitted: readonly AdmittedSchedule[];
  /** By class: the fewest micro-batches that any of them holds. */
  readonly leastFlights: Float64Array;
  readonly refused: readonly { readonly name: ScheduleName; readonly code: RejectionCode; readonly args: Args }[];
}

export interface AdmittedSchedule {
  readonly shape: ScheduleShape;
  /** Its makespan is known in closed form. */
  readonly closed: boolean;
  /** What is simulated of it, and the micro-batches of the steady state that are left out (see estimate/schedule.ts). */
  readonly simulated: ScheduleShape;
  readonly skipped: number;
  /** Critical paths of what is simulated, once they were needed. */
  readonly known: { readonly layers: readonly number[]; paths: readonly Float64Array[] | null };
  /** Whole-stage micro-batches that the fullest stage of each class holds. */
  readonly flights: Float64Array;
  readonly offset: number;
  readonly expressible: boolean;
}

/** Which of the choices a layout admits with m micro-batches. */
export function admissionOf(
  tables: Tables,
  choices: readonly ScheduleChoice[],
  layout: Layout,
  m: number,
  virtual: number,
): Admission {
  const stages = layout.classOfStage.length;
  const layers = Array.from(layout.classOfStage, index => layout.classes[index].layers);
  const admitted: AdmittedSchedule[] = [];
  const refused: Admission['refused'][number][] = [];
  for (const { name, offset, expressible, late } of choices) {
    const shape = { name, stages, microBatches: m, virtual };
    const broken = stages === 1 || late ? null : scheduleProblem(shape);
    if (stages === 1 && name !== 'none')
      refused.push({ name, code: 'same-plan', args: { key: 'schedule', other: 'pp=1' } });
    else if (late) refused.push({ name, code: 'tried-late', args: { schedule: name } });
    else if (broken !== null) refused.push({ name, code: broken.code, args: broken.args });
    else {
      const closed = isClosed(name, stages, m, virtual);
      const { shape: simulated, skipped } = shortened(shape);
      const flights = flightsOf(tables, shape, layout);
      admitted.push({
        shape,
        closed,
        simulated,
        skipped,
        known: { layers, paths: null },
        flights,
        offset,
        expressible,
      });
    }
  }
  const leastFlights = Float64Array.from(layout.classes, (_, c) =>
    Math.min(...admitted.map(({ flights }) => flights[c])),
  );
  return { admitted, refused, leastFlights };
}

function flightsOf({ scheduleMemo }: Tables, shape: ScheduleShape, { classes, classOfStage }: Layout): Float64Array {
  const most = new Float64Array(classes.length);
  for (let stage = 0; stage < classOfStage.length; stage++) {
    const index = classOfStage[stage];
    most[index] = Math.max(most[index], inFlight(scheduleMemo, shape, stage));
  }
  return most;
}
