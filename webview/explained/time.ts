/** How each part of the step comes about, and the pipeline's bubble. */
import { HIDDEN_PARTS, TIME_PARTS, type TimePart } from '../../src/engine/estimate/output';
import { TIME_FORMULAS } from '../../src/words/formulas';
import type { VNode } from '../dom';
import { partWord } from '../figures';
import { timeKind } from './headline';
import type { Scene } from '../parts';
import { type Explained, type Explanation, explanationList } from '../sections/explanation';
import { say } from '../words';

export function explainedTime(scene: Scene): VNode | null {
  const { time } = scene.state.estimate;
  const list = TIME_PARTS.filter(part => (time[part] ?? 0) > LEAST_SECONDS).map(
    (part): Explained => ({
      id: `time-${part}`,
      name: say(partWord(part)),
      value: scene.formats.seconds(time[part] ?? 0),
      explanation: () => explain(scene, part, time[part] ?? 0),
    }),
  );
  return explanationList(scene, 'time-explained', list);
}

/** Of the makespan, or of the longest span of a stage; null where the seconds of the stages are not known. */
export function explainBubble(scene: Scene, fraction: number, ofMakespan: boolean): Explanation | null {
  const { stages } = scene.state.estimate.pipeline;
  const busy = busySeconds(scene);
  if (stages === null || busy === null) return null;
  const { seconds, percent } = scene.formats;
  return {
    formula: say(ofMakespan ? 'bubbleFormula' : 'spanBubbleFormula'),
    values: say('bubbleValues', {
      busy: seconds(busy.all),
      stages,
      makespan: seconds(busy.all / stages / (1 - fraction)),
      percent: percent(fraction),
    }),
    binds: say('busiestBinds'),
    kind: say('bubbleKind'),
  };
}

/** Of all stages together, and of the busiest for one micro-batch. */
function busySeconds({ state }: Scene): { all: number; busiest: number } | null {
  const { stages, microBatches, stageSeconds } = state.estimate.pipeline;
  if (stages === null || stages < 2 || microBatches === null || stageSeconds === null) return null;
  const { forward, backwardInput, backwardWeight } = stageSeconds;
  const each = forward.map((one, stage) => one + backwardInput[stage] + backwardWeight[stage]);
  return { all: microBatches * each.reduce((sum, one) => sum + one, 0), busiest: Math.max(...each) };
}

function explain(scene: Scene, part: TimePart, seconds: number): Explanation {
  const binds = bindsOf(scene, part);
  return {
    formula: TIME_FORMULAS[part],
    values: values(scene, part, seconds),
    kind: timeKind(scene),
    ...(binds === null ? {} : { binds }),
  };
}

/** Shorter parts are nothing that anyone asks about. */
const LEAST_SECONDS = 1e-9;

const axisOf = (part: TimePart) => HIDDEN_PARTS.find(axis => part === `${axis}Exposed`);

const BY_MICRO_BATCH: readonly TimePart[] = ['forward', 'backward', 'recompute', 'launch', 'ppExposed'];

function values(scene: Scene, part: TimePart, seconds: number): string {
  const { state, formats } = scene;
  const { hidden, pipeline, throughput } = state.estimate;
  const { microBatches } = pipeline;
  const step = throughput.stepSeconds ?? seconds;
  const text = formats.seconds(seconds);
  if (BY_MICRO_BATCH.includes(part) && microBatches !== null) {
    const each = formats.seconds(seconds / microBatches);
    return say('perMicroBatch', { count: formats.integer(microBatches), each, seconds: text });
  }
  const axis = axisOf(part);
  if (axis !== undefined) {
    const beside = hidden[axis] ?? 0;
    return say('exposedValues', {
      exposed: text,
      hidden: formats.seconds(beside),
      all: formats.seconds(seconds + beside),
    });
  }
  if (part === 'straggler') {
    const rest = step - seconds;
    return say('stragglerValues', {
      percent: formats.percent(seconds / rest),
      rest: formats.seconds(rest),
      seconds: text,
    });
  }
  const busy = part === 'bubble' ? busySeconds(scene) : null;
  if (busy !== null && microBatches !== null) {
    const count = formats.integer(microBatches);
    const makespan = formats.seconds(seconds + microBatches * busy.busiest);
    return say('waitingValues', { makespan, count, busy: formats.seconds(busy.busiest), seconds: text });
  }
  return say('shareOfStep', { seconds: text, percent: formats.percent(seconds / step) });
}

/** Known only of computation, of axes and of the bubble. */
function bindsOf({ inspect, formats }: Scene, part: TimePart): string | null {
  if (part === 'bubble') return say('busiestBinds');
  const axis = axisOf(part);
  const found = inspect();
  if (axis !== undefined) {
    const link = found?.traffic?.axes.find(one => one.axis === axis)?.binds;
    return link === undefined ? null : say('linkBinds', { link: say(`binds-${link}`) });
  }
  const operators = found?.roofline?.operators;
  if (part !== 'forward' || operators === undefined) return null;
  const sum = (list: typeof operators) => list.reduce((all, { seconds, count }) => all + seconds * count, 0);
  const share = sum(operators.filter(({ bound }) => bound === 'compute')) / sum(operators);
  return say('computeBinds', { percent: formats.percent(share) });
}
