/** What wastes the time? The step's parts as a waterfall, each axis's communication, the pipeline's bubble. */
import type { EstimateDocument } from '../../src/documents/types';
import { HIDDEN_PARTS, TIME_PARTS } from '../../src/engine/estimate/output';
import type { ChartData } from '../chartFiles';
import { h, type VNode } from '../dom';
import { timeKind } from '../explained/headline';
import { explainBubble, explainedTime } from '../explained/time';
import { axisRows, groupSeconds, partWord, type TimeRow, timeRows, zeroParts } from '../figures';
import { type Fact, facts, type How } from '../facts';
import { chartWithTable, type Scene, section, table } from '../parts';
import { say } from '../words';

export const TIME_CHART = 'time-chart';

export function timeSection(scene: Scene): VNode {
  const rows = timeRows(scene.state.estimate);
  const { stepSeconds } = scene.state.estimate.throughput;
  if (rows.length === 0 || stepSeconds === null) {
    return section('time', say('timeHeading'), h('p', {}, say('speedUnknown')));
  }
  return section(
    'time',
    say('timeHeading'),
    h('div', { class: 'split' }, waterfall(scene, rows, stepSeconds), shares(scene, stepSeconds)),
    h('div', { class: 'split even' }, communication(scene), pipeline(scene)),
    explainedTime(scene),
  );
}

function waterfall(scene: Scene, rows: readonly TimeRow[], stepSeconds: number): VNode {
  const { formats, state } = scene;
  const { seconds, percent } = formats;
  const largest = rows.reduce((best, row) => (row.seconds > best.seconds ? row : best));
  const label = say('timeChart', {
    step: seconds(stepSeconds),
    part: say(largest.word),
    percent: percent(largest.seconds / stepSeconds),
  });
  const cells = rows.map(row => [
    say(row.word),
    say(row.group),
    seconds(row.seconds),
    percent(row.seconds / stepSeconds),
  ]);
  const twin = (reachable: boolean) =>
    table(
      `${TIME_CHART}-twin`,
      say('timeTable'),
      [
        { head: say('part') },
        { head: say('group') },
        { head: say('partSeconds'), numeric: true },
        { head: say('share'), numeric: true },
      ],
      [...cells, [say('step'), '', seconds(stepSeconds), percent(1)]],
      { totalRow: true, reachable },
    );
  const zero = zeroParts(state.estimate).map(part => say(partWord(part)));
  return h(
    'div',
    {},
    chartWithTable(
      scene,
      {
        id: TIME_CHART,
        label,
        height: 40 + (rows.length + 1) * 26,
        source: 'estimated',
        data: () => dataOf(state.estimate),
      },
      twin,
    ),
    zero.length > 0 && h('p', { class: 'note' }, say('zeroParts', { parts: zero.join(', ') })),
  );
}

function shares(scene: Scene, stepSeconds: number): VNode {
  const { state, formats } = scene;
  const { seconds, percent } = formats;
  const list = groupSeconds(state.estimate).map(({ group, parts, seconds: all }): Fact => {
    const values = parts.map(part => `${say(partWord(part))} ${seconds(state.estimate.time[part] ?? 0)}`).join(' + ');
    const explanation = () => ({
      formula: say('groupFormula'),
      values: `${values === '' ? '0 s' : values} = ${seconds(all)}; ÷ ${seconds(stepSeconds)} = ${percent(all / stepSeconds)}`,
      kind: timeKind(scene),
    });
    return {
      name: say(group),
      value: `${percent(all / stepSeconds)} · ${seconds(all)}`,
      how: { id: `group-${group}`, explanation },
      share: all / stepSeconds,
      swatch: `swatch-${group}`,
    };
  });
  return h('div', {}, h('h3', {}, say('sharesHeading')), facts(scene, list));
}

function communication({ state, formats }: Scene): VNode {
  const { seconds, percent } = formats;
  const rows = axisRows(state.estimate).map(({ axis, exposed, hidden }) => [
    axis,
    seconds(exposed),
    seconds(hidden),
    percent(hidden / (exposed + hidden)),
  ]);
  const columns = [
    { head: say('axis') },
    { head: say('exposed'), numeric: true },
    { head: say('hidden'), numeric: true },
    { head: say('hiddenShare'), numeric: true },
  ];
  return h(
    'div',
    {},
    h('h3', {}, say('communicationHeading')),
    rows.length === 0
      ? h('p', {}, say('communicationNone'))
      : table('communication', say('communicationTable'), columns, rows),
    rows.length > 0 && h('p', { class: 'note' }, say('hiddenNote')),
  );
}

function pipeline(scene: Scene): VNode {
  const { state, formats } = scene;
  const { schedule, stages, microBatches, bubbleFraction, spanBubbleFraction } = state.estimate.pipeline;
  const { globalBatch, microBatch, dp } = state.estimate.setup.plan;
  const heading = h('h3', {}, say('pipelineHeading'));
  if (stages === null || stages === 1) return h('div', {}, heading, h('p', {}, say('noPipeline')));
  const { integer, percent } = formats;
  const list: Fact[] = [
    { name: say('schedule'), value: schedule ?? say('unknownValue'), how: 'given' },
    { name: say('stages'), value: integer(stages), how: 'given' },
  ];
  if (microBatches !== null && globalBatch !== null && microBatch !== null && dp !== null) {
    const values = `${integer(globalBatch)} ÷ (${integer(dp)} × ${formats.number(microBatch)}) = ${integer(microBatches)}`;
    const explanation = () => ({ formula: say('microBatchesFormula'), values, kind: say('fromPlanKind') });
    list.push({ name: say('microBatches'), value: integer(microBatches), how: { id: 'micro-batches', explanation } });
  }
  for (const [id, word, fraction] of [
    ['bubble', 'bubbleFraction', bubbleFraction],
    ['span-bubble', 'spanBubbleFraction', spanBubbleFraction],
  ] as const) {
    if (fraction === null) continue;
    const explanation = explainBubble(scene, fraction, id === 'bubble');
    const how: How = explanation === null ? 'given' : { id, explanation: () => explanation };
    list.push({ name: say(word), value: percent(fraction), how });
  }
  return h('div', {}, heading, facts(scene, list), h('p', { class: 'note' }, say('bubbleDifference')));
}

/** All parts, also those that the chart draws together; then what is hidden, which is not in the step. */
function dataOf({ time, hidden }: EstimateDocument): ChartData {
  return {
    columns: ['part', 'inStep', 'seconds'],
    rows: [
      ...TIME_PARTS.map(part => [part, 'true', time[part]]),
      ...HIDDEN_PARTS.map(axis => [`${axis}Hidden`, 'false', hidden[axis]]),
    ],
  };
}
