/**
 * ZB-V: the greedy scheduler of Qi et al. 2023 (arXiv 2401.10241, section 6 and appendix) for two chunks a stage in a
 * V, with the activations of p micro-batches, as in zbv.py of sail-sg/zero-bubble-pipeline-parallelism at 39f2c186. Its
 * open choices are tried in all combinations; the least idle time of the idlest stage wins.
 *
 * Legend: p stages, m micro-batches, i the stage; chunk 0 is on the way to the last stage, chunk 1 on the way back.
 */
import { medianOverPositions, costTable, type PipelineCosts } from '../costs';
import { B, F, type Order } from '../order';
import { placement } from '../placement';
import { Greedy, type MemoryBudget } from './greedy';

type Chunk = 0 | 1;

interface Choices {
  /** Whether a W goes into a gap that is too short for it, before a forward or before a backward of chunk 1. */
  readonly fillsBeforeForward: boolean;
  readonly fillsBeforeBackward: boolean;
  /** By stage: idle time that is no reason to fill a short gap, since an earlier attempt got along with it. */
  readonly allowedIdle: Float64Array;
}

/**
 * The order, or null where the limit does not hold a warm-up: p micro-batches. It is made for the median times, as
 * there: a V that fits one stage's times would leave the others waiting.
 */
export function zbV(stages: number, microBatches: number, costs: PipelineCosts, memory: MemoryBudget): Order | null {
  const place = placement(stages, 2, 'v');
  const table = medianOverPositions(costTable(place, costs));
  let best: Greedy | null = null;
  for (const fillsBeforeBackward of [true, false]) {
    for (const fillsBeforeForward of [true, false]) {
      let allowedIdle = new Float64Array(stages);
      // Again with the idle time of the attempt before, as long as that pays.
      for (let longest = Infinity; ; ) {
        const greedy = new Greedy(place, microBatches, table, memory);
        if (!attempt(greedy, { fillsBeforeForward, fillsBeforeBackward, allowedIdle })) break;
        if (best === null || greedy.longestIdle < best.longestIdle) best = greedy;
        if (greedy.longestIdle >= longest) break;
        longest = greedy.longestIdle;
        allowedIdle = greedy.idle.map(idle => longest - idle);
      }
    }
  }
  return best === null ? null : best.writer.finish('zb-v');
}

function attempt(greedy: Greedy, choices: Choices): boolean {
  if (!greedy.fits(0, 2 * greedy.place.stages)) return false;
  firstWay(greedy);
  fillWarmUp(greedy);
  for (let round = 0; round < 2 * greedy.microBatches; round++) {
    backwards(greedy, choices);
    if (!forwards(greedy, choices)) return false;
  }
  for (let stage = 0; stage < greedy.place.stages; stage++) greedy.putWeights(stage);
  return true;
}

/** Micro-batch 0 there and back; while it is on its way back, further ones start where time and memory allow. */
function firstWay(greedy: Greedy): void {
  const last = greedy.place.stages - 1;
  for (let stage = 0; stage <= last; stage++) greedy.put(F, stage, 0);
  for (let stage = last; stage >= 0; stage--) {
    while (
      stage < last &&
      greedy.fits(stage, 2 * (stage + 1)) &&
      greedy.clock[stage] + greedy.seconds(F, stage, 0) <= greedy.ready(F, stage, 1) &&
      !greedy.isComplete(F, stage, 0)
    ) {
      for (let before = 0; before <= stage; before++) greedy.put(F, before, 0);
    }
    greedy.put(F, stage, 1);
  }
}

/** Waves of forwards of chunk 0 and chunk 1 in turn, until no stage is behind the one before it. */
function fillWarmUp(greedy: Greedy): void {
  const { stages } = greedy.place;
  const forwards = (stage: number) => greedy.count(F, stage, 0) + greedy.count(F, stage, 1);
  let chunk: Chunk = 0;
  for (let stage = 1; stage < stages; stage++) {
    const isBehind = () =>
      forwards(stage) < forwards(stage - 1) ||
      (greedy.count(F, stage, 1) <= greedy.count(F, stage - 1, 1) && !greedy.isComplete(F, stage - 1, 1));
    while (isBehind()) {
      for (let from = stages - 1; from >= stage; from--)
        if (!greedy.isComplete(F, from, chunk)) greedy.put(F, from, chunk);
      chunk = chunk === 0 ? 1 : 0;
    }
  }
}

/** One backward on each stage: of chunk 0 where chunk 1 leads and the input is known, else of chunk 1. */
function backwards(greedy: Greedy, choices: Choices): void {
  const { stages } = greedy.place;
  const chunks = Array.from({ length: stages }, (_, stage): Chunk => {
    if (greedy.count(B, stage, 0) >= greedy.count(B, stage, 1)) return 1;
    return greedy.ready(B, stage, 0) < Infinity || greedy.isComplete(B, stage, 1) ? 0 : 1;
  });
  for (let stage = stages - 1; stage >= 0; stage--) {
    if (chunks[stage] === 0) putAfterGap(greedy, B, stage, 0, true, choices);
  }
  for (let stage = 0; stage < stages; stage++) {
    if (chunks[stage] === 1) putAfterGap(greedy, B, stage, 1, choices.fillsBeforeBackward, choices);
  }
}

/** At most one forward on each stage: of chunk 1 where chunk 0 leads and the input is known, else of chunk 0. */
function forwards(greedy: Greedy, choices: Choices): boolean {
  for (let stage = 0; stage < greedy.place.stages; stage++) {
    const chunk = nextForward(greedy, stage);
    if (chunk === null) continue;
    if (!greedy.makeRoom(stage)) return false;
    putAfterGap(greedy, F, stage, chunk, choices.fillsBeforeForward, choices);
  }
  return true;
}

function nextForward(greedy: Greedy, stage: number): Chunk | null {
  if (greedy.isComplete(F, stage, 1)) return null;
  if (greedy.count(F, stage, 1) >= greedy.count(F, stage, 0)) return 0;
  if (greedy.ready(F, stage, 1) < Infinity) return 1;
  return !greedy.isComplete(F, stage, 0) && greedy.ready(F, stage, 0) < Infinity ? 0 : null;
}

function putAfterGap(
  greedy: Greedy,
  pass: typeof F | typeof B,
  stage: number,
  chunk: Chunk,
  fillsSmallGaps: boolean,
  { allowedIdle }: Choices,
): void {
  const gap = greedy.fillGap(stage, greedy.ready(pass, stage, chunk));
  const spare = Math.max(greedy.longestIdle, allowedIdle[stage]) - greedy.idle[stage];
  if (gap > spare && fillsSmallGaps) greedy.putWeight(stage);
  greedy.put(pass, stage, chunk);
}
