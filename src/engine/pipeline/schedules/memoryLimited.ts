/**
 * ZB-1p and ZB-2p: the heuristic of Qi et al. 2023 (arXiv 2401.10241, section 3.1) for a given memory limit and given
 * times. Forwards up to the first backward as memory allows, then one forward and one backward in turn, with W's in the
 * gaps and where memory runs out. Its open choices are tried in all combinations; the shortest longest span wins.
 *
 * Legend: p stages, m micro-batches, F forward, B backward for inputs, W backward for weights.
 */
import { costTable, type PipelineCosts } from '../costs';
import { FREED_BY_B } from '../memory';
import { B, F, type Order } from '../order';
import { placement } from '../placement';
import { Greedy } from './greedy';

interface Choices {
  /** Whether a forward before the first backward may delay it. */
  readonly delaysFirstBackward: boolean;
  /** Whether a stage may leave a forward out to be in time for the next backward. */
  readonly prefersBackward: boolean;
  /** Whether a W goes into a gap that is too short for it. */
  readonly fillsSmallGaps: boolean;
}

/**
 * The order, or null where the limit does not hold even one micro-batch. Where `freedByB` is not known, that of
 * unfused attention is taken if it makes the schedule shorter than that of FlashAttention does; peakInFlight may then
 * exceed the limit.
 */
export function memoryLimited(
  schedule: 'zb-1p' | 'zb-2p',
  stages: number,
  microBatches: number,
  costs: PipelineCosts,
  memory: { readonly freedByB: number | null; readonly limit: number },
): Order | null {
  const place = placement(stages, 1);
  const table = costTable(place, costs);
  const shares = memory.freedByB === null ? [FREED_BY_B.flash, FREED_BY_B.unfused] : [memory.freedByB];
  let best: Greedy | null = null;
  for (const freedByB of shares) {
    for (const choices of ALL_CHOICES) {
      const greedy = new Greedy(place, microBatches, table, { freedByB, limit: memory.limit });
      if (attempt(greedy, choices) && isShorter(greedy, best)) best = greedy;
    }
  }
  return best === null ? null : best.writer.finish(schedule);
}

const ALL_CHOICES: readonly Choices[] = [false, true].flatMap(delaysFirstBackward =>
  [true, false].flatMap(prefersBackward =>
    [true, false].map(fillsSmallGaps => ({ delaysFirstBackward, prefersBackward, fillsSmallGaps })),
  ),
);

/** By more than rounding, so that the first of equals stays. */
function isShorter(greedy: Greedy, best: Greedy | null): boolean {
  return best === null || greedy.longestSpan() < best.longestSpan() * (1 - 1e-9);
}

function attempt(greedy: Greedy, choices: Choices): boolean {
  if (!warmUp(greedy, choices)) return false;
  const { stages } = greedy.place;
  for (let round = 1; round < greedy.microBatches; round++) {
    if (!forwards(greedy, choices)) return false;
    for (let stage = stages - 1; stage >= 0; stage--) {
      fillGap(greedy, stage, greedy.ready(B, stage), choices);
      // Nobody waits for the first stage's B: at the end its W's may come first.
      if (stage === 0 && greedy.isComplete(F, 0)) greedy.putWeights(0);
      greedy.put(B, stage);
    }
  }
  for (let stage = 0; stage < stages; stage++) greedy.putWeights(stage);
  return true;
}

/** One forward on each stage, more while the first backward is on its way, then that backward. */
function warmUp(greedy: Greedy, { delaysFirstBackward }: Choices): boolean {
  const { stages } = greedy.place;
  for (let stage = 0; stage < stages; stage++) {
    if (!greedy.fits(stage, 1)) return false;
    greedy.put(F, stage);
  }
  const extra = new Int32Array(stages);
  let backwardEnd = greedy.clock[stages - 1] + greedy.seconds(B, stages - 1);
  for (let stage = stages - 2; stage >= 0; stage--) {
    const arrival = backwardEnd + greedy.delay(B, stage);
    const seconds = greedy.seconds(F, stage);
    let time = greedy.clock[stage];
    while (
      extra[stage] + 1 < greedy.microBatches &&
      greedy.fits(stage, extra[stage] + 1) &&
      (delaysFirstBackward ? time < arrival : time + seconds <= arrival)
    ) {
      extra[stage]++;
      time += seconds;
    }
    backwardEnd = Math.max(time, arrival) + greedy.seconds(B, stage);
  }
  for (let stage = 0; stage < stages; stage++) {
    // A stage can be ahead only of the stages after it.
    if (stage > 0) extra[stage] = Math.max(0, Math.min(extra[stage], extra[stage - 1] - 1));
    for (let k = 0; k < extra[stage]; k++) greedy.put(F, stage);
  }
  for (let stage = stages - 1; stage >= 0; stage--) greedy.put(B, stage);
  return true;
}

/** At most one forward a stage. */
function forwards(greedy: Greedy, choices: Choices): boolean {
  const { stages } = greedy.place;
  const wants = Array.from({ length: stages }, (_, stage) => {
    return !greedy.isComplete(F, stage) && !(choices.prefersBackward && skipsForward(greedy, stage));
  });
  for (let stage = stages - 2; stage >= 0; stage--) wants[stage] &&= wants[stage + 1];
  for (let stage = 0; stage < stages; stage++) {
    if (!wants[stage]) continue;
    if (!greedy.makeRoom(stage)) return false;
    fillGap(greedy, stage, greedy.ready(F, stage), choices);
    greedy.put(F, stage);
  }
  return true;
}

/** Whether the backward of the next stage, two forwards behind, will have arrived before one more forward starts. */
function skipsForward(greedy: Greedy, stage: number): boolean {
  const next = stage + 1;
  if (next === greedy.place.stages || greedy.count(F, stage) < greedy.count(F, next) + 2) return false;
  const arrival = greedy.clock[next] + greedy.seconds(F, next) + greedy.seconds(B, next) + greedy.delay(B, stage);
  return greedy.clock[stage] >= arrival;
}

/** W's that fit, and one that does not where the gap would else make this stage the idlest of all. */
function fillGap(greedy: Greedy, stage: number, ready: number, { fillsSmallGaps }: Choices): void {
  const gap = greedy.fillGap(stage, ready);
  if (gap > 0 && (fillsSmallGaps || gap > greedy.spareIdle(stage))) greedy.putWeight(stage);
}
