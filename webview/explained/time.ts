/** How each part of the step comes about, and the pipeline's bubble. */
import { HIDDEN_PARTS, TIME_PARTS, type TimePart } from '../../src/engine/estimate/output';
import { TIME_FORMULAS } from '../../src/words/formulas';
import type { VNode } from '../dom';
import { partWord } from '../figures';
import type { Scene } from '../parts';
import { type Explained, type Explanation, explanationList } from '../sections/explanation';
import { say } from '../words';

export function explainedTime(scene: Scene): VNode | null {
  const { time } = scene.state.estimate;
  const list = TIME_PARTS.filter(part => (time[part] ?? 0) > 0).map(
    (part): Explained => ({
      id: `time-${part}`,
      name: say(partWord(part)),
      value: scene.formats.seconds(time[part] ?? 0),
      explanation: () => explain(scene, part, time[part] ?? 0),
    }),
  );
  return explanationList(scene, 'time-explained', list);
}

export function explainedBubble(scene: Scene): VNode | null {
  const { pipeline } = scene.state.estimate;
  const { stages, microBatches, bubbleFraction, stageSeconds } = pipeline;
  if (stages === null || stages < 2 || microBatches === null || bubbleFraction === null || stageSeconds === null)
    return null;
  const { forward, backwardInput, backwardWeight } = stageSeconds;
  const sum = (list: readonly number[]) => list.reduce((all, seconds) => all + seconds, 0);
  const busy = microBatches * (sum(forward) + sum(backwardInput) + sum(backwardWeight));
  const { seconds, percent } = scene.formats;
  const explanation = () => ({
    formula: say('bubbleFormula'),
    values: say('bubbleValues', {
      busy: seconds(busy),
      stages,
      makespan: seconds(busy / stages / (1 - bubbleFraction)),
      percent: percent(bubbleFraction),
    }),
    binds: say('busiestBinds'),
    kind: say('bubbleKind'),
  });
  const value = percent(bubbleFraction);
  return explanationList(scene, 'bubble-explained', [
    { id: 'bubble', name: say('bubbleFraction'), value, explanation },
  ]);
}

function explain(scene: Scene, part: TimePart, seconds: number): Explanation {
  const { evidence } = scene.state.estimate;
  const binds = bindsOf(scene, part);
  return {
    formula: TIME_FORMULAS[part],
    values: values(scene, part, seconds),
    kind: evidence === 'none' ? say('stepKindAssumed') : say('timeKindFitted', { architecture: evidence.architecture }),
    ...(binds === null ? {} : { binds }),
  };
}

const axisOf = (part: TimePart) => HIDDEN_PARTS.find(axis => part === `${axis}Exposed`);

const BY_MICRO_BATCH: readonly TimePart[] = ['forward', 'backward', 'recompute', 'launch', 'ppExposed'];

function values({ state, formats }: Scene, part: TimePart, seconds: number): string {
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
