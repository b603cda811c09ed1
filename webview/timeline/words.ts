/** Every word of the timeline, by key; {name} stands for a value. */
import type { ScheduleName } from '../../src/engine/plan/keys';
import type { Problem } from '../../src/engine/problem';
import { fill, language, translated } from '../../src/words/language';
import { type Formats, formats } from '../format';
import type { Fact } from './facts';
import { SLOVAK, SLOVAK_RULES, SLOVAK_SCHEDULES } from './words.sk';

const ENGLISH = {
  compareWith: 'Compare with',
  compareNothing: 'nothing',
  forbidden: '{name} – {rule}',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show all',
  savePicture: 'Save as PNG',
  saveCsv: 'Save as CSV',
  saveJson: 'Save as JSON',
  saveTrace: 'Save for Perfetto',
  png: 'PNG',
  csv: 'CSV',
  json: 'JSON',
  trace: 'Perfetto',
  simulated: 'Simulated',
  lane: 'Timeline of {name}: {stages} {stages:stage|stages}, {microBatches} {microBatches:micro-batch|micro-batches}',
  laneRole: 'pipeline timeline',
  picture:
    '{name} on {stages} {stages:stage|stages} with {microBatches} {microBatches:micro-batch|micro-batches} takes {makespan}; {bubble} of the stages’ time is idle.',
  help: 'Drag to move, Ctrl + wheel or pinch to zoom, Shift + wheel to move. Keys: ← → the passes of a stage, ↑ ↓ the stages, Enter to what a pass waits for, + − to zoom, Home and End, 0 for all, Esc for none.',
  shapeText: '{stages} {stages:stage|stages} · {microBatches} {microBatches:micro-batch|micro-batches}',
  shapeChunks:
    '{stages} {stages:stage|stages} · {microBatches} {microBatches:micro-batch|micro-batches} · {chunks} {chunks:chunk|chunks} a stage',
  tooLarge: '{passes} passes are more than this page draws ({most}).',

  legend: 'What the blocks are',
  forward: 'forward',
  backwardInput: 'backward for inputs',
  backwardWeight: 'backward for weights',
  backward: 'backward, inputs and weights',
  idle: 'idle',
  forwardLetter: 'F forward',
  backwardLetters: 'B backward for inputs, BW whole backward',
  weightLetter: 'W backward for weights',
  chunks: 'Later chunks of a stage are fainter.',

  stage: 'Stage',
  makespan: 'Makespan',
  makespanNote: 'from the first pass to the last',
  bubble: 'Bubble',
  bubbleNote: 'idle until the last stage ends: counts where a global norm or any barrier ends the step',
  spanBubble: 'Bubble by spans',
  spanBubbleNote: 'idle within the longest stage: counts where each stage steps on when it is done',
  inFlight: 'Peak in flight',
  inFlightNote: 'micro-batches whose activations stage {stage} holds',
  activations: 'Peak activations',
  activationsNote: 'on stage {stage}',
  activationsOf: '{bytes} of {capacity}',
  activationsUnknown: 'unknown',
  activationsUnknownNote: 'bytes of a micro-batch are not known',

  memoryPeak: 'Activations of stage {stage}: at most {peak}',
  memoryPeakBatches: 'Activations of stage {stage}: at most {peak} {peak:micro-batch|micro-batches}',
  capacity: 'capacity {bytes}',

  passTitle: '{kind}{microBatch} on stage {stage}',
  passTitleChunk: '{kind}{microBatch}, chunk {chunk}, on stage {stage}',
  passKind: 'Pass',
  start: 'Start',
  end: 'End',
  duration: 'Duration',
  waitsFor: 'Waits for',
  waitsForNothing: 'nothing',
  waitsForText: '{pass} on stage {stage}, until {end}',
  waitsForMessage: '{pass} on stage {stage}, until {end} + {message} message',
  joined: 'runs together with the backward after it',
  idleBefore: 'Idle before',
  held: 'Held',
  heldBatches: '{count} {count:micro-batch|micro-batches}',
  heldBytes: '{bytes} ({count} {count:micro-batch|micro-batches})',
  idleTitle: 'Stage {stage} idles',

  showTables: 'Show as tables',
  hideTables: 'Hide the tables',
  stageTable: '{name}: its stages',
  busy: 'Busy',
  idleTime: 'Idle',
  span: 'Span',
  passTable: '{name}: its passes',
  passList: 'All {count} passes of {name}',
  passesTooMany: '{name} has {count} passes, too many for a list: the trace for Perfetto has them all.',
  stageColumn: 'Stage',
  pass: 'Pass',
  microBatch: 'Micro-batch',
  chunk: 'Chunk',

  notes: 'Worth knowing of {name}',
  warning: 'Warning',
  note: 'Note',
  barrier:
    'A global gradient norm, or any barrier at the end of the step, makes the makespan count: {bubble} of the time is idle, not the {spanBubble} that its spans promise.',
  barrierTwin:
    'With such a barrier it takes {makespan} ({bubble} idle), and ZB-1p takes {otherMakespan} ({otherBubble}): {gain}, at {factor} the activations ({peak} micro-batches instead of {otherPeak}).',
  noGain: 'nothing is gained',
  smallGain: 'only {share} is gained',
  slower: 'it is even slower',
  unequal:
    'Its order is made for F = B = W. Here they are 1 : {input} : {weight}, which makes the bubble {bubble} instead of {equal}.',
  unequalSlower:
    'Its order is made for F = B = W. Here they are 1 : {input} : {weight}, which makes the bubble {bubble} instead of {equal}: it loses to 1F1B with {baseline}.',
  split:
    'Planned with a B that frees {believedShare} of the activations, it seems to need {believed}. Here B frees {share}, and that plan would hold {real}.',
  splitHides: 'The first fits, the second does not: the wrong split hides that it runs out of memory.',
  batches: '{count} {count:micro-batch|micro-batches}',
  overCapacity:
    'Stage {stage} holds up to {bytes} of activations, and there is room for {capacity}: it runs out of memory.',
};

export type TimelineWord = keyof typeof ENGLISH;

/** Open for the test of its templates. */
export const TIMELINE_WORDS = translated(ENGLISH, SLOVAK);

export function say(key: TimelineWord, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(TIMELINE_WORDS[key], values);
}

const ENGLISH_SCHEDULES: Readonly<Record<ScheduleName, string>> = {
  none: 'No pipeline',
  naive: 'Naive',
  gpipe: 'GPipe',
  '1f1b': '1F1B',
  'eager-1f1b': 'Eager 1F1B',
  'interleaved-1f1b': 'Interleaved 1F1B',
  'zb-h1': 'ZB-H1',
  'zb-h2': 'ZB-H2',
  'zb-1p': 'ZB-1p',
  'zb-2p': 'ZB-2p',
  'zb-v': 'ZB-V',
  'v-half': 'V-Half',
  'v-min': 'V-Min',
  dualpipe: 'DualPipe',
  'dualpipe-v': 'DualPipeV',
  'breadth-first': 'Breadth-first',
};

const SCHEDULE_NAMES = translated(ENGLISH_SCHEDULES, SLOVAK_SCHEDULES);

export function scheduleName(schedule: ScheduleName): string {
  return SCHEDULE_NAMES[schedule];
}

const ENGLISH_RULES = {
  'stages-positive': 'needs at least one stage',
  'micro-batches-positive': 'needs at least one micro-batch',
  'virtual-positive': 'needs at least one chunk a stage',
  'passes-at-most': 'too many passes',
  'search-at-most': 'too large to search an order for',
  'memory-limit': 'needs memory for one micro-batch',
  'stages-one': 'needs a single stage',
  'stages-even': 'needs an even number of stages',
  'micro-batches-even': 'needs an even number of micro-batches',
  'micro-batches-at-least-twice-stages': 'needs two micro-batches a stage',
  'virtual-at-least-two': 'needs two chunks a stage or more',
  'virtual-two': 'needs two chunks a stage',
  'virtual-one': 'needs one chunk a stage',
};

const RULES: Readonly<Record<string, string>> = translated(ENGLISH_RULES, SLOVAK_RULES);

export function ruleText(rule: string): string {
  return RULES[rule] ?? rule;
}

export function problemText({ args }: Problem): string {
  return ruleText(String(args['rule']));
}

export function factText(fact: Fact, { bytes, percent, seconds, integer, times, number }: TimelineFormats): string {
  switch (fact.code) {
    case 'over-capacity':
      return say('overCapacity', {
        stage: integer(fact.stage),
        bytes: bytes(fact.bytes),
        capacity: bytes(fact.capacityBytes),
      });
    case 'barrier':
      return say('barrier', { bubble: percent(fact.bubble), spanBubble: percent(fact.spanBubble) });
    case 'barrier-twin': {
      const gain = 1 - fact.makespan / fact.otherMakespan;
      const word = Math.abs(gain) < 5e-4 ? 'noGain' : gain < 0 ? 'slower' : 'smallGain';
      return say('barrierTwin', {
        makespan: seconds(fact.makespan),
        bubble: percent(fact.bubble),
        otherMakespan: seconds(fact.otherMakespan),
        otherBubble: percent(fact.otherBubble),
        gain: say(word, { share: percent(gain) }),
        factor: times(fact.peak / fact.otherPeak),
        peak: number(fact.peak),
        otherPeak: number(fact.otherPeak),
      });
    }
    case 'unequal-passes':
      return say(fact.isSlower ? 'unequalSlower' : 'unequal', {
        input: number(fact.inputRatio),
        weight: number(fact.weightRatio),
        bubble: percent(fact.bubble),
        equal: percent(fact.equalBubble),
        baseline: percent(fact.baselineBubble),
      });
    case 'memory-split': {
      const amount = (value: number) => (fact.isBytes ? bytes(value) : say('batches', { count: number(value) }));
      const text = say('split', {
        believedShare: percent(fact.believedShare),
        share: percent(fact.share),
        believed: amount(fact.believed),
        real: amount(fact.real),
      });
      return fact.hidesOutOfMemory ? `${text} ${say('splitHides')}` : text;
    }
  }
}

/** The dashboard's formats, and plain numbers with up to two decimals. */
export interface TimelineFormats extends Formats {
  readonly number: (value: number) => string;
}

export function timelineFormats(): TimelineFormats {
  const plain = new Intl.NumberFormat(language(), { maximumFractionDigits: 2 });
  return { ...formats(), number: value => plain.format(value) };
}
