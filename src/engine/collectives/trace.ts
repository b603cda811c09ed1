/** What each rank holds after every step of a step list: for those who want to see it happen. */
import { holdings } from './layout';
import type { Schedule, Step } from './schedule';

/** By rank and chunk; null is not held. */
type Held = readonly (readonly (number | null)[])[];

export interface TracedStep {
  readonly step: Step;
  readonly held: Held;
}

/** The state before the first step, then after each: sums of one number a chunk. inputs[rank][chunk]. */
export function traceSchedule(
  schedule: Schedule,
  inputs: readonly (readonly number[])[],
): { before: Held; steps: TracedStep[] } {
  const { op, ranks, root, split, blocks } = schedule;
  const { before } = holdings(op, ranks, root);
  const store = inputs.map((input, rank) =>
    Array.from({ length: blocks * split }, (_, chunk) =>
      before(rank, Math.floor(chunk / split)) ? input[chunk] : null,
    ),
  );
  const copy = () => store.map(held => [...held]);
  const start = copy();
  const steps = [...schedule.steps()].map((step): TracedStep => {
    const sent = copy();
    for (const { from, to, first, count, reduce } of step)
      for (let chunk = first; chunk < first + count; chunk++) {
        const value = sent[from][chunk] ?? 0;
        store[to][chunk] = reduce ? (store[to][chunk] ?? 0) + value : value;
      }
    return { step, held: copy() };
  });
  return { before: start, steps };
}
