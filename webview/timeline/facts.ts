/**
 * What a schedule's name promises and its numbers do not keep: computed for the pipeline at hand, and left out where it
 * does not apply. Words are made from codes and arguments in words.ts.
 *
 * Legend: F forward, B backward for inputs, W backward for weights.
 */
import { buildOrder } from '../../src/engine/pipeline/buildOrder';
import { peakInFlight } from '../../src/engine/pipeline/memory';
import { simulate } from '../../src/engine/pipeline/simulate';
import type { ScheduleName } from '../../src/engine/plan/keys';
import { activationPeaks, type Run, runSchedule, shapeOf, withSchedule } from './run';

export type Fact =
  /** Stages may not step on alone where a global norm joins them. */
  | { readonly code: 'barrier'; readonly bubble: number; readonly spanBubble: number }
  | {
      readonly code: 'barrier-twin';
      readonly makespan: number;
      readonly bubble: number;
      readonly peak: number;
      readonly otherMakespan: number;
      readonly otherBubble: number;
      readonly otherPeak: number;
    }
  | {
      readonly code: 'unequal-passes';
      /** B / F and W / F. */
      readonly inputRatio: number;
      readonly weightRatio: number;
      readonly bubble: number;
      readonly equalBubble: number;
      readonly baselineBubble: number;
      readonly isSlower: boolean;
    }
  | {
      readonly code: 'memory-split';
      readonly believedShare: number;
      readonly share: number;
      /** Bytes where they are known, else micro-batches. */
      readonly believed: number;
      readonly real: number;
      readonly isBytes: boolean;
      readonly hidesOutOfMemory: boolean;
    }
  | { readonly code: 'over-capacity'; readonly stage: number; readonly bytes: number; readonly capacityBytes: number };

export function factsOf(run: Run): Fact[] {
  return [overCapacity(run), barrier(run), barrierTwin(run), unequalPasses(run), memorySplit(run)].filter(
    fact => fact !== null,
  );
}

export function isWarning(fact: Fact): boolean {
  switch (fact.code) {
    case 'over-capacity':
      return true;
    case 'unequal-passes':
      return fact.isSlower;
    case 'memory-split':
      return fact.hidesOutOfMemory;
    case 'barrier':
    case 'barrier-twin':
      return false;
  }
}

function overCapacity({ bytes, input: { capacityBytes } }: Run): Fact | null {
  if (bytes === null || capacityBytes === null) return null;
  const peak = Math.max(...bytes);
  return peak > capacityBytes
    ? { code: 'over-capacity', stage: bytes.indexOf(peak), bytes: peak, capacityBytes }
    : null;
}

/** Differences under this share of the time are not worth a word. */
const NOTABLE = 0.002;

function barrier({ simulation: { bubbleFraction, spanBubbleFraction } }: Run): Fact | null {
  return bubbleFraction - spanBubbleFraction > NOTABLE
    ? { code: 'barrier', bubble: bubbleFraction, spanBubble: spanBubbleFraction }
    : null;
}

/** ZB-2p holds twice as much as ZB-1p to shorten each stage's span, which a barrier does not see. */
function barrierTwin(run: Run): Fact | null {
  if (run.input.schedule !== 'zb-2p') return null;
  const other = runSchedule({ ...run.input, schedule: 'zb-1p' });
  if ('code' in other) return null;
  const [peak, otherPeak] = [run, other].map(({ inFlight }) => Math.max(...inFlight));
  const { makespan, bubbleFraction } = run.simulation;
  const isWorthIt = makespan < other.simulation.makespan * 0.98 || peak < otherPeak * 1.05;
  if (isWorthIt) return null;
  return {
    code: 'barrier-twin',
    makespan,
    bubble: bubbleFraction,
    peak,
    otherMakespan: other.simulation.makespan,
    otherBubble: other.simulation.bubbleFraction,
    otherPeak,
  };
}

/** Their blocks are laid out for F = B = W. */
const MADE_FOR_EQUAL: ReadonlySet<ScheduleName> = new Set(['zb-v', 'v-half', 'v-min']);
/** Passes that differ by less count as equal. */
const EQUAL_WITHIN = 0.02;

function unequalPasses(run: Run): Fact | null {
  const { input, costs, order, simulation } = run;
  if (!MADE_FOR_EQUAL.has(input.schedule)) return null;
  const { forward, backwardInput, backwardWeight } = input.stageSeconds;
  const inputRatio = sum(backwardInput) / sum(forward);
  const weightRatio = sum(backwardWeight) / sum(forward);
  if (Math.max(Math.abs(inputRatio - 1), Math.abs(weightRatio - 1)) < EQUAL_WITHIN) return null;
  const third = forward.map((seconds, i) => (seconds + backwardInput[i] + backwardWeight[i]) / 3);
  const equal = simulate(order, { ...costs, forward: third, backwardInput: third, backwardWeight: third });
  const baseline = runSchedule(withSchedule(input, '1f1b'));
  if ('code' in baseline) return null;
  const isSlower = simulation.makespan > baseline.simulation.makespan;
  if (!isSlower && simulation.bubbleFraction - equal.bubbleFraction < NOTABLE) return null;
  return {
    code: 'unequal-passes',
    inputRatio,
    weightRatio,
    bubble: simulation.bubbleFraction,
    equalBubble: equal.bubbleFraction,
    baselineBubble: baseline.simulation.bubbleFraction,
    isSlower,
  };
}

/** What planners take where nobody says how much B frees. */
const BELIEVED_SHARE = 0.5;

/** A planner that takes B to free half packs micro-batches whose activations are still held by their W. */
function memorySplit({ input, costs, freedByB }: Run): Fact | null {
  const memory = { freedByB: BELIEVED_SHARE };
  const order = buildOrder(input.schedule, { ...shapeOf(input), costs, memory });
  if ('code' in order) return null;
  const peak = (share: number) => Math.max(...(activationPeaks(order, input, share) ?? peakInFlight(order, share)));
  const believed = peak(BELIEVED_SHARE);
  const real = peak(freedByB);
  if (real < believed * 1.05) return null;
  const isBytes = input.activationBytesByStage !== null;
  const capacity = isBytes ? input.capacityBytes : null;
  const hidesOutOfMemory = capacity !== null && believed <= capacity && capacity < real;
  return {
    code: 'memory-split',
    believedShare: BELIEVED_SHARE,
    share: freedByB,
    believed,
    real,
    isBytes,
    hidesOutOfMemory,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
