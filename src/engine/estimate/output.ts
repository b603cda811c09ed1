/** The places of an evaluation's results in its output array. */

/** Parts of the step, in the order of the output array, all in seconds. */
export const TIME_PARTS = [
  'forward',
  'backward',
  'recompute',
  'launch',
  'tpExposed',
  'cpExposed',
  'epExposed',
  'ppExposed',
  'dpExposed',
  'bubble',
  'optimizer',
  'gradNorm',
  'host',
  'straggler',
] as const;
export type TimePart = (typeof TIME_PARTS)[number];

export const HIDDEN_PARTS = ['tp', 'cp', 'ep', 'pp', 'dp'] as const;
export type HiddenPart = (typeof HIDDEN_PARTS)[number];

/** Places in the output array. */
export const OUT = {
  stepSeconds: 0,
  parts: 1,
  hidden: 1 + TIME_PARTS.length,
  bubbleFraction: 1 + TIME_PARTS.length + HIDDEN_PARTS.length,
  spanBubbleFraction: 2 + TIME_PARTS.length + HIDDEN_PARTS.length,
  peakBytes: 3 + TIME_PARTS.length + HIDDEN_PARTS.length,
  peakStage: 4 + TIME_PARTS.length + HIDDEN_PARTS.length,
  length: 5 + TIME_PARTS.length + HIDDEN_PARTS.length,
} as const;
